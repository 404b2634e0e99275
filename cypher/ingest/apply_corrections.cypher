// does:    Where values coexist, let each correction take back the one statement that it corrects; gives the slots.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   axis_keys   list<string>   subject and relation of what this commit said
// param:   within      duration       how long before a correction its mistake may have been said
// param:   now         datetime
// param:   commit_id   string
// returns: slot_key    string
//
// A one-valued slot knows what its correction replaces. Where values coexist it is the value said last before it, not
// long ago, of the same subject and relation. A correction that came first waits for its mistake (`corrects` is null).
CYPHER 25
UNWIND $axis_keys AS axis_key
MATCH (right:Fact {axis_key: axis_key})-[c:DERIVED_FROM]->(said:Episode)
WHERE right.owner_key = $owner_key AND c.correction AND c.corrects IS NULL AND c.withdrawn_by IS NULL
  AND c.continued IS NULL AND right.slot_key <> axis_key
CALL (axis_key, right, c) {
  MATCH (wrong:Fact {axis_key: axis_key})-[d:DERIVED_FROM]->(:Episode)
  WHERE wrong.owner_key = $owner_key AND wrong.slot_key <> right.slot_key AND d.event = 'assert' AND NOT d.correction
    AND d.withdrawn_by IS NULL AND d.continued IS NULL AND d.said_at <= c.said_at AND d.said_at >= c.said_at - $within
    AND d.trust <= c.trust // the less trusted take nothing back
    AND right.polarity = wrong.polarity
  RETURN wrong ORDER BY d.said_at DESC, wrong.id LIMIT 1
}
SET c.corrects = wrong.id
WITH right, c, said, wrong
MATCH (wrong)-[d:DERIVED_FROM]->(:Episode)
WHERE d.withdrawn_by IS NULL AND d.said_at <= c.said_at AND d.trust <= c.trust
SET d.withdrawn_by = said.id, d.withdrawn_reason = 'corrected', d.withdrawn_commit = $commit_id
WITH DISTINCT right, said, wrong
MERGE (right)-[s:SUPERSEDES]->(wrong)
SET s.reason = 'corrected', s.by_episode = said.id, s.at = $now, s.commit_id = $commit_id
RETURN DISTINCT wrong.slot_key AS slot_key
