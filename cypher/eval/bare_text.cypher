// does:    Full-text search alone, in a scope and of what holds at a moment, as one would write it by hand.
// mode:    read
// scope:   owner
// param:   owner_key   string
// param:   fulltext    string        Lucene query that requires the owner's token
// param:   at          datetime
// param:   k           integer       asked of the index
// param:   limit       integer       given back
// returns: id          string
// returns: text        string
// returns: score       float
CYPHER 25
CALL db.index.fulltext.queryNodes('memory_text', $fulltext, {limit: $k}) YIELD node AS n, score
WHERE n.owner_key = $owner_key AND n.state = 'live' AND n.valid_from <= $at AND n.valid_to > $at
RETURN n.id AS id, coalesce(n.text, n.content, n.body) AS text, score
ORDER BY score DESC LIMIT $limit
