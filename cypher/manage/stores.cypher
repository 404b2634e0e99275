// does:    One page of stores, by id.
// mode:    read
// scope:   none    who may see which store is the credential's question, asked before
// param:   after   string    id of the last store of the page before, or ''
// param:   limit   integer
// returns: store   map
CYPHER 25
MATCH (s:Store)
WHERE s.id > $after
RETURN s{.*} AS store
ORDER BY s.id LIMIT $limit
