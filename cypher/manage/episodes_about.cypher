// does:    Episodes that ground these facts or speak of these entities: erasing the one means erasing the other.
// mode:    read
// scope:   owner
// param:   owner_key    string
// param:   fact_ids     list<string>
// param:   entity_ids   list<string>
// returns: id           string
CYPHER 25
CALL () {
  UNWIND $fact_ids AS id
  MATCH (f:Fact {id: id})-[:DERIVED_FROM]->(e:Episode) WHERE f.owner_key = $owner_key
  RETURN e.id AS id
  UNION
  UNWIND $entity_ids AS id
  MATCH (x:Entity {id: id})<-[:ABOUT]-(e:Episode) WHERE x.owner_key = $owner_key
  RETURN e.id AS id
}
RETURN DISTINCT id
