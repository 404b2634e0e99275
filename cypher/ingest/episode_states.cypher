// does:    The state of episodes, in the order asked.
// mode:    read
// scope:   owner
// param:   owner_key     string
// param:   episode_ids   list<string>
// returns: id            string
// returns: source_id     string
// returns: status        string
// returns: error         string
// returns: answer        string         of the call that brought it, where that had an idempotency key
CYPHER 25
UNWIND range(0, size($episode_ids) - 1) AS index
MATCH (e:Episode {owner_key: $owner_key, id: $episode_ids[index]})
RETURN e.id AS id, e.source_id AS source_id, e.status AS status, e.error AS error, e.answer AS answer
ORDER BY index
