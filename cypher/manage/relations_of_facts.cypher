// does:    What the relations of facts mean.
// mode:    read
// scope:   owner
// param:   owner_key   string
// param:   fact_ids    list<string>
// returns: sense       string
CYPHER 25
UNWIND $fact_ids AS id
MATCH (f:Fact {id: id}) WHERE f.owner_key = $owner_key
RETURN DISTINCT f.sense AS sense
