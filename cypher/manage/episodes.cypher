// does:    One page of an owner's episodes, by id.
// mode:    read
// scope:   owner
// param:   owner_key    string
// param:   after        string    id of the last episode of the page before, or ''
// param:   limit        integer
// param:   session_id   string    or null
// param:   source_id    string    or null
// param:   status       string    or null
// returns: episode      map
CYPHER 25
MATCH (e:Episode {owner_key: $owner_key})
WHERE e.id > $after AND ($session_id IS NULL OR e.session_id = $session_id)
  AND ($source_id IS NULL OR e.source_id = $source_id) AND ($status IS NULL OR e.status = $status)
RETURN e{.*, embedding: null} AS episode
ORDER BY e.id LIMIT $limit
