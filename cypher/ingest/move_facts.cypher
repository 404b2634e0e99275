// does:    Move facts to the entities that their first entities stand for now; gives the slots that changed.
// mode:    write
// scope:   owner
// param:   owner_key    string
// param:   entity_ids   list<string>   entities whose facts may have to move
// returns: slot_key     string
CYPHER 25
CALL () {
  UNWIND $entity_ids AS id
  MATCH (e:Entity {id: id})<-[:SUBJECT|OBJECT]-(f:Fact)
  WHERE e.owner_key = $owner_key
  RETURN DISTINCT f
}
MATCH (f)-[:SUBJECT]->(subject:Entity)
OPTIONAL MATCH (f)-[:OBJECT]->(object:Entity)
LET first_subject = coalesce(f.origin_subject, subject.id), first_object = coalesce(f.origin_object, object.id)
MATCH (:Entity {id: first_subject})-[:SAME_AS*0..8 {active: true}]->(to_subject:Entity) WHERE to_subject.merged_into IS NULL
OPTIONAL MATCH (:Entity {id: first_object})-[:SAME_AS*0..8 {active: true}]->(to_object:Entity)
  WHERE to_object.merged_into IS NULL
LET home = to_subject.id = first_subject AND coalesce(to_object.id = first_object, true)
WITH f, subject, object, to_subject, to_object, home, first_object, first_subject
WHERE to_subject <> subject OR coalesce(to_object <> object, false) OR (home AND f.origin_run IS NOT NULL AND f.run_key <> f.origin_run)
LET slot_key = to_subject.id + CASE WHEN to_object IS NULL
      THEN substring(coalesce(f.origin_slot, f.slot_key), size(first_subject))
      ELSE replace(substring(coalesce(f.origin_slot, f.slot_key), size(first_subject)), first_object, to_object.id) END
LET value_key = CASE WHEN to_object IS NULL THEN coalesce(f.origin_value, f.value_key)
                     ELSE replace(coalesce(f.origin_value, f.value_key), first_object, to_object.id) END
WITH slot_key, value_key, f, subject, object, to_subject, to_object, home
ORDER BY toIntegerOrNull(split(f.run_key, '#')[-1]), f.id
WITH slot_key, value_key, collect({fact: f, subject: subject, object: object, to_subject: to_subject,
                                   to_object: to_object, home: home}) AS moves
CALL (slot_key, value_key, moves) { // the stays of this value that are there already keep their numbers
  OPTIONAL MATCH (there:Fact {slot_key: slot_key})
  WHERE there.value_key = value_key AND NOT there IN [m IN moves | m.fact]
  RETURN coalesce(max(toIntegerOrNull(split(there.run_key, '#')[-1])), -1) + 1 AS first
}
UNWIND range(0, size(moves) - 1) AS i
LET move = moves[i], former = moves[i].fact.slot_key, f = moves[i].fact
LET own = COLLECT { MATCH (f)-[d:DERIVED_FROM]->() WHERE d.event <> 'kept' AND d.continued IS NULL
                    RETURN d.withdrawn_by IS NULL }
SET f.run_key = CASE WHEN size(own) > 0 AND NOT true IN own THEN slot_key + '#withdrawn#' + f.id
                     WHEN move.home AND NOT EXISTS { MATCH (other:Fact {run_key: f.origin_run}) WHERE other <> f }
                     THEN f.origin_run
                     ELSE slot_key + '#' + value_key + '#' + toString(first + i) END,
    f.slot_key = slot_key, f.value_key = value_key,
    f.axis_key = move.to_subject.id + substring(f.axis_key, size(move.subject.id))
WITH move, f, former, slot_key
CALL (move, f) {
  WITH move, f WHERE move.subject <> move.to_subject
  LET to = move.to_subject
  MATCH (f)-[edge:SUBJECT]->()
  DELETE edge
  CREATE (f)-[:SUBJECT]->(to)
}
CALL (move, f) {
  WITH move, f WHERE move.object <> move.to_object
  LET to = move.to_object
  MATCH (f)-[edge:OBJECT]->()
  DELETE edge
  CREATE (f)-[:OBJECT]->(to)
}
UNWIND [former, slot_key] AS touched
RETURN DISTINCT touched AS slot_key
