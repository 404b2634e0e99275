// does:    What is known about a name, since when, and who said it: one line a fact, the newest first.
// mode:    read
// scope:   owner
// param:   owner_key   string
// param:   name        string   part of a name; '' for the actor
// returns: fact        string
// returns: since       string   when it began to hold
// returns: learned     string   when the store learned it
// returns: confidence  float
// returns: standing    string   stated, confirmed or candidate; disputed
// returns: said        string   the words that it rests on, the latest
// returns: source      string   id of that message
// returns: sources     integer  how many messages it rests on
CYPHER 25
MATCH (e:Entity {owner_key: $owner_key})
WHERE e.id > '' AND (($name = '' AND e.is_actor) OR ($name <> '' AND any(other IN [e.name] + coalesce(e.aliases, [])
      WHERE toLower(normalize(other, NFKC)) CONTAINS toLower(normalize($name, NFKC)))))
MATCH (f:Fact)-[:SUBJECT|OBJECT]->(e)
WHERE f.owner_key = $owner_key AND f.state = 'live' AND f.valid_to > datetime()
WITH DISTINCT f ORDER BY f.valid_from DESC LIMIT 200
LET words = COLLECT {
  MATCH (f)-[d:DERIVED_FROM]->(m:Episode) WHERE d.withdrawn_by IS NULL
  RETURN {said: coalesce(d.quote, left(m.content, 200)), source: coalesce(m.source_id, m.id)} ORDER BY m.occurred_at DESC, m.id DESC
}
RETURN f.text AS fact, toString(date(f.valid_at)) AS since, toString(date(f.created_at)) AS learned, f.confidence AS confidence,
       f.learning_state + CASE WHEN f.disputed THEN ', disputed' ELSE '' END AS standing,
       words[0].said AS said, words[0].source AS source, size(words) AS sources
ORDER BY f.valid_from DESC, f.id
