// does:    The migrations that this database has seen.
// mode:    read
// scope:   none    migrations belong to the database, not to a store
// returns: version   integer
// returns: name      string
MATCH (m:Migration)
RETURN m.version AS version, m.name AS name
ORDER BY version
