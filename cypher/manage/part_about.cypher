// does:    Let episodes be about the entities that they name, instead of what these were merged into.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   root_id     string     an entity that nothing names
// returns: episodes    integer
CYPHER 25
MATCH (root:Entity {id: $root_id})<-[about:ABOUT]-(e:Episode)
WHERE root.owner_key = $owner_key
DELETE about
WITH DISTINCT root, e
CALL (root, e) {
  MATCH (e)<-[d:DERIVED_FROM]-(:Fact)
  UNWIND [d.said_subject, d.said_object] AS id
  WITH DISTINCT root, e, id
  MATCH (x:Entity {id: id}) WHERE x.owner_key = $owner_key AND x <> root
  MERGE (e)-[:ABOUT]->(x)
}
RETURN count(e) AS episodes
