// does:    Bring a note's `[[links]]` up to date, both ways: those it holds, and those of notes that waited for its name.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   note_id     string
// param:   named       string     full-text query for notes that have a name it holds, or null
// param:   wanting     string     full-text query for notes that hold one of its names, or null
// param:   now         datetime
// returns: links       integer
//
// Names are hashed tokens of the full-text index, so a name that is asked for is found in any number of notes.
CYPHER 25
MATCH (n:Note {id: $note_id})
WHERE n.owner_key = $owner_key
CALL (n) { MATCH (n)-[l:LINKS {by: 'wiki'}]->(:Note) WHERE NOT l.target IN n.wants DELETE l }
CALL (n) { MATCH (n)<-[l:LINKS {by: 'wiki'}]-(:Note) WHERE NOT l.target IN n.names DELETE l }
CALL (n) {
  WITH n WHERE $named IS NOT NULL
  CALL db.index.fulltext.queryNodes('memory_text', $named, {limit: 2000}) YIELD node AS other
  WITH n, other WHERE other:Note AND other.owner_key = $owner_key AND other <> n AND other.version_of IS NULL
  UNWIND [w IN n.wants WHERE w IN other.names] AS target
  // of several notes of one name: a path before a title, the one that still holds, the nearest to the root
  WITH n, other, target
  ORDER BY target IN other.place_names DESC, other.state = 'live' AND other.invalid_at IS NULL DESC,
           size(coalesce(other.place, '')), other.id
  WITH n, target, head(collect(other)) AS best
  WHERE NOT EXISTS { MATCH (n)-[:LINKS {by: 'wiki', target: target}]->() }
  LET kind = head([i IN range(0, size(n.wants) - 1) WHERE n.wants[i] = target | n.want_kinds[i]])
  LET words = head([i IN range(0, size(n.wants) - 1) WHERE n.wants[i] = target | n.want_texts[i]])
  CALL (n, best) { MATCH (n)-[found:LINKS {by: 'auto'}]-(best) DELETE found }
  CREATE (n)-[:LINKS {by: 'wiki', kind: kind, score: 1.0, target: target, at: $now, reason: 'says [[' + words + ']]'}]->(best)
  RETURN count(*) AS made
}
CALL (n) {
  WITH n WHERE $wanting IS NOT NULL
  CALL db.index.fulltext.queryNodes('memory_text', $wanting, {limit: 10000}) YIELD node AS other
  WITH n, other WHERE other:Note AND other.owner_key = $owner_key AND other <> n AND other.version_of IS NULL
  UNWIND [i IN range(0, size(other.wants) - 1) WHERE other.wants[i] IN n.names] AS i
  LET target = other.wants[i], kind = other.want_kinds[i], words = other.want_texts[i]
  FILTER NOT EXISTS { MATCH (other)-[:LINKS {by: 'wiki', target: target}]->() }
  CALL (n, other) { MATCH (n)-[found:LINKS {by: 'auto'}]-(other) DELETE found }
  CREATE (other)-[:LINKS {by: 'wiki', kind: kind, score: 1.0, target: target, at: $now, reason: 'says [[' + words + ']]'}]->(n)
  RETURN count(*) AS waited
}
RETURN made + waited AS links
