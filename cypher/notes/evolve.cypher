// does:    Give the notes that a new note is linked with up to three of its keywords, each as a new version.
// mode:    write
// scope:   owner
// param:   owner_key     string
// param:   note_id       string
// param:   version_ids   list<string>   ids for the former versions
// param:   now           datetime
// returns: id            string         a note that was enriched
CYPHER 25
MATCH (n:Note {id: $note_id})
WHERE n.owner_key = $owner_key
MATCH (n)-[:LINKS]->(m:Note)
WHERE m.state = 'live' AND m.version_of IS NULL AND size(m.keywords) < 20
WITH DISTINCT n, m ORDER BY m.id
LET fresh = [i IN range(0, size(n.keywords) - 1) WHERE NOT n.keyword_keys[i] IN m.keyword_keys | i][..3]
FILTER size(fresh) > 0
WITH n, collect({m: m, fresh: fresh}) AS found
UNWIND range(0, size(found) - 1) AS place
WITH n, place, found WHERE place < size($version_ids)
LET m = found[place].m, fresh = found[place].fresh
LET held = properties(m)
CREATE (v:Note)
SET v = held{.*, id: $version_ids[place], version_of: m.id, state: 'superseded', expired_at: $now, path_key: null,
             place: null, place_key: null, topic_key: null, embedding: null, search: null, context: null,
             tokens: null, evolved: null, touched_at: null}
CREATE (m)-[:SUPERSEDES {reason: 'enriched by a linked note', at: $now, by_note: n.id, added: [i IN fresh | n.keyword_keys[i]]}]->(v)
SET m.keywords = m.keywords + [i IN fresh | n.keywords[i]], m.keyword_keys = m.keyword_keys + [i IN fresh | n.keyword_keys[i]],
    m.context = coalesce(m.context, '') + reduce(text = '', i IN fresh | text + ' ' + n.keywords[i]),
    m.version = m.version + 1, m.updated_at = $now,
    n.evolved = coalesce(n.evolved, []) + [m.id]
RETURN m.id AS id
