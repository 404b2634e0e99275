// does:    Every relationship that goes out from an episode or a fact of a store.
// mode:    read
// scope:   store
// param:   store_id     string
// returns: type         string
// returns: from         string
// returns: to           string
// returns: properties   map
MATCH (a:Episode|Fact {store_id: $store_id})-[r]->(b)
RETURN type(r) AS type, a.id AS from, b.id AS to, properties(r) AS properties
