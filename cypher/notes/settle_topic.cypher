// does:    Order the notes on one topic by their dates: each that says something else ends the one before it.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   note_id     string        the note that is new or changed
// param:   vector      list<float>   of the note
// param:   near        float         cosine from which notes of one topic key are on one topic
// param:   now         datetime
// returns: id          string        a note whose end may have changed: settle it
//
// Notes that someone replaced by name stay out of it. The chain is a function of dates, so a note that arrives late
// is filed between its neighbours.
CYPHER 25
MATCH (n:Note {id: $note_id})
WHERE n.owner_key = $owner_key AND n.topic_key IS NOT NULL
  AND NOT EXISTS { MATCH (:Note)-[s:SUPERSEDES]->(n) WHERE s.reason <> 'newer statement on the same topic' }
MATCH (m:Note {owner_key: n.owner_key, topic_key: n.topic_key})
WHERE m <> n AND m.status = 'active' AND m.embedding IS NOT NULL
  AND (m.session_id = n.session_id OR (m.session_id IS NULL AND n.session_id IS NULL))
  AND m.content_hash <> n.content_hash AND 2 * vector.similarity.cosine(m.embedding, $vector) - 1 >= $near
  AND NOT EXISTS { MATCH (:Note)-[s:SUPERSEDES]->(m) WHERE s.reason <> 'newer statement on the same topic' }
WITH n, collect(m) AS others
UNWIND others + [n] AS x
WITH x ORDER BY x.valid_from, x.id
WITH collect(x) AS chain
CALL (chain) {
  UNWIND chain AS newer
  MATCH (newer)-[s:SUPERSEDES {reason: 'newer statement on the same topic'}]->(older:Note) WHERE older IN chain
  DELETE s
}
CALL (chain) {
  UNWIND range(1, size(chain) - 1) AS i
  LET newer = chain[i], older = chain[i - 1]
  FILTER newer.valid_from > older.valid_from AND NOT EXISTS { (newer)-[:SUPERSEDES]->(older) }
  CALL (newer, older) { MATCH (newer)-[found:LINKS {by: 'auto'}]-(older) DELETE found }
  CREATE (newer)-[:SUPERSEDES {reason: 'newer statement on the same topic', at: $now,
    by_episode: head(COLLECT { MATCH (newer)-[:DERIVED_FROM]->(e:Episode) RETURN e.id ORDER BY e.occurred_at DESC LIMIT 1 })}]->(older)
}
UNWIND chain AS x
RETURN x.id AS id
