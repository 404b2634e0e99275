// does:    End a merge: the entity stands for itself again; the edge stays as history.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   source_id   string     the merged entity
// param:   at          datetime
// param:   by          string     who ends it
// param:   reason      string     or null
// returns: root_id     string     the entity that its facts are on until they move back
CYPHER 25
MATCH (source:Entity {id: $source_id})-[same:SAME_AS {active: true}]->(target:Entity)
WHERE source.owner_key = $owner_key
MATCH (target)-[:SAME_AS*0..8 {active: true}]->(root:Entity) WHERE root.merged_into IS NULL
WITH source, same, root LIMIT 1
SET same.active = false, same.ended_at = $at, same.ended_by = $by, same.ended_reason = $reason
REMOVE source.merged_into
WITH same, root
CALL (same, root) {
  MATCH (root)<-[:SUBJECT|OBJECT]-(f:Fact)-[kept:DERIVED_FROM {event: 'kept', withdrawn_by: same.id}]->(:Episode)
  DELETE kept
}
RETURN root.id AS root_id
