// does:    Keep what people did to facts: what, who, when and why.
// mode:    write
// scope:   owner
// param:   store_id    string
// param:   owner_key   string
// param:   changes     list<map>   fact_id; change: id, event, by, reason
// param:   now         datetime
CYPHER 25
UNWIND $changes AS row
MATCH (f:Fact {id: row.fact_id}) WHERE f.owner_key = $owner_key
CREATE (c:Change)-[:CHANGED]->(f)
SET c = row.change, c.at = $now, c.created_at = $now, c.store_id = $store_id, c.owner_key = $owner_key
