// does:    What no longer holds: facts that were replaced, ended or corrected, with the reason and the words, the latest first.
// mode:    read
// scope:   owner
// param:   owner_key     string
// returns: fact          string
// returns: held_from     string
// returns: held_until    string     null: it never held
// returns: why           string   replaced, retracted, corrected, …
// returns: now           string   what took its place
// returns: said          string   the message that ended it
// returns: said_on       string
// returns: retired_on    string     when the store learned that it had ended
CYPHER 25
MATCH (f:Fact {owner_key: $owner_key})
WHERE f.id > '' AND (f.state = 'expired' OR (f.state = 'live' AND f.valid_to <= datetime()))
OPTIONAL MATCH (newer:Fact)-[s:SUPERSEDES]->(f)
LET why = coalesce(s.reason, f.end_reason), at = coalesce(s.at, f.expired_at, f.updated_at)
OPTIONAL MATCH (m:Episode {id: coalesce(s.by_episode, f.ended_by)}) WHERE m.owner_key = $owner_key
RETURN f.text AS fact, toString(date(f.valid_at)) AS held_from, toString(date(f.invalid_at)) AS held_until, why,
       newer.text AS now, left(m.content, 200) AS said, toString(date(m.occurred_at)) AS said_on,
       toString(date(at)) AS retired_on
ORDER BY at DESC, f.id LIMIT 200
