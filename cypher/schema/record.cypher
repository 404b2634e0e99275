// does:    Record one applied migration; running it twice changes nothing.
// mode:    write
// scope:   none    migrations belong to the database, not to a store
// param:   version   integer
// param:   name      string
// param:   now       datetime
MERGE (m:Migration {version: $version})
ON CREATE SET m.name = $name, m.applied_at = $now
