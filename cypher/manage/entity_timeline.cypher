// does:    All stays of one relation of an entity, in the order of valid time.
// mode:    read
// scope:   owner
// param:   owner_key   string
// param:   entity_id   string
// param:   sense       string
// param:   limit       integer
// returns: entity      map
// returns: stays       list<map>   id, reason, by_episode; successor: id, text
CYPHER 25
MATCH (asked:Entity {id: $entity_id})-[:SAME_AS*0..8 {active: true}]->(entity:Entity)
WHERE asked.owner_key = $owner_key AND entity.merged_into IS NULL
RETURN entity{.id, .name} AS entity, COLLECT {
  MATCH (entity)<-[:SUBJECT]-(f:Fact)
  WHERE f.sense = $sense AND f.state = 'live'
  RETURN {id: f.id, reason: f.end_reason, by_episode: f.ended_by, successor: head(COLLECT {
            MATCH (next:Fact)-[:SUPERSEDES]->(f) RETURN next{.id, .text} ORDER BY next.valid_at LIMIT 1 })}
  ORDER BY f.valid_at, f.id LIMIT $limit
} AS stays
