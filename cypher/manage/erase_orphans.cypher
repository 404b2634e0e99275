// does:    Remove entities, sessions with the audits of their recalls, and contradictions that nothing refers to any more.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   with_actor  boolean   true: the owner's own entity and lock too
// returns: entities    integer
CYPHER 25
CALL () {
  MATCH (x:Entity {owner_key: $owner_key})
  WHERE x.id > '' AND ($with_actor OR NOT x.is_actor)
    // entities that are the same stay as long as anything is about one of them
    AND NOT EXISTS { (x)-[:SAME_AS*0..8 {active: true}]-(:Entity)<-[:SUBJECT|OBJECT|ABOUT]-() }
  DETACH DELETE x
  RETURN count(*) AS entities
}
CALL () {
  MATCH (a:Alias {owner_key: $owner_key})
  WHERE a.name_key > '' AND NOT EXISTS { (a)-[:NAMES]->() }
  DELETE a
}
CALL () {
  MATCH (s:Session {owner_key: $owner_key})
  WHERE NOT EXISTS { (s)<-[:IN_SESSION]-() }
  WITH s, s.id AS id
  DETACH DELETE s
  RETURN collect(id) AS sessions
}
CALL () {
  MATCH (c:Contradiction {owner_key: $owner_key})
  WHERE c.id > '' AND COUNT { (c)-[:CONTRADICTS]->() } < 2
  DETACH DELETE c
}
CALL (sessions) { // the audit of what was recalled in a session goes with it
  WITH sessions WHERE $with_actor OR size(sessions) > 0
  MATCH (r:Recall {owner_key: $owner_key}) WHERE r.id > '' AND ($with_actor OR r.session_id IN sessions)
  DETACH DELETE r
}
CALL () {
  MATCH (c:Change {owner_key: $owner_key}) WHERE NOT EXISTS { (c)-[:CHANGED]->() }
  DELETE c
}
CALL () {
  MATCH (i:Idempotency {owner_key: $owner_key}) WHERE $with_actor
  DETACH DELETE i
}
RETURN entities
