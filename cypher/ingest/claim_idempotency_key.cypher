// does:    Claim an idempotency key for these episodes, or give what claimed it before.
// mode:    write
// scope:   owner
// param:   store_id       string
// param:   owner_key      string
// param:   key            string         hash of owner and key
// param:   request_hash   string
// param:   episode_ids    list<string>
// param:   now            datetime
// returns: first          boolean
// returns: request_hash   string
// returns: episode_ids    list<string>
// returns: known_ids      list<string>   those that were there before that call
// returns: finished       boolean        all of a call of many writes is done
MERGE (i:Idempotency {key: $key})
ON CREATE SET i.store_id = $store_id, i.owner_key = $owner_key, i.request_hash = $request_hash,
              i.episode_ids = $episode_ids, i.at = $now
RETURN i.episode_ids = $episode_ids AS first, i.request_hash AS request_hash, i.episode_ids AS episode_ids,
       coalesce(i.known_ids, []) AS known_ids,
       i.finished_at IS NOT NULL AS finished
