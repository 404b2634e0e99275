// does:    The three searches that bare_vector, bare_text and bare_graph do, in one query: what no recall of one round trip can do without.
// mode:    read
// scope:   owner
// param:   owner_key     string
// param:   vector        list<float>
// param:   fulltext      string         Lucene query that requires the owner's token
// param:   entity_keys   list<string>   name keys that the query may hold
// param:   at            datetime
// param:   k             integer        asked of an index
// param:   limit         integer        given back of each
// returns: id            string
// returns: text          string
// returns: score         float
CYPHER 25
CALL () {
  MATCH (n:Fact|Note|Episode)
    SEARCH n IN (
      VECTOR INDEX memory_embedding
      FOR $vector
      WHERE n.owner_key = $owner_key AND n.state = 'live' AND n.valid_from <= $at AND n.valid_to > $at
      LIMIT $k
    ) SCORE AS score
  RETURN n, score ORDER BY score DESC LIMIT $limit
  UNION ALL
  CALL db.index.fulltext.queryNodes('memory_text', $fulltext, {limit: $k}) YIELD node AS n, score
  WHERE n.owner_key = $owner_key AND n.state = 'live' AND n.valid_from <= $at AND n.valid_to > $at
  RETURN n, score ORDER BY score DESC LIMIT $limit
  UNION ALL
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
  WITH DISTINCT f AS n
  RETURN n, vector.similarity.cosine(n.embedding, $vector) AS score ORDER BY score DESC LIMIT $limit
}
RETURN n.id AS id, coalesce(n.text, n.content, n.body) AS text, score
