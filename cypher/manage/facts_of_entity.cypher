// does:    Which of these facts are about an entity, or about one that was split from it before.
// mode:    read
// scope:   owner
// param:   owner_key    string
// param:   entity_id    string
// param:   fact_ids     list<string>
// returns: id        string
// returns: split_to  string    the entity that was split from it and holds the fact, or null
CYPHER 25
UNWIND $fact_ids AS id
MATCH (f:Fact {id: id})-[:SUBJECT|OBJECT]->(e:Entity)
WHERE f.owner_key = $owner_key AND (e.id = $entity_id OR e.split_from = $entity_id)
RETURN f.id AS id, CASE WHEN any(x IN collect(e.id) WHERE x = $entity_id) THEN null ELSE max(e.id) END AS split_to
