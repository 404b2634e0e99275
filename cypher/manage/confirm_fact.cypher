// does:    Confirm a fact: its statements weigh as the owner's own word; what they were is kept, to undo it.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   fact_id     string
// param:   by          string     dispute that this decides, or null
// param:   now         datetime
// returns: slot_key    string
CYPHER 25
MATCH (f:Fact {id: $fact_id}) WHERE f.owner_key = $owner_key
LET said = COLLECT { MATCH (f)-[own:DERIVED_FROM]->() WHERE own.withdrawn_by IS NULL RETURN replace(own.id, '+', '') }
LET slot_key = f.slot_key
CALL (slot_key, said) { // a stay that resumes rests on statements of the stay before
  MATCH (g:Fact {slot_key: slot_key})-[d:DERIVED_FROM]->(:Episode)
  WHERE g.owner_key = $owner_key AND d.id IN said AND d.event = 'assert' AND d.withdrawn_by IS NULL
  SET d.confirmed_for = CASE WHEN coalesce(d.confirmed, false) THEN d.confirmed_for ELSE $by END,
      d.trust_before = CASE WHEN coalesce(d.confirmed, false) THEN d.trust_before ELSE d.trust END,
      d.trust = CASE WHEN d.trust < 2 THEN 2 ELSE d.trust END, d.confirmed = true
}
SET f.state_before = CASE f.learning_state WHEN 'confirmed' THEN f.state_before ELSE f.learning_state END,
    f.learning_state = 'confirmed', f.version = f.version + 1, f.updated_at = $now
RETURN slot_key
