// does:    The note that has a path now.
// mode:    read
// scope:   owner
// param:   owner_key   string
// param:   place_key   string
// returns: id          string
// returns: version     integer
CYPHER 25
MATCH (n:Note {path_key: $place_key})
WHERE n.owner_key = $owner_key
RETURN n.id AS id, n.version AS version
