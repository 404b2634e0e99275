// does:    What relations are where facts use them; no row for one that no fact uses.
// mode:    read
// scope:   store
// param:   store_id     string
// param:   senses       list<string>
// returns: sense        string
// returns: definition   map            axis, cardinality, kind, half_life_days
CYPHER 25
UNWIND $senses AS sense
LET affirmed = head(COLLECT { MATCH (f:Fact {store_id: $store_id, sense: sense}) WHERE f.polarity RETURN f LIMIT 1 })
LET denied = CASE WHEN affirmed IS NULL
                  THEN head(COLLECT { MATCH (f:Fact {store_id: $store_id, sense: sense}) RETURN f LIMIT 1 }) END
LET f = coalesce(affirmed, denied)
FILTER f IS NOT NULL
LET single = affirmed.slot_key = affirmed.axis_key
RETURN sense, {axis: substring(f.axis_key, 37), cardinality: CASE single WHEN true THEN 'one' WHEN false THEN 'many' END,
               kind: CASE WHEN f.layer = 'episodic' THEN 'event' END, half_life_days: f.half_life_days} AS definition
