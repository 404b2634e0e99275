// does:    Hide facts, episodes and notes from recall; nothing is lost.
// mode:    write
// scope:   owner
// param:   owner_key     string
// param:   fact_ids      list<string>
// param:   episode_ids   list<string>
// param:   note_ids      list<string>
// param:   now           datetime
// returns: facts         integer
// returns: slots         list<string>   of open disputes that have lost a side, to be settled
// returns: notes         integer
// returns: episodes      integer
CYPHER 25
CALL () {
  UNWIND $episode_ids AS id
  MATCH (e:Episode {id: id}) WHERE e.owner_key = $owner_key AND e.state = 'live'
  SET e.state = 'archived', e.updated_at = $now
  RETURN count(*) AS episodes
}
CALL () {
  UNWIND $fact_ids AS id
  MATCH (f:Fact {id: id})
  WHERE f.owner_key = $owner_key AND (f.status = 'active' OR f.archived_reason IS NOT NULL) // what had faded is now forgotten
  SET f.status = 'archived', f.archived_reason = null, f.state = CASE WHEN f.state = 'live' THEN 'archived' ELSE f.state END,
      f.version = f.version + 1, f.updated_at = $now
  LET disputed = COLLECT { MATCH (f)<-[:CONTRADICTS]-(c:Contradiction {state: 'open'}) MATCH (c)-[:CONTRADICTS]->(side:Fact)
                           RETURN side.slot_key }
  RETURN count(*) AS facts, reduce(all = [], keys IN collect(disputed) | all + keys) AS slots
}
CALL () {
  UNWIND $note_ids AS id
  MATCH (n:Note {id: id}) WHERE n.owner_key = $owner_key AND n.version_of IS NULL AND n.status = 'active'
  SET n.status = 'archived', n.state = 'archived', n.path_key = null, n.version = n.version + 1, n.updated_at = $now
  RETURN count(*) AS notes
}
RETURN facts, slots, episodes, notes
