// does:    Sources that hold all of these contents now; one that was moved is among them.
// mode:    read
// scope:   owner
// param:   owner_key   string
// param:   hashes      list<string>    distinct content hashes
// returns: source      string
CYPHER 25
UNWIND $hashes AS hash
MATCH (e:Episode {owner_key: $owner_key, content_hash: hash})
WHERE e.source_key IS NOT NULL AND e.conversation IS NOT NULL
WITH e.conversation AS source, count(DISTINCT hash) AS held
WHERE held = size($hashes)
RETURN source
ORDER BY source LIMIT 50
