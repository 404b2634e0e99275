// does:    One page of what an owner's sessions left open, those of the first or of the last session first.
// mode:    read
// scope:   owner
// param:   owner_key     string
// param:   session_key   string       only of this session, or null
// param:   newest        boolean      those of the session that began last come first
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
LET further = CASE WHEN s.started_at = $after_at AND s.key = $after_key THEN 'same'
                   WHEN $newest AND (s.started_at < $after_at OR (s.started_at = $after_at AND s.key < $after_key)) THEN 'yes'
                   WHEN NOT $newest AND (s.started_at > $after_at OR (s.started_at = $after_at AND s.key > $after_key)) THEN 'yes'
                   ELSE 'no' END
FILTER further <> 'no'
UNWIND range(0, size(s.open_items) - 1) AS index
WITH s, index, further
WHERE further = 'yes' OR index > $after_index
RETURN s{.id, .key, .started_at} AS session, index, s.open_items[index] AS text, s.open_from[index] AS source
ORDER BY CASE WHEN $newest THEN s.started_at END DESC, CASE WHEN $newest THEN s.key END DESC, s.started_at, s.key, index
LIMIT $limit
