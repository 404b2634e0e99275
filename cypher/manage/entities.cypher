// does:    One page of an owner's entities, by id; merged ones stand behind the entity that they are merged into.
// mode:    read
// scope:   owner
// param:   owner_key       string
// param:   after           string    id of the last entity of the page before, or ''
// param:   limit           integer
// param:   name_key        string    of a name or alias, or null
// param:   qualifier_key   string    stated context, or null
// returns: entity        map
// returns: fact_count    integer
// returns: names         list<string>   other names than its own
// returns: merged_into   map            the entity that it is the same as, or null
// returns: merged_from   list<map>
CYPHER 25
MATCH (e:Entity {owner_key: $owner_key})
WHERE e.id > $after AND e.merged_into IS NULL
  // the actor's own entity shows from the first fact about them
  AND (NOT e.is_actor OR EXISTS { (e)<-[:SUBJECT|OBJECT]-(:Fact) })
  AND ($qualifier_key IS NULL OR e.qualifier_key = $qualifier_key)
  AND ($name_key IS NULL OR e.name_key = $name_key OR EXISTS { (e)<-[:NAMES]-(:Alias {name_key: $name_key}) }
       OR EXISTS { MATCH (m:Entity)-[:SAME_AS*1..8 {active: true}]->(e) WHERE m.name_key = $name_key })
WITH e ORDER BY e.id LIMIT $limit
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
ORDER BY entity.id
