// does:    How many audits of recalls on one page the store has kept for long enough.
// mode:    read
// scope:   store
// param:   store_id        string
// param:   after           string     id of the last one of the page before, or ''
// param:   limit           integer
// param:   cutoff          datetime   those of then or before go
// returns: last            string     id of the page's last audit, null when there is none
// returns: examined        integer
// returns: recalls         integer    all of them would be erased
CYPHER 25
CALL () {
  MATCH (r:Recall) USING INDEX r:Recall(store_id, at)
  WHERE r.store_id = $store_id AND r.at <= $cutoff AND r.id > $after
  WITH r.id AS id ORDER BY id LIMIT $limit
  RETURN max(id) AS last, count(*) AS examined
}
RETURN last, examined, examined AS recalls
