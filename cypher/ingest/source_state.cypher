// does:    The episode that is the newest version of a source.
// mode:    read
// scope:   owner
// param:   owner_key    string
// param:   source_key   string
// returns: id           string
// returns: source_id    string
// returns: status       string
// returns: error        string
CYPHER 25
MATCH (e:Episode {source_key: $source_key})
WHERE e.owner_key = $owner_key
RETURN e.id AS id, e.source_id AS source_id, e.status AS status, e.error AS error
