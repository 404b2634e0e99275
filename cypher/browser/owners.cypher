// does:    Whose memories are here: stores and actors, the one that was written to last first.
// mode:    read
// scope:   none    who looks into the database itself sees every store; the other queries need one of these keys
// returns: owner_key        string   what the other queries are bound to
// returns: store            string
// returns: actor            string
// returns: current_facts    integer
// returns: retired_facts    integer
// returns: open_disputes    integer
// returns: notes            integer
// returns: messages         integer
// returns: last_written     string   in UTC
CYPHER 25
MATCH (s:Store) WHERE s.id > ''
MATCH (o:OwnerLock {store_id: s.id})
WITH s, o ORDER BY o.taken_at DESC LIMIT 100
LET current_facts = COUNT { MATCH (f:Fact {owner_key: o.owner_key})
                            WHERE f.id > '' AND f.state = 'live' AND f.valid_to > datetime() }
LET retired_facts = COUNT { MATCH (f:Fact {owner_key: o.owner_key})
                            WHERE f.id > '' AND (f.state = 'expired' OR (f.state = 'live' AND f.valid_to <= datetime())) }
LET open_disputes = COUNT { MATCH (c:Contradiction {owner_key: o.owner_key}) WHERE c.id > '' AND c.state = 'open' }
LET notes = COUNT { MATCH (n:Note {owner_key: o.owner_key}) WHERE n.id > '' AND n.version_of IS NULL }
LET messages = COUNT { MATCH (m:Episode {owner_key: o.owner_key}) WHERE m.id > '' }
FILTER current_facts + retired_facts + notes + messages > 0 // what was erased leaves a lock
RETURN o.owner_key AS owner_key, s.id AS store, substring(o.owner_key, size(s.id) + 1) AS actor, current_facts, retired_facts,
       open_disputes, notes, messages, left(toString(o.taken_at), 16) AS last_written
ORDER BY o.taken_at DESC, owner_key
