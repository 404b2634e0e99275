// does:    One page of a store's entities: the episodes that make a theme around each, and the theme that it has.
// mode:    read
// scope:   store
// param:   store_id     string
// param:   after        string       id of the last entity of the page before, or ''
// param:   limit        integer
// param:   least        integer      episodes that make a theme, from two sessions or more
// param:   most         integer      episodes of one theme that speak of its entity, the newest
// param:   near         float        cosine from which an episode belongs to a theme without naming its entity
// param:   near_most    integer      such episodes
// param:   now          datetime
// returns: last         string       id of the page's last entity, null when there is none
// returns: examined     integer
// returns: themes       list<map>    entity, name, owner_key, actor_id, theme, status, mark, episodes (none: no theme is due)
//
// A group is what speaks of an entity, and what is near by vector to the middle one of those, within the owner. Of two
// entities that the same episodes speak of, the one with more of them has the theme, else the older. What someone
// archived, deleted or rejected is not used.
CYPHER 25
CALL () {
  MATCH (x:Entity) USING INDEX x:Entity(store_id, id)
  WHERE x.store_id = $store_id AND x.id > $after
  WITH x ORDER BY x.id LIMIT $limit
  RETURN collect(x) AS page
}
CALL (page) {
  UNWIND page AS x
  CALL (x) {
    WITH x WHERE NOT coalesce(x.is_actor, false) AND x.merged_into IS NULL
    MATCH (x)-[:SAME_AS*0..8 {active: true}]-(m:Entity)<-[:SUBJECT|OBJECT]-(g:Fact)-[d:DERIVED_FROM]->(e:Episode)
    WHERE g.state = 'live' AND g.valid_to > $now AND NOT coalesce(g.disputed, false) AND d.event = 'assert' AND d.withdrawn_by IS NULL AND e.owner_key = x.owner_key
    WITH DISTINCT e
    WHERE e.state = 'live' AND e.status = 'processed' AND e.role IN ['user', 'tool']
      AND NOT EXISTS { MATCH (e)<-[:DERIVED_FROM]-(f:Fact) WHERE f.status = 'deleted' OR f.approval = 'rejected' OR (f.status = 'archived' AND f.archived_reason IS NULL) }
    WITH e ORDER BY e.occurred_at DESC, e.id DESC LIMIT $most
    RETURN collect(e) AS named
  }
  LET enough = size(named) >= $least AND size(COLLECT { UNWIND named AS e RETURN DISTINCT coalesce(e.session_id, e.id) }) > 1
  LET first = named[0], others = named[1..]
  LET bigger = enough AND EXISTS { // the same episodes speak of another one too
    MATCH (first)<-[:DERIVED_FROM]-(:Fact {state: 'live'})-[:SUBJECT|OBJECT]->(:Entity)-[:SAME_AS*0..8 {active: true}]->(y:Entity)
    WHERE y <> x AND NOT coalesce(y.is_actor, false) AND y.merged_into IS NULL
      AND all(e IN others WHERE EXISTS {
            MATCH (e)<-[:DERIVED_FROM]-(:Fact {state: 'live'})-[:SUBJECT|OBJECT]->(:Entity)-[:SAME_AS*0..8 {active: true}]->(y) })
    WITH DISTINCT y
    LET found = COUNT {
      MATCH (y)-[:SAME_AS*0..8 {active: true}]-(:Entity)<-[:SUBJECT|OBJECT]-(:Fact {state: 'live'})-[:DERIVED_FROM]->(e:Episode {state: 'live'})
      RETURN DISTINCT e LIMIT $most }
    WITH y, found WHERE found > size(named) OR (found = size(named) AND y.id < x.id)
    RETURN y
  }
  CALL (x, named, enough, bigger) {
    WITH x, named WHERE enough AND NOT bigger
    LET some = [e IN named WHERE e.embedding IS NOT NULL][..12]
    LET middle = head(COLLECT {
      UNWIND some AS e
      LET sum = reduce(total = 0.0, o IN some | total + vector.similarity.cosine(e.embedding, o.embedding))
      RETURN e ORDER BY sum DESC, e.id LIMIT 1 })
    WITH x.owner_key AS owner_key, named, middle.embedding AS vector WHERE middle IS NOT NULL
    MATCH (n:Fact|Note|Episode)
      SEARCH n IN (
        VECTOR INDEX memory_embedding
        FOR vector
        WHERE n.owner_key = owner_key AND n.kind = 'episode' AND n.state = 'live'
        LIMIT 60
      ) SCORE AS similarity
    WHERE 2 * similarity - 1 >= $near AND NOT n IN named AND n.status = 'processed' AND n.role IN ['user', 'tool']
      AND NOT EXISTS { MATCH (n)<-[:DERIVED_FROM]-(f:Fact) WHERE f.status = 'deleted' OR f.approval = 'rejected' OR (f.status = 'archived' AND f.archived_reason IS NULL) }
    WITH n ORDER BY similarity DESC, n.id LIMIT $near_most
    RETURN collect(n) AS close
  }
  LET members = CASE WHEN enough AND NOT bigger THEN named + close ELSE [] END
  OPTIONAL MATCH (t:Note {theme_key: x.id})
  WITH x, members, t WHERE t IS NOT NULL OR size(members) > 0
  LET episodes = COLLECT {
    UNWIND members AS e
    RETURN {id: e.id, version: COLLECT {
      MATCH (e)<-[:DERIVED_FROM]-(f:Fact)
      RETURN DISTINCT f.id + f.state + CASE WHEN f.disputed THEN '?' ELSE '' END + CASE WHEN f.valid_to > $now THEN '' ELSE '.' END AS version
      ORDER BY version }} AS episode
    ORDER BY e.id
  }
  RETURN collect({entity: x.id, name: x.name, owner_key: x.owner_key, actor_id: members[0].actor_id, theme: t.id,
                  status: t.status, mark: t.theme_mark, episodes: episodes}) AS themes
}
RETURN CASE size(page) WHEN 0 THEN null ELSE page[-1].id END AS last, size(page) AS examined, themes
