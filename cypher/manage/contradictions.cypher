// does:    One page of an owner's disputes, by id.
// mode:    read
// scope:   owner
// param:   owner_key   string
// param:   after       string         id of the last one of the page before, or ''
// param:   limit       integer
// param:   state       string         open, resolved or null
// returns: dispute     map
// returns: fact_ids    list<string>
CYPHER 25
MATCH (c:Contradiction {owner_key: $owner_key})
WHERE c.id > $after AND ($state IS NULL OR c.state = $state)
WITH c ORDER BY c.id LIMIT $limit
RETURN c{.*} AS dispute,
       COLLECT { MATCH (c)-[:CONTRADICTS]->(f:Fact) RETURN f.id ORDER BY f.valid_at, f.id } AS fact_ids
ORDER BY dispute.id
