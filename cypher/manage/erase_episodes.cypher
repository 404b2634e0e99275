// does:    Erase episodes and what their neighbours hold of them; gives the slots whose statements went with them.
// mode:    write
// scope:   owner
// param:   owner_key     string
// param:   episode_ids   list<string>
// returns: slot_key      string      one row a slot
CYPHER 25
CALL () {
  UNWIND $episode_ids AS id
  MATCH (e:Episode {id: id}) WHERE e.owner_key = $owner_key
  RETURN collect(e) AS gone
}
CALL (gone) { // what they had taken back holds again
  UNWIND gone AS e
  LET by = e.id
  MATCH (f:Fact)-[d:DERIVED_FROM {withdrawn_by: by}]->(:Episode)
  WHERE f.owner_key = $owner_key
  REMOVE d.withdrawn_by, d.withdrawn_reason, d.withdrawn_commit
  LET place = f.slot_key + '#' + f.value_key + '#0' // with its place free it keeps its id
  LET aside = f.run_key STARTS WITH f.slot_key + '#withdrawn#' AND NOT EXISTS { MATCH (:Fact {run_key: place}) }
  SET f.state = 'live', f.expired_at = null, f.run_key = CASE WHEN aside THEN place ELSE f.run_key END
  RETURN collect(DISTINCT f.slot_key) AS restored
}
LET slots = restored + COLLECT { UNWIND gone AS e MATCH (e)<-[:DERIVED_FROM]-(f:Fact) RETURN DISTINCT f.slot_key }
CALL (gone) { // the session's order goes on without them, and no neighbour keeps their words
  UNWIND gone AS e
  MATCH (e)-[:NEXT*1..2]-(neighbour:Episode) WHERE NOT neighbour IN gone
  WITH DISTINCT neighbour, gone
  SET neighbour.context = coalesce(neighbour.name, '') + reduce(text = '', part IN COLLECT {
      MATCH path = (neighbour)-[:NEXT*0..2]-(w:Episode) WHERE none(n IN nodes(path) WHERE n IN gone)
      RETURN left(w.search, CASE WHEN w = neighbour THEN 2000 ELSE 500 END) } | text + ' ' + part)
}
CALL (gone) {
  UNWIND gone AS e
  MATCH (e)-[:IN_SESSION]->(s:Session) WHERE s.last_episode_id = e.id
  OPTIONAL MATCH (before:Episode)-[:NEXT]->(e)
  SET s.last_episode_id = CASE WHEN before IN gone THEN null ELSE before.id END
}
CALL (gone) { UNWIND gone AS e DETACH DELETE e }
UNWIND slots AS slot_key
RETURN DISTINCT slot_key
