// does:    Lease pending episodes whose lease has run out to this worker, whole jobs at a time.
// mode:    write
// scope:   none    the worker serves every store; each job carries its owner
// param:   now            datetime
// param:   lease_until    datetime
// param:   limit          integer   jobs at most
// param:   max_attempts   integer   a job tried so often fails, so that one that ends its process does so no more
// returns: job_id         string
CYPHER 25
MATCH (e:Episode {status: 'pending'})
WHERE e.lease_until < $now
WITH e.job_id AS job_id, min(e.created_at) AS since
ORDER BY since LIMIT $limit
MATCH (member:Episode {job_id: job_id})
SET member.claimed_at = $now // the lock: of two workers that see one job, the second finds it leased
WITH member WHERE member.status = 'pending' AND member.lease_until < $now
LET over = member.attempts >= $max_attempts
SET member.status = CASE WHEN over THEN 'failed' ELSE 'pending' END,
    member.error = CASE WHEN over THEN 'too_many_attempts' ELSE member.error END,
    member.lease_until = CASE WHEN over THEN null ELSE $lease_until END,
    member.attempts = member.attempts + CASE WHEN over THEN 0 ELSE 1 END
WITH member WHERE NOT over
RETURN DISTINCT member.job_id AS job_id
