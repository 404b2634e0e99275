// does:    One page of an owner's notes, by id; former versions are not among them.
// mode:    read
// scope:   owner
// param:   owner_key       string
// param:   after           string         id of the last note of the page before, or ''
// param:   limit           integer
// param:   states          list<string>
// param:   starts_by       datetime       holding from then or before
// param:   ends_after      datetime       holding until after then
// param:   wanted          string         status, or null
// param:   session_id      string         or null
// param:   name            string         link key of a title or alias, or null
// param:   tag             string         or null
// param:   keyword         string         keyword key, or null
// param:   place           string         path with its leading slash, or null
// param:   prefix          string         its beginning, or null
// param:   entity          string         id or name key, or null
// param:   orphans         boolean        only those without links
// param:   entries         boolean        only those that have their path now
// param:   now             datetime
// returns: note            map
// returns: superseded_by   string
// returns: supersedes      list<string>
// returns: about           list<map>
// returns: sources         list<map>
CYPHER 25
MATCH (n:Note {owner_key: $owner_key})
WHERE n.id > $after AND n.version_of IS NULL AND n.state IN $states AND n.valid_from <= $starts_by AND n.valid_to > $ends_after
  AND ($session_id IS NULL OR n.session_id = $session_id) AND ($name IS NULL OR $name IN n.names)
  AND ($tag IS NULL OR $tag IN n.tags) AND ($keyword IS NULL OR $keyword IN n.keyword_keys)
  AND ($place IS NULL OR n.place = $place) AND ($prefix IS NULL OR n.place STARTS WITH $prefix)
  AND ($entity IS NULL OR EXISTS { MATCH (n)-[:ABOUT]->(x:Entity) WHERE $entity IN [x.id, x.name_key] })
  AND (NOT $orphans OR NOT EXISTS { (n)-[:LINKS]-() }) AND (NOT $entries OR n.path_key IS NOT NULL)
LET status = CASE WHEN n.state IN ['archived', 'deleted'] THEN 'archived'
                  WHEN n.state = 'superseded' OR n.valid_to <= $now THEN 'superseded' ELSE 'active' END
FILTER $wanted IS NULL OR status = $wanted
WITH n, status ORDER BY n.id LIMIT $limit
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
       } AS sources
ORDER BY note.id
