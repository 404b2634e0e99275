// does:    Add what an answer cost to the day's count.
// mode:    write
// scope:   store
// param:   store_id            string
// param:   day                 string     of the call's beginning, in UTC
// param:   prompt_tokens       integer
// param:   completion_tokens   integer
// param:   now                 datetime
CYPHER 25
MATCH (u:ModelUse {key: $store_id + '|' + $day})
SET u.touched_at = $now
SET u.prompt_tokens = u.prompt_tokens + $prompt_tokens, u.completion_tokens = u.completion_tokens + $completion_tokens
