// does:    One entity.
// mode:    read
// scope:   owner
// param:   owner_key    string
// param:   entity_id    string
// returns: entity       map
// returns: fact_count   integer
CYPHER 25
MATCH (e:Entity {id: $entity_id})
WHERE e.owner_key = $owner_key
RETURN e{.*, embedding: null} AS entity,
       COUNT { MATCH (e)<-[:SUBJECT|OBJECT]-(f:Fact) WHERE f.state = 'live' } AS fact_count
