// does:    One page of an owner's facts, by id.
// mode:    read
// scope:   owner
// param:   owner_key     string
// param:   after         string         id of the last fact of the page before, or ''
// param:   limit         integer
// param:   states        list<string>
// param:   starts_by     datetime       valid from then or before
// param:   ends_after    datetime       valid until after then
// param:   known_at      datetime       as the store believed then, or null
// param:   as_of         datetime       with known_at: true then; null for any time
// param:   subject_key   string         name key or id of the subject, or null
// param:   sense         string         relation, or null
// param:   category      string         or null
// param:   layer         string         or null
// param:   now           datetime
// returns: fact          map
// returns: subject       map
// returns: object        map
// returns: sources       list<map>
CYPHER 25
MATCH (f:Fact {owner_key: $owner_key})
WHERE f.id > $after AND f.state IN $states AND f.valid_from <= $starts_by AND f.valid_to > $ends_after
  AND ($sense IS NULL OR f.sense = $sense) AND ($category IS NULL OR f.category = $category)
  AND ($layer IS NULL OR f.layer = $layer)
  AND ($known_at IS NULL OR f.created_at <= $known_at)
  AND ($subject_key IS NULL OR EXISTS {
        MATCH (f)-[:SUBJECT]->(:Entity)<-[:SAME_AS*0..8 {active: true}]-(s:Entity)
        WHERE $subject_key IN [s.id, s.name_key] OR EXISTS { (s)<-[:NAMES]-(:Alias {name_key: $subject_key}) } })
// what was believed at known_at: the last of the fact's own versions that the store had by then
LET version = CASE WHEN $known_at IS NULL OR f.known_since IS NULL THEN null
                   ELSE size([since IN f.known_since WHERE since <= $known_at]) - 1 END
LET from_then = CASE WHEN version >= 0 THEN f.known_from[version] END
LET until_then = CASE WHEN version >= 0 THEN f.known_until[version] END
FILTER $known_at IS NULL
    OR (version >= 0 AND ($as_of IS NULL OR (from_then <= $as_of AND until_then > $as_of)))
WITH f, version, from_then, until_then ORDER BY f.id LIMIT $limit
CALL (f) {
  OPTIONAL MATCH (f)-[:SUBJECT]->(subject:Entity)
  OPTIONAL MATCH (f)-[:OBJECT]->(object:Entity)
  RETURN subject{.id, .name} AS subject, object{.id, .name} AS object LIMIT 1
}
OPTIONAL MATCH (store:Store {id: f.store_id})
// retention (design, rule 8): decay x anchor + rehearsal, within 0..1; age from the last update and never negative
LET age_days = coalesce((datetime($now).epochMillis - f.updated_at.epochMillis) / 86400000.0, 0.0)
LET exempt = coalesce(f.pinned, false)
    OR any(mark IN coalesce(f.tags, []) + [coalesce(f.category, '')]
           WHERE mark IN ['long_term_policy', 'legal_stopline'] + coalesce(store.decay_exempt, []))
// the first of the store's own rules that names the fact, else its relation's half-life
LET half_life = coalesce(head([i IN range(0, size(coalesce(store.half_life_of, [])) - 1)
      WHERE store.half_life_of[i] IN ['predicate:' + f.sense, 'category:' + f.category, 'layer:' + f.layer]
      | store.half_life_days[i]]), f.half_life_days, 365.0)
LET decay = CASE WHEN exempt OR age_days <= 0 THEN 1.0 ELSE 0.5 ^ (age_days / toFloat(half_life)) END
LET rehearsal = CASE WHEN f.access_count * 0.04 > 0.35 THEN 0.35 ELSE coalesce(f.access_count * 0.04, 0.0) END
LET kept = decay * (0.35 + 0.65 * coalesce(f.importance, 0.5)) + rehearsal
LET retention = CASE WHEN kept >= 1.0 THEN 1.0 WHEN kept > 0.0 THEN kept ELSE 0.0 END
RETURN f{.*, embedding: null, context: null, retention: retention, valid_at: coalesce(from_then, f.valid_at),
         invalid_at: CASE WHEN version IS NULL THEN f.invalid_at
                          WHEN until_then < datetime('9999-12-31T23:59:59Z') THEN until_then END,
         expired_at: CASE WHEN version IS NULL OR f.expired_at <= $known_at THEN f.expired_at END} AS fact, subject, object,
       COLLECT {
         MATCH (f)-[d:DERIVED_FROM]->(e:Episode)
         WHERE d.withdrawn_by IS NULL OR f.state = 'expired'
         RETURN {episode_id: e.id, source_id: e.source_id, session_id: e.session_id, occurred_at: e.occurred_at,
                 quote: coalesce(d.quote, left(e.content, 500))}
         ORDER BY d.event, e.occurred_at LIMIT 100
       } AS sources
ORDER BY fact.id
