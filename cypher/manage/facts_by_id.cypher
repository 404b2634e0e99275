// does:    Facts by their ids with their sources, in the order of the ids.
// mode:    read
// scope:   owner
// param:   owner_key   string
// param:   fact_ids    list<string>
// param:   now         datetime
// returns: fact        map
// returns: subject     map
// returns: object      map
// returns: sources     list<map>
CYPHER 25
UNWIND range(0, size($fact_ids) - 1) AS position
MATCH (f:Fact {id: $fact_ids[position]})
WHERE f.owner_key = $owner_key AND f.state <> 'retraction'
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
RETURN f{.*, embedding: null, context: null, retention: retention} AS fact, subject, object,
       COLLECT {
         MATCH (f)-[d:DERIVED_FROM]->(e:Episode)
         WHERE d.withdrawn_by IS NULL OR f.state = 'expired'
         RETURN {episode_id: e.id, source_id: e.source_id, session_id: e.session_id, occurred_at: e.occurred_at,
                 quote: coalesce(d.quote, left(e.content, 500))}
         ORDER BY d.event, e.occurred_at LIMIT 100
       } AS sources
ORDER BY position
