// does:    What the owner's facts say at present about each of these subjects.
// mode:    read
// scope:   owner
// param:   owner_key   string
// param:   actor_identity   string
// param:   subjects    list<map>   key: the name's key; is_actor
// param:   most        integer     facts of one subject, the newest first
// returns: key         string      of the subject
// returns: sense       string      of the relation
// returns: object      string      the object's name, or the value
// returns: object_keys list<string>
// returns: cardinality string      of the relation: `one` or `many`
CYPHER 25
UNWIND $subjects AS row
CALL (row) {
  WHEN row.is_actor THEN {
    MATCH (subject:Entity {identity_key: $actor_identity}) WHERE subject.owner_key = $owner_key
    RETURN subject
  } ELSE {
    MATCH (subject:Entity {owner_key: $owner_key}) WHERE subject.name_key = row.key
    RETURN subject
    UNION
    MATCH (a:Alias {owner_key: $owner_key})-[:NAMES]->(subject:Entity) WHERE a.name_key = row.key
    RETURN subject
  }
}
CALL (subject) {
  MATCH (subject)<-[:SUBJECT]-(fact:Fact)
  WHERE fact.state = 'live' AND fact.polarity AND fact.invalid_at IS NULL
  RETURN fact ORDER BY fact.valid_at DESC, fact.id DESC LIMIT $most
}
OPTIONAL MATCH (fact)-[:OBJECT]->(object:Entity)
RETURN row.key AS key, fact.sense AS sense, coalesce(object.name, fact.literal) AS object,
       [k IN [object.name_key] + COLLECT { MATCH (object)<-[:NAMES]-(b:Alias) RETURN b.name_key } WHERE k IS NOT NULL] AS object_keys,
       CASE WHEN fact.slot_key = fact.axis_key THEN 'one' ELSE 'many' END AS cardinality
