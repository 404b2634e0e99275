// does:    Open disputes: one line a side, with what was said and when.
// mode:    read
// scope:   owner
// param:   owner_key   string
// returns: dispute     string   its id, for `POST …/contradictions/{id}:resolve`
// returns: kind        string
// returns: since       string
// returns: fact        string
// returns: holds_from  string
// returns: standing    string
// returns: said        string
// returns: said_on     string
// returns: source      string
CYPHER 25
MATCH (c:Contradiction {owner_key: $owner_key}) WHERE c.id > '' AND c.state = 'open'
WITH c ORDER BY c.detected_at DESC LIMIT 50
MATCH (c)-[:CONTRADICTS]->(f:Fact)
OPTIONAL MATCH (f)-[d:DERIVED_FROM]->(m:Episode) WHERE d.withdrawn_by IS NULL
RETURN c.id AS dispute, c.kind AS kind, toString(date(c.detected_at)) AS since, f.text AS fact,
       toString(date(f.valid_at)) AS holds_from, f.learning_state AS standing,
       coalesce(d.quote, left(m.content, 200)) AS said, toString(date(m.occurred_at)) AS said_on,
       coalesce(m.source_id, m.id) AS source
ORDER BY c.detected_at DESC, dispute, m.occurred_at, fact
