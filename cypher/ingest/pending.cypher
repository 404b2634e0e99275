// does:    How many episodes wait to be processed.
// mode:    read
// scope:   none    a count for the worker, over all stores
// returns: pending   integer
MATCH (e:Episode {status: 'pending'})
RETURN count(*) AS pending
