// does:    Give memories their new vectors.
// mode:    write
// scope:   none    an operator re-embeds the whole database
// param:   rows   list<map>   id, embedding
CYPHER 25
UNWIND $rows AS row
CALL (row) {
  MATCH (n:Fact {id: row.id}) SET n.embedding = row.embedding
  WITH n
  OPTIONAL MATCH (n)-[former:DERIVED_FROM]->() WHERE former.embedding IS NOT NULL // of wordings that it may return to
  REMOVE former.embedding
}
CALL (row) {
  MATCH (n:Note {id: row.id}) SET n.embedding = row.embedding
}
CALL (row) {
  MATCH (n:Episode {id: row.id}) SET n.embedding = row.embedding
}
