// does:    Set aside the facts that a merge left without statements, behind the facts that hold these now.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   slot_keys   list<string>
// param:   now         datetime
// param:   commit_id   string
// returns: id          string
CYPHER 25
UNWIND $slot_keys AS slot_key
MATCH (f:Fact {slot_key: slot_key})
WHERE f.owner_key = $owner_key AND f.state <> 'expired' AND EXISTS { (f)-[:DERIVED_FROM {event: 'kept'}]->() }
  AND NOT EXISTS { MATCH (f)-[own:DERIVED_FROM]->() WHERE own.event <> 'kept' }
SET f.state = 'expired', f.expired_at = $now, f.end_reason = 'merged', f.disputed = false, f.version = f.version + 1,
    f.updated_at = $now, f.changed_commit = $commit_id
WITH f
CALL (f) {
  MATCH (f)-[kept:DERIVED_FROM {event: 'kept'}]->(:Episode)<-[d:DERIVED_FROM]-(holder:Fact)
  WHERE holder <> f AND d.id = kept.of
  WITH DISTINCT f, holder
  MERGE (holder)-[s:SUPERSEDES]->(f)
  SET s.reason = 'merged', s.at = $now, s.commit_id = $commit_id
}
RETURN f.id AS id
