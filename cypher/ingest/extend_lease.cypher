// does:    Keep a job with the one who works on it, before each model call.
// mode:    write
// scope:   owner
// param:   owner_key     string
// param:   job_id        string
// param:   lease_until   datetime
CYPHER 25
MATCH (e:Episode {job_id: $job_id})
WHERE e.owner_key = $owner_key AND e.status = 'pending' AND e.lease_until < $lease_until
SET e.lease_until = $lease_until
