// does:    What a purge would erase from one page of a store's facts.
// mode:    read
// scope:   store
// param:   store_id        string
// param:   after           string     id of the last one of the page before, or ''
// param:   limit           integer
// param:   cutoff          datetime   what was archived or deleted by then goes
// param:   most            integer    facts to name at most
// returns: last            string     id of the page's last fact, null when there is none
// returns: examined        integer
// returns: purged          integer
// returns: moved           list<map>  id, from, to, status, reason
CYPHER 25
MATCH (store:Store {id: $store_id})
CALL () {
  MATCH (f:Fact) USING INDEX f:Fact(store_id, id)
  WHERE f.store_id = $store_id AND f.id > $after
  WITH f ORDER BY f.id LIMIT $limit
  RETURN max(f.id) AS last, count(f) AS examined, collect(CASE WHEN f.status IN ['archived', 'deleted'] THEN f.id END) AS hidden
}
CALL (store, hidden) {
  UNWIND hidden AS id
  MATCH (f:Fact {id: id}) WHERE f.store_id = $store_id AND f.status IN ['archived', 'deleted']
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
  // a timeline is counted once, where its first hidden fact is
  WITH f, others WHERE NOT any(g IN others WHERE g.id < f.id AND g.status IN ['archived', 'deleted'])
  UNWIND [f] + others AS g
  LET score = coalesce(g.retention_score, 1.0)
  RETURN count(g) AS purged,
         collect({id: g.id, from: score, to: score, status: 'purged', reason: coalesce(g.archived_reason, g.end_reason, g.status)})[..$most] AS moved
}
RETURN last, examined, purged, moved
