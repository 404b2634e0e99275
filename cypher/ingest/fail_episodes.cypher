// does:    Keep episodes whose processing failed, with the reason; a later retry takes them up.
// mode:    write
// scope:   owner
// param:   owner_key     string
// param:   episode_ids   list<string>
// param:   error         string      a stable reason, never text
// param:   now           datetime
CYPHER 25
UNWIND $episode_ids AS id
MATCH (e:Episode {owner_key: $owner_key, id: id})
WHERE e.status <> 'processed'
SET e.status = 'failed', e.error = $error, e.lease_until = null, e.updated_at = $now
