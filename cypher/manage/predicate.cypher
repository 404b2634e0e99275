// does:    Relations of a store by what they mean; no row for one that it has not defined.
// mode:    read
// scope:   store
// param:   store_id     string
// param:   senses       list<string>
// returns: sense        string
// returns: definition   map
// returns: names        list<string>   how it is written
CYPHER 25
UNWIND $senses AS sense
MATCH (p:Predicate {store_id: $store_id, sense: sense}) WHERE p.version IS NOT NULL
WITH sense, p ORDER BY p.id
WITH sense, collect(p{.*}) AS nodes
RETURN sense, nodes[0] AS definition, [n IN nodes | n.name] AS names
