// does:    Keep episodes whose processing failed, with the reason; they wait for a retry, or for their next turn.
// mode:    write
// scope:   owner
// param:   owner_key      string
// param:   episode_ids    list<string>
// param:   error          string      a stable reason, never text
// param:   pause          float       seconds to the next try after the first one; null: only when asked
// param:   max_attempts   integer     tries after which there is none by itself
// param:   now            datetime
CYPHER 25
UNWIND $episode_ids AS id
MATCH (e:Episode {owner_key: $owner_key, id: id})
WHERE e.status <> 'processed'
LET later = $pause IS NOT NULL AND e.attempts < $max_attempts
SET e.status = CASE WHEN later THEN 'pending' ELSE 'failed' END, e.error = $error, e.updated_at = $now,
    e.lease_until = CASE WHEN later THEN $now + duration({seconds: $pause * 4 ^ (e.attempts - 1)}) END
