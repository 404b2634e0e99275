// does:    The last recalls: what each gave, and why the rest was left out. The question itself is not kept.
// mode:    read
// scope:   owner
// param:   owner_key    string
// returns: at           string         in UTC
// returns: mode         string
// returns: considered   integer        candidates
// returns: given        integer
// returns: left_out     list<string>   reason=count
// returns: best         list<string>   what was given, the best first, five at most
CYPHER 25
MATCH (r:Recall {owner_key: $owner_key})
WHERE r.id > '' AND r.at > datetime('0001-01-01T00:00:00Z')
WITH r ORDER BY r.at DESC, r.id DESC LIMIT 30
RETURN left(toString(r.at), 19) AS at, r.mode AS mode, r.considered AS considered, r.accepted AS given, r.reasons AS left_out,
       COLLECT { MATCH (r)-[u:USED]->(m) RETURN coalesce(m.text, m.title, left(m.content, 80)) ORDER BY u.rank LIMIT 5 } AS best
ORDER BY at DESC
