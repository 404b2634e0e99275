// does:    Facts that new statements were matched with, as far as they are still what was judged.
// mode:    read
// scope:   owner
// param:   owner_key    string
// param:   matches      list<map>   fact_id, version
// returns: fact_id      string
// returns: predicate    string
// returns: polarity     boolean
// returns: literal      string
// returns: subject_id   string
// returns: object_id    string      null for a literal
CYPHER 25
UNWIND $matches AS match
MATCH (f:Fact {id: match.fact_id})
WHERE f.owner_key = $owner_key AND f.version = match.version AND f.state = 'live'
MATCH (f)-[:SUBJECT]->(subject:Entity)
OPTIONAL MATCH (f)-[:OBJECT]->(object:Entity)
RETURN DISTINCT f.id AS fact_id, f.predicate AS predicate, f.polarity AS polarity, f.literal AS literal,
       subject.id AS subject_id, object.id AS object_id
