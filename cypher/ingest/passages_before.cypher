// does:    Passages that came word for word in several earlier sessions, and whether what they stated holds as it did.
// mode:    read
// scope:   owner
// param:   owner_key   string
// param:   rows        list<map>   index, key, content_hash (null for a part), role, episode_id, session, times
// param:   most        integer     sessions beyond which there is no need to count
// param:   now         datetime
// returns: index       integer     one row a passage that came in at least `times` earlier sessions
// returns: holds       boolean     something was learned from it, and all of that is current and undisputed
CYPHER 25
UNWIND $rows AS row
CALL (row) {
  CALL (row) {
    MATCH (e:Episode {owner_key: $owner_key, content_hash: row.content_hash})
      USING INDEX e:Episode(owner_key, content_hash) // left alone, the planner walks through all episodes by id
    WHERE e.id < row.episode_id AND e.role = row.role AND e.state = 'live' // not an older version of the same source
    WITH e LIMIT 2000
    RETURN coalesce(e.session_id, toString(date(e.occurred_at))) AS session
    UNION
    MATCH (f:Fact)-[d:DERIVED_FROM {passage_key: row.key}]->(e:Episode)
      USING INDEX d:DERIVED_FROM(passage_key)
    WHERE f.owner_key = $owner_key AND e.id < row.episode_id AND e.role = row.role AND e.state = 'live'
    WITH e LIMIT 2000
    RETURN coalesce(e.session_id, toString(date(e.occurred_at))) AS session
  }
  WITH DISTINCT session, row WHERE session <> row.session
  LIMIT $most
  RETURN count(session) AS sessions
}
FILTER sessions >= row.times
CALL (row) {
  MATCH (f:Fact)-[d:DERIVED_FROM {passage_key: row.key}]->(:Episode)
  WHERE f.owner_key = $owner_key
  // a value that was left and taken up again holds by its newest run
  LET current = d.event = 'assert' AND EXISTS {
    MATCH (g:Fact {slot_key: f.slot_key})
    WHERE g.value_key = f.value_key AND g.state = 'live' AND g.status = 'active' AND g.valid_to > $now
      AND NOT EXISTS { (g)<-[:CONTRADICTS]-(:Contradiction {state: 'open'}) }
  }
  RETURN count(f) > 0 AND all(one IN collect(current) WHERE one) AS holds
}
RETURN row.index AS index, holds
