// does:    Link a note to the entities it is about: those given, and those whose names it holds.
// mode:    write
// scope:   owner
// param:   owner_key    string
// param:   note_id      string
// param:   entity_ids   list<string>   given by the caller; null keeps those given before
// param:   name_keys    list<string>   names that title and body may hold
CYPHER 25
MATCH (n:Note {id: $note_id})
WHERE n.owner_key = $owner_key
CALL (n) {
  MATCH (n)-[old:ABOUT]->(:Entity)
  WHERE $entity_ids IS NOT NULL OR NOT coalesce(old.given, false)
  DELETE old
}
CALL (n) {
  UNWIND coalesce($entity_ids, []) AS id
  MATCH (x:Entity {id: id}) WHERE x.owner_key = $owner_key
  MERGE (n)-[a:ABOUT]->(x)
  SET a.given = true
}
CALL (n) {
  MATCH (x:Entity {owner_key: $owner_key}) WHERE x.name_key IN $name_keys AND NOT x.is_actor
  MERGE (n)-[:ABOUT]->(x)
}
CALL (n) { // what an episode is about, a note that tells of it is about too
  MATCH (n)-[:DERIVED_FROM]->(:Episode)-[:ABOUT]->(x:Entity) WHERE NOT x.is_actor
  WITH DISTINCT n, x LIMIT 50
  MERGE (n)-[:ABOUT]->(x)
}
