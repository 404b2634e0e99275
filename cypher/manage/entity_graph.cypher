// does:    Facts around an entity in both directions, to a number of hops, valid at a time.
// mode:    read
// scope:   owner
// param:   owner_key   string
// param:   entity_id   string
// param:   hops        integer    1 to 3
// param:   as_of       datetime
// param:   limit       integer    facts at most
// param:   now         datetime
// returns: fact        map
// returns: subject     map
// returns: object      map
CYPHER 25
MATCH (start:Entity {id: $entity_id})
WHERE start.owner_key = $owner_key
CALL (start) {
  MATCH (start)<-[:SUBJECT|OBJECT]-(f:Fact)
  RETURN f, 1 AS distance
  UNION
  MATCH (start)<-[:SUBJECT|OBJECT]-(near:Fact)-[:SUBJECT|OBJECT]->(between:Entity)
  WHERE $hops > 1 AND between <> start AND near.state = 'live' AND near.valid_from <= $as_of AND near.valid_to > $as_of
  WITH DISTINCT between LIMIT 200
  MATCH (between)<-[:SUBJECT|OBJECT]-(f:Fact)
  RETURN f, 2 AS distance
  UNION
  MATCH (start)<-[:SUBJECT|OBJECT]-(near:Fact)-[:SUBJECT|OBJECT]->(between:Entity)
        <-[:SUBJECT|OBJECT]-(far:Fact)-[:SUBJECT|OBJECT]->(beyond:Entity)
  WHERE $hops > 2 AND between <> start AND beyond <> start AND near.state = 'live' AND far.state = 'live'
    AND near.valid_from <= $as_of AND near.valid_to > $as_of AND far.valid_from <= $as_of AND far.valid_to > $as_of
  WITH DISTINCT beyond LIMIT 200
  MATCH (beyond)<-[:SUBJECT|OBJECT]-(f:Fact)
  RETURN f, 3 AS distance
}
WITH f, min(distance) AS distance
WHERE f.state = 'live' AND f.valid_from <= $as_of AND f.valid_to > $as_of
WITH f, distance ORDER BY distance, f.id LIMIT $limit
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
RETURN f{.*, embedding: null, context: null, retention: retention} AS fact, subject, object
ORDER BY distance, fact.id
