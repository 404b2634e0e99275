// does:    Facts within two steps of what a query names, nearest to its vector first, as one would write it by hand.
// mode:    read
// scope:   owner
// param:   owner_key     string
// param:   entity_keys   list<string>   name keys that the query may hold
// param:   vector        list<float>
// param:   at            datetime
// param:   limit         integer
// returns: id            string
// returns: text          string
// returns: score         float
CYPHER 25
MATCH (e:Entity {owner_key: $owner_key}) WHERE e.name_key IN $entity_keys
CALL (e) {
  MATCH (e)<-[:SUBJECT|OBJECT]-(f:Fact)
  WHERE f.state = 'live' AND f.valid_from <= $at AND f.valid_to > $at
  RETURN f
  UNION
  MATCH (e)<-[:SUBJECT|OBJECT]-(near:Fact)-[:SUBJECT|OBJECT]->(between:Entity)
  WHERE between <> e AND NOT between.is_actor AND near.state = 'live' AND near.valid_from <= $at AND near.valid_to > $at
  WITH DISTINCT between LIMIT 50
  MATCH (between)<-[:SUBJECT|OBJECT]-(f:Fact)
  WHERE f.state = 'live' AND f.valid_from <= $at AND f.valid_to > $at
  RETURN f
}
WITH DISTINCT f
RETURN f.id AS id, f.text AS text, vector.similarity.cosine(f.embedding, $vector) AS score
ORDER BY score DESC LIMIT $limit
