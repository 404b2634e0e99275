// does:    Give the parts of a source that was moved its new id; what they say stays as it is.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   source      string       new id of the source
// param:   parts       list<map>    id; source_id and source_key of the part from now on
// param:   now         datetime
// returns: moved       integer
CYPHER 25
UNWIND $parts AS part
MATCH (e:Episode {id: part.id})
WHERE e.owner_key = $owner_key AND e.source_key IS NOT NULL
SET e.conversation = $source, e.source_id = part.source_id, e.source_key = part.source_key, e.updated_at = $now
RETURN count(e) AS moved
