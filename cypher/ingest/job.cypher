// does:    The episodes of one job that are still to be processed, in order.
// mode:    read
// scope:   none    the job id is the scope: it was claimed with its owner
// param:   job_id   string
// returns: episode  map
CYPHER 25
MATCH (e:Episode {job_id: $job_id})
WHERE e.status <> 'processed'
// the former version of its source, whose statements it withdraws
RETURN e{.*, embedding: null, replaced: e.replaces} AS episode
ORDER BY e.id
