// does:    Keep the audit of one recall, without any text, and strengthen what it gave.
// mode:    write
// scope:   owner
// param:   store_id     string
// param:   owner_key    string         whose audit it is
// param:   owner_keys   list<string>   whose memories it may have used
// param:   recall       map            id, scope, query hash, what was asked for, counts, reasons, the gate as JSON
// param:   used         list<map>      id, kind, rank, score; by id, so that two recalls take locks in one order
// param:   now          datetime
CYPHER 25
CREATE (r:Recall)
SET r = $recall, r.store_id = $store_id, r.owner_key = $owner_key, r.at = $now, r.created_at = $now
WITH r
UNWIND $used AS u
CALL (u) {
  WHEN u.kind = 'fact' THEN { MATCH (n:Fact {id: u.id}) RETURN n }
  WHEN u.kind = 'note' THEN { MATCH (n:Note {id: u.id}) RETURN n }
  ELSE { MATCH (n:Episode {id: u.id}) RETURN n }
}
WITH r, u, n WHERE n.owner_key IN $owner_keys
SET n.access_count = coalesce(n.access_count, 0) + 1, n.last_accessed_at = $now
CREATE (r)-[:USED {rank: u.rank, score: u.score}]->(n)
