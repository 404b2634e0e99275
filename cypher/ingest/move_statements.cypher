// does:    Move statements to the facts of the entities that they named; gives the slots that changed.
// mode:    write
// scope:   owner
// param:   owner_key    string
// param:   entity_ids   list<string>
// param:   now          datetime
// param:   commit_id    string
// returns: slot_key     string
CYPHER 25
CALL () {
  UNWIND $entity_ids AS id
  MATCH (e:Entity {id: id})<-[:SUBJECT|OBJECT]-(f:Fact)
  WHERE e.owner_key = $owner_key
  RETURN DISTINCT f
}
MATCH (f)-[d:DERIVED_FROM]->(episode:Episode)
WHERE d.said_subject IS NOT NULL AND d.event <> 'kept' AND d.continued IS NULL
MATCH (f)-[:SUBJECT]->(subject:Entity)
OPTIONAL MATCH (f)-[:OBJECT]->(object:Entity)
MATCH (:Entity {id: d.said_subject})-[:SAME_AS*0..8 {active: true}]->(to_subject:Entity) WHERE to_subject.merged_into IS NULL
OPTIONAL MATCH (:Entity {id: coalesce(d.said_object, object.id)})-[:SAME_AS*0..8 {active: true}]->(to_object:Entity)
  WHERE to_object.merged_into IS NULL
WITH f, d, episode, subject, object, to_subject, to_object
WHERE to_subject <> subject OR coalesce(to_object <> object, false)
LET slot_key = to_subject.id + CASE WHEN to_object IS NULL THEN substring(f.slot_key, size(subject.id))
      ELSE replace(substring(f.slot_key, size(subject.id)), object.id, to_object.id) END
LET value_key = CASE WHEN to_object IS NULL THEN f.value_key ELSE replace(f.value_key, object.id, to_object.id) END
LET known = properties(f), axis = to_subject.id + substring(f.axis_key, size(subject.id)), former = f.slot_key
MERGE (t:Fact {run_key: slot_key + '#' + value_key + '#0'})
ON CREATE SET t += known{.*, id: randomUUID(), run_key: slot_key + '#' + value_key + '#0', slot_key: slot_key,
  value_key: value_key, axis_key: axis, created_at: $now, updated_at: $now, commit_id: $commit_id, version: 0,
  access_count: 0, last_accessed_at: null, expired_at: null, origin_run: null, origin_slot: null, origin_value: null,
  origin_subject: null, origin_object: null, merges: null}
MERGE (t)-[:SUBJECT]->(to_subject)
WITH d, episode, t, to_object, former, slot_key
CALL (t, to_object) {
  WITH t, to_object WHERE to_object IS NOT NULL
  MERGE (t)-[:OBJECT]->(to_object)
}
LET said = properties(d)
CREATE (t)-[moved:DERIVED_FROM]->(episode)
SET moved = said
DELETE d
WITH former, slot_key
UNWIND [former, slot_key] AS touched
RETURN DISTINCT touched AS slot_key
