// does:    What a forget call means: episodes and notes by session, source, time or id, facts and notes by id or entity.
// mode:    read
// scope:   owner
// param:   owner_key    string
// param:   everything   boolean
// param:   ids          list<string>
// param:   session_id   string      or null
// param:   source_id    string      or null; of a message, or of the file or conversation that it is part of
// param:   since        datetime    or null
// param:   until        datetime    or null
// param:   entity       string      id or name key, or null
// returns: episodes     list<string>
// returns: facts        list<string>
// returns: entities     list<string>
// returns: notes        list<string>
CYPHER 25
RETURN
  COLLECT {
    MATCH (e:Episode {owner_key: $owner_key})
    WHERE e.id > '' AND ($everything OR e.id IN $ids OR e.session_id = $session_id OR $source_id IN [e.source_id, e.conversation]
      OR ($since IS NOT NULL AND e.occurred_at >= $since AND ($until IS NULL OR e.occurred_at < $until)))
    RETURN e.id
  } AS episodes,
  COLLECT {
    MATCH (f:Fact {owner_key: $owner_key})
    WHERE f.id > '' AND ($everything OR f.id IN $ids
      OR EXISTS { MATCH (f)-[:SUBJECT|OBJECT]->(:Entity)<-[:SAME_AS*0..8 {active: true}]-(x:Entity)
                  WHERE $entity IN [x.id, x.name_key] OR x.id IN $ids OR EXISTS { (x)<-[:NAMES]-(:Alias {name_key: $entity}) } })
    RETURN f.id
  } AS facts,
  COLLECT {
    MATCH (x:Entity {owner_key: $owner_key})
    WHERE x.id > '' AND ($everything OR EXISTS {
            MATCH (x)-[:SAME_AS*0..8 {active: true}]-(y:Entity)
            WHERE y.id IN $ids OR $entity IN [y.id, y.name_key] OR EXISTS { (y)<-[:NAMES]-(:Alias {name_key: $entity}) } })
    RETURN x.id
  } AS entities,
  COLLECT {
    MATCH (n:Note {owner_key: $owner_key})
    WHERE n.id > '' AND n.version_of IS NULL AND ($everything OR n.id IN $ids OR n.session_id = $session_id
      OR ($since IS NOT NULL AND n.valid_at >= $since AND ($until IS NULL OR n.valid_at < $until))
      OR EXISTS { MATCH (n)-[:ABOUT]->(x:Entity) WHERE $entity IN [x.id, x.name_key] OR x.id IN $ids })
    RETURN n.id
  } AS notes
