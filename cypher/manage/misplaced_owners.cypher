// does:    Owners with facts that are not in the slots that their relations' definitions ask for.
// mode:    read
// scope:   store
// param:   store_id    string
// param:   relations   list<map>   sense, axis, single: one value at a time
// param:   limit       integer
// returns: owner_key   string
CYPHER 25
UNWIND $relations AS relation
MATCH (f:Fact {store_id: $store_id, sense: relation.sense})
LET axis_key = left(f.slot_key, 36) + '|' + relation.axis
FILTER f.axis_key <> axis_key OR (f.slot_key = axis_key) <> (relation.single AND f.polarity)
RETURN DISTINCT f.owner_key AS owner_key
LIMIT $limit
