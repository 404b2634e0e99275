// does:    Say that a session has ended; one that has and in which nothing was said since keeps its time.
// mode:    write
// scope:   owner
// param:   owner_key     string
// param:   session_key   string
// param:   now           datetime
// returns: ended_at      datetime
CYPHER 25
MATCH (s:Session {key: $session_key}) WHERE s.owner_key = $owner_key
SET s.ended_at = CASE WHEN s.ended_at >= s.last_at THEN s.ended_at ELSE $now END
RETURN s.ended_at AS ended_at
