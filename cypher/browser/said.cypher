// does:    What was said last, and what became of it: one line a message, the newest first.
// mode:    read
// scope:   owner
// param:   owner_key   string
// returns: said_at     string   in UTC
// returns: who         string
// returns: said        string
// returns: facts       list<string>   what was learned from it
// returns: session     string
// returns: source      string
// returns: status      string
CYPHER 25
MATCH (m:Episode {owner_key: $owner_key})
WHERE m.state = 'live' AND m.valid_from > datetime('0001-01-01T00:00:00Z')
WITH m ORDER BY m.valid_from DESC, m.id DESC LIMIT 50
RETURN left(toString(m.occurred_at), 16) AS said_at, coalesce(m.name, m.role) AS who, left(m.content, 300) AS said,
       COLLECT { MATCH (m)<-[d:DERIVED_FROM]-(f:Fact) WHERE d.withdrawn_by IS NULL RETURN DISTINCT f.text ORDER BY f.text } AS facts,
       m.session_id AS session, m.source_id AS source, m.status AS status
ORDER BY m.valid_from DESC, m.id DESC
