// does:    Archived episodes of one page that nothing rests on any more, to be erased in this transaction.
// mode:    write
// scope:   store
// param:   store_id        string
// param:   holder          string     who holds the store's lease; no row when another does
// param:   lease_seconds   integer    how long the lease goes on from here
// param:   after           string     id of the last one of the page before, or ''
// param:   limit           integer
// param:   cutoff          datetime   what was archived or deleted by then goes
// returns: last            string     id of the page's last episode, null when there is none
// returns: examined        integer
// returns: due             list<map>  owner_key, id
// returns: owners          list<string>   theirs
CYPHER 25
MATCH (lease:Lease {store_id: $store_id})
SET lease.asked_at = datetime.realtime() // write lock before the holder is compared
WITH lease WHERE lease.holder = $holder
SET lease.until = datetime.realtime() + duration({seconds: $lease_seconds})
WITH lease
CALL () {
  MATCH (e:Episode) USING INDEX e:Episode(store_id, id)
  WHERE e.store_id = $store_id AND e.id > $after
  WITH e ORDER BY e.id LIMIT $limit
  RETURN max(e.id) AS last, count(e) AS examined,
         collect(CASE WHEN e.state = 'archived' AND coalesce(e.updated_at, e.created_at) <= $cutoff
                       AND NOT EXISTS { (e)<-[:DERIVED_FROM]-() } THEN {owner_key: e.owner_key, id: e.id} END) AS due
}
LET owners = COLLECT { UNWIND due AS d RETURN DISTINCT d.owner_key }
SET lease.owners = coalesce(lease.owners, []) + [o IN owners WHERE NOT o IN coalesce(lease.owners, [])],
    lease.cursor = coalesce('episodes:' + last, lease.cursor)
RETURN last, examined, due, owners
