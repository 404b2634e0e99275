// does:    Erase facts with their statements and disputes; gives their slots.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   fact_ids    list<string>
// returns: slot_key    string
CYPHER 25
UNWIND $fact_ids AS id
MATCH (f:Fact {id: id}) WHERE f.owner_key = $owner_key
WITH f, f.slot_key AS slot_key
CALL (f) { // a dispute needs two sides
  MATCH (f)<-[:CONTRADICTS]-(c:Contradiction)-[:CONTRADICTS]->(other:Fact)
  DETACH DELETE c
  WITH DISTINCT other
  SET other.disputed = EXISTS { MATCH (other)<-[:CONTRADICTS]-(:Contradiction {state: 'open'}) }
}
DETACH DELETE f
RETURN DISTINCT slot_key
