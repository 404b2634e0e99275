// does:    Erase what has been archived or deleted for long from one page of a store's facts.
// mode:    write
// scope:   store
// param:   store_id        string
// param:   holder          string     who holds the store's lease; no row when another does
// param:   lease_seconds   integer    how long the lease goes on from here
// param:   after           string     id of the last one of the page before, or ''
// param:   limit           integer
// param:   cutoff          datetime   what was archived or deleted by then goes
// param:   now             datetime
// returns: last            string     id of the page's last fact, null when there is none
// returns: examined        integer
// returns: purged          integer
// returns: owners          list<string>   whose facts went; kept with the lease until what they left behind is gone too
CYPHER 25
MATCH (lease:Lease {store_id: $store_id})
SET lease.asked_at = datetime.realtime() // write lock before the holder is compared
WITH lease WHERE lease.holder = $holder
SET lease.until = datetime.realtime() + duration({seconds: $lease_seconds})
WITH lease
MATCH (store:Store {id: $store_id})
CALL () {
  MATCH (f:Fact) USING INDEX f:Fact(store_id, id)
  WHERE f.store_id = $store_id AND f.id > $after
  WITH f ORDER BY f.id LIMIT $limit
  RETURN max(f.id) AS last, count(f) AS examined,
         collect(CASE WHEN f.status IN ['archived', 'deleted'] THEN {id: f.id, owner: f.owner_key} END) AS hidden
}
CALL (hidden) {
  UNWIND hidden AS row
  WITH DISTINCT row.owner AS owner ORDER BY owner
  MATCH (lock:OwnerLock {owner_key: owner})
  SET lock.taken_at = $now
  RETURN count(lock) AS locks
}
CALL (store, hidden, locks) {
  UNWIND hidden AS row
  MATCH (f:Fact {id: row.id}) WHERE f.store_id = $store_id AND f.status IN ['archived', 'deleted']
  // A timeline goes as a whole: what was replaced would hold again without what replaced it. A withdrawn fact supports
  // nothing and goes alone. What must always apply is erased only when someone deleted it.
  LET withdrawn = NOT EXISTS { MATCH (f)-[d:DERIVED_FROM]->(:Episode) WHERE d.withdrawn_by IS NULL }
  LET others = COLLECT {
    MATCH (g:Fact {slot_key: f.slot_key})
    WHERE g.owner_key = f.owner_key AND g <> f AND NOT withdrawn AND g.state <> 'retraction'
      AND EXISTS { MATCH (g)-[d:DERIVED_FROM]->(:Episode) WHERE d.withdrawn_by IS NULL }
    RETURN g
  }
  WITH f, others
  WHERE all(g IN [f] + others WHERE
    (g.state = 'expired' AND g <> f AND g.expired_at <= $cutoff)
    OR (g.status = 'deleted' AND coalesce(g.expired_at, g.updated_at) <= $cutoff)
    OR (g.status = 'archived' AND coalesce(g.archived_at, g.updated_at) <= $cutoff AND NOT coalesce(g.pinned, false)
        AND NOT any(mark IN coalesce(g.tags, []) + [coalesce(g.category, '')]
                    WHERE mark IN ['long_term_policy', 'legal_stopline'] + coalesce(store.decay_exempt, []))))
  UNWIND [f] + others AS gone
  RETURN collect(DISTINCT gone) AS gone
}
LET purged = size(gone)
LET owners = COLLECT { UNWIND gone AS g RETURN DISTINCT g.owner_key }
CALL (gone) { UNWIND gone AS g DETACH DELETE g }
SET lease.owners = coalesce(lease.owners, []) + [o IN owners WHERE NOT o IN coalesce(lease.owners, [])],
    lease.cursor = coalesce('facts:' + last, lease.cursor)
RETURN last, examined, purged, owners
