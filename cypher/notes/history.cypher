// does:    The life of a note: its versions, the notes it took the place of and the one that took its own, in order.
// mode:    read
// scope:   owner
// param:   owner_key    string
// param:   note_id      string
// returns: event        string
// returns: reason       string
// returns: about        map         the version, or the other note
// returns: by_note      string
// returns: by_episode   string
// returns: at           datetime
CYPHER 25
MATCH (n:Note {id: $note_id})
WHERE n.owner_key = $owner_key AND n.version_of IS NULL
CALL (n) { // an edge to a former version tells how the next one came about
  OPTIONAL MATCH (n)-[s:SUPERSEDES]->(v:Note) WHERE v.version_of = n.id
  WITH n, v, s ORDER BY v.version
  WITH n, [x IN collect(v) | x] + [n] AS versions, collect(s) AS steps
  UNWIND range(0, size(versions) - 1) AS i
  LET s = CASE i WHEN 0 THEN null ELSE steps[i - 1] END
  RETURN CASE WHEN i = 0 THEN 'created' WHEN s.reason STARTS WITH 'enriched' THEN 'evolved' ELSE 'edited' END AS event,
         coalesce(s.reason, 'created') AS reason, versions[i] AS about, s.by_note AS by_note, null AS by_episode,
         coalesce(s.at, n.created_at) AS at
  UNION ALL
  MATCH (n)-[s:SUPERSEDES]->(o:Note) WHERE o.version_of IS NULL
  RETURN 'supersedes' AS event, s.reason AS reason, o AS about, null AS by_note, s.by_episode AS by_episode, s.at AS at
  UNION ALL
  MATCH (o:Note)-[s:SUPERSEDES]->(n)
  RETURN 'superseded' AS event, s.reason AS reason, o AS about, o.id AS by_note, s.by_episode AS by_episode, s.at AS at
}
RETURN event, reason, about{.id, .version, .title, .body, .valid_at, .invalid_at} AS about, by_note, by_episode, at
ORDER BY at, event, about.version
