// does:    Erase the newest messages of a session, and give them where asked; its writers wait meanwhile.
// mode:    write
// scope:   owner
// param:   owner_key     string
// param:   session_key   string
// param:   limit         integer
// param:   give          boolean
// param:   now           datetime
// returns: message       map        the newest first; null unless they are to be given
CYPHER 25
MATCH (s:Session {key: $session_key}) WHERE s.owner_key = $owner_key
SET s.touched_at = $now // the lock that keeps the order of one session
WITH s
MATCH (m:Message) USING INDEX m:Message(session_key, position)
WHERE m.session_key = $session_key AND m.position > 0 AND m.owner_key = $owner_key
WITH m ORDER BY m.position DESC LIMIT $limit
LET message = CASE WHEN $give THEN m{.*} END
LET position = m.position
DETACH DELETE m
RETURN message ORDER BY position DESC
