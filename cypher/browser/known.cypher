// does:    What is known about a name, as a graph: facts that hold now, and what they are about.
// mode:    read
// scope:   owner
// param:   owner_key   string
// param:   name        string   part of a name; '' for the actor
// returns: about       path     fact and entity
CYPHER 25
MATCH (e:Entity {owner_key: $owner_key})
WHERE e.id > '' AND (($name = '' AND e.is_actor) OR ($name <> '' AND any(other IN [e.name] + coalesce(e.aliases, [])
      WHERE toLower(normalize(other, NFKC)) CONTAINS toLower(normalize($name, NFKC)))))
MATCH (f:Fact)-[:SUBJECT|OBJECT]->(e)
WHERE f.owner_key = $owner_key AND f.state = 'live' AND f.valid_to > datetime()
WITH DISTINCT f ORDER BY f.valid_from DESC LIMIT 50
MATCH about = (f)-[:SUBJECT|OBJECT]->(:Entity)
RETURN about
