// does:    Notes around a note, to a number of hops over links in both directions, and the links between them.
// mode:    read
// scope:   owner
// param:   owner_key   string
// param:   note_id     string
// param:   hops        integer     1 to 3
// param:   limit       integer     notes at most
// param:   now         datetime
// returns: notes       list<map>
// returns: edges       list<map>
CYPHER 25
MATCH (n:Note {id: $note_id})
WHERE n.owner_key = $owner_key
LET first = COLLECT { MATCH (n)-[:LINKS]-(m:Note) RETURN DISTINCT m LIMIT 200 }
LET second = CASE WHEN $hops < 2 THEN [] ELSE COLLECT {
      UNWIND first AS f MATCH (f)-[:LINKS]-(m:Note) WHERE m <> n AND NOT m IN first RETURN DISTINCT m LIMIT 200 } END
LET third = CASE WHEN $hops < 3 THEN [] ELSE COLLECT {
      UNWIND second AS f MATCH (f)-[:LINKS]-(m:Note) WHERE m <> n AND NOT m IN first AND NOT m IN second
      RETURN DISTINCT m LIMIT 200 } END
LET around = ([m IN first | {m: m, distance: 1}] + [m IN second | {m: m, distance: 2}] + [m IN third | {m: m, distance: 3}])[..$limit]
LET inside = [n] + [a IN around | a.m]
RETURN [a IN around | {id: a.m.id, title: a.m.title, distance: a.distance,
                       superseded: a.m.state <> 'live' OR a.m.valid_to <= $now}] AS notes,
       COLLECT {
         UNWIND inside AS a
         MATCH (a)-[l:LINKS]->(b:Note) WHERE b IN inside
         RETURN {source: a.id, target: b.id, kind: l.kind, score: l.score, reason: l.reason, by: l.by}
         ORDER BY a.id, b.id LIMIT 1000
       } AS edges
