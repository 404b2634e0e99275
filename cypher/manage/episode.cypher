// does:    One episode.
// mode:    read
// scope:   owner
// param:   owner_key    string
// param:   episode_id   string
// returns: episode      map
CYPHER 25
MATCH (e:Episode {id: $episode_id})
WHERE e.owner_key = $owner_key
RETURN e{.*, embedding: null} AS episode
