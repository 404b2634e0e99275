// does:    Derive the other names of entities from their facts, and say which merges follow from them or no longer do.
// mode:    write
// scope:   owner
// param:   store_id     string
// param:   owner_key    string
// param:   entity_ids   list<string>   subjects of naming facts that may have changed
// param:   now          datetime
// returns: kind        string    open, or close
// returns: source_id   string    entity to merge, or merged one to take out
// returns: target_id   string    entity that it is the same as
// returns: alias_key   string
//
// A name merges another entity only when a single one has it, of whom no context is known and whom nobody took out
// of this merge before. What the actor is called does not merge a friend of the same name, and no document merges the
// actor with anybody: that takes the owner's own word.
CYPHER 25
UNWIND $entity_ids AS id
MATCH (named:Entity {id: id}) WHERE named.owner_key = $owner_key
MATCH (named)-[:SAME_AS*0..8 {active: true}]->(root:Entity) WHERE root.merged_into IS NULL
UNWIND [named, root] AS e
WITH DISTINCT e
LET wanted = COLLECT {
  MATCH (e)<-[:SUBJECT]-(f:Fact)
  WHERE f.sense IN ['alias', 'name'] AND f.polarity AND f.state IN ['live', 'archived']
  OPTIONAL MATCH (f)-[:OBJECT]->(object:Entity)
  LET own_word = EXISTS { MATCH (f)-[d:DERIVED_FROM]->() WHERE d.withdrawn_by IS NULL AND d.event = 'assert' AND d.trust > 1 }
  RETURN DISTINCT {key: f.alias_key, name: f.literal, sense: f.sense, object_id: object.id, own_word: own_word}
}
LET keys = [w IN wanted WHERE w.key IS NOT NULL AND w.key <> e.name_key | w.key]
CALL (e, keys) {
  MATCH (a:Alias)-[n:NAMES]->(e) WHERE NOT a.name_key IN keys
  DELETE n
  WITH DISTINCT a WHERE NOT EXISTS { (a)-[:NAMES]->() }
  DELETE a
}
CALL (e, wanted, keys) {
  UNWIND wanted AS w
  WITH e, w WHERE w.key IN keys
  MERGE (a:Alias {key: $owner_key + '|' + w.key})
  ON CREATE SET a.id = randomUUID(), a.store_id = $store_id, a.owner_key = $owner_key, a.name_key = w.key, a.created_at = $now
  MERGE (a)-[n:NAMES]->(e)
  SET n.name = w.name
}
CALL (e, wanted, keys) {
  WITH e, wanted, keys WHERE e.merged_into IS NULL
  UNWIND wanted AS w
  LET others = CASE WHEN w.object_id IS NOT NULL
      THEN COLLECT { MATCH (o:Entity {id: w.object_id}) WHERE o.owner_key = $owner_key AND o <> e RETURN o }
      ELSE COLLECT { MATCH (o:Entity {owner_key: $owner_key}) WHERE o.name_key = w.key AND o <> e
                       AND o.merged_into IS NULL AND w.key IN keys RETURN o } END
  WITH e, w, others WHERE size(others) = 1
  LET o = others[0]
  WITH e, w, o
  WHERE o.merged_into IS NULL AND (o.qualifier_key IS NULL OR w.object_id IS NOT NULL)
    AND NOT ((w.sense = 'name' OR NOT w.own_word) AND (e.is_actor OR o.is_actor))
    AND NOT coalesce(o.firm > 0 AND e.firm > 0 AND o.type <> e.type AND 'person' IN [o.type, e.type], false)
    AND NOT EXISTS { MATCH (o)-[s:SAME_AS {active: false}]-(e) WHERE s.ended_by = 'call' }
  RETURN 'open' AS kind, CASE WHEN o.is_actor THEN e.id ELSE o.id END AS source_id,
         CASE WHEN o.is_actor THEN o.id ELSE e.id END AS target_id, coalesce(w.key, w.object_id) AS alias_key
  UNION
  WITH e, wanted, keys WHERE e.merged_into IS NULL
  MATCH (o:Entity)-[s:SAME_AS {active: true, by: 'alias'}]->(:Entity)-[:SAME_AS*0..8 {active: true}]->(e)
  WHERE NOT s.alias_key IN keys + [w IN wanted WHERE w.object_id IS NOT NULL | w.object_id]
    AND NOT s.alias_key = e.name_key
  RETURN 'close' AS kind, o.id AS source_id, e.id AS target_id, s.alias_key AS alias_key
}
RETURN DISTINCT kind, source_id, target_id, alias_key
