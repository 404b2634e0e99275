// does:    Withdraw every statement of a fact; settling its slot then takes it back and restores what it had ended.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   fact_id     string
// param:   by          string     episode or person that withdraws it
// param:   reason      string
// param:   status      string     the fact's status from now on
// returns: slot_key    string
CYPHER 25
MATCH (f:Fact {id: $fact_id})-[d:DERIVED_FROM]->(:Episode)
WHERE f.owner_key = $owner_key AND d.withdrawn_by IS NULL
SET d.withdrawn_by = $by, d.withdrawn_reason = $reason, f.status = $status
RETURN DISTINCT f.slot_key AS slot_key
