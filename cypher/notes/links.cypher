// does:    Links and backlinks of a note.
// mode:    read
// scope:   owner
// param:   owner_key    string
// param:   note_id      string
// param:   now          datetime
// returns: links        list<map>
// returns: backlinks    list<map>
// returns: unresolved   list<string>   targets of `[[links]]` that name no note
CYPHER 25
MATCH (n:Note {id: $note_id})
WHERE n.owner_key = $owner_key
LET found = COLLECT { MATCH (n)-[l:LINKS {by: 'wiki'}]->() RETURN l.target }
RETURN COLLECT {
         MATCH (n)-[l:LINKS]->(t)
         RETURN {target: t.id, target_kind: t.kind, title: coalesce(t.title, t.text), direction: 'out', kind: l.kind,
                 score: l.score, reason: l.reason, by: l.by, at: l.at,
                 superseded: t.state <> 'live' OR t.valid_to <= $now}
         ORDER BY l.score DESC, t.id LIMIT 1000
       } AS links,
       COLLECT {
         MATCH (n)<-[l:LINKS]-(t:Note)
         RETURN {target: t.id, target_kind: t.kind, title: coalesce(t.title, t.text), direction: 'in', kind: l.kind,
                 score: l.score, reason: l.reason, by: l.by, at: l.at,
                 superseded: t.state <> 'live' OR t.valid_to <= $now}
         ORDER BY l.score DESC, t.id LIMIT 1000
       } AS backlinks,
       [i IN range(0, size(n.wants) - 1) WHERE NOT n.wants[i] IN found | n.want_texts[i]] AS unresolved
