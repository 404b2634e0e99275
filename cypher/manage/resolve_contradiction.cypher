// does:    Close a dispute with what was decided.
// mode:    write
// scope:   owner
// param:   owner_key     string
// param:   id            string
// param:   resolution    string    keep_one, keep_both or reject_both
// param:   explanation   string
// param:   keep          string     the fact that holds, or null
// param:   by            string
// param:   now           datetime
CYPHER 25
MATCH (c:Contradiction {id: $id}) WHERE c.owner_key = $owner_key
SET c.state = 'resolved', c.resolution = $resolution, c.explanation = $explanation, c.resolved_by = $by, c.keep = $keep,
    c.resolved_at = $now
