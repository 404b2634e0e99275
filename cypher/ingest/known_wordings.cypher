// does:    Which sentences are the text of a fact, which are what was said, and which only the service writes so.
// mode:    read
// scope:   owner
// param:   owner_key   string
// param:   rows        list<map>   index, key, content_hash
// param:   before      string      episode id: only what came earlier counts as said
// returns: index       integer
// returns: known       boolean     the text of a fact of any state
// returns: rendered    boolean     of one about the owner, and no source has these words
// returns: said        boolean     an earlier episode is nothing but this
CYPHER 25
UNWIND $rows AS row
CALL (row) {
  OPTIONAL MATCH (f:Fact)-[d:DERIVED_FROM {text_key: row.key}]->(:Episode)
  WHERE f.owner_key = $owner_key
  LET own = coalesce(d.own_words, false)
  LET about = f IS NOT NULL AND EXISTS { (f)-[:SUBJECT|OBJECT]->(:Entity {is_actor: true}) }
  RETURN count(f) > 0 AS known, any(one IN collect(about) WHERE one) AND none(one IN collect(own) WHERE one) AS rendered
}
LET said = EXISTS {
  MATCH (e:Episode {owner_key: $owner_key, content_hash: row.content_hash})
    USING INDEX e:Episode(owner_key, content_hash) // left alone, the planner walks through all episodes by id
  WHERE e.id < $before
}
RETURN row.index AS index, known, rendered, said
