// does:    Keep the receipt of a forget call: counts and whether it was verified, never text.
// mode:    write
// scope:   store
// param:   store_id   string
// param:   receipt    map
CREATE (r:Receipt) SET r = $receipt, r.store_id = $store_id
