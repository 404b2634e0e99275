// does:    Erase notes with their versions and links; chains close over the gap, and what they had taught others goes.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   note_ids    list<string>
// returns: id          string         a note that they had replaced: settle it
CYPHER 25
CALL () {
  UNWIND $note_ids AS id
  MATCH (n:Note {id: id}) WHERE n.owner_key = $owner_key
  RETURN collect(n) AS gone
}
CALL (gone) { // the nearest note that stays takes the place of what they had replaced
  UNWIND gone AS n
  MATCH (n)-[s:SUPERSEDES]->(older:Note)
  WHERE older.version_of IS NULL AND NOT older IN gone
  LET heir = head(COLLECT {
        MATCH path = (x:Note)-[:SUPERSEDES*1..100]->(n) WHERE NOT x IN gone
        RETURN x ORDER BY length(path) LIMIT 1 })
  CALL (s, older, heir) {
    WITH s, older, heir WHERE heir IS NOT NULL
    MERGE (heir)-[new:SUPERSEDES]->(older)
    ON CREATE SET new.reason = s.reason, new.at = s.at, new.by_episode = s.by_episode
  }
  RETURN collect(DISTINCT older.id) AS replaced
}
CALL (gone) { // keywords that they gave to linked notes
  UNWIND gone AS n
  UNWIND coalesce(n.evolved, []) AS id
  MATCH (m:Note {id: id})-[s:SUPERSEDES]->(former:Note)
  WHERE m.owner_key = $owner_key AND s.by_note = n.id AND NOT m IN gone
  LET added = s.added
  SET s.by_note = null, s.added = null, s.reason = 'enriched by an erased note'
  WITH m, former.version AS since, added
  CALL (m, since) {
    RETURN m AS x
    UNION
    MATCH (m)-[:SUPERSEDES]->(x:Note) WHERE x.version_of = m.id AND x.version > since
    RETURN x
  }
  SET x.keywords = [i IN range(0, size(x.keywords) - 1) WHERE NOT x.keyword_keys[i] IN added | x.keywords[i]]
  SET x.keyword_keys = [k IN x.keyword_keys WHERE NOT k IN added],
      x.context = CASE WHEN x.context IS NULL THEN null ELSE normalize(coalesce(x.description, '')
        + reduce(text = '', word IN x.keywords + x.tags | text + ' ' + word), NFKC) END
}
CALL (gone) {
  UNWIND gone AS n
  OPTIONAL MATCH (n)-[:SUPERSEDES]->(v:Note) WHERE v.version_of = n.id
  DETACH DELETE v
}
CALL (gone) { UNWIND gone AS n DETACH DELETE n }
UNWIND replaced AS id
RETURN id
