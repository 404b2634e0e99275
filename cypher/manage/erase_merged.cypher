// does:    Erase merged entities that nothing names; what is merged into one of them is merged into what it stood for.
// mode:    write
// scope:   owner
// param:   owner_key    string
// param:   entity_ids   list<string>
// returns: entities     integer
CYPHER 25
UNWIND $entity_ids AS id
CALL (id) { // one after the other: in a chain the next has a new place
  MATCH (x:Entity {id: id})-[:SAME_AS {active: true}]->(parent:Entity)
  WHERE x.owner_key = $owner_key
  MATCH (parent)-[:SAME_AS*0..8 {active: true}]->(root:Entity) WHERE root.merged_into IS NULL
  CALL (x, parent) {
    MATCH (below:Entity)-[same:SAME_AS {active: true}]->(x)
    LET kept = properties(same)
    CREATE (below)-[new:SAME_AS]->(parent)
    SET new = kept, below.merged_into = parent.id
  }
  CALL (x, root) { // facts have no place to go back to there
    MATCH (root)<-[:SUBJECT|OBJECT]-(f:Fact)
    WHERE x.id IN [f.origin_subject, f.origin_object]
    WITH DISTINCT x, root, f
    SET f.origin_subject = replace(f.origin_subject, x.id, root.id), f.origin_object = replace(f.origin_object, x.id, root.id),
        f.origin_slot = replace(f.origin_slot, x.id, root.id), f.origin_value = replace(f.origin_value, x.id, root.id),
        f.origin_run = replace(f.origin_run, x.id, root.id)
  }
  DETACH DELETE x
  RETURN 1 AS gone
}
RETURN count(gone) AS entities
