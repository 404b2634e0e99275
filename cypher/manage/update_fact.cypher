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
RETURN stale
