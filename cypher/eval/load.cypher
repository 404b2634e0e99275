// does:    Create the nodes and relationships of a snapshot as they are: the bare load that `graphmem bench` compares with.
// mode:    write
// scope:   none   the rows are a snapshot of the bench's own store and carry its store_id
// param:   Episode        list<map>   properties of the nodes
// param:   Entity         list<map>
// param:   Fact           list<map>
// param:   Note           list<map>
// param:   Predicate      list<map>
// param:   SUBJECT        list<map>   from, to, properties
// param:   OBJECT         list<map>
// param:   DERIVED_FROM   list<map>
// param:   ABOUT          list<map>
// param:   NEXT           list<map>
CYPHER 25
CALL () { UNWIND $Episode AS row CREATE (n:Episode) SET n = row }
CALL () { UNWIND $Entity AS row CREATE (n:Entity) SET n = row }
CALL () { UNWIND $Fact AS row CREATE (n:Fact) SET n = row }
CALL () { UNWIND $Note AS row CREATE (n:Note) SET n = row }
CALL () { UNWIND $Predicate AS row CREATE (n:Predicate) SET n = row }
CALL () {
  UNWIND $SUBJECT AS row MATCH (a:Fact {id: row.from}) MATCH (b:Entity {id: row.to})
  CREATE (a)-[r:SUBJECT]->(b) SET r = row.properties
}
CALL () {
  UNWIND $OBJECT AS row MATCH (a:Fact {id: row.from}) MATCH (b:Entity {id: row.to})
  CREATE (a)-[r:OBJECT]->(b) SET r = row.properties
}
CALL () {
  UNWIND $DERIVED_FROM AS row MATCH (a:Fact {id: row.from}) MATCH (b:Episode {id: row.to})
  CREATE (a)-[r:DERIVED_FROM]->(b) SET r = row.properties
}
CALL () {
  UNWIND $ABOUT AS row MATCH (a:Episode {id: row.from}) MATCH (b:Entity {id: row.to})
  CREATE (a)-[r:ABOUT]->(b) SET r = row.properties
}
CALL () {
  UNWIND $NEXT AS row MATCH (a:Episode {id: row.from}) MATCH (b:Episode {id: row.to})
  CREATE (a)-[r:NEXT]->(b) SET r = row.properties
}
