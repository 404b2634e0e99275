// does:    Why a fact was retired, as a graph: what took its place, what it had replaced, and the messages behind each.
// mode:    read
// scope:   owner
// param:   owner_key   string
// param:   text        string   part of the fact's text; '' for the one that was replaced last
// returns: f           node     a fact of the chain
// returns: replaced    path     it and the fact whose place it took
// returns: said        path     it and a message that it rests on, or that ended it
CYPHER 25
MATCH (asked:Fact {owner_key: $owner_key})
WHERE asked.id > '' AND asked.state IN ['live', 'expired', 'archived'] AND toLower(asked.text) CONTAINS toLower($text)
LET retired = asked.state = 'expired' OR asked.valid_to <= datetime()
LET at = head(COLLECT { MATCH (:Fact)-[s:SUPERSEDES]->(asked) RETURN s.at ORDER BY s.at DESC LIMIT 1 })
WITH asked ORDER BY at IS NOT NULL DESC, retired DESC, coalesce(at, asked.updated_at) DESC, asked.id LIMIT 1
MATCH (asked)-[:SUPERSEDES*0..20]-(f:Fact)
WITH DISTINCT f LIMIT 50
OPTIONAL MATCH replaced = (f)-[:SUPERSEDES]->(:Fact)
OPTIONAL MATCH said = (f)-[:DERIVED_FROM]->(:Episode)
RETURN f, replaced, said
