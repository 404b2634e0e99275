// does:    One page of what an owner's sessions left open, in the order the sessions began.
// mode:    read
// scope:   owner
// param:   owner_key     string
// param:   session_key   string       only of this session, or null
// param:   after_at      datetime     when the session of the last item before began
// param:   after_key     string       its key
// param:   after_index   integer      the item's place in it
// param:   limit         integer
// returns: session       map          id, key, started_at
// returns: index         integer
// returns: text          string
// returns: source        string       ids of episodes, apart by a blank
CYPHER 25
MATCH (s:Session {owner_key: $owner_key})
WHERE s.open_items IS NOT NULL AND ($session_key IS NULL OR s.key = $session_key)
  AND (s.started_at > $after_at OR (s.started_at = $after_at AND s.key >= $after_key))
UNWIND range(0, size(s.open_items) - 1) AS index
WITH s, index
WHERE s.started_at > $after_at OR s.key > $after_key OR index > $after_index
RETURN s{.id, .key, .started_at} AS session, index, s.open_items[index] AS text, s.open_from[index] AS source
ORDER BY s.started_at, s.key, index LIMIT $limit
