// does:    Erase facts with their statements; gives their slots.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   fact_ids    list<string>
// returns: slot_key    string
CYPHER 25
UNWIND $fact_ids AS id
MATCH (f:Fact {id: id}) WHERE f.owner_key = $owner_key
WITH f, f.slot_key AS slot_key
DETACH DELETE f
RETURN DISTINCT slot_key
