// does:    Of memories that the indexes left out: whether they are in the narrowed scope, and whether another took their place.
// mode:    read
// scope:   owner
// param:   owner_keys   list<string>
// param:   ids          list<string>   facts, notes, episodes
// param:   narrow       map            agent_id, session_id, route_id (null: any), or null for the whole owner
// returns: id           string
// returns: inside       boolean
// returns: replaced     boolean
CYPHER 25
UNWIND $ids AS id
CALL (id) {
  MATCH (n:Fact {id: id}) RETURN n
  UNION
  MATCH (n:Note {id: id}) RETURN n
  UNION
  MATCH (n:Episode {id: id}) RETURN n
}
FILTER n.owner_key IN $owner_keys
RETURN id,
       $narrow IS NULL
         OR ((n:Episode OR n:Note) AND ($narrow.session_id IS NULL OR coalesce(n.session_id = $narrow.session_id, false))
             AND ($narrow.agent_id IS NULL OR coalesce(n.agent_id = $narrow.agent_id, false))
             AND ($narrow.route_id IS NULL OR coalesce(n.route_id = $narrow.route_id, false)))
         OR EXISTS { MATCH (n)-[:DERIVED_FROM]->(e:Episode)
             WHERE ($narrow.session_id IS NULL OR e.session_id = $narrow.session_id)
               AND ($narrow.agent_id IS NULL OR e.agent_id = $narrow.agent_id)
               AND ($narrow.route_id IS NULL OR e.route_id = $narrow.route_id) } AS inside,
       n.state = 'superseded' OR n.end_reason IN ['replaced', 'corrected', 'interrupted', 'source_replaced']
         OR EXISTS { (n)<-[:SUPERSEDES]-() } AS replaced
