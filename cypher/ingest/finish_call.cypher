// does:    Note that all writes of a call with an idempotency key are done, so that a repeat of it writes nothing.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   key         string     hash of owner and key
// param:   now         datetime
MATCH (i:Idempotency {key: $key})
WHERE i.owner_key = $owner_key
SET i.finished_at = $now
