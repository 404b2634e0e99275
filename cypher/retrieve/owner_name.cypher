// does:    The display name of the owner's own entity, and whether it was met in a text.
// mode:    read
// scope:   owner
// param:   owner_key        string
// param:   actor_identity   string
// returns: name             string
// returns: named            boolean
MATCH (a:Entity {identity_key: $actor_identity})
WHERE a.owner_key = $owner_key
RETURN a.name AS name, a.named AS named
