// does:    Say that one entity is the same as another, and keep the place of every fact that this may move.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   source_id   string     is merged into the target
// param:   target_id   string
// param:   same_as     map        id, reason, score, at, by; alias_key where an alias says so
// returns: facts       integer    facts whose place is kept
//
// A fact keeps what it was before its first move (`origin_…`), a statement which entities it named (`said_…`); an edge
// `kept` from each fact to its episodes holds a fact that the merge leaves without statements, until the merge ends.
CYPHER 25
MATCH (source:Entity {id: $source_id}) WHERE source.owner_key = $owner_key
MATCH (target:Entity {id: $target_id}) WHERE target.owner_key = $owner_key
CREATE (source)-[same:SAME_AS]->(target)
SET same = $same_as, same.active = true, source.merged_into = target.id
WITH source, target
OPTIONAL MATCH (target)-[:SAME_AS*0..8 {active: true}]->(root:Entity) WHERE root.merged_into IS NULL
WITH source, root LIMIT 1
LET moving = COLLECT { MATCH (source)<-[:SUBJECT|OBJECT]-(f:Fact) RETURN DISTINCT f }
CALL (source, root, moving) { // facts that are there already, in the slots that the moving ones come to
  UNWIND moving AS f
  MATCH (f)-[:SUBJECT]->(subject:Entity)
  LET slot_key = CASE WHEN subject = source THEN root.id ELSE subject.id END
               + replace(substring(f.slot_key, size(subject.id)), source.id, root.id)
  WITH DISTINCT slot_key
  MATCH (g:Fact {slot_key: slot_key})
  RETURN collect(DISTINCT g) AS waiting
}
UNWIND moving + waiting AS f
WITH DISTINCT f, f IN moving AS moves
MATCH (f)-[:SUBJECT]->(subject:Entity)
OPTIONAL MATCH (f)-[:OBJECT]->(object:Entity)
SET f.origin_run = coalesce(f.origin_run, f.run_key), f.origin_slot = coalesce(f.origin_slot, f.slot_key),
    f.origin_value = coalesce(f.origin_value, f.value_key), f.origin_subject = coalesce(f.origin_subject, subject.id),
    f.origin_object = coalesce(f.origin_object, object.id), f.merges = CASE WHEN moves THEN coalesce(f.merges, []) + $same_as.id ELSE f.merges END
WITH f, subject, object
CALL (f, subject, object) {
  MATCH (f)-[d:DERIVED_FROM]->(episode:Episode)
  WHERE d.event <> 'kept' AND d.continued IS NULL
  SET d.said_subject = coalesce(d.said_subject, subject.id), d.said_object = coalesce(d.said_object, object.id)
  LET said = properties(d)
  CREATE (f)-[kept:DERIVED_FROM]->(episode)
  SET kept = said{.*, id: said.id + '~' + $same_as.id, of: said.id, event: 'kept', withdrawn_by: $same_as.id,
                  withdrawn_reason: 'merged', commit_id: null, withdrawn_commit: null}
}
RETURN count(f) AS facts
