// does:    Bring a relation's facts up to its half-life and kind; called until none is left.
// mode:    write
// scope:   store
// param:   store_id         string
// param:   sense            string
// param:   half_life_days   float
// param:   layer            string    episodic for events, else semantic
// param:   limit            integer
// returns: changed          integer
CYPHER 25
MATCH (f:Fact {store_id: $store_id, sense: $sense})
LET layer = CASE WHEN f.layer = 'procedural' THEN f.layer ELSE $layer END
FILTER coalesce(f.half_life_days, 0.0) <> $half_life_days OR f.layer <> layer
WITH f, layer LIMIT $limit
SET f.half_life_days = $half_life_days, f.layer = layer
RETURN count(f) AS changed
