// does:    Give a store's maintenance lease back; an interrupted pass leaves where it stopped.
// mode:    write
// scope:   store
// param:   store_id   string
// param:   holder     string
// param:   finished   boolean
CYPHER 25
MATCH (lease:Lease {store_id: $store_id})
SET lease.asked_at = datetime.realtime() // write lock before the holder is compared
WITH lease WHERE lease.holder = $holder
SET lease.holder = null, lease.until = datetime.realtime(), lease.cursor = CASE WHEN $finished THEN null ELSE lease.cursor END,
    lease.owners = CASE WHEN $finished AND lease.task = 'purge' THEN null ELSE lease.owners END
