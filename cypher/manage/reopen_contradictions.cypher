// does:    Undo the decisions of disputes: they are open again, confirmations and other valid times are taken back.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   ids         list<string>   others than disputes are passed over
// returns: slot_key    string
CYPHER 25
UNWIND $ids AS id
MATCH (c:Contradiction {id: id})-[:CONTRADICTS]->(f:Fact)
WHERE c.owner_key = $owner_key
SET c.state = 'open', c.resolution = null, c.explanation = null, c.resolved_by = null, c.resolved_at = null,
    c.keep = null
WITH c, f
CALL (c, f) {
  MATCH (g:Fact {slot_key: f.slot_key})-[d:DERIVED_FROM]->(:Episode)
  WHERE g.value_key = f.value_key AND d.confirmed_for = c.id
  SET d.trust = d.trust_before, d.confirmed = null, d.confirmed_for = null, d.trust_before = null
  WITH DISTINCT g
  SET g.learning_state = coalesce(g.state_before, g.learning_state), g.state_before = null
}
CALL (c, f) {
  MATCH (g:Fact {slot_key: f.slot_key})-[d:DERIVED_FROM]->(:Episode)
  WHERE g.value_key = f.value_key AND d.timed_for = c.id
  SET d.valid_at = d.valid_at_before, d.invalid_at = d.invalid_at_before,
      d.valid_at_precision = d.valid_at_precision_before, d.invalid_at_precision = d.invalid_at_precision_before,
      d.timed_for = null, d.valid_at_before = null, d.invalid_at_before = null, d.valid_at_precision_before = null,
      d.invalid_at_precision_before = null
}
RETURN DISTINCT f.slot_key AS slot_key
