// does:    Open disputes, as a graph: facts that cannot both hold and that time cannot order, with their messages.
// mode:    read
// scope:   owner
// param:   owner_key   string
// returns: sides       path    dispute and fact
// returns: said        path    the fact and a message that it rests on
CYPHER 25
MATCH (c:Contradiction {owner_key: $owner_key}) WHERE c.id > '' AND c.state = 'open'
WITH c ORDER BY c.detected_at DESC LIMIT 20
MATCH sides = (c)-[:CONTRADICTS]->(f:Fact)
OPTIONAL MATCH said = (f)-[:DERIVED_FROM]->(:Episode)
RETURN sides, said
