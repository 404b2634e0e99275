// does:    Let what was withdrawn from a fact last hold again, and free its place in the slot for it.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   fact_id     string
// returns: slot_key    string
// returns: by          list<string>   who or what had withdrawn it
// returns: said        list<string>   ids of the statements that hold again
CYPHER 25
MATCH (f:Fact {id: $fact_id}) WHERE f.owner_key = $owner_key
LET last = head(COLLECT {
  MATCH (f)-[d:DERIVED_FROM]->() WHERE d.withdrawn_by IS NOT NULL AND d.event <> 'kept'
  RETURN coalesce(d.withdrawn_commit, '') AS batch ORDER BY batch DESC LIMIT 1 })
LET edges = COLLECT {
  MATCH (f)-[d:DERIVED_FROM]->()
  WHERE d.withdrawn_by IS NOT NULL AND d.event <> 'kept' AND coalesce(d.withdrawn_commit, '') = last
  RETURN d{.id, .withdrawn_by, .copied} }
LET said = [d IN edges | replace(d.id, '+', '')], by = [d IN edges | d.withdrawn_by]
LET slot_key = f.slot_key, value_key = f.value_key
CALL (f) {
  MATCH (f)-[copy:DERIVED_FROM {copied: true}]->(:Episode)
  DELETE copy
}
CALL (slot_key, said) {
  MATCH (g:Fact {slot_key: slot_key})-[d:DERIVED_FROM]->(:Episode)
  WHERE g.owner_key = $owner_key AND d.id IN said
  REMOVE d.withdrawn_by, d.withdrawn_reason, d.withdrawn_commit
}
// The stays of a value are numbered in their order: the fact gets its number back, so that settling finds it by it.
LET stays = COLLECT {
  MATCH (g:Fact {slot_key: slot_key})
  WHERE g.owner_key = $owner_key AND g.value_key = value_key
    AND (g = f OR EXISTS { MATCH (g)-[d:DERIVED_FROM]->() WHERE d.withdrawn_by IS NULL })
  RETURN g ORDER BY g.state = 'expired' AND g.run_key STARTS WITH slot_key + '#' + value_key, g.valid_at, g.id }
LET others = COLLECT {
  MATCH (g:Fact {slot_key: slot_key})
  WHERE g.owner_key = $owner_key AND g.value_key = value_key AND NOT g IN stays
  RETURN g }
CALL (slot_key, stays, others) {
  UNWIND stays + others AS g
  SET g.run_key = slot_key + '#withdrawn#' + g.id
}
CALL (slot_key, value_key, stays) {
  UNWIND range(0, size(stays) - 1) AS n
  LET g = stays[n]
  SET g.run_key = slot_key + '#' + value_key + '#' + toString(n)
}
RETURN slot_key, by, said
