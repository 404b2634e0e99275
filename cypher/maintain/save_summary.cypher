// does:    Keep a session's summary, unless one of its sources changed or went while it was made.
// mode:    write
// scope:   owner
// param:   owner_key      string
// param:   session_key    string
// param:   episode_ids    list<string>   all that it is made from
// param:   summary        map            topic, summary, summary_from, open_items, open_from, summary_by, summary_mark
// param:   now            datetime
// returns: saved          boolean
//
// The caller holds the owner's lock, so that nothing is erased between this look and the end of the transaction.
CYPHER 25
MATCH (s:Session {key: $session_key}) WHERE s.owner_key = $owner_key
LET usable = COUNT {
  UNWIND $episode_ids AS id
  MATCH (e:Episode {id: id})
  WHERE e.owner_key = $owner_key AND e.state = 'live'
    AND NOT EXISTS { MATCH (e)<-[:DERIVED_FROM]-(f:Fact) WHERE f.status = 'deleted' OR f.approval = 'rejected' OR (f.status = 'archived' AND f.archived_reason IS NULL) }
}
LET saved = usable = size($episode_ids)
CALL (s, saved) {
  WITH s WHERE saved
  SET s += $summary, s.summarised_at = $now
}
RETURN saved
