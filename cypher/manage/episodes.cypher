// does:    One page of an owner's episodes, by id.
// mode:    read
// scope:   owner
// param:   owner_key    string
// param:   after        string    id of the last episode of the page before, or ''
// param:   limit        integer
// param:   session_id   string    or null
// param:   source_id    string    or null; of a message, or of the file or conversation that it is part of
// param:   status       string    or null
// returns: episode      map
CYPHER 25
MATCH (e:Episode {owner_key: $owner_key})
WHERE e.id > $after AND ($session_id IS NULL OR e.session_id = $session_id)
  AND ($source_id IS NULL OR $source_id IN [e.source_id, e.conversation]) AND ($status IS NULL OR e.status = $status)
RETURN e{.*, embedding: null} AS episode
ORDER BY e.id LIMIT $limit
