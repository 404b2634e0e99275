// does:    Say which episodes a note's words come from now; former versions keep those that theirs came from.
// mode:    write
// scope:   owner
// param:   owner_key     string
// param:   note_id       string
// param:   episode_ids   list<string>
CYPHER 25
MATCH (n:Note {id: $note_id})
WHERE n.owner_key = $owner_key
LET versions = COLLECT {
  MATCH (n)-[:SUPERSEDES]->(v:Note)
  WHERE v.version_of = n.id AND NOT EXISTS { (v)-[:DERIVED_FROM]->(:Episode) }
  RETURN v }
CALL (n, versions) {
  MATCH (n)-[d:DERIVED_FROM]->(e:Episode) WHERE NOT e.id IN $episode_ids
  CALL (versions, e) {
    UNWIND versions AS v
    MERGE (v)-[:DERIVED_FROM]->(e)
  }
  DELETE d
}
CALL (n) {
  UNWIND $episode_ids AS id
  MATCH (e:Episode {id: id}) WHERE e.owner_key = $owner_key
  MERGE (n)-[:DERIVED_FROM]->(e)
}
