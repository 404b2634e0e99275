// does:    Derive every fact's valid interval, retirement and dispute from the statements of its slot.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   store_id    string         its `conflicts` setting decides what is not ordered by itself
// param:   slots       list<map>   key; spare_ids: new fact ids, one more than statements added
// param:   now         datetime
// param:   commit_id   string
// returns: slot_key    string
//
// A slot's history is a function of the set of its statements, not of their order of arrival: statements are
// folded in the order of valid time (then correction, trust, time of saying) into runs of one value. A run ends
// where another value begins, where it is retracted, or at its own stated end. So a late, older statement
// is filed into the past, and removing a statement restores what it had ended.
// Lanes: `run` is the settled history; `side` cannot be ordered by time or trust and is disputed;
// `void` was never true (corrected or withdrawn).
// A denial of one of several values that exclude one another has a slot of its own and a statement here that ends what it
// denies; said at the same time as that value, it ends nothing and is disputed.
//
// Facts keep what was believed before (`known_since`, `known_from`, `known_until`: parallel lists), for `known_at`.
CYPHER 25
OPTIONAL MATCH (store:Store {id: $store_id})
LET policy = coalesce(store.conflicts, 'effective_date')
UNWIND $slots AS slot
CALL (slot) { // a fact whose statements are all withdrawn steps aside and keeps its id; it was never true
  MATCH (f:Fact {slot_key: slot.key})-[d:DERIVED_FROM]->(:Episode)
  WHERE f.owner_key = $owner_key AND d.withdrawn_by IS NOT NULL AND coalesce(f.state, '') <> 'expired'
    AND NOT EXISTS { MATCH (f)-[other:DERIVED_FROM]->() WHERE other.withdrawn_by IS NULL AND other.continued IS NULL }
  WITH f, max(d.withdrawn_by) AS by, max(d.withdrawn_reason) AS reason, min(d.valid_at) AS at
  SET f.valid_at = coalesce(f.valid_at, at), f.valid_from = coalesce(f.valid_from, at),
      f.valid_at_precision = coalesce(f.valid_at_precision, 'instant'),
      f.valid_to = coalesce(f.valid_to, datetime('9999-12-31T23:59:59Z')),
      f.run_key = slot.key + '#withdrawn#' + f.id, f.state = 'expired', f.expired_at = $now, f.end_reason = reason,
      f.ended_by = by, f.disputed = false, f.version = f.version + 1, f.updated_at = $now, f.changed_commit = $commit_id,
      f.known_since = coalesce(f.known_since, []) + [$now], f.known_from = coalesce(f.known_from, []) + [coalesce(f.valid_at, at)],
      f.known_until = coalesce(f.known_until, []) + [coalesce(f.valid_at, at)]
  WITH f
  MATCH (f)<-[:CONTRADICTS]-(c:Contradiction {state: 'open'})
  SET c.state = 'resolved', c.resolved_at = $now, c.resolution = 'a side was withdrawn'
}
CALL (slot) {
  MATCH (:Fact {slot_key: slot.key})-[copy:DERIVED_FROM {continued: true}]->(:Episode)
  DELETE copy
}
CALL (slot, policy) {
  MATCH (f:Fact {slot_key: slot.key})-[d:DERIVED_FROM]->(e:Episode)
  WHERE f.owner_key = $owner_key AND d.withdrawn_by IS NULL
  WITH f, d, e
  ORDER BY d.valid_at, d.correction, coalesce(d.confirmed, false), d.trust, d.said_at, d.event = 'retract',
           CASE policy WHEN 'latest_wins' THEN d.id ELSE f.value_key END, d.id
  WITH collect({edge: d, words: properties(d), fact: f, episode: e, id: d.id, value: f.value_key, event: d.event, at: d.valid_at,
                precision: d.valid_at_precision, until: d.invalid_at, said: d.said_at, trust: d.trust,
                correction: d.correction, explicit: d.explicit, confirmed: coalesce(d.confirmed, false), denies: coalesce(d.denies, false)}) AS statements
  LET folded = reduce(acc = {runs: [], side: [], void: [], ends: []}, s IN statements |
    CASE
      WHEN s.event = 'retract' THEN
        CASE WHEN size(acc.runs) > 0 AND s.trust < acc.runs[-1].trust // the less trusted end nothing
             THEN acc{.runs, .side, .void, ends: acc.ends + [{item: s, value: s.value, index: null}]}
             WHEN s.denies AND size(acc.runs) > 0 AND acc.runs[-1].value = s.value AND acc.runs[-1].at = s.at
                  AND size(acc.runs[-1].items) > 0 AND s.said = acc.runs[-1].items[-1].said AND s.trust = acc.runs[-1].trust
                  AND s.correction = acc.runs[-1].items[-1].correction AND policy <> 'latest_wins' AND NOT s.confirmed
             THEN acc{.runs, .side, .void, ends: acc.ends + [{item: s, value: s.value, index: size(acc.runs) - 1, denied: true}]}
             WHEN size(acc.runs) > 0 AND acc.runs[-1].at > s.at AND s.value IN ['*', acc.runs[-1].value]
             THEN // what would have resumed later does not
                  acc{.side, .void, ends: acc.ends + [{item: s, value: acc.runs[-1].value, index: acc.runs[-1].source}],
                      runs: acc.runs[..-1]}
             WHEN size(acc.runs) > 1 AND acc.runs[-1].at > s.at AND acc.runs[-2].value = s.value
             THEN acc{.side, .void, ends: acc.ends + [{item: s, value: s.value, index: size(acc.runs) - 2}],
                      runs: acc.runs[..-2] + [stay IN acc.runs[-2..-1] |
                            stay{.*, until: s.at, why: 'retracted', by: s.episode.id, closer: s.id}] + acc.runs[-1..]}
             WHEN size(acc.runs) > 0 AND s.value IN ['*', acc.runs[-1].value] AND acc.runs[-1].at <= s.at
                  AND (acc.runs[-1].until IS NULL OR acc.runs[-1].until > s.at)
             THEN acc{.side, .void, ends: acc.ends + [{item: s, value: acc.runs[-1].value, index: size(acc.runs) - 1}],
                      runs: acc.runs[..-1] + [last IN acc.runs[-1..] |
                            last{.*, until: s.at, why: 'retracted', by: s.episode.id, closer: s.id}]}
             ELSE acc{.runs, .side, .void, ends: acc.ends + [{item: s, value: s.value, index: null}]} END
      WHEN size(acc.runs) = 0 OR acc.runs[-1].until <= s.at THEN
        acc{.side, .void, .ends, runs: acc.runs + [{value: s.value, at: s.at, precision: s.precision, until: s.until,
            trust: s.trust, why: 'ended', items: [s]}]}
      WHEN acc.runs[-1].value = s.value AND acc.runs[-1].at <= s.at THEN // said again
        // every key by name: `last{.*}` keeps the map that it is taken from, and so a thousand repeats a thousand lists
        acc{.side, .void, .ends, runs: acc.runs[..-1] + [last IN acc.runs[-1..] |
            last{.value, .at, .precision, .why, .by, .closer, .before, .source, items: last.items + [s],
                 until: coalesce(s.until, last.until), trust: CASE WHEN s.trust > last.trust THEN s.trust ELSE last.trust END}]}
      WHEN policy = 'ask' AND NOT s.correction AND NOT s.confirmed AND size(acc.runs[-1].items) > 0 THEN
        acc{.runs, .void, .ends, side: acc.side + [{value: s.value, at: s.at, precision: s.precision, until: s.until,
            trust: s.trust, why: 'to be confirmed', against: size(acc.runs) - 1, items: [s]}]}
      WHEN s.at < acc.runs[-1].at AND s.trust < acc.runs[-2].trust THEN
        acc{.runs, .void, .ends, side: acc.side + [{value: s.value, at: s.at, precision: s.precision, until: s.until,
            trust: s.trust, why: 'less trusted', against: size(acc.runs) - 2, items: [s]}]}
      WHEN s.at < acc.runs[-1].at THEN // the last run only resumes later: this value comes before it
        acc{.side, .void, .ends, runs: acc.runs[..-2] + [stay IN acc.runs[-2..-1] |
              stay{.*, until: s.at, why: 'replaced', by: s.episode.id, closer: s.id}]
            + [{value: s.value, at: s.at, precision: s.precision, until: s.until, trust: s.trust, why: 'ended',
                items: [s], before: size(acc.runs) - 2}]
            + CASE WHEN s.until IS NULL THEN []
                   ELSE [last IN acc.runs[-1..] | last{.*, at: CASE WHEN s.until > last.at THEN s.until ELSE last.at END}] END}
      WHEN s.trust < acc.runs[-1].trust THEN
        acc{.runs, .void, .ends, side: acc.side + [{value: s.value, at: s.at, precision: s.precision, until: s.until,
            trust: s.trust, why: 'less trusted', against: size(acc.runs) - 1, items: [s]}]}
      WHEN s.at = acc.runs[-1].at AND size(acc.runs[-1].items) > 0 AND s.said = acc.runs[-1].items[-1].said
           AND s.correction = acc.runs[-1].items[-1].correction AND policy <> 'latest_wins' AND NOT s.confirmed THEN
        acc{.runs, .void, .ends, side: acc.side + [{value: s.value, at: s.at, precision: s.precision, until: s.until,
            trust: s.trust, why: 'same time', against: size(acc.runs) - 1, items: [s]}]}
      WHEN (s.at = acc.runs[-1].at OR (s.correction AND NOT s.explicit)) AND size(acc.runs[-1].items) > 0 THEN
        // a correction: the former value was never true, the new one takes its place from its beginning
        acc{.side, .ends, void: acc.void + [x IN acc.runs[-1].items | x{.*, why: 'corrected', by: s.episode.id, index: size(acc.runs) - 1}],
            runs: acc.runs[..-1] + [last IN acc.runs[-1..] | {value: s.value, at: last.at, precision: last.precision,
                  until: s.until, trust: s.trust, why: 'ended', items: [s], before: last.before}]}
      WHEN s.until IS NOT NULL AND (acc.runs[-1].until IS NULL OR acc.runs[-1].until > s.until) THEN
        // a bounded stay inside a longer one: the longer one goes on afterwards
        acc{.side, .void, .ends, runs: acc.runs[..-1] + [last IN acc.runs[-1..] |
              last{.*, until: s.at, why: 'interrupted', by: s.episode.id, closer: s.id}]
            + [{value: s.value, at: s.at, precision: s.precision, until: s.until, trust: s.trust, why: 'ended',
                items: [s], before: size(acc.runs) - 1}]
            + [last IN acc.runs[-1..] | last{.*, at: s.until, items: [], source: coalesce(last.source, size(acc.runs) - 1)}]}
      ELSE
        acc{.side, .void, .ends, runs: acc.runs[..-1] + [last IN acc.runs[-1..] |
              last{.*, until: s.at, why: 'replaced', by: s.episode.id, closer: s.id}]
            + [{value: s.value, at: s.at, precision: s.precision, until: s.until, trust: s.trust, why: 'ended',
                items: [s], before: size(acc.runs) - 1}]}
    END)
  LET runs = folded.runs
  // one segment becomes one fact: the n-th stay of a value is the fact `slot#value#n`
  LET lane_runs = [i IN range(0, size(runs) - 1) |
        {lane: 'run', index: i, value: runs[i].value, run: runs[i], items: runs[i].items + [e IN folded.ends WHERE e.index = i | e.item],
         n: size([j IN range(0, i - 1) WHERE runs[j].value = runs[i].value])}]
  LET idle = [e IN folded.ends WHERE e.index IS NULL | e]
  // a value beside the settled ones ends where it is taken back, or where another one begins
  LET sides = [r IN folded.side | r{.*, taken_back: head([e IN idle
        WHERE e.value = r.value AND e.item.at > r.at AND e.item.trust >= r.trust | e.item])}]
  LET lane_side = [i IN range(0, size(sides) - 1) |
        {lane: 'side', index: null, value: sides[i].value,
         items: sides[i].items + [x IN [sides[i].taken_back] WHERE x IS NOT NULL
                AND NOT any(j IN range(i + 1, size(sides) - 1) WHERE sides[j].taken_back.id = x.id)],
         run: [r IN [sides[i]] | r{.*, until: reduce(end = r.until, x IN runs + [t IN [r.taken_back] WHERE t IS NOT NULL] |
                 CASE WHEN x.at > r.at AND (end IS NULL OR x.at < end) THEN x.at ELSE end END),
               ended: CASE WHEN r.taken_back IS NOT NULL THEN 'retracted' END, by: r.taken_back.episode.id,
               closer: r.taken_back.id}][0],
         n: size([r IN runs WHERE r.value = sides[i].value])
            + size([j IN range(0, i - 1) WHERE sides[j].value = sides[i].value])}]
  LET never = folded.void
  LET voided = reduce(seen = [], x IN never | CASE WHEN x.value IN seen THEN seen ELSE seen + [x.value] END)
  LET lane_void = [v IN voided |
        {lane: 'void', index: null, value: v, items: [x IN never WHERE x.value = v],
         run: {value: v, at: [x IN never WHERE x.value = v][0].at, precision: [x IN never WHERE x.value = v][0].precision,
               until: [x IN never WHERE x.value = v][0].until, why: [x IN never WHERE x.value = v][0].why,
               by: [x IN never WHERE x.value = v][0].by, voided_by: [x IN never WHERE x.value = v][0].index},
         n: size([r IN runs WHERE r.value = v]) + size([r IN folded.side WHERE r.value = v])}]
  LET waiting = reduce(seen = [], x IN idle | CASE WHEN x.value IN seen OR x.value IN voided
        OR any(r IN runs + sides WHERE r.value = x.value) THEN seen ELSE seen + [x.value] END)
  LET lane_wait = [v IN waiting |
        {lane: 'wait', index: null, value: v, items: [x IN idle WHERE x.value = v | x.item], n: 0,
         run: {value: v, at: [x IN idle WHERE x.value = v][0].item.at, precision: 'instant', why: 'waiting'}}]
  RETURN lane_runs + lane_side + lane_void + lane_wait AS segments, runs, [e IN folded.ends WHERE e.denied] AS denials
}
CALL (slot, segments, runs) {
  UNWIND CASE WHEN size(segments) = 0 THEN [] ELSE range(0, size(segments) - 1) END AS i
  LET segment = segments[i]
  LET home = coalesce(head([x IN segment.items | x.fact]), head([x IN runs[segment.run.source].items | x.fact]))
  MERGE (t:Fact {run_key: slot.key + '#' + segment.value + '#' + toString(segment.n)})
  ON CREATE SET t.id = slot.spare_ids[i]
  WITH slot, segment, runs, home, t
  CALL (slot, segment, home, t) { // another stay of a value that is already known
    WITH slot, segment, home, t WHERE t.slot_key IS NULL
    LET known = properties(home)
    SET t += known{.*, id: t.id, run_key: t.run_key, created_at: $now, updated_at: $now, commit_id: $commit_id,
                   version: 0, access_count: 0, last_accessed_at: null, expired_at: null}
    WITH home, t
    MATCH (home)-[:SUBJECT]->(subject:Entity)
    MERGE (t)-[:SUBJECT]->(subject)
    WITH home, t
    MATCH (home)-[:OBJECT]->(object:Entity)
    MERGE (t)-[:OBJECT]->(object)
  }
  CALL (segment, t) { // its statements move to it
    UNWIND segment.items AS item
    WITH item, t WHERE item.fact <> t
    LET edge = item.edge, episode = item.episode, said = item.words
    CREATE (t)-[moved:DERIVED_FROM]->(episode)
    SET moved = said
    DELETE edge
  }
  CALL (segment, runs, t) { // a stay that resumes rests on the same sources
    UNWIND CASE WHEN segment.lane = 'run' AND size(segment.run.items) = 0
                THEN runs[segment.run.source].items ELSE [] END AS item
    LET episode = item.episode, said = item.words // the edge itself may have moved above
    CREATE (t)-[copy:DERIVED_FROM]->(episode)
    SET copy = said{.*, id: said.id + '+', continued: true}
  }
  LET ended = CASE segment.lane WHEN 'void' THEN coalesce(t.expired_at, $now) END
  LET end_reason = CASE WHEN segment.run.until IS NOT NULL OR segment.lane IN ['void', 'wait'] THEN coalesce(segment.run.ended, segment.run.why) END
  LET state = CASE WHEN segment.lane = 'void' THEN 'expired' WHEN segment.lane = 'wait' THEN 'retraction'
                   WHEN t.status <> 'active' THEN t.status WHEN t.approval <> 'approved' THEN t.approval
                   WHEN t.learning_state = 'candidate' AND segment.run.trust < 2 THEN 'candidate' ELSE 'live' END
  LET learning_state = CASE WHEN segment.run.trust = 2 AND t.learning_state = 'candidate' THEN 'stated'
                            ELSE t.learning_state END
  LET held_until = coalesce(segment.run.until, datetime('9999-12-31T23:59:59Z'))
  LET valid_to = CASE WHEN t.expires_at < held_until THEN t.expires_at ELSE held_until END
  CALL (segment, t, ended, end_reason, state, learning_state, valid_to) {
    WITH segment, t, ended, end_reason, state, learning_state, valid_to
    WHERE t.version = 0 OR t.valid_at <> segment.run.at OR t.state <> state OR t.learning_state <> learning_state
       OR t.valid_to <> valid_to
       OR coalesce(t.invalid_at, t.created_at) <> coalesce(segment.run.until, t.created_at)
       OR (t.invalid_at IS NULL) <> (segment.run.until IS NULL)
       OR (t.expired_at IS NULL) <> (ended IS NULL) OR coalesce(t.end_reason, '') <> coalesce(end_reason, '')
    SET t.valid_at = segment.run.at, t.valid_at_precision = segment.run.precision, t.invalid_at = segment.run.until,
        t.valid_from = segment.run.at, t.valid_to = valid_to,
        t.expired_at = ended, t.end_reason = end_reason, t.ended_by = segment.run.by, t.closer = segment.run.closer,
        t.state = state, t.learning_state = learning_state, t.version = t.version + 1,
        t.known_since = coalesce(t.known_since, []) + [$now], t.known_from = coalesce(t.known_from, []) + [segment.run.at],
        t.known_until = coalesce(t.known_until, []) + [CASE WHEN state IN ['expired', 'retraction'] THEN segment.run.at
                                                            ELSE coalesce(segment.run.until, datetime('9999-12-31T23:59:59Z')) END],
        t.updated_at = CASE WHEN t.version = 0 THEN t.updated_at ELSE $now END, t.changed_commit = $commit_id
  }
  RETURN collect({segment: segment, fact: t}) AS settled
}
CALL (slot, settled) { // facts whose last statement is gone go with it
  MATCH (f:Fact {slot_key: slot.key})
  WHERE f.owner_key = $owner_key AND NOT EXISTS { (f)-[:DERIVED_FROM]->() }
  CALL (f) { // and so do their disputes, which have lost a side
    MATCH (f)<-[:CONTRADICTS]-(c:Contradiction)-[:CONTRADICTS]->(other:Fact)
    DETACH DELETE c
    WITH DISTINCT other
    SET other.disputed = EXISTS { MATCH (other)<-[:CONTRADICTS]-(:Contradiction {state: 'open'}) }
  }
  DETACH DELETE f
}
CALL (settled) { // which fact took whose place, and why
  UNWIND settled AS older
  LET held = older.fact
  OPTIONAL MATCH (former:Fact)-[edge:SUPERSEDES]->(held)
  LET successor = head([x IN settled WHERE x.segment.lane = 'run' AND (
        (older.segment.lane = 'run' AND older.segment.run.closer IS NOT NULL
           AND any(item IN x.segment.items WHERE item.id = older.segment.run.closer AND item.event = 'assert'))
        OR (older.segment.lane = 'void' AND x.segment.index = older.segment.run.voided_by)) | x.fact])
  LET taker = former // the fact that held the place before this settling
  CALL (edge, taker, successor) { WITH edge, taker, successor WHERE edge IS NOT NULL AND (successor IS NULL OR taker <> successor) DELETE edge }
  LET fact = older.fact, run = older.segment.run, lane = older.segment.lane
  CALL (fact, run, lane, successor) {
    WITH fact, run, lane, successor WHERE successor IS NOT NULL
    MERGE (successor)-[s:SUPERSEDES]->(fact)
    ON CREATE SET s.at = $now, s.commit_id = $commit_id
    SET s.reason = CASE lane WHEN 'void' THEN 'corrected' ELSE run.why END, s.by_episode = run.by
  }
}
CALL (slot, settled, denials) { // denials of a value said at the same time, which have slots of their own
  UNWIND denials AS denial
  LET object_key = split(denial.value, '|+|')[1], episode = denial.item.episode
  MATCH (a:Fact {slot_key: slot.key + '|' + object_key})-[d:DERIVED_FROM]->(episode)
  WHERE a.owner_key = $owner_key AND NOT a.polarity AND d.withdrawn_by IS NULL
  LET b = head([y IN settled WHERE y.segment.lane = 'run' AND y.segment.index = denial.index | y.fact])
  RETURN collect(DISTINCT {a: a, b: b, why: 'denied'}) AS denied
}
LET pairs = [p IN denied + [x IN settled WHERE x.segment.lane = 'side' AND x.segment.run.trust > 0 |
      {a: x.fact, why: x.segment.run.why,
       b: head([y IN settled WHERE y.segment.lane = 'run' AND y.segment.index = x.segment.run.against | y.fact])}]
      // what someone has hidden disputes nothing; what has only faded still does
      WHERE p.b IS NOT NULL AND all(side IN [p.a, p.b] WHERE side.status = 'active' OR side.archived_reason IS NOT NULL) | p]
CALL (settled, pairs) { // disputes that later statements have settled
  UNWIND settled AS x
  LET fact = x.fact
  MATCH (fact)<-[:CONTRADICTS]-(c:Contradiction {state: 'open'})-[:CONTRADICTS]->(other:Fact)
  WHERE NOT any(p IN pairs WHERE (p.a = fact AND p.b = other) OR (p.b = fact AND p.a = other))
    AND (c.kind <> 'denied' OR fact.polarity) // what it denies decides about it
  LET hidden = any(side IN [fact, other] WHERE side.status <> 'active' AND side.archived_reason IS NULL)
  SET c.state = 'resolved', c.resolved_at = $now,
      c.resolution = CASE WHEN hidden THEN 'a side was archived' ELSE 'settled by a later statement' END
  WITH DISTINCT other
  SET other.disputed = EXISTS { MATCH (other)<-[:CONTRADICTS]-(:Contradiction {state: 'open'}) }
}
CALL (pairs) { // what time and trust cannot order is an open contradiction, unless someone let both stand
  UNWIND pairs AS p
  LET fact = p.a, rival = p.b, why = p.why
  WITH fact, rival, why
  WHERE NOT EXISTS { MATCH (fact)<-[:CONTRADICTS]-(:Contradiction {resolution: 'keep_both'})-[:CONTRADICTS]->(rival) }
  MERGE (fact)<-[:CONTRADICTS]-(c:Contradiction {state: 'open'})-[:CONTRADICTS]->(rival)
  ON CREATE SET c.id = randomUUID(), c.owner_key = $owner_key, c.store_id = $store_id, c.detected_at = $now,
                c.created_at = $now, c.kind = why, c.commit_id = $commit_id
  SET fact.disputed = true
}
CALL (settled) {
  UNWIND settled AS x
  LET fact = x.fact
  SET fact.disputed = EXISTS { MATCH (fact)<-[:CONTRADICTS]-(:Contradiction {state: 'open'}) }
}
RETURN slot.key AS slot_key
