// does:    Facts around an entity in both directions, to a number of hops, valid at a time.
// mode:    read
// scope:   owner
// param:   owner_key   string
// param:   entity_id   string
// param:   hops        integer    1 to 3
// param:   as_of       datetime
// param:   known_at    datetime   as the store believed then, or null
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
  WHERE $hops > 1 AND between <> start AND ($known_at IS NOT NULL
      OR (near.state = 'live' AND near.valid_from <= $as_of AND near.valid_to > $as_of))
  WITH DISTINCT between LIMIT 200
  MATCH (between)<-[:SUBJECT|OBJECT]-(f:Fact)
  RETURN f, 2 AS distance
  UNION
  MATCH (start)<-[:SUBJECT|OBJECT]-(near:Fact)-[:SUBJECT|OBJECT]->(between:Entity)
        <-[:SUBJECT|OBJECT]-(far:Fact)-[:SUBJECT|OBJECT]->(beyond:Entity)
  WHERE $hops > 2 AND between <> start AND beyond <> start AND ($known_at IS NOT NULL
      OR (near.state = 'live' AND far.state = 'live' AND near.valid_from <= $as_of AND near.valid_to > $as_of
          AND far.valid_from <= $as_of AND far.valid_to > $as_of))
  WITH DISTINCT beyond LIMIT 200
  MATCH (beyond)<-[:SUBJECT|OBJECT]-(f:Fact)
  RETURN f, 3 AS distance
}
WITH f, min(distance) AS distance
// what was believed at known_at: the last of the fact's own versions that the store had by then
LET version = CASE WHEN $known_at IS NULL OR f.known_since IS NULL THEN null
                   ELSE size([since IN f.known_since WHERE since <= $known_at]) - 1 END
LET from_then = CASE WHEN version >= 0 THEN f.known_from[version] END
LET until_then = CASE WHEN version >= 0 THEN f.known_until[version] END
FILTER ($known_at IS NULL AND f.state = 'live' AND f.valid_from <= $as_of AND f.valid_to > $as_of)
    OR ($known_at IS NOT NULL AND f.state IN ['live', 'expired'] AND from_then <= $as_of AND until_then > $as_of)
WITH f, distance, version, from_then, until_then ORDER BY distance, f.id LIMIT $limit
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
         expired_at: CASE WHEN version IS NULL OR f.expired_at <= $known_at THEN f.expired_at END} AS fact, subject, object
ORDER BY distance, fact.id
