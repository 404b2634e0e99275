// does:    One page of a session's messages, the newest first.
// mode:    read
// scope:   owner
// param:   owner_key     string
// param:   session_key   string
// param:   before        integer   place of the last message of the page before, or one that none reaches
// param:   limit         integer
// returns: message       map
CYPHER 25
MATCH (m:Message) USING INDEX m:Message(session_key, position)
WHERE m.session_key = $session_key AND m.position < $before AND m.owner_key = $owner_key
RETURN m{.*} AS message
ORDER BY m.position DESC LIMIT $limit
