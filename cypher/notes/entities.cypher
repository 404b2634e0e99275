// does:    The entities that a caller names by id or name; one row for each that is found.
// mode:    read
// scope:   owner
// param:   owner_key   string
// param:   named       list<map>   index, id or null, name_key or null, actor: identity key where the owner is meant
// returns: index       integer
// returns: id          string
CYPHER 25
UNWIND $named AS named
CALL (named) {
  WHEN named.id IS NOT NULL THEN {
    MATCH (x:Entity {id: named.id}) WHERE x.owner_key = $owner_key
    RETURN x
  } WHEN named.actor IS NOT NULL THEN {
    MATCH (x:Entity {identity_key: named.actor}) WHERE x.owner_key = $owner_key
    RETURN x
  } ELSE {
    MATCH (x:Entity {owner_key: $owner_key, name_key: named.name_key})
    RETURN x ORDER BY x.is_actor DESC, x.created_at LIMIT 1
  }
}
RETURN named.index AS index, x.id AS id
