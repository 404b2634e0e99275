// does:    Facts that hold now by this commit and did not hold before it, as what was believed of them tells.
// mode:    read
// scope:   owner
// param:   owner_key   string
// param:   slot_keys   list<string>
// param:   now         datetime
// param:   commit_id   string
// returns: id          string
CYPHER 25
UNWIND $slot_keys AS slot_key
MATCH (f:Fact {slot_key: slot_key})
WHERE f.owner_key = $owner_key AND f.changed_commit = $commit_id AND f.state = 'live'
  AND f.valid_from <= $now AND f.valid_to > $now
  AND size(f.known_since) > 1 AND NOT (f.known_from[-2] <= $now AND f.known_until[-2] > $now)
RETURN DISTINCT f.id AS id ORDER BY id
