// does:    Note which episodes a call with an idempotency key is about, where some of them were known before it.
// mode:    write
// scope:   owner
// param:   owner_key     string
// param:   key           string         hash of owner and key
// param:   episode_ids   list<string>   in the order of the call
// param:   known_ids     list<string>   those that were there before it
CYPHER 25
MATCH (i:Idempotency {key: $key})
WHERE i.owner_key = $owner_key
SET i.episode_ids = $episode_ids, i.known_ids = $known_ids
