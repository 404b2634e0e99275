// does:    Prolong a store's maintenance lease and note how far the pass has come. No row when another worker holds it.
// mode:    write
// scope:   store
// param:   store_id        string
// param:   holder          string
// param:   lease_seconds   integer    how long the lease goes on from here
// param:   cursor          string     where a pass that is interrupted goes on
// returns: holder          string
CYPHER 25
MATCH (lease:Lease {store_id: $store_id})
SET lease.asked_at = datetime.realtime() // write lock before the holder is compared
WITH lease WHERE lease.holder = $holder
SET lease.until = datetime.realtime() + duration({seconds: $lease_seconds}), lease.cursor = $cursor
RETURN lease.holder AS holder
