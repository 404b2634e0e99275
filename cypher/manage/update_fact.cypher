// does:    Change what may be changed in place on a fact; no row when it is not there.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   fact_id     string
// param:   changes     map        only the properties that change
// param:   if_match    integer    version that must hold, or null
// param:   now         datetime
// returns: stale       boolean    true: nothing was changed
CYPHER 25
MATCH (f:Fact {id: $fact_id})
WHERE f.owner_key = $owner_key AND f.state <> 'retraction'
SET f.touched_at = $now // write lock before the version is compared
LET stale = $if_match IS NOT NULL AND f.version <> $if_match
CALL (f, stale) {
  WITH f, stale WHERE NOT stale AND size(keys($changes)) > 0
  SET f += $changes, f.version = f.version + 1, f.updated_at = $now
}
CALL (f, stale) { // another expiry moves the end, and brings back what the former one had archived
  WITH f, stale WHERE NOT stale AND 'expires_at' IN keys($changes)
  LET held_until = coalesce(f.invalid_at, datetime('9999-12-31T23:59:59Z'))
  LET back = f.state = 'archived' AND f.archived_reason = 'expired' AND (f.expires_at IS NULL OR f.expires_at > $now)
  SET f.valid_to = CASE WHEN f.expires_at < held_until THEN f.expires_at ELSE held_until END,
      f.state = CASE WHEN back THEN 'live' ELSE f.state END, f.status = CASE WHEN back THEN 'active' ELSE f.status END,
      f.archived_at = CASE WHEN back THEN null ELSE f.archived_at END,
      f.archived_reason = CASE WHEN back THEN null ELSE f.archived_reason END
}
RETURN stale
