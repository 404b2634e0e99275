// does:    One page of an owner's entities, by id.
// mode:    read
// scope:   owner
// param:   owner_key    string
// param:   after        string    id of the last entity of the page before, or ''
// param:   limit        integer
// param:   name_key     string    or null
// returns: entity       map
// returns: fact_count   integer
CYPHER 25
MATCH (e:Entity {owner_key: $owner_key})
WHERE e.id > $after AND ($name_key IS NULL OR e.name_key = $name_key)
  // the actor's own entity shows from the first fact about them
  AND (NOT e.is_actor OR EXISTS { (e)<-[:SUBJECT|OBJECT]-(:Fact) })
WITH e ORDER BY e.id LIMIT $limit
RETURN e{.*, embedding: null} AS entity,
       COUNT { MATCH (e)<-[:SUBJECT|OBJECT]-(f:Fact) WHERE f.state = 'live' } AS fact_count
ORDER BY entity.id
