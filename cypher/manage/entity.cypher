// does:    One entity, also a merged one.
// mode:    read
// scope:   owner
// param:   owner_key    string
// param:   entity_id    string
// returns: entity        map
// returns: fact_count    integer
// returns: names         list<string>   other names than its own
// returns: merged_into   map            the entity that it is the same as, or null
// returns: merged_from   list<map>
CYPHER 25
MATCH (e:Entity {id: $entity_id})
WHERE e.owner_key = $owner_key
RETURN e{.*, embedding: null} AS entity,
       COUNT { MATCH (e)<-[:SUBJECT|OBJECT]-(f:Fact) WHERE f.state = 'live' } AS fact_count,
       COLLECT {
         MATCH (e)<-[n:NAMES]-(:Alias) RETURN n.name AS name ORDER BY name
       } + CASE WHEN e.qualifier IS NULL OR e.base IS NULL THEN [] ELSE [e.base] END
         + COLLECT { MATCH (m:Entity)-[:SAME_AS*1..8 {active: true}]->(e) RETURN m.name AS name ORDER BY m.id } AS names,
       head(COLLECT {
         MATCH (e)-[:SAME_AS*1..8 {active: true}]->(root:Entity) WHERE root.merged_into IS NULL RETURN root{.id, .name}
       }) AS merged_into,
       COLLECT {
         MATCH (m:Entity)-[s:SAME_AS {active: true}]->(e)
         RETURN {id: m.id, name: m.name, reason: s.reason, score: s.score, at: s.at} ORDER BY s.at, m.id
       } AS merged_from
