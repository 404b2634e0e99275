// does:    Let any worker take up jobs that this one had claimed and did not come to.
// mode:    write
// scope:   none    the job ids are the scope: they were claimed with their owners
// param:   job_ids   list<string>
// param:   now       datetime
CYPHER 25
UNWIND $job_ids AS job_id
MATCH (e:Episode {job_id: job_id})
WHERE e.status = 'pending'
SET e.lease_until = $now, e.attempts = e.attempts - 1
