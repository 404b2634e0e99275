// does:    One page of a store's sessions, each with what its summary is made from and the mark of the one it has.
// mode:    read
// scope:   store
// param:   store_id     string
// param:   after        string         key of the last session of the page before, or ''
// param:   limit        integer
// param:   most         integer        episodes that one summary is made from, the newest
// returns: key          string
// returns: owner_key    string
// returns: actor_id     string
// returns: id           string         as the caller named it
// returns: mark         string         of the sources of the summary that it has, or null
// returns: pending      boolean        messages are still being processed
// returns: episodes     list<map>      id, version: what may be used of it depends on
//
// An episode whose fact someone archived, deleted or rejected is not used: what was forgotten does not come back. A fact
// that has faded leaves the summary as it is.
CYPHER 25
MATCH (s:Session) USING INDEX s:Session(store_id, key)
WHERE s.store_id = $store_id AND s.key > $after
WITH s ORDER BY s.key LIMIT $limit
CALL (s) {
  MATCH (s)<-[:IN_SESSION]-(e:Episode)
  WHERE e.owner_key = s.owner_key AND e.state = 'live'
    AND NOT EXISTS { MATCH (e)<-[:DERIVED_FROM]-(f:Fact) WHERE f.status = 'deleted' OR f.approval = 'rejected' OR (f.status = 'archived' AND f.archived_reason IS NULL) }
  WITH e ORDER BY e.occurred_at DESC, e.id DESC LIMIT $most
  LET version = COLLECT {
    MATCH (e)<-[:DERIVED_FROM]-(f:Fact)
    RETURN DISTINCT f.id + CASE f.state WHEN 'archived' THEN 'live' ELSE f.state END + CASE WHEN f.disputed THEN '?' ELSE '' END AS version ORDER BY version }
  ORDER BY e.occurred_at, e.id
  RETURN collect({id: e.id, status: e.status, version: version}) AS episodes
}
RETURN s.key AS key, s.owner_key AS owner_key, s.actor_id AS actor_id, s.id AS id, s.summary_mark AS mark,
       any(e IN episodes WHERE e.status = 'pending') AS pending, episodes
ORDER BY key
