// does:    How many episodes wait to be processed.
// mode:    read
// scope:   none    a count for the worker, over all stores
// returns: pending   integer
MATCH (e:Episode {status: 'pending'}) WHERE e.lease_until IS NOT NULL
RETURN count(*) AS pending
