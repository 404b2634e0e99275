// does:    One store.
// mode:    read
// scope:   store
// param:   store_id   string
// returns: store      map
MATCH (s:Store {id: $store_id})
RETURN s{.*} AS store
