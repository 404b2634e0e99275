// does:    Of these records, those inside an agent, session or route: of the facts, those that nothing outside supports.
// mode:    read
// scope:   owner
// param:   owner_key     string
// param:   agent_id      string         or null: any
// param:   session_id    string         or null: any
// param:   route_id      string         or null: any
// param:   episode_ids   list<string>
// param:   fact_ids      list<string>
// param:   note_ids      list<string>
// returns: episodes      list<string>
// returns: facts         list<string>
// returns: notes         list<string>
CYPHER 25
RETURN
  COLLECT {
    UNWIND $episode_ids AS id
    MATCH (e:Episode {id: id})
    WHERE e.owner_key = $owner_key AND ($agent_id IS NULL OR e.agent_id = $agent_id)
      AND ($session_id IS NULL OR e.session_id = $session_id) AND ($route_id IS NULL OR e.route_id = $route_id)
    RETURN e.id
  } AS episodes,
  COLLECT {
    UNWIND $fact_ids AS id
    MATCH (f:Fact {id: id})
    WHERE f.owner_key = $owner_key AND EXISTS { (f)-[:DERIVED_FROM]->(:Episode) } AND NOT EXISTS {
      MATCH (f)-[:DERIVED_FROM]->(e:Episode)
      WHERE NOT (($agent_id IS NULL OR coalesce(e.agent_id = $agent_id, false))
        AND ($session_id IS NULL OR coalesce(e.session_id = $session_id, false))
        AND ($route_id IS NULL OR coalesce(e.route_id = $route_id, false))) }
    RETURN f.id
  } AS facts,
  COLLECT {
    UNWIND $note_ids AS id
    MATCH (n:Note {id: id})
    WHERE n.owner_key = $owner_key AND ($agent_id IS NULL OR n.agent_id = $agent_id)
      AND ($session_id IS NULL OR n.session_id = $session_id) AND ($route_id IS NULL OR n.route_id = $route_id)
    RETURN n.id
  } AS notes
