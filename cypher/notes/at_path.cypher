// does:    The entries at a path, of one session or of each, by id.
// mode:    read
// scope:   owner
// param:   owner_key    string
// param:   place        string    path with its leading slash
// param:   session_id   string    or null
// param:   after        string    id of the last entry of the page before, or ''
// param:   limit        integer
// returns: note         map
CYPHER 25
MATCH (n:Note {owner_key: $owner_key, place: $place})
WHERE n.id > $after AND n.path_key IS NOT NULL AND n.version_of IS NULL AND n.state = 'live'
  AND ($session_id IS NULL OR n.session_id = $session_id)
RETURN n{.*, embedding: null, context: null, search: null, tokens: null} AS note
ORDER BY n.id LIMIT $limit
