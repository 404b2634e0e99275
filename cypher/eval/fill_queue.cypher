// does:    Put episodes into the queue as a bulk call leaves them, in sessions of 500, a job each ten.
// mode:    write
// scope:   owner
// param:   store_id    string
// param:   owner_key   string
// param:   actor_id    string
// param:   tokens      string      scope tokens of full-text search
// param:   rows        list<map>   n, text
// param:   now         datetime
CYPHER 25
UNWIND $rows AS row
LET job = row.n / 10, session = 'bench-' + toString(row.n / 500)
CREATE (:Episode {id: $store_id + '-q' + right('0000000' + toString(row.n), 8), store_id: $store_id,
        owner_key: $owner_key, actor_id: $actor_id, session_id: session, kind: 'episode', state: 'live', status: 'pending',
        attempts: 0, lease_until: $now, job_id: $store_id + '-j' + toString(job), role: 'user', content: row.text,
        search: row.text, context: '', tokens: $tokens, source_type: 'chat', utc_offset: 0, occurred_at: $now, created_at: $now,
        updated_at: $now, valid_from: $now, valid_to: datetime('9999-12-31T23:59:59Z')})
