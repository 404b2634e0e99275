// does:    Let facts that are back where they began, and that no merge holds, forget where they were.
// mode:    write
// scope:   owner
// param:   owner_key    string
// param:   entity_ids   list<string>
// returns: cleared      integer
CYPHER 25
UNWIND $entity_ids AS id
MATCH (e:Entity {id: id})<-[:SUBJECT|OBJECT]-(f:Fact)
WHERE e.owner_key = $owner_key AND f.origin_run IS NOT NULL AND NOT EXISTS { (f)-[:DERIVED_FROM {event: 'kept'}]->() }
MATCH (f)-[:SUBJECT]->(subject:Entity)
OPTIONAL MATCH (f)-[:OBJECT]->(object:Entity)
WITH f, subject, object
WHERE subject.id = f.origin_subject AND coalesce(object.id = f.origin_object, true)
REMOVE f.origin_run, f.origin_slot, f.origin_value, f.origin_subject, f.origin_object
RETURN count(f) AS cleared
