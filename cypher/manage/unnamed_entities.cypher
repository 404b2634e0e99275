// does:    Merged entities of whose group no statement, episode or note names them any more, by what stands for them.
// mode:    read
// scope:   owner
// param:   owner_key   string
// returns: root_id     string
// returns: unnamed     list<string>
// returns: part        boolean        the root itself is among them, while something names one that is merged into it
// returns: sources     list<map>      source_id, by, reason, score, alias_key of what is merged into the root directly
CYPHER 25
MATCH (root:Entity {owner_key: $owner_key})<-[:SAME_AS {active: true}]-(:Entity)
WHERE root.id > '' AND root.merged_into IS NULL
WITH DISTINCT root
LET members = COLLECT { MATCH (root)<-[:SAME_AS*0..8 {active: true}]-(m:Entity) RETURN m }
LET ids = [m IN members | m.id]
LET unnamed = COLLECT {
  UNWIND members AS m
  WITH m
  WHERE NOT m.is_actor AND NOT EXISTS { (m)<-[:ABOUT]-(:Note) }
    // since the merge an episode is about the root, whichever of them it names
    AND NOT EXISTS {
      MATCH (m)<-[:ABOUT]-(e:Episode)
      WHERE m <> root OR NOT EXISTS {
        MATCH (e)<-[d:DERIVED_FROM]-(:Fact) WHERE d.said_subject IN ids OR d.said_object IN ids } }
    AND NOT EXISTS {
      MATCH (root)<-[:SUBJECT|OBJECT]-(f:Fact)-[d:DERIVED_FROM]->(:Episode)
      WHERE m.id IN [d.said_subject, d.said_object]
         OR (d.said_subject IS NULL AND m.id IN [coalesce(f.origin_subject, root.id), f.origin_object]) }
  RETURN m.id }
WITH root, members, unnamed WHERE size(unnamed) > 0
RETURN root.id AS root_id, unnamed, root.id IN unnamed AND size(unnamed) < size(members) AS part,
       COLLECT {
         MATCH (s:Entity)-[same:SAME_AS {active: true}]->(root)
         RETURN {source_id: s.id, by: same.by, reason: same.reason, score: same.score, alias_key: same.alias_key}
         ORDER BY s.id IN unnamed, same.at, s.id } AS sources
