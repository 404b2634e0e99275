// does:    What decides which actions a fact allows now; no row when it is not there.
// mode:    read
// scope:   owner
// param:   owner_key   string
// param:   fact_id     string
// returns: fact        map            state, marks, slot
// returns: supported   boolean        some statement of it holds
// returns: open        list<string>   open disputes it is part of
// returns: both        list<string>   disputes in which it was let stand beside the other
CYPHER 25
MATCH (f:Fact {id: $fact_id})
WHERE f.owner_key = $owner_key AND f.state <> 'retraction'
RETURN f{.id, .text, .slot_key, .value_key, .state, .status, .approval, .learning_state, .pinned, .closer, .ended_by,
         .end_reason, .expires_at, .valid_at} AS fact,
       EXISTS { MATCH (f)-[d:DERIVED_FROM]->() WHERE d.withdrawn_by IS NULL } AS supported,
       COLLECT { MATCH (f)<-[:CONTRADICTS]-(c:Contradiction {state: 'open'}) RETURN c.id ORDER BY c.id } AS open,
       COLLECT { MATCH (f)<-[:CONTRADICTS]-(c:Contradiction {resolution: 'keep_both'}) RETURN c.id ORDER BY c.id } AS both
