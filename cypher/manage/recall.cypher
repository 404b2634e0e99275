// does:    The audit of one recall.
// mode:    read
// scope:   owner
// param:   owner_key   string
// param:   recall_id   string
// returns: recall      map
// returns: used        list<map>    id, kind, rank, score of what it gave and is still there
CYPHER 25
MATCH (r:Recall {id: $recall_id}) WHERE r.owner_key = $owner_key
RETURN r{.*} AS recall, COLLECT {
  MATCH (r)-[u:USED]->(n) RETURN {id: n.id, kind: n.kind, rank: u.rank, score: u.score} ORDER BY u.rank
} AS used
