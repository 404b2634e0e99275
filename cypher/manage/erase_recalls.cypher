// does:    Erase up to so many audits of an owner's recalls; called until none is left.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   limit       integer
// returns: erased      integer
CYPHER 25
MATCH (r:Recall {owner_key: $owner_key}) WHERE r.id > ''
WITH r LIMIT $limit
DETACH DELETE r
RETURN count(*) AS erased
