// does:    Lease pending episodes whose lease has run out to this worker, whole jobs at a time.
// mode:    write
// scope:   none    the worker serves every store; each job carries its owner
// param:   now           datetime
// param:   lease_until   datetime
// param:   limit         integer   jobs at most
// returns: job_id        string
CYPHER 25
MATCH (e:Episode {status: 'pending'})
WHERE e.lease_until < $now
WITH e.job_id AS job_id, min(e.created_at) AS since
ORDER BY since LIMIT $limit
MATCH (member:Episode {job_id: job_id})
WHERE member.status = 'pending'
SET member.lease_until = $lease_until, member.attempts = member.attempts + 1
RETURN DISTINCT job_id
