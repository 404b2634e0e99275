// does:    Erase messages of an owner.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   keys        list<string>
// returns: erased      integer
CYPHER 25
UNWIND $keys AS key
MATCH (m:Message {key: key}) WHERE m.owner_key = $owner_key
DETACH DELETE m
RETURN count(*) AS erased
