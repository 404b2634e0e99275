// does:    Take a store's write lock for the rest of the transaction; no row when it is not there.
// mode:    write
// scope:   store
// param:   store_id   string
// param:   now        datetime
// returns: id         string
MATCH (s:Store {id: $store_id})
SET s.touched = $now
RETURN s.id AS id
