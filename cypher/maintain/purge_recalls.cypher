// does:    Erase one page of the audits of recalls that the store has kept for long enough.
// mode:    write
// scope:   store
// param:   store_id        string
// param:   holder          string     who holds the store's lease; no row when another does
// param:   lease_seconds   integer    how long the lease goes on from here
// param:   after           string     id of the last one of the page before, or ''
// param:   limit           integer
// param:   cutoff          datetime   those of then or before go
// returns: last            string     id of the page's last audit, null when there is none
// returns: examined        integer
// returns: recalls         integer    all of them were erased
CYPHER 25
MATCH (lease:Lease {store_id: $store_id})
SET lease.asked_at = datetime.realtime() // write lock before the holder is compared
WITH lease WHERE lease.holder = $holder
SET lease.until = datetime.realtime() + duration({seconds: $lease_seconds})
WITH lease
CALL () {
  MATCH (r:Recall) USING INDEX r:Recall(store_id, at)
  WHERE r.store_id = $store_id AND r.at <= $cutoff AND r.id > $after
  WITH r, r.id AS id ORDER BY id LIMIT $limit
  DETACH DELETE r
  RETURN max(id) AS last, count(*) AS examined
}
SET lease.cursor = coalesce('recalls:' + last, lease.cursor)
RETURN last, examined, examined AS recalls
