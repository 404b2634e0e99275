// does:    Withdraw what ended a fact: the statements of the fact that took its place, or those that took it back.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   fact_id     string
// param:   by          string
// param:   reason      string
// param:   commit_id   string
// returns: slot_key    string
// returns: fact_id     string     fact that is withdrawn with it; null for a retraction
CYPHER 25
MATCH (f:Fact {id: $fact_id}) WHERE f.owner_key = $owner_key
MATCH (g:Fact {slot_key: f.slot_key})-[end:DERIVED_FROM]->(episode:Episode)
WHERE g.owner_key = $owner_key AND end.withdrawn_by IS NULL AND end.continued IS NULL
  AND (end.id = f.closer OR (f.closer IS NULL AND episode.id = f.ended_by AND g.value_key <> f.value_key))
LET takes_back = end.event = 'retract'
WITH DISTINCT f, g, takes_back
MATCH (g)-[d:DERIVED_FROM]->(:Episode)
WHERE d.withdrawn_by IS NULL AND d.continued IS NULL AND (NOT takes_back OR d.event = 'retract')
SET d.withdrawn_by = $by, d.withdrawn_reason = $reason, d.withdrawn_commit = $commit_id
RETURN DISTINCT f.slot_key AS slot_key, CASE WHEN NOT takes_back THEN g.id END AS fact_id
