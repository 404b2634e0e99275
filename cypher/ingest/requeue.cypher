// does:    Put one episode that is not processed back into work for this caller; gives its job.
// mode:    write
// scope:   owner
// param:   owner_key     string
// param:   episode_id    string
// param:   lease_until   datetime
// returns: job_id        string
CYPHER 25
MATCH (e:Episode {id: $episode_id})
WHERE e.owner_key = $owner_key AND e.status <> 'processed'
SET e.status = 'pending', e.attempts = e.attempts + 1, e.lease_until = $lease_until
REMOVE e.error
RETURN e.job_id AS job_id
