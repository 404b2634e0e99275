// does:    What a store has asked of the language model on one day; no row when it has asked nothing.
// mode:    read
// scope:   store
// param:   store_id            string
// param:   day                 string     in UTC
// returns: calls               integer
// returns: prompt_tokens       integer
// returns: completion_tokens   integer
MATCH (u:ModelUse {key: $store_id + '|' + $day})
RETURN u.calls AS calls, u.prompt_tokens AS prompt_tokens, u.completion_tokens AS completion_tokens
