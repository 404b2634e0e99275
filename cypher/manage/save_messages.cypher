// does:    Save messages of a session behind those that are there; one that is known by its key is left as it is.
// mode:    write
// scope:   owner
// param:   store_id      string
// param:   owner_key     string
// param:   session_key   string
// param:   session       map           id, actor_id, agent_id
// param:   messages      list<map>     key, properties; in their order, no key twice
// param:   now           datetime
// returns: key           string
// returns: position      integer       place in the session, from 1, with gaps where messages were erased
// returns: duplicate     boolean       true: nothing was written for it
CYPHER 25
MATCH (store:Store {id: $store_id})
MERGE (s:Session {key: $session_key})
ON CREATE SET s += $session, s.store_id = $store_id, s.owner_key = $owner_key, s.created_at = $now, s.started_at = $now
SET s.touched_at = $now // the lock that keeps the order of one session
WITH s
LET known = COLLECT { UNWIND $messages AS row MATCH (m:Message {key: row.key}) RETURN m.key }
LET fresh = [row IN $messages WHERE NOT row.key IN known]
LET before = coalesce(s.messages, 0)
CALL (s, fresh, before) {
  WITH s, fresh, before WHERE size(fresh) > 0
  SET s.messages = before + size(fresh), s.last_at = $now
  WITH s, fresh, before
  UNWIND range(0, size(fresh) - 1) AS i
  CREATE (m:Message {key: fresh[i].key})-[:IN_SESSION]->(s)
  SET m += fresh[i].properties, m.store_id = $store_id, m.owner_key = $owner_key, m.session_key = $session_key,
      m.session_id = $session.id, m.position = before + i + 1, m.created_at = $now
}
WITH known
UNWIND $messages AS row
MATCH (m:Message {key: row.key})
RETURN m.key AS key, m.position AS position, m.key IN known AS duplicate
