// does:    Withdraw every statement of facts; settling their slots takes them back and restores what they had ended.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   fact_ids    list<string>
// param:   by          string     episode, dispute or person that withdraws them
// param:   reason      string
// param:   status      string     their status from now on; null keeps it
// param:   approval    string     their approval from now on; null keeps it
// param:   commit_id   string     tells one withdrawal from the next
// returns: slot_key    string
CYPHER 25
UNWIND $fact_ids AS id
MATCH (f:Fact {id: id}) WHERE f.owner_key = $owner_key
SET f.status = coalesce($status, f.status), f.approval = coalesce($approval, f.approval)
LET slot_key = f.slot_key
LET said = COLLECT { MATCH (f)-[own:DERIVED_FROM]->() WHERE own.withdrawn_by IS NULL RETURN replace(own.id, '+', '') }
CALL (f) { // a stay that resumes goes with the stay before; its copies of the sources stay, so that it keeps its id
  MATCH (f)-[copy:DERIVED_FROM {continued: true}]->(:Episode)
  SET copy.copied = true, copy.continued = null, copy.withdrawn_by = $by, copy.withdrawn_reason = $reason,
      copy.withdrawn_commit = $commit_id
}
CALL (slot_key, said) {
  MATCH (g:Fact {slot_key: slot_key})-[d:DERIVED_FROM]->(:Episode)
  WHERE g.owner_key = $owner_key AND d.id IN said AND d.withdrawn_by IS NULL
  SET d.withdrawn_by = $by, d.withdrawn_reason = $reason, d.withdrawn_commit = $commit_id
}
RETURN DISTINCT slot_key
