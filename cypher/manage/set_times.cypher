// does:    Give a fact's statements the valid time that a decision says; what they said is kept, to undo it.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   fact_id     string
// param:   times       map        valid_at, valid_at_precision, invalid_at, invalid_at_precision; only what changes
// param:   by          string     the dispute that this decides
// returns: valid_at    datetime
// returns: invalid_at  datetime
CYPHER 25
MATCH (f:Fact {id: $fact_id})-[d:DERIVED_FROM]->(:Episode)
WHERE f.owner_key = $owner_key AND d.withdrawn_by IS NULL AND d.event = 'assert' AND d.continued IS NULL
SET d.valid_at_before = d.valid_at, d.invalid_at_before = d.invalid_at,
    d.valid_at_precision_before = d.valid_at_precision, d.invalid_at_precision_before = d.invalid_at_precision,
    d.timed_for = $by
SET d += $times
RETURN d.valid_at AS valid_at, d.invalid_at AS invalid_at
