// does:    Move an owner's facts to the slots that their relations' definitions ask for; ids and statements stay.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   relations   list<map>   sense, axis, single: one value at a time
// param:   limit       integer     subjects at most; all facts of one are moved together
// returns: slot_key    string      left or entered, to be settled
// returns: axis_key    string      where values coexist from now on, else null
CYPHER 25
CALL () {
  UNWIND $relations AS relation
  MATCH (f:Fact {owner_key: $owner_key, sense: relation.sense})
  LET subject = left(f.slot_key, 36)
  LET axis_key = subject + '|' + relation.axis
  FILTER f.axis_key <> axis_key OR (f.slot_key = axis_key) <> (relation.single AND f.polarity)
  WITH DISTINCT subject ORDER BY subject LIMIT $limit
  RETURN collect(subject) AS subjects
}
UNWIND $relations AS relation
MATCH (f:Fact {owner_key: $owner_key, sense: relation.sense})
LET subject = left(f.slot_key, 36)
LET axis_key = subject + '|' + relation.axis, single = relation.single AND f.polarity, former = f.slot_key
FILTER subject IN subjects AND (f.axis_key <> axis_key OR (former = axis_key) <> single)
CALL (f, axis_key, single) { // a correction among coexisting values withdraws; in a slot of one value the slot decides
  WITH f, axis_key, single WHERE single
  MATCH (right:Fact {owner_key: $owner_key, sense: f.sense})-[c:DERIVED_FROM {corrects: f.id}]->(said:Episode)
  MATCH (f)-[d:DERIVED_FROM]->(:Episode)
  WHERE d.withdrawn_by = said.id AND d.withdrawn_reason = 'corrected'
  SET d.withdrawn_by = null, d.withdrawn_reason = null, d.withdrawn_commit = null
  WITH DISTINCT c
  SET c.corrects = null
}
CALL (f, former, axis_key, single) { // among values that exclude one another a denial has a slot of its own: it ends this
  WITH f, former, axis_key, single WHERE single AND f.run_key ENDS WITH '#0'
  LET object_key = substring(f.value_key, size(f.sense) + 3)
  MATCH (denial:Fact)-[d:DERIVED_FROM]->(said:Episode)
  WHERE denial.slot_key IN [former, axis_key + '|' + object_key] AND denial.owner_key = $owner_key
    AND denial.value_key = f.sense + '|-|' + object_key AND d.event = 'assert' AND d.withdrawn_by IS NULL
    AND d.continued IS NULL AND NOT EXISTS { (f)-[:DERIVED_FROM {event: 'retract'}]->(said) }
  LET words = properties(d)
  CREATE (f)-[ends:DERIVED_FROM]->(said)
  SET ends = words{.*, id: randomUUID(), event: 'retract'}
}
LET slot_key = CASE WHEN single THEN axis_key ELSE axis_key + '|'
                    + CASE f.value_key WHEN '*' THEN '*' ELSE substring(f.value_key, size(f.sense) + 3) END END
LET back = f.run_key STARTS WITH former + '#withdrawn#'
           AND EXISTS { MATCH (f)-[d:DERIVED_FROM]->() WHERE d.withdrawn_by IS NULL AND d.continued IS NULL }
LET tail = CASE WHEN back THEN '#' + f.value_key + '#0' ELSE substring(f.run_key, size(former)) END
LET taken = EXISTS { MATCH (other:Fact {run_key: slot_key + tail}) WHERE other <> f }
SET f.run_key = slot_key + tail + CASE WHEN taken THEN '+' + f.id ELSE '' END, f.slot_key = slot_key,
    f.axis_key = axis_key
// where it returns to when its entities are taken apart
LET first = left(f.origin_slot, 36) + '|' + relation.axis + CASE WHEN single THEN '' ELSE '|'
            + CASE f.origin_value WHEN '*' THEN '*' ELSE substring(f.origin_value, size(f.sense) + 3) END END
SET f.origin_run = first + substring(f.origin_run, size(f.origin_slot))
SET f.origin_slot = CASE WHEN f.origin_slot IS NULL THEN null ELSE first END
WITH former, slot_key, CASE WHEN NOT single THEN axis_key END AS axis_key
UNWIND [former, slot_key] AS touched
RETURN DISTINCT touched AS slot_key, axis_key
