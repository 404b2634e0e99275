// does:    Change a store's description or settings; no row when it is not there.
// mode:    write
// scope:   store
// param:   store_id      string
// param:   description   string     null keeps it
// param:   settings      string     JSON, null keeps it
// param:   decay         map        the settings' decay rules, as retention reads them; empty keeps them
// param:   if_match      integer    version that must hold, or null
// param:   now           datetime
// returns: store         map
// returns: stale         boolean    true: nothing was changed
CYPHER 25
MATCH (s:Store {id: $store_id})
SET s.touched = $now // write lock before the version is compared
LET stale = $if_match IS NOT NULL AND s.version <> $if_match
CALL (s, stale) {
  WITH s, stale WHERE NOT stale
  SET s.description = coalesce($description, s.description), s.settings = coalesce($settings, s.settings),
      s += $decay, s.updated_at = $now, s.version = s.version + 1
}
RETURN s{.*} AS store, stale
