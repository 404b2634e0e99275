// does:    The fact that rests on these statements now: the one asked for, if it is still there.
// mode:    read
// scope:   owner
// param:   owner_key   string
// param:   fact_id     string
// param:   slot_key    string
// param:   said        list<string>   ids of statements
// returns: fact_id     string
CYPHER 25
MATCH (f:Fact {slot_key: $slot_key})-[d:DERIVED_FROM]->(:Episode)
WHERE f.owner_key = $owner_key AND replace(d.id, '+', '') IN $said
RETURN f.id AS fact_id, count(d) AS statements
ORDER BY fact_id = $fact_id DESC, statements DESC LIMIT 1
