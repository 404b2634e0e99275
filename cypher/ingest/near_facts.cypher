// does:    For each new statement, the owner's facts about the same subject that are most like it and hold now.
// mode:    read
// scope:   owner
// param:   owner_key     string
// param:   rows          list<map>   index, vector, is_actor, subject_key
// param:   floor         float       cosine below which nothing is given
// param:   k             integer     how many of the index are looked at for one statement
// param:   keep          integer     how many are given for one statement
// param:   now           datetime
// returns: index         integer
// returns: cosine        float
// returns: fact          map         id, version, text, category, polarity, sense, literal
// returns: object        string      name of the object, or null
// returns: object_keys   list<string>
// returns: cardinality   string      of the fact's relation
CYPHER 25
UNWIND $rows AS row
CALL (row) {
  LET vector = row.vector
  MATCH (n:Fact|Note|Episode)
    SEARCH n IN (
      VECTOR INDEX memory_embedding
      FOR vector
      WHERE n.owner_key = $owner_key AND n.kind = 'fact' AND n.state = 'live' AND n.valid_to > $now
      LIMIT $k
    ) SCORE AS similarity
  LET cosine = 2 * similarity - 1
  FILTER cosine >= $floor
  MATCH (n)-[:SUBJECT]->(subject:Entity)
  FILTER subject.is_actor AND row.is_actor
      OR NOT subject.is_actor AND NOT row.is_actor AND (subject.name_key = row.subject_key OR EXISTS {
           MATCH (subject)<-[:NAMES]-(a:Alias) WHERE a.name_key = row.subject_key })
  OPTIONAL MATCH (n)-[:OBJECT]->(object:Entity)
  LET affirmed = CASE WHEN n.polarity THEN n ELSE head(COLLECT { // a denial has a slot of its own
    MATCH (g:Fact {owner_key: $owner_key, sense: n.sense}) WHERE g.polarity RETURN g LIMIT 1 }) END
  LET cardinality = CASE WHEN affirmed.slot_key = affirmed.axis_key THEN 'one' ELSE 'many' END
  RETURN n AS fact, cosine, object, cardinality,
         [object.name_key] + COLLECT { MATCH (object)<-[:NAMES]-(b:Alias) RETURN b.name_key } AS object_keys
  ORDER BY cosine DESC, n.id LIMIT $keep
}
RETURN row.index AS index, cosine,
       fact{.id, .version, .text, .category, .polarity, .sense, .literal} AS fact,
       object.name AS object, [k IN object_keys WHERE k IS NOT NULL] AS object_keys, cardinality
