// does:    What came from one source, before you erase it: its messages, their facts, and whether each would go with it.
// mode:    read
// scope:   owner
// param:   owner_key   string
// param:   source      string   id of a message, of the file or conversation that it is part of, or of a session
// returns: said_on     string
// returns: said        string
// returns: fact        string
// returns: would_go    boolean  no other message supports it
// returns: others      integer  messages of other sources that support it
CYPHER 25
MATCH (m:Episode {owner_key: $owner_key})
WHERE m.id > '' AND $source IN [m.source_id, m.conversation, m.session_id]
WITH m ORDER BY m.occurred_at, m.id LIMIT 500
OPTIONAL MATCH (m)<-[d:DERIVED_FROM]-(f:Fact) WHERE d.withdrawn_by IS NULL
LET others = COUNT {
  MATCH (f)-[o:DERIVED_FROM]->(x:Episode)
  WHERE o.withdrawn_by IS NULL AND o.event = 'assert' AND NOT coalesce($source IN [x.source_id, x.conversation, x.session_id], false)
}
RETURN DISTINCT toString(date(m.occurred_at)) AS said_on, left(m.content, 200) AS said, f.text AS fact,
       CASE WHEN f IS NULL THEN null ELSE others = 0 END AS would_go, CASE WHEN f IS NULL THEN null ELSE others END AS others
ORDER BY said_on, said, fact
