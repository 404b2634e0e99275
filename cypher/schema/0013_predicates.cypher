// does:    A relation that nobody defined has no node of the store: its name is in its owner's facts and goes with them.
// mode:    schema
// scope:   none    what earlier releases kept of every relation that a fact used
MATCH (p:Predicate) WHERE p.version IS NULL DETACH DELETE p;
