// does:    How many statements each slot holds.
// mode:    read
// scope:   owner
// param:   owner_key    string
// param:   slot_keys    list<string>
// returns: slot_key     string
// returns: statements   integer
CYPHER 25
UNWIND $slot_keys AS slot_key
CALL (slot_key) {
  MATCH (f:Fact {slot_key: slot_key})-[:DERIVED_FROM]->(:Episode)
  WHERE f.owner_key = $owner_key
  RETURN count(*) AS statements
}
RETURN slot_key, statements
