// does:    Lease pending episodes whose lease has run out to this worker, whole jobs at a time, each session in its order.
// mode:    write
// scope:   none    the worker serves every store; each job carries its owner
// param:   now            datetime
// param:   lease_until    datetime
// param:   limit          integer   jobs at most
// param:   window         integer   episodes among which they are chosen, those that wait longest
// param:   max_attempts   integer   a job tried so often fails, so that one that ends its process does so no more
// returns: job_id         string    in the order in which they came
// returns: queue          string    jobs of one queue are worked on one after the other; null: in any order
// returns: first_id       string    id of the job's first episode
//
// A session is worked on by one worker at a time, oldest message first: while an episode of it is leased, or waits for
// its next try, the others wait. A new version of a source waits for the former one. Ids order what came.
CYPHER 25
LET busy = COLLECT {
  MATCH (b:Episode {status: 'pending'})
  WHERE b.lease_until >= $now AND b.session_id IS NOT NULL
  RETURN DISTINCT b.owner_key + '|' + b.session_id }
CALL (busy) {
  MATCH (e:Episode {status: 'pending'})
  WHERE e.lease_until < $now AND NOT coalesce(e.owner_key + '|' + e.session_id IN busy, false)
  RETURN e ORDER BY e.status, e.lease_until, e.id LIMIT $window // with the status it is the order of the index: no sorting
}
WITH e.owner_key AS owner_key, e.session_id AS session_id, CASE WHEN e.session_id IS NULL THEN e.job_id END AS alone,
     min(e.id) AS id
CALL (owner_key, session_id, alone, id) {
  WHEN alone IS NOT NULL THEN { RETURN alone AS job_id, id AS first_id }
  ELSE {
    MATCH (e:Episode {owner_key: owner_key, session_id: session_id, status: 'pending'})
    WHERE e.id > ''
    WITH e ORDER BY e.id LIMIT 500
    RETURN e.job_id AS job_id, min(e.id) AS first_id ORDER BY first_id LIMIT $limit
  }
}
WITH job_id, first_id ORDER BY first_id LIMIT $limit
MATCH (member:Episode {job_id: job_id})
SET member.claimed_at = $now // the lock: of two workers that see one job, the second finds it leased
WITH member WHERE member.status = 'pending' AND member.lease_until < $now
WITH member.job_id AS job_id, member.owner_key AS owner_key, member.session_id AS session_id, min(member.id) AS first_id,
     collect(member) AS members
WITH collect({id: job_id, owner_key: owner_key, session_id: session_id, first_id: first_id, members: members}) AS jobs
LET mine = [j IN jobs | j.id]
UNWIND jobs AS j
WITH j, mine
WHERE NOT EXISTS { // looked at under the lock: another worker may have taken up what came before
    MATCH (before:Episode {owner_key: j.owner_key, session_id: j.session_id, status: 'pending'})
    WHERE before.id < j.first_id AND NOT before.job_id IN mine
  }
  AND NOT EXISTS {
    UNWIND [m IN j.members WHERE m.replaces IS NOT NULL | m.replaces] AS replaced
    MATCH (former:Episode {id: replaced}) WHERE former.status = 'pending' AND NOT former.job_id IN mine
  }
UNWIND j.members AS member
LET over = member.attempts >= $max_attempts
SET member.status = CASE WHEN over THEN 'failed' ELSE 'pending' END,
    member.error = CASE WHEN over THEN 'too_many_attempts' ELSE member.error END,
    member.lease_until = CASE WHEN over THEN null ELSE $lease_until END,
    member.attempts = member.attempts + CASE WHEN over THEN 0 ELSE 1 END
WITH j, member WHERE NOT over
RETURN DISTINCT j.id AS job_id, j.owner_key + '|' + j.session_id AS queue, j.first_id AS first_id
ORDER BY first_id
