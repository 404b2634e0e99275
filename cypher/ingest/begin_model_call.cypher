// does:    Count a model call before it is made, unless the store's budget for the day is used up.
// mode:    write
// scope:   store
// param:   store_id   string
// param:   day        string     in UTC
// param:   now        datetime
// returns: granted    boolean
CYPHER 25
MATCH (s:Store {id: $store_id})
MERGE (u:ModelUse {key: $store_id + '|' + $day})
ON CREATE SET u.store_id = $store_id, u.day = $day, u.calls = 0, u.prompt_tokens = 0, u.completion_tokens = 0
SET u.touched_at = $now // the lock: of two calls at once, the second sees the count of the first
WITH s, u
LET granted = (s.calls_per_day IS NULL OR u.calls < s.calls_per_day)
          AND (s.tokens_per_day IS NULL OR u.prompt_tokens + u.completion_tokens < s.tokens_per_day)
SET u.calls = u.calls + CASE WHEN granted THEN 1 ELSE 0 END
RETURN granted
