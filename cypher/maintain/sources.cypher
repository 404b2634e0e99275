// does:    The words of episodes that a summary or theme is made from, and the facts that they taught.
// mode:    read
// scope:   owner
// param:   owner_key      string
// param:   episode_ids    list<string>
// param:   current_only   boolean        true: what has ended is barred too, and no fact
// param:   now            datetime
// returns: id             string
// returns: role           string
// returns: name           string
// returns: content        string
// returns: occurred_at    datetime
// returns: barred         list<map>      start, end of words that state what does not hold (start null: all of it)
// returns: facts          list<map>      id, text, importance, start, end
CYPHER 25
UNWIND $episode_ids AS id
MATCH (e:Episode {id: id}) WHERE e.owner_key = $owner_key AND e.quoted IS NULL // what orders its reader about is no source
RETURN e.id AS id, e.role AS role, coalesce(e.name, e.actor_id) AS name, e.content AS content, e.occurred_at AS occurred_at,
       COLLECT {
         MATCH (e)<-[d:DERIVED_FROM]-(f:Fact)
         WHERE d.event = 'assert' AND (f.state = 'expired' OR ($current_only AND f.valid_to <= $now))
         RETURN DISTINCT {start: d.start, end: d.end}
       } AS barred,
       COLLECT {
         MATCH (e)<-[d:DERIVED_FROM]-(f:Fact)
         WHERE d.event = 'assert' AND d.withdrawn_by IS NULL AND NOT coalesce(f.disputed, false)
           AND (f.state = 'live' OR (f.state = 'archived' AND NOT $current_only))
           AND (NOT $current_only OR f.valid_to > $now)
         RETURN DISTINCT {id: f.id, text: f.text, importance: coalesce(f.importance, 0.5), start: d.start, end: d.end}
       } AS facts
ORDER BY e.occurred_at, e.id
