// does:    Keep episodes whose processing failed, with the reason; a later retry takes them up.
// mode:    write
// scope:   owner
// param:   owner_key     string
// param:   episode_ids   list<string>
// param:   status        string      pending while it will be tried again, failed when it will not
// param:   error         string      a stable reason, never text
// param:   lease_until   datetime    when it may be tried again, or null
// param:   now           datetime
CYPHER 25
UNWIND $episode_ids AS id
MATCH (e:Episode {owner_key: $owner_key, id: id})
WHERE e.status <> 'processed'
SET e.status = $status, e.error = $error, e.lease_until = $lease_until, e.updated_at = $now
