// does:    Remove an emptied store's own node.
// mode:    write
// scope:   store
// param:   store_id   string
// returns: deleted    integer
MATCH (s:Store {id: $store_id})
DELETE s
RETURN count(*) AS deleted
