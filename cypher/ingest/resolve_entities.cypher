// does:    Find the entity that each mention names, or make it; `missing` marks an id that is not there.
// mode:    write
// scope:   owner
// param:   store_id         string
// param:   owner_key        string
// param:   actor_identity   string
// param:   mentions         list<map>   ref, name, name_key, type, is_actor, entity_id, identity_key, new_id, tokens
// param:   now              datetime
// returns: ref       string    the mention's ref
// returns: id        string    null when missing
// returns: name      string
// returns: created   boolean
CYPHER 25
UNWIND $mentions AS m
CALL (m) {
  WHEN m.is_actor THEN {
    MATCH (e:Entity {identity_key: $actor_identity})
    RETURN e
  } WHEN m.entity_id IS NOT NULL THEN {
    OPTIONAL MATCH (e:Entity {owner_key: $owner_key, id: m.entity_id})
    RETURN e
  } ELSE {
    OPTIONAL MATCH (known:Entity {owner_key: $owner_key, name_key: m.name_key})
    WITH m, known ORDER BY known.is_actor DESC, known.created_at LIMIT 1
    CALL (m, known) {
      WHEN known IS NOT NULL THEN {
        SET known.type = coalesce(known.type, m.type)
        RETURN known AS e
      } ELSE {
        MERGE (e:Entity {identity_key: m.identity_key})
        ON CREATE SET e.id = m.new_id, e.store_id = $store_id, e.owner_key = $owner_key, e.name = m.name,
                      e.name_key = m.name_key, e.type = m.type, e.is_actor = false, e.aliases = [],
                      e.tokens = m.tokens, e.created_at = $now
        RETURN e
      }
    }
    RETURN e
  }
}
RETURN m.ref AS ref, e.id AS id, e.name AS name, coalesce(e.id = m.new_id, false) AS created
