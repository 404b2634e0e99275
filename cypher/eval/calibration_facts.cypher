// does:    Facts of a store that questions can be made of, in an order that has nothing to do with what they say.
// mode:    read
// scope:   store
// param:   store_id    string
// param:   limit       integer
// returns: actor_id    string
// returns: text        string
// returns: object      string
// returns: answers     list<string>   ids of the facts with the same subject and relation, and of the episodes that say one
CYPHER 25
MATCH (f:Fact {store_id: $store_id})
WHERE f.state = 'live' AND f.polarity AND f.learning_state <> 'candidate' AND f.embedding IS NOT NULL
WITH f ORDER BY right(f.id, 12), f.id LIMIT $limit // the end of an id is random
CALL (f) {
  MATCH (f)-[:SUBJECT]->(s:Entity)
  MATCH (s)<-[:SUBJECT]-(g:Fact) WHERE g.sense = f.sense
  OPTIONAL MATCH (g)-[:DERIVED_FROM]->(e:Episode)
  RETURN collect(DISTINCT g.id) + collect(DISTINCT e.id) AS answers
}
OPTIONAL MATCH (f)-[:OBJECT]->(o:Entity)
RETURN substring(f.owner_key, size($store_id) + 1) AS actor_id, f.text AS text, coalesce(o.name, f.literal) AS object, answers
