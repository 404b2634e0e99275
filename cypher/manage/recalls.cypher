// does:    One page of the audits of an owner's recalls, the last first.
// mode:    read
// scope:   owner
// param:   owner_key   string
// param:   since       datetime     asked then or later
// param:   until       datetime     asked before then
// param:   before_at   datetime     when the last one of the page before was asked, or the end of time
// param:   before_id   string       and its id
// param:   limit       integer
// returns: recall      map
// returns: used        list<map>    id, kind, rank, score of what it gave and is still there
CYPHER 25
MATCH (r:Recall) USING INDEX r:Recall(owner_key, at, id)
WHERE r.owner_key = $owner_key AND r.at >= $since AND r.at < $until AND r.at <= $before_at AND r.id > ''
  AND (r.at < $before_at OR r.id < $before_id)
WITH r ORDER BY r.at DESC, r.id DESC LIMIT $limit
RETURN r{.*} AS recall, COLLECT {
  MATCH (r)-[u:USED]->(n) RETURN {id: n.id, kind: n.kind, rank: u.rank, score: u.score} ORDER BY u.rank
} AS used
ORDER BY r.at DESC, r.id DESC
