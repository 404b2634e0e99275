// does:    What the last recall gave, as a graph: the recall and its memories, numbered by rank.
// mode:    read
// scope:   owner
// param:   owner_key   string
// returns: given       path
CYPHER 25
MATCH (r:Recall {owner_key: $owner_key})
WHERE r.id > '' AND r.at > datetime('0001-01-01T00:00:00Z') AND r.accepted > 0
WITH r ORDER BY r.at DESC, r.id DESC LIMIT 1
MATCH given = (r)-[:USED]->()
RETURN given
