// does:    Disputes by their ids.
// mode:    read
// scope:   owner
// param:   owner_key   string
// param:   ids         list<string>
// returns: dispute     map
// returns: fact_ids    list<string>
CYPHER 25
UNWIND $ids AS id
MATCH (c:Contradiction {id: id}) WHERE c.owner_key = $owner_key
RETURN c{.*} AS dispute,
       COLLECT { MATCH (c)-[:CONTRADICTS]->(f:Fact) RETURN f.id ORDER BY f.valid_at, f.id } AS fact_ids
ORDER BY dispute.id
