// does:    Messages that go with a forget call: those that its target names, and those that erased episodes came from.
// mode:    read
// scope:   owner
// param:   owner_key     string
// param:   everything    boolean
// param:   by_session    string         id, or null
// param:   since         datetime       or null
// param:   until         datetime       or null
// param:   episode_ids   list<string>
// param:   agent_id      string         of the scope, or null; so are the next two
// param:   session_id    string
// param:   route_id      string
// returns: key           string
CYPHER 25
CALL () {
  MATCH (m:Message {owner_key: $owner_key})
  WHERE m.key > '' AND ($everything OR m.session_id = $by_session
    OR ($since IS NOT NULL AND m.occurred_at >= $since AND ($until IS NULL OR m.occurred_at < $until)))
  RETURN m
  UNION
  UNWIND $episode_ids AS id
  MATCH (e:Episode {id: id})-[:IN_SESSION]->(:Session)<-[:IN_SESSION]-(m:Message)
  WHERE e.owner_key = $owner_key AND (e.source_id = m.id OR e.source_id STARTS WITH m.id + '#')
  RETURN m
}
WITH DISTINCT m
WHERE ($agent_id IS NULL OR m.agent_id = $agent_id) AND ($session_id IS NULL OR m.session_id = $session_id)
  AND ($route_id IS NULL OR m.route_id = $route_id)
RETURN m.key AS key
