// does:    Every episode, entity, fact, note and predicate of a store with all its properties.
// mode:    read
// scope:   store
// param:   store_id     string
// returns: label        string
// returns: properties   map
MATCH (n:Episode|Entity|Fact|Note|Predicate {store_id: $store_id})
RETURN head(labels(n)) AS label, properties(n) AS properties
