// does:    Find the entity that each mention names, or make it; a null id marks one that is not there.
// mode:    write
// scope:   owner
// param:   store_id         string
// param:   owner_key        string
// param:   actor_identity   string
// param:   mentions         list<map>   see graphmem/ingest/resolve.py
// param:   words            map         words of the episodes by key, each between blanks
// param:   now              datetime
// returns: ref       string    the mention's ref
// returns: id        string    null when missing
// returns: name      string
// returns: said      string    the entity that was named: another one than `id` where it is merged into that
// returns: created   boolean
//
// Of several bearers of one name: those whose firm type differs are others; a stated context names the one with that
// context, or one without any of whom a fact already tells it; a bare name means the one whose context the episode
// speaks of, else the actor, else the one mentioned last.
CYPHER 25
UNWIND $mentions AS m
CALL (m) {
  WHEN m.is_actor THEN {
    MATCH (e:Entity {identity_key: $actor_identity})
    RETURN e, e AS said
  } WHEN m.entity_id IS NOT NULL THEN {
    OPTIONAL MATCH (said:Entity {owner_key: $owner_key, id: m.entity_id})
    OPTIONAL MATCH (said)-[:SAME_AS*0..8 {active: true}]->(e:Entity) WHERE e.merged_into IS NULL
    RETURN e, said LIMIT 1
  } ELSE {
    LET known = COLLECT {
      MATCH (k:Entity {owner_key: $owner_key}) WHERE k.name_key = m.name_key RETURN k
      UNION
      MATCH (a:Alias {owner_key: $owner_key})-[:NAMES]->(k:Entity) WHERE a.name_key = m.name_key RETURN k
    }
    LET fitting = COLLECT {
      UNWIND known AS k
      MATCH (k)-[:SAME_AS*0..8 {active: true}]->(root:Entity)
      WHERE root.merged_into IS NULL
        AND NOT coalesce(m.firm > 0 AND root.firm > 0 AND m.type <> root.type
              AND (m.type = 'person' OR root.type = 'person' OR m.firm + root.firm = 4), false)
      LET told = m.qualifier_key IS NULL OR coalesce(k.qualifier_key = m.qualifier_key, false)
          OR (k.qualifier_key IS NOT NULL AND size(m.qualifier_words) > 0 AND size(k.qualifier_words) > 0
              AND (all(w IN m.qualifier_words WHERE w IN k.qualifier_words)
                   OR all(w IN k.qualifier_words WHERE w IN m.qualifier_words)))
      LET shown = NOT told AND k.qualifier_key IS NULL AND NOT k.is_actor AND size(m.qualifier_words) > 0 AND EXISTS {
        MATCH (root)<-[:SUBJECT]-(f:Fact)
        WHERE f.state = 'live' AND all(w IN m.qualifier_words WHERE ' ' + toLower(f.search) + ' ' CONTAINS w)
      }
      WITH k, root, told, shown WHERE told OR shown
      LET spoken = size([w IN coalesce(k.qualifier_words, []) WHERE $words[m.episode] CONTAINS w])
      RETURN {root: root, said: k}
      ORDER BY told DESC, spoken DESC, root.is_actor DESC, k.mentioned_at DESC, k.created_at LIMIT 1
    }
    LET found = head(fitting)
    LET taken = size(known) > 0
    CALL (m, found, taken) {
      WHEN found IS NOT NULL THEN {
        LET said = found.said, root = found.root
        SET said.mentioned_at = $now,
            root.type = CASE WHEN root.type IS NULL OR m.firm > coalesce(root.firm, 0) THEN coalesce(m.type, root.type)
                             ELSE root.type END,
            root.firm = CASE WHEN m.type IS NOT NULL AND m.firm > coalesce(root.firm, 0) THEN m.firm ELSE root.firm END,
            said.qualifier_words = CASE WHEN said.qualifier_key IS NULL THEN m.qualifier_words ELSE said.qualifier_words END,
            said.qualifier = coalesce(said.qualifier, m.qualifier),
            said.qualifier_key = coalesce(said.qualifier_key, m.qualifier_key)
        RETURN root AS e, said
      } ELSE {
        MERGE (e:Entity {identity_key: CASE WHEN taken AND m.qualifier_key IS NULL THEN m.typed_identity ELSE m.identity_key END})
        ON CREATE SET e.id = m.new_id, e.store_id = $store_id, e.owner_key = $owner_key, e.name = m.name,
                      e.name_key = m.name_key, e.type = m.type, e.firm = m.firm, e.is_actor = false, e.aliases = [],
                      e.qualifier = m.qualifier, e.qualifier_key = m.qualifier_key, e.qualifier_words = m.qualifier_words,
                      e.base = m.base, e.tokens = m.tokens, e.created_at = $now, e.mentioned_at = $now
        RETURN e, e AS said
      }
    }
    RETURN e, said
  }
}
RETURN m.ref AS ref, e.id AS id, e.name AS name, said.id AS said, coalesce(e.id = m.new_id, false) AS created
