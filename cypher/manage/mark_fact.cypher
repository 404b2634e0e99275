// does:    Set what people decide about a fact without its statements: approval, status, pin.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   fact_id     string
// param:   marks       map
// param:   now         datetime
// returns: slot_key    string     its own, and those of disputes that it was hidden from
CYPHER 25
MATCH (f:Fact {id: $fact_id}) WHERE f.owner_key = $owner_key
SET f += $marks, f.version = f.version + 1
SET f.expires_at = CASE WHEN f.status = 'active' AND f.archived_reason IS NULL AND f.state = 'archived'
                             AND f.expires_at <= $now THEN null ELSE f.expires_at END
UNWIND [f.slot_key] + COLLECT {
  MATCH (f)<-[:CONTRADICTS]-(:Contradiction {resolution: 'a side was archived'})-[:CONTRADICTS]->(other:Fact)
  RETURN other.slot_key } AS slot_key
RETURN DISTINCT slot_key
