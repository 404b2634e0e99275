// does:    Make an entity for facts that are about somebody else than they are filed under; moving comes after.
// mode:    write
// scope:   owner
// param:   store_id     string
// param:   owner_key    string
// param:   entity_id    string
// param:   fact_ids     list<string>
// param:   entity       map            id, name, keys and context of the new one
// param:   now          datetime
// returns: facts        integer
CYPHER 25
MATCH (e:Entity {id: $entity_id}) WHERE e.owner_key = $owner_key
CREATE (new:Entity)
SET new = $entity, new.store_id = $store_id, new.owner_key = $owner_key, new.type = e.type, new.firm = e.firm,
    new.is_actor = false, new.aliases = [], new.split_from = e.id, new.created_at = $now, new.mentioned_at = $now
WITH e, new
UNWIND $fact_ids AS id
MATCH (f:Fact {id: id})-[:SUBJECT]->(subject:Entity) WHERE f.owner_key = $owner_key
OPTIONAL MATCH (f)-[:OBJECT]->(object:Entity)
WITH e, new, f, subject, object WHERE e IN [subject, object]
LET to_subject = CASE WHEN subject = e THEN new.id ELSE subject.id END
LET to_object = CASE WHEN object = e THEN new.id ELSE object.id END
LET slot_key = to_subject + CASE WHEN object IS NULL THEN substring(f.slot_key, size(subject.id))
                                 ELSE replace(substring(f.slot_key, size(subject.id)), object.id, to_object) END
LET value_key = CASE WHEN object IS NULL THEN f.value_key ELSE replace(f.value_key, object.id, to_object) END
SET f.origin_subject = to_subject, f.origin_object = to_object, f.origin_slot = slot_key, f.origin_value = value_key,
    f.origin_run = slot_key + '#' + value_key + '#' + toString(coalesce(toIntegerOrNull(split(f.run_key, '#')[-1]), 0))
WITH e, new, f, subject, object
CALL (e, new, f, subject, object) {
  MATCH (f)-[d:DERIVED_FROM]->(:Episode)
  SET d.said_subject = CASE WHEN subject = e THEN new.id ELSE d.said_subject END,
      d.said_object = CASE WHEN object = e THEN new.id ELSE d.said_object END
}
CALL (f, new) {
  MATCH (f)-[:DERIVED_FROM]->(episode:Episode)
  MERGE (episode)-[:ABOUT]->(new)
}
RETURN count(f) AS facts
