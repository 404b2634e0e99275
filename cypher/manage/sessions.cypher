// does:    One page of an owner's sessions, the first or the last that began first, or one of them; with what was learned in each.
// mode:    read
// scope:   owner
// param:   owner_key     string
// param:   session_key   string      of one session, or null for a page
// param:   newest        boolean     the last that began comes first
// param:   after_at      datetime    when the last session of the page before began
// param:   after_key     string      and its key
// param:   limit         integer
// returns: session       map
// returns: episodes      integer
// returns: learned       integer     facts that hold or held, and rest on its messages
// returns: facts         list<map>   id, text; the most important of them
CYPHER 25
CALL () {
  WHEN $newest THEN {
    MATCH (s:Session {owner_key: $owner_key})
    WHERE s.started_at < $after_at OR (s.started_at = $after_at AND s.key < $after_key)
    RETURN s ORDER BY s.started_at DESC, s.key DESC LIMIT $limit
  } ELSE {
    MATCH (s:Session {owner_key: $owner_key})
    WHERE ($session_key IS NULL OR s.key = $session_key)
      AND (s.started_at > $after_at OR (s.started_at = $after_at AND s.key > $after_key))
    RETURN s ORDER BY s.started_at, s.key LIMIT $limit
  }
}
LET found = COLLECT {
  MATCH (s)<-[:IN_SESSION]-(e:Episode)<-[d:DERIVED_FROM]-(f:Fact)
  WHERE d.event = 'assert' AND d.withdrawn_by IS NULL AND f.state = 'live' AND e.state = 'live'
  RETURN DISTINCT f
}
RETURN s{.*} AS session, COUNT { MATCH (s)<-[:IN_SESSION]-(e:Episode) WHERE e.state = 'live' } AS episodes,
       size(found) AS learned,
       COLLECT { UNWIND found AS f RETURN f{.id, .text} ORDER BY f.importance DESC, f.id LIMIT 20 } AS facts
ORDER BY CASE WHEN $newest THEN s.started_at END DESC, CASE WHEN $newest THEN s.key END DESC, s.started_at, s.key
