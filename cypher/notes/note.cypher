// does:    One note, or one of its former versions, with its best links.
// mode:    read
// scope:   owner
// param:   owner_key       string
// param:   note_id         string
// param:   now             datetime
// returns: note            map
// returns: superseded_by   string       newest of the chain that took its place, or null
// returns: supersedes      list<string>
// returns: about           list<map>
// returns: sources         list<map>
// returns: links           list<map>
CYPHER 25
MATCH (n:Note {id: $note_id})
WHERE n.owner_key = $owner_key
OPTIONAL MATCH (store:Store {id: n.store_id})
// retention (design, rule 8): decay x anchor + rehearsal, within 0..1; age from the last update and never negative
LET age_days = coalesce((datetime($now).epochMillis - n.updated_at.epochMillis) / 86400000.0, 0.0)
LET exempt = coalesce(n.pinned, false)
    OR any(mark IN coalesce(n.tags, []) + [coalesce(n.category, '')]
           WHERE mark IN ['long_term_policy', 'legal_stopline'] + coalesce(store.decay_exempt, []))
// the first of the store's own rules that names the fact, else its relation's half-life
LET half_life = coalesce(head([i IN range(0, size(coalesce(store.half_life_of, [])) - 1)
      WHERE store.half_life_of[i] IN ['predicate:' + n.sense, 'category:' + n.category, 'layer:' + n.layer]
      | store.half_life_days[i]]), n.half_life_days, 365.0)
LET decay = CASE WHEN exempt OR age_days <= 0 THEN 1.0 ELSE 0.5 ^ (age_days / toFloat(half_life)) END
LET rehearsal = CASE WHEN n.access_count * 0.04 > 0.35 THEN 0.35 ELSE coalesce(n.access_count * 0.04, 0.0) END
LET kept = decay * (0.35 + 0.65 * coalesce(n.importance, 0.5)) + rehearsal
LET retention = CASE WHEN kept >= 1.0 THEN 1.0 WHEN kept > 0.0 THEN kept ELSE 0.0 END
LET status = CASE WHEN n.state IN ['archived', 'deleted'] THEN 'archived'
                  WHEN n.state = 'superseded' OR n.valid_to <= $now THEN 'superseded' ELSE 'active' END
RETURN n{.*, embedding: null, context: null, search: null, tokens: null, retention: retention, status: status} AS note,
       head(COLLECT {
         MATCH path = (x:Note)-[:SUPERSEDES*1..1000]->(n) WHERE NOT EXISTS { (:Note)-[:SUPERSEDES]->(x) }
         RETURN x.id ORDER BY length(path) DESC LIMIT 1
       }) AS superseded_by,
       COLLECT { MATCH (n)-[:SUPERSEDES]->(o:Note) WHERE o.version_of IS NULL RETURN o.id ORDER BY o.id } AS supersedes,
       COLLECT { MATCH (n)-[:ABOUT]->(x:Entity) RETURN {id: x.id, name: x.name} ORDER BY x.name LIMIT 50 } AS about,
       COLLECT {
         MATCH (n)-[:DERIVED_FROM]->(e:Episode)
         RETURN {episode_id: e.id, source_id: e.source_id, session_id: e.session_id, occurred_at: e.occurred_at,
                 quote: left(e.content, 500)}
         ORDER BY e.occurred_at LIMIT 50
       } AS sources,
       COLLECT {
         MATCH (n)-[l:LINKS]->(t)
         RETURN {target: t.id, target_kind: t.kind, title: coalesce(t.title, t.text), direction: 'out', kind: l.kind,
                 score: l.score, reason: l.reason, by: l.by, at: l.at,
                 superseded: t.state <> 'live' OR t.valid_to <= $now}
         ORDER BY l.score DESC, t.id LIMIT 50
       } AS links
