// does:    One page of the relations that a store has defined, by what they mean.
// mode:    read
// scope:   store
// param:   store_id     string
// param:   after        string         the last relation of the page before, or ''
// param:   limit        integer
// returns: sense        string
// returns: definition   map
// returns: names        list<string>   how they are written
CYPHER 25
MATCH (p:Predicate {store_id: $store_id})
WHERE p.sense > $after AND p.version IS NOT NULL
WITH p ORDER BY p.id
WITH p.sense AS sense, collect(p{.*}) AS nodes
ORDER BY sense LIMIT $limit
RETURN sense, nodes[0] AS definition, [n IN nodes | n.name] AS names
ORDER BY sense
