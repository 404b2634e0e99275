// does:    Write a new note, with the episodes it is made from; its path is given to it by settling.
// mode:    write
// scope:   owner
// param:   store_id      string
// param:   owner_key     string
// param:   note          map            see graphmem/notes/content.py
// param:   episode_ids   list<string>
// param:   open_end      datetime       stands for "no end"
// param:   now           datetime
// returns: id            string
CYPHER 25
CREATE (n:Note)
SET n = $note, n.store_id = $store_id, n.owner_key = $owner_key, n.kind = 'note', n.layer = 'semantic',
    n.state = 'live', n.status = 'active', n.approval = 'approved', n.learning_state = 'stated', n.access_count = 0,
    n.half_life_days = 365.0, n.version = 1, n.valid_to = $open_end, n.created_at = $now, n.updated_at = $now
CALL (n) {
  UNWIND $episode_ids AS id
  MATCH (e:Episode {id: id}) WHERE e.owner_key = $owner_key
  MERGE (n)-[:DERIVED_FROM]->(e)
}
RETURN n.id AS id
