// does:    Take away the summaries of sessions that episodes or the sources of facts stand in; gives the themes made of them.
// mode:    write
// scope:   owner
// param:   owner_key     string
// param:   episode_ids   list<string>
// param:   fact_ids      list<string>
// returns: id            string         a theme, to be erased in this transaction
CYPHER 25
CALL () {
  UNWIND $episode_ids AS id
  MATCH (e:Episode {id: id}) WHERE e.owner_key = $owner_key
  RETURN e
  UNION
  UNWIND $fact_ids AS id
  MATCH (f:Fact {id: id})-[:DERIVED_FROM]->(e:Episode) WHERE f.owner_key = $owner_key
  RETURN e
}
WITH collect(e) AS touched
CALL (touched) {
  UNWIND touched AS e
  MATCH (e)-[:IN_SESSION]->(s:Session)
  WITH DISTINCT s WHERE s.summary_mark IS NOT NULL
  SET s.topic = null, s.summary = null, s.summary_from = null, s.open_items = null, s.open_from = null,
      s.summary_by = null, s.summary_mark = null, s.summarised_at = null
}
UNWIND touched AS e
MATCH (e)<-[:DERIVED_FROM]-(t:Note)
WHERE t.owner_key = $owner_key AND t.kind = 'theme'
RETURN DISTINCT t.id AS id
