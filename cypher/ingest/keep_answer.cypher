// does:    Keep the answer of a call with an idempotency key on an episode of it.
// mode:    write
// scope:   owner
// param:   owner_key    string
// param:   episode_id   string
// param:   answer       string    ids and reasons, see graphmem/ingest/answers.py
CYPHER 25
MATCH (e:Episode {owner_key: $owner_key, id: $episode_id})
SET e.answer = $answer
