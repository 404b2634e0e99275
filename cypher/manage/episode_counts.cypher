// does:    How many episodes of an owner have each status.
// mode:    read
// scope:   owner
// param:   owner_key    string
// param:   session_id   string    or null
// returns: status       string
// returns: count        integer
CYPHER 25
MATCH (e:Episode {owner_key: $owner_key})
WHERE e.id > '' AND ($session_id IS NULL OR e.session_id = $session_id)
RETURN e.status AS status, count(*) AS count
