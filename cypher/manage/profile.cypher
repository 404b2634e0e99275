// does:    The facts about the owner's own entity that hold at a time.
// mode:    read
// scope:   owner
// param:   owner_key        string
// param:   actor_identity   string         identity key of the actor's entity
// param:   as_of            datetime
// param:   limit            integer
// returns: entity           map
// returns: fact_ids         list<string>   by category, then the most important first
CYPHER 25
MATCH (actor:Entity {identity_key: $actor_identity})
WHERE actor.owner_key = $owner_key
RETURN actor{.id, .name} AS entity, COLLECT {
  MATCH (actor)<-[:SUBJECT]-(f:Fact)
  WHERE f.state = 'live' AND f.valid_from <= $as_of AND f.valid_to > $as_of
  RETURN f.id ORDER BY f.category, f.importance DESC, f.valid_at, f.id LIMIT $limit
} AS fact_ids
