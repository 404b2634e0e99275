// does:    Wait until every index is online.
// mode:    schema
// scope:   none    indexes hold every store
// param:   seconds   integer
CALL db.awaitIndexes($seconds)
