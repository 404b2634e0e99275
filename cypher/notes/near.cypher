// does:    The owner's notes nearest to a vector, of those that hold now.
// mode:    read
// scope:   owner
// param:   owner_key   string
// param:   vector      list<float>
// param:   k           integer
// param:   now         datetime
// returns: id          string
CYPHER 25
MATCH (n:Fact|Note|Episode)
  SEARCH n IN (
    VECTOR INDEX memory_embedding
    FOR $vector
    WHERE n.owner_key = $owner_key AND n.kind = 'note' AND n.state = 'live' AND n.valid_to > $now
    LIMIT $k
  )
RETURN n.id AS id
