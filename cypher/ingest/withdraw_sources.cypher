// does:    Withdraw every statement of older source versions; settling then takes back what only they supported.
// mode:    write
// scope:   owner
// param:   owner_key     string
// param:   episode_ids   list<string>   what is written now: replaced versions go, and so does what is itself replaced
// param:   reason        string
// param:   commit_id     string
// returns: slot_key      string         one row a statement
//
// Versions of one source need not be processed in the order in which they came. One that was not processed yet is looked
// past, and withdraws later what it replaces itself.
CYPHER 25
UNWIND $episode_ids AS id
MATCH (e:Episode {owner_key: $owner_key, id: id})
CALL (e) {
  MATCH (e)-[:SUPERSEDES]->(old:Episode)
  RETURN old, e.id AS by, true AS nearest
  UNION
  MATCH (e)-[:SUPERSEDES]->(next:Episode) (()-[:SUPERSEDES]->(old:Episode)){1,1000}
  WHERE next.status <> 'processed' AND all(former IN old[..-1] WHERE former.status <> 'processed')
  RETURN old[-1] AS old, e.id AS by, false AS nearest
  UNION
  MATCH (e) (()<-[:SUPERSEDES]-(newer:Episode)){1,1000}
  WHERE newer[-1].status = 'processed' AND all(later IN newer[..-1] WHERE later.status <> 'processed')
  RETURN e AS old, newer[-1].id AS by, false AS nearest
}
MATCH (old)<-[d:DERIVED_FROM]-(f:Fact)
WHERE f.owner_key = $owner_key AND (d.withdrawn_by IS NULL OR nearest AND d.withdrawn_reason = $reason)
SET d.withdrawn_by = by, d.withdrawn_reason = $reason, d.withdrawn_commit = $commit_id
RETURN f.slot_key AS slot_key
