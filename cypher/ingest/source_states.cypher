// does:    The episodes that are the newest versions of sources, in the order asked.
// mode:    read
// scope:   owner
// param:   owner_key     string
// param:   source_keys   list<string>
// returns: source_key    string
// returns: id            string
// returns: source_id     string
// returns: status        string
// returns: error         string
CYPHER 25
UNWIND range(0, size($source_keys) - 1) AS index
MATCH (e:Episode {source_key: $source_keys[index]})
WHERE e.owner_key = $owner_key
RETURN e.source_key AS source_key, e.id AS id, e.source_id AS source_id, e.status AS status, e.error AS error
ORDER BY index
