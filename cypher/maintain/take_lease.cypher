// does:    Take a store's maintenance lease, unless another worker holds it and it has not run out.
// mode:    write
// scope:   store
// param:   store_id        string
// param:   holder          string    who asks, new for each pass
// param:   task            string
// param:   lease_seconds   integer
// returns: taken           boolean
// returns: owners          list<string>   whose leftovers an interrupted purge did not come to
// returns: cursor          string    where a pass of this task stopped that was interrupted within a day, or null
//
// The database's clock counts, so that workers on machines with other clocks agree.
CYPHER 25
MATCH (store:Store {id: $store_id})
MERGE (lease:Lease {store_id: store.id})
SET lease.asked_at = datetime.realtime() // write lock before the holder is compared
WITH lease
LET present = datetime.realtime()
LET taken = lease.holder IS NULL OR lease.until < present
LET cursor = CASE WHEN taken AND lease.task = $task AND lease.until > present - duration('P1D') THEN lease.cursor END
CALL (lease, taken, cursor, present) {
  WITH lease, taken, cursor, present WHERE taken
  SET lease.holder = $holder, lease.task = $task, lease.cursor = cursor,
      lease.until = present + duration({seconds: $lease_seconds})
}
RETURN taken, cursor, coalesce(lease.owners, []) AS owners
