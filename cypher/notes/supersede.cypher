// does:    Let a note take the place of another one, or of the newest in its chain. No row when there is no such note.
// mode:    write
// scope:   owner
// param:   owner_key    string
// param:   note_id      string
// param:   target_id    string
// param:   reason       string
// param:   by_episode   string     or null
// param:   now          datetime
// returns: id           string     the note that is replaced
// returns: cycle        boolean    true: nothing was written, for the note is itself replaced by that one
CYPHER 25
MATCH (n:Note {id: $note_id}) WHERE n.owner_key = $owner_key
MATCH (target:Note {id: $target_id}) WHERE target.owner_key = $owner_key
LET newest = head(COLLECT {
      MATCH path = (x:Note)-[:SUPERSEDES*0..1000]->(target)
      WHERE NOT EXISTS { (:Note)-[:SUPERSEDES]->(x) } OR x = n
      RETURN x ORDER BY x = n DESC, length(path) DESC LIMIT 1 })
LET known = EXISTS { (n)-[:SUPERSEDES]->(target) } AND target.version_of IS NULL
LET cycle = NOT known AND (newest = n OR EXISTS { MATCH (newest)-[:SUPERSEDES*1..1000]->(n) })
CALL (n, newest, cycle, known) {
  WITH n, newest, cycle, known WHERE NOT cycle AND NOT known
  MERGE (n)-[s:SUPERSEDES]->(newest)
  SET s.reason = $reason, s.by_episode = $by_episode, s.at = $now, s.previous_invalid_at = newest.invalid_at
}
RETURN CASE WHEN known THEN target.id ELSE newest.id END AS id, cycle
