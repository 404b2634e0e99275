// does:    Withdraw every statement of older source versions; settling then takes back what only they supported.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   sources     list<map>   old: episode whose statements go; new: episode that replaces it
// param:   reason      string
// param:   commit_id   string
// returns: slot_key    string      one row a statement
CYPHER 25
UNWIND $sources AS source
MATCH (old:Episode {owner_key: $owner_key, id: source.old})<-[d:DERIVED_FROM]-(f:Fact)
WHERE d.withdrawn_by IS NULL
SET d.withdrawn_by = source.new, d.withdrawn_reason = $reason, d.withdrawn_commit = $commit_id
RETURN f.slot_key AS slot_key
