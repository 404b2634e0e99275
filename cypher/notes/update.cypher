// does:    Make a new version of a note; the former one is kept as a note of its own. No row when it is not there.
// mode:    write
// scope:   owner
// param:   owner_key    string
// param:   note_id      string
// param:   version_id   string     id of the former version from now on
// param:   if_match     integer    version that must hold
// param:   changes      map
// param:   reason       string
// param:   now          datetime
// returns: stale        boolean    true: nothing was changed
CYPHER 25
MATCH (n:Note {id: $note_id})
WHERE n.owner_key = $owner_key AND n.version_of IS NULL
SET n.touched_at = $now // write lock before the version is compared
LET stale = n.version <> $if_match
CALL (n, stale) {
  WITH n, stale WHERE NOT stale
  LET held = properties(n)
  CREATE (v:Note)
  SET v = held{.*, id: $version_id, version_of: n.id, state: 'superseded', expired_at: $now, path_key: null,
               place: null, place_key: null, topic_key: null, embedding: null, search: null, context: null,
               tokens: null, evolved: null, touched_at: null}
  CREATE (n)-[:SUPERSEDES {reason: $reason, at: $now}]->(v)
  SET n += $changes, n.version = n.version + 1, n.updated_at = $now
}
RETURN stale
