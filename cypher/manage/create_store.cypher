// does:    Make a store; `created` is false when there is one of this id.
// mode:    write
// scope:   store
// param:   store_id      string
// param:   description   string
// param:   settings      string     JSON
// param:   decay         map        the settings' decay rules, as retention reads them
// param:   now           datetime
// returns: store         map
// returns: created       boolean
MERGE (s:Store {id: $store_id})
ON CREATE SET s.description = $description, s.settings = $settings, s.created_at = $now, s.updated_at = $now,
              s.version = 1, s.audit_key = randomUUID(), s += $decay
RETURN s{.*} AS store, s.created_at = $now AS created
