// does:    Propose and make the links of a note: by vector, keywords and shared entities, each with kind, score, reason.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   note_id     string
// param:   vector      list<float>   of the note
// param:   near_ids    list<string>  candidates of the vector arm
// param:   words       string        full-text query that requires the owner's token, or null
// param:   near        float         cosine that is enough by itself
// param:   score       float         sum that is enough when two keywords are shared
// param:   about       float         sum that is enough when an entity is shared
// param:   refine      float         cosine from which one note can refine another
// param:   same        float         cosine from which both say the same, or the contrary
// param:   k           integer       candidates of the full-text arm, an eighth of them
// param:   most        integer       links made
// param:   now         datetime
// returns: id          string        the linked note
//
// Scope is a filter inside the vector index (`notes/near`), and a required token of the full-text one.
// score = 0.6 cosine + 0.25 share of keywords + 0.25 weight of shared entities, cut at 1.
CYPHER 25
MATCH (n:Note {id: $note_id})
WHERE n.owner_key = $owner_key
CALL (n) { MATCH (n)-[old:LINKS {by: 'auto'}]->() DELETE old }
CALL (n) {
  UNWIND $near_ids AS id
  MATCH (m:Note {id: id})
  RETURN m
  UNION
  WITH n WHERE $words IS NOT NULL
  CALL db.index.fulltext.queryNodes('memory_text', $words, {limit: 8 * $k}) YIELD node AS m
  RETURN m
  UNION
  MATCH (n)-[:ABOUT]->(x:Entity) WHERE NOT x.is_actor
  WITH DISTINCT x LIMIT 30
  MATCH (x)<-[:ABOUT]-(m:Note)
  RETURN m LIMIT 200
}
WITH n, m
WHERE m:Note AND m.kind = 'note' AND m <> n AND m.owner_key = $owner_key AND m.version_of IS NULL AND m.state = 'live' AND m.valid_to > $now
  AND NOT EXISTS { (n)-[:LINKS]-(m) } AND NOT EXISTS { (n)-[:SUPERSEDES*1..10]-(m) }
LET cosine = CASE WHEN m.embedding IS NULL THEN 0.0 ELSE 2 * vector.similarity.cosine(m.embedding, $vector) - 1 END
LET near = CASE WHEN cosine > 0 THEN cosine ELSE 0.0 END
LET words = [i IN range(0, size(n.keywords) - 1) WHERE n.keyword_keys[i] IN m.keyword_keys | n.keywords[i]]
// an entity that few notes are about says more than one that many are about
LET shared = COLLECT {
      MATCH (n)-[:ABOUT]->(x:Entity)<-[:ABOUT]-(m) WHERE NOT x.is_actor
      RETURN {name: x.name, weight: 1.0 / sqrt(COUNT { (x)<-[:ABOUT]-(:Note) } - 1)} ORDER BY x.name LIMIT 5 }
LET entities = [x IN shared | x.name]
LET few = CASE WHEN size(n.keywords) < size(m.keywords) THEN size(n.keywords) ELSE size(m.keywords) END
LET share = CASE WHEN few = 0 THEN 0.0 ELSE toFloat(size(words)) / few END
LET about = reduce(sum = 0.0, x IN shared | sum + x.weight)
LET total = 0.6 * near + 0.25 * share + 0.25 * CASE WHEN about > 1.0 THEN 1.0 ELSE about END
FILTER near >= $near OR (total >= $score AND size(words) > 1) OR (total >= $about AND size(entities) > 0)
WITH n, m, near, words, entities, CASE WHEN total > 1.0 THEN 1.0 ELSE total END AS score
ORDER BY score DESC, m.id LIMIT $most
LET changed = (size(n.numbers) > 0 AND size(n.numbers) = size(m.numbers) AND n.numbers <> m.numbers) OR n.negated <> m.negated
LET kind = CASE
    WHEN near >= $same AND changed THEN 'contradicts'
    WHEN near >= $same THEN 'supports'
    WHEN near >= $refine AND size(words) = size(m.keywords) AND size(n.body) > size(m.body) THEN 'refines'
    WHEN n.topic_key = m.topic_key OR n.session_id = m.session_id
      OR EXISTS { (n)-[:DERIVED_FROM]->(:Episode)<-[:DERIVED_FROM]-(m) } THEN 'continues'
    ELSE 'related' END
LET reason = 'cosine ' + toString(round(near, 2))
    + CASE WHEN size(words) = 0 THEN '' ELSE '; keywords: ' + reduce(t = '', w IN words[..5] | t + CASE t WHEN '' THEN '' ELSE ', ' END + w) END
    + CASE WHEN size(entities) = 0 THEN '' ELSE '; entities: ' + reduce(t = '', w IN entities | t + CASE t WHEN '' THEN '' ELSE ', ' END + w) END
CREATE (n)-[:LINKS {by: 'auto', kind: kind, score: round(score, 4), reason: reason, at: $now}]->(m)
RETURN m.id AS id
