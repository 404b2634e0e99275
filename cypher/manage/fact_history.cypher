// does:    The life of a fact: made, said again, ended, corrected or decided about, and what it took the place of, in order.
// mode:    read
// scope:   owner
// param:   owner_key   string
// param:   fact_id     string
// returns: event       string
// returns: reason      string
// returns: fact_id     string
// returns: text        string
// returns: by_episode  string
// returns: by          string      who decided
// returns: at          datetime
// returns: valid_at    datetime
// returns: invalid_at  datetime
CYPHER 25
MATCH (f:Fact {id: $fact_id})
WHERE f.owner_key = $owner_key
CALL (f) {
  MATCH (f)-[d:DERIVED_FROM]->(e:Episode)
  WHERE d.event = 'assert' AND d.continued IS NULL
  WITH f, d, e ORDER BY e.created_at, e.id
  WITH f, collect({d: d, e: e}) AS said
  UNWIND range(0, size(said) - 1) AS i
  RETURN CASE i WHEN 0 THEN 'created' ELSE 'restated' END AS event,
         CASE i WHEN 0 THEN 'first said' ELSE 'said again' END AS reason, f AS about, said[i].e.id AS by_episode, null AS by,
         said[i].e.created_at AS at, said[i].d.valid_at AS valid_at, said[i].d.invalid_at AS invalid_at
  UNION ALL
  MATCH (f)-[s:SUPERSEDES]->(older:Fact)
  RETURN 'supersedes' AS event, s.reason AS reason, older AS about, s.by_episode AS by_episode, null AS by, s.at AS at,
         older.valid_at AS valid_at, older.invalid_at AS invalid_at
  UNION ALL
  MATCH (newer:Fact)-[s:SUPERSEDES]->(f)
  RETURN CASE s.reason WHEN 'corrected' THEN 'corrected' ELSE 'superseded' END AS event, s.reason AS reason,
         newer AS about, s.by_episode AS by_episode, null AS by, s.at AS at, newer.valid_at AS valid_at, newer.invalid_at AS invalid_at
  UNION ALL
  WITH f WHERE f.end_reason IS NOT NULL AND NOT EXISTS { MATCH (:Fact)-[:SUPERSEDES]->(f) }
    AND NOT EXISTS { MATCH (c:Change)-[:CHANGED]->(f) WHERE c.at = f.expired_at } // the decision says it
  RETURN 'retracted' AS event, f.end_reason AS reason, f AS about, f.ended_by AS by_episode, null AS by,
         coalesce(f.expired_at, f.updated_at) AS at, f.valid_at AS valid_at, f.invalid_at AS invalid_at
  UNION ALL
  WITH f WHERE f.archived_reason IS NOT NULL
  RETURN 'archived' AS event, f.archived_reason AS reason, f AS about, null AS by_episode, null AS by, f.archived_at AS at,
         f.valid_at AS valid_at, f.invalid_at AS invalid_at
  UNION ALL
  MATCH (c:Change)-[:CHANGED]->(f)
  RETURN c.event AS event, c.reason AS reason, f AS about, null AS by_episode, c.by AS by, c.at AS at,
         f.valid_at AS valid_at, f.invalid_at AS invalid_at
  UNION ALL
  MATCH (f)-[:SUBJECT|OBJECT]->(:Entity)-[:SAME_AS*0..8]-(merged:Entity)-[s:SAME_AS]->(into:Entity)
  WHERE s.id IN coalesce(f.merges, [])
  WITH DISTINCT f, s, merged, into
  UNWIND [{event: 'merged', at: s.at, reason: s.reason, verb: ' is '}]
       + CASE WHEN s.active THEN [] ELSE [{event: 'split', at: s.ended_at, reason: s.ended_reason, verb: ' is not '}] END AS step
  RETURN step.event AS event, merged.name + step.verb + into.name + coalesce(': ' + step.reason, '') AS reason, f AS about,
         null AS by_episode, null AS by, step.at AS at, f.valid_at AS valid_at, f.invalid_at AS invalid_at
}
RETURN event, reason, about.id AS fact_id, about.text AS text, by_episode, by, at, valid_at, invalid_at
ORDER BY at, event
