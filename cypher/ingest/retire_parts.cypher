// does:    Take back what parts said that their source no longer has; settling then retires what only they supported.
// mode:    write
// scope:   owner
// param:   owner_key     string
// param:   episode_ids   list<string>
// param:   reason        string
// param:   commit_id     string
// param:   now           datetime
// returns: slot_key      string      one row a statement
CYPHER 25
UNWIND $episode_ids AS id
MATCH (e:Episode {id: id})
WHERE e.owner_key = $owner_key AND e.source_key IS NOT NULL
// without its key the same words are a new part when they come back
REMOVE e.source_key, e.lease_until, e.job, e.error
// whoever is processing it finds it done and writes nothing of it
SET e.state = 'superseded', e.status = 'processed', e.updated_at = $now
WITH e
MATCH (e)<-[d:DERIVED_FROM]-(f:Fact)
WHERE d.withdrawn_by IS NULL
// no part takes the place of another: each is withdrawn by its own, so erasing a neighbour brings nothing back
SET d.withdrawn_by = e.id, d.withdrawn_reason = $reason, d.withdrawn_commit = $commit_id
RETURN f.slot_key AS slot_key
