// does:    Derive until when notes hold, and who has their path, from the notes that supersede them.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   note_ids    list<string>
// param:   open_end    datetime       stands for "no end"
// param:   now         datetime
// returns: id          string
// returns: current     boolean        nothing supersedes it
//
// A note that begins to hold later ends the older one at that moment; any other one says that the older was wrong.
CYPHER 25
UNWIND $note_ids AS id
MATCH (n:Note {id: id})
WHERE n.owner_key = $owner_key AND n.version_of IS NULL
LET newer = head(COLLECT { MATCH (x:Note)-[:SUPERSEDES]->(n) RETURN x ORDER BY x.valid_from LIMIT 1 })
LET later = newer IS NOT NULL AND newer.valid_from > n.valid_from
SET n.invalid_at = CASE WHEN later THEN newer.valid_from END,
    n.valid_to = CASE WHEN later THEN newer.valid_from ELSE $open_end END,
    n.expired_at = CASE WHEN newer IS NULL OR later THEN null ELSE coalesce(n.expired_at, $now) END,
    n.state = CASE WHEN n.status <> 'active' THEN n.state WHEN newer IS NULL OR later THEN 'live' ELSE 'superseded' END,
    n.path_key = CASE WHEN newer IS NULL AND n.path_key = n.place_key THEN n.path_key END
WITH collect({note: n, current: newer IS NULL}) AS settled
UNWIND settled AS s // once the older ones have let go of it
LET n = s.note
CALL (n, s) {
  WITH n, s
  WHERE s.current AND n.place_key IS NOT NULL AND n.path_key IS NULL
    AND NOT EXISTS { MATCH (o:Note {path_key: n.place_key}) }
  SET n.path_key = n.place_key
}
RETURN n.id AS id, s.current AS current
