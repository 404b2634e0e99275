// does:    Write a theme or its next version, unless one of its sources changed or went while it was made.
// mode:    write
// scope:   owner
// param:   store_id       string
// param:   owner_key      string
// param:   entity_id      string         around which it is
// param:   episode_ids    list<string>   all that it is made from
// param:   theme          map            see graphmem/maintain/themes.py
// param:   new_id         string         its id when it is new
// param:   version_id     string         id of the former version from now on
// param:   open_end       datetime       stands for "no end"
// param:   now            datetime
// returns: saved          boolean
//
// The caller holds the owner's lock. A former version stays in the history only while all that it was made from may be
// used. A theme is out of recall and of links: its kind is its own, and it is not in the search indexes.
CYPHER 25
MATCH (x:Entity {id: $entity_id}) WHERE x.owner_key = $owner_key AND x.merged_into IS NULL
LET usable = COUNT {
  UNWIND $episode_ids AS id
  MATCH (e:Episode {id: id})
  WHERE e.owner_key = $owner_key AND e.state = 'live'
    AND NOT EXISTS { MATCH (e)<-[:DERIVED_FROM]-(f:Fact) WHERE f.status = 'deleted' OR f.approval = 'rejected' OR (f.status = 'archived' AND f.archived_reason IS NULL) }
}
LET saved = usable = size($episode_ids)
CALL (x, saved) {
  WITH x WHERE saved
  MERGE (t:Note {theme_key: x.id})
  ON CREATE SET t.id = $new_id, t.version = 0, t.created_at = $now, t.access_count = 0
  WITH x, t
  LET grown = t.version > 0 AND NOT EXISTS { MATCH (t)-[:DERIVED_FROM]->(e:Episode) WHERE NOT e.id IN $episode_ids }
  CALL (t, grown) {
    WITH t WHERE grown
    LET held = properties(t)
    CREATE (v:Note)
    SET v = held{.*, id: $version_id, version_of: t.id, state: 'superseded', expired_at: $now, theme_key: null}
    CREATE (t)-[:SUPERSEDES {reason: 'its sources changed', at: $now}]->(v)
  }
  CALL (t, grown) {
    WITH t WHERE NOT grown
    MATCH (t)-[:SUPERSEDES]->(v:Note) WHERE v.version_of = t.id
    DETACH DELETE v
  }
  SET t += $theme, t.store_id = $store_id, t.owner_key = $owner_key, t.kind = 'theme', t.layer = 'semantic',
      t.state = 'live', t.status = 'active', t.approval = 'approved', t.learning_state = 'candidate',
      t.half_life_days = 365.0, t.valid_to = $open_end, t.version = t.version + 1, t.updated_at = $now
  CALL (t) { MATCH (t)-[old:DERIVED_FROM]->(:Episode) DELETE old }
  CALL (t) {
    UNWIND $episode_ids AS id
    MATCH (e:Episode {id: id}) WHERE e.owner_key = $owner_key
    CREATE (t)-[:DERIVED_FROM]->(e)
  }
  MERGE (t)-[:ABOUT]->(x)
}
RETURN saved
