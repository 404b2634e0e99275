// does:    The facts and entities that an answer named, those that are still there.
// mode:    read
// scope:   owner
// param:   owner_key    string
// param:   fact_ids     list<string>
// param:   entity_ids   list<string>
// returns: facts        list<map>      fact, subject, object
// returns: entities     list<map>      id, name
CYPHER 25
LET facts = COLLECT {
  UNWIND $fact_ids AS id
  MATCH (f:Fact {id: id}) WHERE f.owner_key = $owner_key
  CALL (f) {
    OPTIONAL MATCH (f)-[:SUBJECT]->(subject:Entity)
    OPTIONAL MATCH (f)-[:OBJECT]->(object:Entity)
    RETURN subject{.id, .name} AS subject, object{.id, .name} AS object LIMIT 1
  }
  RETURN {fact: f{.*, embedding: null, context: null, retention: 1.0}, subject: subject, object: object} }
LET entities = COLLECT {
  UNWIND $entity_ids AS id
  MATCH (e:Entity {id: id}) WHERE e.owner_key = $owner_key
  RETURN e{.id, .name} }
RETURN facts, entities
