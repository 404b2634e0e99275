// does:    What a retelling in other words gives a known fact: more weight where it has more, and its fuller wording.
// mode:    write
// scope:   owner
// param:   owner_key      string
// param:   rows           list<map>   fact_id, statement_id, importance, confidence, rewords: whether its words are the
//                                     fuller ones
// param:   now            datetime
// param:   commit_id      string
// returns: statement_id   string      of those whose wording was taken over
//
// The present wording stays with the statement that gave it, so that it returns when the new source goes
// (`ingest/restore_wordings`). Only a fact that still holds is touched: a corrected one gains nothing.
CYPHER 25
UNWIND $rows AS row
MATCH (f:Fact {id: row.fact_id})-[d:DERIVED_FROM]->(:Episode)
WHERE f.owner_key = $owner_key AND f.state = 'live' AND d.id = row.statement_id AND d.withdrawn_by IS NULL
SET f.importance = CASE WHEN row.importance > f.importance THEN row.importance ELSE f.importance END,
    f.confidence = CASE WHEN row.confidence > f.confidence THEN row.confidence ELSE f.confidence END
WITH f, d, row WHERE row.rewords
CALL (f, d) {
  MATCH (f)-[present:DERIVED_FROM]->(:Episode)
  WHERE present <> d AND present.id = f.worded_by
  SET present.search = f.search, present.embedding = f.embedding
}
// `ingest/assert_statements` left the words with the statement
SET f.search = coalesce(d.search, f.search), f.embedding = coalesce(d.embedding, f.embedding),
    f.text = d.text, f.context = d.context, f.worded_by = d.id, f.version = f.version + 1,
    f.updated_at = $now, f.changed_commit = $commit_id
RETURN d.id AS statement_id
