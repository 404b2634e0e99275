// does:    The state of every index of this package.
// mode:    read
// scope:   none    indexes hold every store
// returns: name    string
// returns: state   string
SHOW INDEXES YIELD name, state, labelsOrTypes
WHERE size(labelsOrTypes) > 0
RETURN name, state
