// does:    Which of these entities are there, and what stands for each now.
// mode:    read
// scope:   owner
// param:   owner_key    string
// param:   entity_ids   list<string>
// returns: id             string
// returns: name           string
// returns: is_actor       boolean
// returns: root_id        string         the entity that it is the same as; itself when it is not merged
// returns: merged_from    list<string>   entities that are merged into it
// returns: was_merged     boolean        whether a merge of it was ended before
CYPHER 25
UNWIND $entity_ids AS id
MATCH (e:Entity {id: id}) WHERE e.owner_key = $owner_key
MATCH (e)-[:SAME_AS*0..8 {active: true}]->(root:Entity) WHERE root.merged_into IS NULL
RETURN e.id AS id, e.name AS name, e.is_actor AS is_actor, root.id AS root_id,
       COLLECT { MATCH (m:Entity)-[s:SAME_AS {active: true}]->(e) RETURN m.id ORDER BY s.at, m.id } AS merged_from,
       EXISTS { (e)-[:SAME_AS {active: false}]-() } AS was_merged
