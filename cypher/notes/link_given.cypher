// does:    Make the links that a caller asks for, in the place of those made before; one row for each that is found.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   note_id     string
// param:   links       list<map>   index, target, kind, reason
// param:   now         datetime
// returns: index       integer
CYPHER 25
MATCH (n:Note {id: $note_id})
WHERE n.owner_key = $owner_key
CALL (n) { MATCH (n)-[old:LINKS {by: 'user'}]->() DELETE old }
UNWIND $links AS link
CALL (n, link) {
  MATCH (t:Note {id: link.target}) WHERE t.owner_key = $owner_key AND t <> n RETURN t
  UNION
  MATCH (t:Fact {id: link.target}) WHERE t.owner_key = $owner_key RETURN t
}
CALL (n, t) { MATCH (n)-[found:LINKS {by: 'auto'}]-(t) DELETE found } // a person's word goes before a guess
MERGE (n)-[l:LINKS {by: 'user', kind: link.kind}]->(t)
SET l.score = 1.0, l.reason = coalesce(link.reason, 'given'), l.at = $now
RETURN link.index AS index
