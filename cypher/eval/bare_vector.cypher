// does:    Vector search alone, in a scope and of what holds at a moment, as one would write it by hand.
// mode:    read
// scope:   owner
// param:   owner_key   string
// param:   vector      list<float>
// param:   at          datetime
// param:   k           integer       asked of the approximate index
// param:   limit       integer       given back
// returns: id          string
// returns: text        string
// returns: score       float
CYPHER 25
MATCH (n:Fact|Note|Episode)
  SEARCH n IN (
    VECTOR INDEX memory_embedding
    FOR $vector
    WHERE n.owner_key = $owner_key AND n.state = 'live' AND n.valid_from <= $at AND n.valid_to > $at
    LIMIT $k
  ) SCORE AS score
RETURN n.id AS id, coalesce(n.text, n.content, n.body) AS text, score
ORDER BY score DESC LIMIT $limit
