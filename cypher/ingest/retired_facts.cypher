// does:    How many facts one commit has taken back for this reason.
// mode:    read
// scope:   owner
// param:   owner_key   string
// param:   slot_keys   list<string>
// param:   reason      string
// param:   commit_id   string
// returns: retired     integer
CYPHER 25
UNWIND $slot_keys AS slot_key
MATCH (f:Fact {slot_key: slot_key})
WHERE f.owner_key = $owner_key AND f.changed_commit = $commit_id AND f.end_reason = $reason AND f.state = 'expired'
RETURN count(f) AS retired
