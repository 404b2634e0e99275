// does:    Candidates of one recall: vector, full-text and graph arms, fused, with what the gate and the answer need.
// mode:    read
// scope:   owner
// param:   store_id        string         a store that is not there gives no row
// param:   owner_keys      list<string>   the only owners that may be read
// param:   kinds           list<string>   fact, note, episode
// param:   vector          list<float>    of the query, or null for no vector arm
// param:   fulltext        string         Lucene query that requires an owner token, or null
// param:   terms           list<string>   the query's words and bigrams, folded, for coverage
// param:   term_weights    list<float>    how much of a word each is: 1 for a word
// param:   patterns        list<string>   regular expressions for words that the index cannot hold
// param:   entity_keys     list<string>   name keys that the query may hold
// param:   first_names     list<string>   beginnings of names that it may hold
// param:   query_words     string         its words, each between blanks
// param:   query_text      string         its text, folded, a blank between words, before and behind
// param:   asked           list<map>      relations that it asks for: sense, weight
// param:   relative        map            whom it names by what they are to another: steps (relations), words, asker (identity, null: to
//                                         whom it names), only (whether it is about nobody else); or null
// param:   oneself         string         identity of the owner's own entity where the query is about the owner, or null
// param:   narrow          map            agent_id, session_id, route_id (null: any), or null for the whole owner
// param:   filter          map            conditions and gates (graphmem/retrieve/conditions.py), or null for no filter
// param:   states          list<string>   states that may be recalled
// param:   starts_by       datetime       valid from then or before
// param:   ends_after      datetime       valid until after then
// param:   known_by        datetime       stored by then
// param:   known_at        datetime       what the store believed then, or null for now
// param:   as_of           datetime       with known_at: true then; null for any time
// param:   hops            integer        0 to 3
// param:   k               integer        candidates of one arm and kind
// param:   nearest         integer        asked of the vector index: more than k for several kinds, or where many may be filtered out
// param:   compared        integer        of so many the vector index says how near they are
// param:   keep            integer        candidates given back
// param:   weights         map            vector, keyword, graph, relation, time, speaker; beside: how much of an episode's vector score its neighbours make
// param:   period          map            from, until: the time that the query speaks of, or null
// param:   ranking         string         none, recent, important
// param:   now             datetime       for retention and freshness
// returns: settings        string         JSON, the store's
// returns: audit_key       string         the store's, for the hash of the query
// returns: candidates      list<map>      kind, memory, score, scores, path, subject, object, sources, rival, retention, stale
//
// Scope, kind, state and validity are filters inside the vector index, and applied to full-text hits before any is cut
// off, so a small scope gets its full top-k. What a narrowed scope (agent, session, route) or a filter leaves is
// collected first (`within`), and every arm looks only there, exactly. An episode is stale when most of what it states
// has been replaced since. Vector score: cosine, 0 when negative; of an episode also its neighbours' (docs/decisions/0013).
// Keyword score: the share of the query's terms, weighed by what they tell, that the text holds, and with what stands
// beside it, there times BM25 against the best of the arm: BM25 alone means nothing across corpora.
CYPHER 25
MATCH (store:Store {id: $store_id})
CALL (store) {
CALL () { // whom the query names, by name or alias; of several bearers of a name those whose context it speaks of
  UNWIND $owner_keys AS owner_key
  CALL (owner_key) {
    MATCH (e:Entity {owner_key: owner_key}) WHERE e.name_key IN $entity_keys RETURN e, e.name_key AS key
    UNION
    MATCH (a:Alias {owner_key: owner_key})-[:NAMES]->(e:Entity) WHERE a.name_key IN $entity_keys RETURN e, a.name_key AS key
  }
  LET spoken = size([w IN coalesce(e.qualifier_words, []) WHERE $query_words CONTAINS w])
  MATCH (e)-[:SAME_AS*0..8 {active: true}]->(root:Entity) WHERE root.merged_into IS NULL
  WITH owner_key, key, collect({entity: root, spoken: spoken}) AS bearers, max(spoken) AS best
  UNWIND bearers AS bearer
  FILTER bearer.spoken = best
  RETURN collect(DISTINCT bearer.entity) AS called, collect(DISTINCT key) AS called_keys,
         collect(CASE WHEN key <> bearer.entity.name_key THEN {entity: bearer.entity, key: key} END) AS by_alias
}
CALL (called_keys) { // a first name means the only person who has it
  UNWIND $owner_keys AS owner_key
  UNWIND [first IN $first_names WHERE NOT trim(first) IN called_keys
            AND NOT any(key IN called_keys WHERE key STARTS WITH first)] AS first
  CALL (owner_key, first) {
    MATCH (e:Entity {owner_key: owner_key}) WHERE e.name_key STARTS WITH first
      AND (first ENDS WITH ' ' AND coalesce(e.type, 'person') = 'person'
           OR e.type = 'person' AND size(e.name_key) <= size(first) + 3)
    RETURN e LIMIT 20
  }
  MATCH (e)-[:SAME_AS*0..8 {active: true}]->(root:Entity) WHERE root.merged_into IS NULL
  WITH owner_key, first, collect(DISTINCT root) AS bearers
  FILTER size(bearers) = 1
  RETURN collect(DISTINCT bearers[0]) AS by_first_name
}
LET by_name = called + [e IN by_first_name WHERE NOT e IN called]
CALL (by_name) { // whom it names by what they are to the asker or to whom it names: "my brother's wife"
  WHEN size($relative.steps) > 0 THEN {
    CALL (by_name) {
      UNWIND CASE WHEN $relative.asker IS NULL THEN by_name ELSE [] END AS e
      RETURN e
      UNION
      MATCH (own:Entity {identity_key: $relative.asker}) WHERE own.owner_key IN $owner_keys
      MATCH (own)-[:SAME_AS*0..8 {active: true}]->(e:Entity) WHERE e.merged_into IS NULL
      RETURN e
    }
    UNWIND $relative.steps[0] AS sense
    MATCH (f:Fact {owner_key: e.owner_key, sense: sense})-[:SUBJECT]->(e)
    WHERE f.polarity AND f.state IN $states AND f.valid_from <= $starts_by AND f.valid_to > $ends_after AND f.created_at <= $known_by
    MATCH (f)-[:OBJECT]->(one:Entity)
    WITH one, head(collect([e.name, f.predicate, one.name])) AS path, collect(f) AS links LIMIT 5
    CALL (one, path, links) {
      WHEN size($relative.steps) = 1 THEN { RETURN one AS other, path AS way, links AS facts }
      ELSE {
        UNWIND $relative.steps[1] AS sense
        MATCH (f:Fact {owner_key: one.owner_key, sense: sense})-[:SUBJECT]->(one)
        WHERE f.polarity AND f.state IN $states AND f.valid_from <= $starts_by AND f.valid_to > $ends_after AND f.created_at <= $known_by
        MATCH (f)-[:OBJECT]->(other:Entity)
        RETURN other, path + [f.predicate, other.name] AS way, links + [f] AS facts
      }
    }
    WITH other, head(collect(way)) AS way, head(collect(facts)) AS facts LIMIT 5
    RETURN collect({entity: other, path: way, facts: facts}) AS relatives
  } ELSE {
    RETURN [] AS relatives
  }
}
LET related_ones = [r IN relatives | r.entity]
LET everyone = by_name + [e IN related_ones WHERE NOT e IN by_name]
// about whom it asks; of a relative of somebody of whom no fact tells who that is, nothing is asked
LET asked_of = CASE WHEN $relative IS NULL OR ($relative.asker IS NOT NULL AND size(by_name) > 0) THEN by_name ELSE related_ones END
LET only_of = CASE WHEN $relative.only AND size(related_ones) > 0 THEN asked_of ELSE [] END
CALL () { // whom the filter names, and who is the same: ids with the name that stands for them
  UNWIND $owner_keys AS owner_key
  UNWIND coalesce($filter.names, []) AS name
  CALL (owner_key, name) {
    MATCH (e:Entity {owner_key: owner_key}) WHERE e.name_key = name.key
      AND (name.qualifier IS NULL OR e.qualifier_key = name.qualifier) RETURN e
    UNION
    MATCH (a:Alias {owner_key: owner_key})-[:NAMES]->(e:Entity) WHERE a.name_key = name.key
      AND (name.qualifier IS NULL OR e.qualifier_key = name.qualifier) RETURN e
    UNION
    MATCH (e:Entity {owner_key: owner_key}) WHERE e.id = name.id RETURN e
    UNION
    MATCH (e:Entity) WHERE e.identity_key IN name.actors AND e.owner_key = owner_key RETURN e
  }
  MATCH (e)-[:SAME_AS*0..8 {active: true}]->(root:Entity) WHERE root.merged_into IS NULL
  MATCH (bearer:Entity)-[:SAME_AS*0..8 {active: true}]->(root)
  RETURN collect(DISTINCT {id: bearer.id, name: name.id}) AS bearers
}
CALL (bearers) { // what the narrowed scope and the filter leave; null where neither is given
  WHEN $narrow IS NULL AND $filter IS NULL THEN { RETURN null AS within }
  ELSE {
    UNWIND $owner_keys AS owner_key
    CALL (owner_key) {
      WHEN $narrow IS NULL THEN {
        MATCH (n:Fact {owner_key: owner_key}) WHERE n.id > '' RETURN n
        UNION ALL
        MATCH (n:Episode {owner_key: owner_key}) WHERE n.id > '' RETURN n
        UNION ALL
        MATCH (n:Note {owner_key: owner_key}) WHERE n.id > '' RETURN n
      } ELSE {
        MATCH (e:Episode {owner_key: owner_key})
        WHERE e.id > '' AND ($narrow.session_id IS NULL OR e.session_id = $narrow.session_id)
          AND ($narrow.agent_id IS NULL OR e.agent_id = $narrow.agent_id)
          AND ($narrow.route_id IS NULL OR e.route_id = $narrow.route_id)
        RETURN e AS n
        UNION
        MATCH (e:Episode {owner_key: owner_key})<-[:DERIVED_FROM]-(n:Fact|Note)
        WHERE e.id > '' AND ($narrow.session_id IS NULL OR e.session_id = $narrow.session_id)
          AND ($narrow.agent_id IS NULL OR e.agent_id = $narrow.agent_id)
          AND ($narrow.route_id IS NULL OR e.route_id = $narrow.route_id)
        RETURN n
        UNION
        MATCH (n:Note {owner_key: owner_key})
        WHERE n.id > '' AND ($narrow.session_id IS NULL OR n.session_id = $narrow.session_id)
          AND ($narrow.agent_id IS NULL OR n.agent_id = $narrow.agent_id)
          AND ($narrow.route_id IS NULL OR n.route_id = $narrow.route_id)
        RETURN n
      }
    }
    WITH n, bearers WHERE n.owner_key IN $owner_keys AND n.kind IN $kinds AND n.state IN $states
      AND n.valid_from <= $starts_by AND n.valid_to > $ends_after AND n.created_at <= $known_by
    // as the answer shows it: at known_at the interval that was believed then
    LET version = CASE WHEN $known_at IS NULL OR n.known_since IS NULL THEN null
                       ELSE size([since IN n.known_since WHERE since <= $known_at]) - 1 END
    LET until_then = CASE WHEN version >= 0 THEN n.known_until[version] END
    LET said = CASE WHEN NOT $filter.sources THEN []
                    WHEN n.kind = 'episode' THEN [n{.source_id, .source_type, .session_id, .occurred_at}]
                    ELSE [n{.session_id}] + COLLECT {
                      MATCH (n)-[d:DERIVED_FROM]->(e:Episode)
                      WHERE d.withdrawn_by IS NULL AND coalesce(d.event, 'assert') = 'assert'
                      RETURN e{.source_id, .source_type, .session_id, .occurred_at} } END
    LET about = CASE WHEN NOT $filter.entities THEN []
                     ELSE COLLECT { MATCH (n)-[r:SUBJECT|OBJECT|ABOUT]->(e:Entity) RETURN {part: type(r), id: e.id} } END
    LET holds = [c IN $filter.conditions | c.negated <> coalesce(any(v IN CASE c.field
          WHEN 'kind' THEN [n.kind]
          WHEN 'category' THEN [n.category]
          WHEN 'layer' THEN [n.layer]
          WHEN 'tags' THEN n.tags
          WHEN 'status' THEN [CASE WHEN n.kind <> 'episode' THEN n.status WHEN n.state = 'archived' THEN 'archived' ELSE 'active' END]
          WHEN 'learning_state' THEN [n.learning_state]
          WHEN 'approval' THEN [n.approval]
          WHEN 'pinned' THEN [coalesce(n.pinned, false)]
          WHEN 'disputed' THEN [coalesce(n.disputed, false)]
          WHEN 'importance' THEN [n.importance]
          WHEN 'confidence' THEN [n.confidence]
          WHEN 'predicate' THEN [n.sense]
          WHEN 'valid_at' THEN [CASE WHEN n.kind = 'episode' THEN n.occurred_at WHEN version >= 0 THEN n.known_from[version] ELSE n.valid_at END]
          WHEN 'invalid_at' THEN [CASE WHEN version IS NULL THEN n.invalid_at
                                       WHEN until_then < datetime('9999-12-31T23:59:59Z') THEN until_then END]
          WHEN 'created_at' THEN [n.created_at]
          WHEN 'updated_at' THEN [n.updated_at]
          WHEN 'occurred_at' THEN [s IN said | s.occurred_at]
          WHEN 'source_id' THEN [s IN said | s.source_id]
          WHEN 'source_type' THEN [s IN said | s.source_type]
          WHEN 'session_id' THEN [s IN said | s.session_id]
          WHEN 'entity' THEN [a IN about | a.id]
          WHEN 'subject' THEN [a IN about WHERE a.part = 'SUBJECT' | a.id]
          WHEN 'object' THEN [a IN about WHERE a.part = 'OBJECT' | a.id] END
        WHERE CASE c.op
          WHEN 'in' THEN v IN c.value
          WHEN 'lt' THEN v < c.value
          WHEN 'lte' THEN v <= c.value
          WHEN 'gt' THEN v > c.value
          WHEN 'gte' THEN v >= c.value
          WHEN 'during' THEN v >= c.value AND v < c.until
          WHEN 'named' THEN any(b IN bearers WHERE b.id = v AND b.name IN c.value)
          ELSE v IS NOT NULL END), false)]
    FILTER $known_at IS NULL OR n.known_since IS NULL
        OR (version >= 0 AND ($as_of IS NULL OR (n.known_from[version] <= $as_of AND until_then > $as_of)))
    FILTER $filter IS NULL OR reduce(known = holds, g IN $filter.gates | known +
        CASE g.op WHEN 'all' THEN all(i IN g.of WHERE known[i]) ELSE any(i IN g.of WHERE known[i]) END)[-1]
    RETURN collect(n) AS within
  }
}
CALL () { // what it asks for, and relations of the store's own that it names
  WHEN $weights.relation > 0.0 AND 'fact' IN $kinds THEN {
    OPTIONAL MATCH (p:Predicate {store_id: $store_id}) WHERE p.version IS NOT NULL AND size(p.name) > 1
      AND ($query_text CONTAINS ' ' + toLower(replace(p.name, '_', ' ')) + ' '
           OR p.name =~ '.*[\\u3040-\\u30ff\\u3400-\\u9fff].*' AND $query_text CONTAINS toLower(p.name))
    RETURN $asked + collect(DISTINCT CASE WHEN p IS NOT NULL THEN {sense: p.sense, weight: 0.7} END) AS asked
  } ELSE {
    RETURN [] AS asked
  }
}
CALL (asked_of, asked, within) { // facts of those relations, about whom it names or the owner: more as subject than as object
  WHEN size(asked) > 0 THEN {
    CALL (asked_of) {
      UNWIND asked_of AS e
      RETURN e
      UNION
      MATCH (own:Entity {identity_key: $oneself}) WHERE own.owner_key IN $owner_keys
      MATCH (own)-[:SAME_AS*0..8 {active: true}]->(e:Entity) WHERE e.merged_into IS NULL
      RETURN e
    }
    CALL (e, asked) { // of whom much is known, by what is asked
      WHEN COUNT { (e)<-[:SUBJECT|OBJECT]-() } > 500 THEN {
        UNWIND asked AS a
        MATCH (n:Fact {owner_key: e.owner_key, sense: a.sense})-[r:SUBJECT|OBJECT]->(e)
        RETURN n, CASE type(r) WHEN 'SUBJECT' THEN a.weight ELSE 0.5 * a.weight END AS weight
      } ELSE {
        MATCH (e)<-[r:SUBJECT|OBJECT]-(n:Fact)
        UNWIND [a IN asked WHERE a.sense = n.sense] AS a
        RETURN n, CASE type(r) WHEN 'SUBJECT' THEN a.weight ELSE 0.5 * a.weight END AS weight
      }
    }
    WITH e, n, weight WHERE n.state IN $states AND n.valid_from <= $starts_by AND n.valid_to > $ends_after
      AND n.created_at <= $known_by AND (within IS NULL OR n IN within)
    WITH e, n.sense AS sense, collect({n: n, weight: weight}) AS same
    UNWIND same AS one // each of many values is less of the answer
    WITH one.n AS n, max(one.weight / sqrt(size(same))) AS weight
    ORDER BY weight DESC, n.valid_from DESC LIMIT $k
    RETURN collect({n: n, weight: weight}) AS related
  } ELSE {
    RETURN [] AS related
  }
}
CALL (within) { // how near they are: the index says it of a thousand in the time in which thirty vectors are read
  WHEN $vector IS NOT NULL AND within IS NULL THEN { // one search for all kinds: each costs as much as all of them
    MATCH (n:Fact|Note|Episode)
      SEARCH n IN (
        VECTOR INDEX memory_embedding
        FOR $vector
        WHERE n.owner_key IN $owner_keys AND n.kind IN $kinds AND n.state IN $states
          AND n.valid_from <= $starts_by AND n.valid_to > $ends_after AND n.created_at <= $known_by
        LIMIT $compared
      ) SCORE AS similarity
    WITH n, 2 * similarity - 1 AS cosine ORDER BY cosine DESC
    RETURN collect({n: n, cosine: cosine}) AS compared
  } ELSE {
    RETURN [] AS compared
  }
}
CALL (everyone, by_alias, relatives, within, compared, related) {
  CALL (within, compared) {
  WHEN $vector IS NOT NULL AND within IS NULL THEN {
    UNWIND compared[..$nearest] AS hit
    RETURN hit.n AS n, CASE WHEN hit.cosine > 0 THEN hit.cosine ELSE 0.0 END AS vector, 0.0 AS keyword, 0.0 AS graph,
           null AS path
  } WHEN $vector IS NOT NULL THEN {
    UNWIND $kinds AS kind
    CALL (kind, within) { // of many that are left, $k are likely among the $nearest of all, and then they are the nearest
      WHEN size(within) > 1000 THEN {
        MATCH (n:Fact|Note|Episode)
          SEARCH n IN (
            VECTOR INDEX memory_embedding
            FOR $vector
            WHERE n.owner_key IN $owner_keys AND n.kind = kind AND n.state IN $states
              AND n.valid_from <= $starts_by AND n.valid_to > $ends_after AND n.created_at <= $known_by
            LIMIT $nearest
          ) SCORE AS similarity
        WITH n, similarity, within WHERE n IN within
        ORDER BY similarity DESC LIMIT $k
        RETURN collect({n: n, cosine: 2 * similarity - 1}) AS near
      } ELSE {
        RETURN [] AS near
      }
    }
    CALL (kind, within, near) {
      WHEN size(near) = $k THEN {
        UNWIND near AS hit
        RETURN hit.n AS n, hit.cosine AS cosine
      } ELSE {
        UNWIND within AS n
        WITH n, kind WHERE n.kind = kind AND n.embedding IS NOT NULL
        LET cosine = 2 * vector.similarity.cosine(n.embedding, $vector) - 1
        ORDER BY cosine DESC LIMIT $k
        RETURN n, cosine
      }
    }
    RETURN n, CASE WHEN cosine > 0 THEN cosine ELSE 0.0 END AS vector, 0.0 AS keyword, 0.0 AS graph, null AS path
  } ELSE {
    UNWIND [] AS n
    RETURN n, 0.0 AS vector, 0.0 AS keyword, 0.0 AS graph, null AS path
  }
  }
  RETURN n, vector, keyword, graph, path
  UNION ALL
  CALL (within) {
  WHEN $fulltext IS NOT NULL THEN {
    CALL db.index.fulltext.queryNodes('memory_text', $fulltext) YIELD node AS n, score // no limit before the filters
    WHERE (within IS NULL OR n IN within) AND n.owner_key IN $owner_keys AND n.kind IN $kinds AND n.state IN $states
      AND n.valid_from <= $starts_by AND n.valid_to > $ends_after AND n.created_at <= $known_by
    WITH n, score LIMIT 5 * $k
    WITH collect({n: n, score: score, held: toLower(n.search), beside: toLower(n.search + ' ' + coalesce(n.context, ''))}) AS hits,
         max(score) AS best
    // how much a term tells: rare ones among the hits tell most (the idf of BM25)
    LET holders = [t IN $terms | size([h IN hits WHERE h.held CONTAINS t])]
    LET weights = [i IN range(0, size($terms) - 1) |
                   $term_weights[i] * log(1.0 + (size(hits) + 10 - holders[i] + 0.5) / (holders[i] + 0.5))]
    LET all_weight = reduce(sum = 0.000001, w IN weights | sum + w)
    UNWIND hits AS hit
    LET n = hit.n
    LET own = reduce(sum = 0.0, i IN range(0, size($terms) - 1) |
                     sum + CASE WHEN hit.held CONTAINS $terms[i] THEN weights[i] ELSE 0.0 END) / all_weight
    LET around = reduce(sum = 0.0, i IN range(0, size($terms) - 1) |
                        sum + CASE WHEN hit.beside CONTAINS $terms[i] THEN weights[i] ELSE 0.0 END) / all_weight
    RETURN n, 0.0 AS vector, 0.5 * own + 0.5 * around * hit.score / best AS keyword, 0.0 AS graph, null AS path
  } ELSE {
    UNWIND [] AS n
    RETURN n, 0.0 AS vector, 0.0 AS keyword, 0.0 AS graph, null AS path
  }
  }
  RETURN n, vector, keyword, graph, path
  UNION ALL
  UNWIND $patterns AS pattern
  UNWIND $owner_keys AS owner_key
  CALL (owner_key, pattern) {
    MATCH (n:Fact {owner_key: owner_key}) WHERE n.id > '' AND n.search =~ pattern RETURN n
    UNION
    MATCH (n:Episode {owner_key: owner_key}) WHERE n.id > '' AND n.search =~ pattern RETURN n
    UNION
    MATCH (n:Note {owner_key: owner_key}) WHERE n.id > '' AND n.search =~ pattern RETURN n
  }
  WITH n, within WHERE n.kind IN $kinds AND n.state IN $states AND n.valid_from <= $starts_by AND n.valid_to > $ends_after
    AND n.created_at <= $known_by AND (within IS NULL OR n IN within)
  RETURN n, 0.0 AS vector, 0.5 AS keyword, 0.0 AS graph, null AS path
  LIMIT $k
  UNION ALL
  CALL (everyone, by_alias, relatives, within) { // spreading activation from whom the query names
  WHEN $weights.graph > 0.0 AND 'fact' IN $kinds AND size(everyone) > 0 THEN {
  LET reach0 = [e IN everyone | {entity: e, activation: 1.0, told: '',
                                path: coalesce(head([r IN relatives WHERE r.entity = e | r.path]), [e.name]),
                                start: toLower(e.name + coalesce(' ' + head([a IN by_alias WHERE a.entity = e | a.key]), '')
                                               + coalesce(head([r IN relatives WHERE r.entity = e | reduce(said = '', word IN r.path + $relative.words | said + ' ' + word)]), ''))}]
  CALL (reach0, relatives, within) { // facts about what is reached, each as near as it fits the query and as what led there
    UNWIND reach0 AS r
    LET e = r.entity
    CALL (e, within) { // with a filter those that it leaves come first; over the others the way may lead on
      MATCH (e)<-[:SUBJECT|OBJECT]-(n:Fact)
      WHERE n.state IN $states AND n.valid_from <= $starts_by AND n.valid_to > $ends_after AND n.created_at <= $known_by
      RETURN n ORDER BY coalesce(n IN within, false) DESC, n.valid_from DESC LIMIT 4 * $k
    }
    LET cosine = CASE WHEN $vector IS NULL OR n.embedding IS NULL THEN 0.0
                      ELSE 2 * vector.similarity.cosine(n.embedding, $vector) - 1 END
    LET fit = CASE WHEN cosine > 0 THEN 0.3 + 0.7 * cosine ELSE 0.3 END
    WITH n, r, r.activation * fit AS graph
    ORDER BY graph DESC
    // what tells who a relative is leads nowhere from there
    LET path = CASE WHEN any(one IN relatives WHERE n IN one.facts) THEN null ELSE r.path + [n.predicate] END
    RETURN collect({n: n, graph: graph, path: path, told: r.told, start: r.start}) AS facts0
  }
  CALL (reach0, facts0) { // and what they lead to: half at each step, less through what everything leads to
    WHEN $hops >= 1 THEN {
      UNWIND facts0[..30] AS f
      LET n = f.n
      MATCH (n)-[:SUBJECT|OBJECT]->(x:Entity) WHERE NOT x.is_actor AND NOT x IN [r IN reach0 | r.entity]
      WITH x, f, f.graph * coalesce(n.retention_score, 1.0) AS led ORDER BY led DESC
      WITH x, max(led) AS led, head(collect(f)) AS best
      LET activation = 0.5 * led / (1.0 + log10(1.0 * COUNT { (x)<-[:SUBJECT|OBJECT]-() }))
      ORDER BY activation DESC LIMIT 20
      RETURN collect({entity: x, activation: activation, path: best.path + [x.name], start: best.start,
                      told: best.told + ' ' + toLower(best.n.search)}) AS reach1
    } ELSE {
      RETURN [] AS reach1
    }
  }
  CALL (reach1, within) { // facts about what is reached, each as near as it fits the query and as what led there
    UNWIND reach1 AS r
    LET e = r.entity
    CALL (e, within) { // with a filter those that it leaves come first; over the others the way may lead on
      MATCH (e)<-[:SUBJECT|OBJECT]-(n:Fact)
      WHERE n.state IN $states AND n.valid_from <= $starts_by AND n.valid_to > $ends_after AND n.created_at <= $known_by
      RETURN n ORDER BY coalesce(n IN within, false) DESC, n.valid_from DESC LIMIT 4 * $k
    }
    LET cosine = CASE WHEN $vector IS NULL OR n.embedding IS NULL THEN 0.0
                      ELSE 2 * vector.similarity.cosine(n.embedding, $vector) - 1 END
    LET fit = CASE WHEN cosine > 0 THEN 0.3 + 0.7 * cosine ELSE 0.3 END
    WITH n, r, r.activation * fit AS graph
    ORDER BY graph DESC
    RETURN collect({n: n, graph: graph, path: r.path + [n.predicate], told: r.told, start: r.start}) AS facts1
  }
  CALL (reach0, reach1, facts1) { // and what they lead to: half at each step, less through what everything leads to
    WHEN $hops >= 2 THEN {
      UNWIND facts1[..30] AS f
      LET n = f.n
      MATCH (n)-[:SUBJECT|OBJECT]->(x:Entity) WHERE NOT x.is_actor AND NOT x IN [r IN reach0 | r.entity] + [r IN reach1 | r.entity]
      WITH x, f, f.graph * coalesce(n.retention_score, 1.0) AS led ORDER BY led DESC
      WITH x, max(led) AS led, head(collect(f)) AS best
      LET activation = 0.5 * led / (1.0 + log10(1.0 * COUNT { (x)<-[:SUBJECT|OBJECT]-() }))
      ORDER BY activation DESC LIMIT 20
      RETURN collect({entity: x, activation: activation, path: best.path + [x.name], start: best.start,
                      told: best.told + ' ' + toLower(best.n.search)}) AS reach2
    } ELSE {
      RETURN [] AS reach2
    }
  }
  CALL (reach2, within) { // facts about what is reached, each as near as it fits the query and as what led there
    UNWIND reach2 AS r
    LET e = r.entity
    CALL (e, within) { // with a filter those that it leaves come first; over the others the way may lead on
      MATCH (e)<-[:SUBJECT|OBJECT]-(n:Fact)
      WHERE n.state IN $states AND n.valid_from <= $starts_by AND n.valid_to > $ends_after AND n.created_at <= $known_by
      RETURN n ORDER BY coalesce(n IN within, false) DESC, n.valid_from DESC LIMIT 4 * $k
    }
    LET cosine = CASE WHEN $vector IS NULL OR n.embedding IS NULL THEN 0.0
                      ELSE 2 * vector.similarity.cosine(n.embedding, $vector) - 1 END
    LET fit = CASE WHEN cosine > 0 THEN 0.3 + 0.7 * cosine ELSE 0.3 END
    WITH n, r, r.activation * fit AS graph
    ORDER BY graph DESC
    RETURN collect({n: n, graph: graph, path: r.path + [n.predicate], told: r.told, start: r.start}) AS facts2
  }
  CALL (reach0, reach1, reach2, facts2) { // and what they lead to: half at each step, less through what everything leads to
    WHEN $hops >= 3 THEN {
      UNWIND facts2[..30] AS f
      LET n = f.n
      MATCH (n)-[:SUBJECT|OBJECT]->(x:Entity) WHERE NOT x.is_actor AND NOT x IN [r IN reach0 | r.entity] + [r IN reach1 | r.entity] + [r IN reach2 | r.entity]
      WITH x, f, f.graph * coalesce(n.retention_score, 1.0) AS led ORDER BY led DESC
      WITH x, max(led) AS led, head(collect(f)) AS best
      LET activation = 0.5 * led / (1.0 + log10(1.0 * COUNT { (x)<-[:SUBJECT|OBJECT]-() }))
      ORDER BY activation DESC LIMIT 20
      RETURN collect({entity: x, activation: activation, path: best.path + [x.name], start: best.start,
                      told: best.told + ' ' + toLower(best.n.search)}) AS reach3
    } ELSE {
      RETURN [] AS reach3
    }
  }
  CALL (reach3, within) { // facts about what is reached, each as near as it fits the query and as what led there
    UNWIND reach3 AS r
    LET e = r.entity
    CALL (e, within) { // with a filter those that it leaves come first; over the others the way may lead on
      MATCH (e)<-[:SUBJECT|OBJECT]-(n:Fact)
      WHERE n.state IN $states AND n.valid_from <= $starts_by AND n.valid_to > $ends_after AND n.created_at <= $known_by
      RETURN n ORDER BY coalesce(n IN within, false) DESC, n.valid_from DESC LIMIT 4 * $k
    }
    LET cosine = CASE WHEN $vector IS NULL OR n.embedding IS NULL THEN 0.0
                      ELSE 2 * vector.similarity.cosine(n.embedding, $vector) - 1 END
    LET fit = CASE WHEN cosine > 0 THEN 0.3 + 0.7 * cosine ELSE 0.3 END
    WITH n, r, r.activation * fit AS graph
    ORDER BY graph DESC
    RETURN collect({n: n, graph: graph, path: r.path + [n.predicate], told: r.told, start: r.start}) AS facts3
  }
  UNWIND facts0 + facts1 + facts2 + facts3 AS f
  LET n = f.n, graph = f.graph, path = f.path
  FILTER within IS NULL OR n IN within
  ORDER BY graph DESC LIMIT 2 * $k
  // the text of a fact holds the name and not the alias: the alias counts as one of its words. Further on, what led
  // there counts where it holds a word that neither the fact nor the name does: then the query asks along that path.
  LET held = toLower(n.search)
  LET asked = [t IN $terms WHERE f.told CONTAINS t AND NOT held CONTAINS t AND NOT f.start CONTAINS t]
  LET counted = CASE WHEN f.told = '' OR size(asked) > 0 THEN held + ' ' + f.start + f.told ELSE '' END
  LET keyword = 0.5 * reduce(sum = 0.0, i IN range(0, size($terms) - 1) | sum + CASE WHEN counted CONTAINS $terms[i] THEN $term_weights[i] ELSE 0.0 END)
                / reduce(sum = 0.000001, w IN $term_weights | sum + w)
  RETURN n, keyword, graph, path
  } ELSE {
    UNWIND [] AS n
    RETURN n, 0.0 AS keyword, 0.0 AS graph, null AS path
  }
  }
  RETURN n, 0.0 AS vector, keyword, graph, path
  UNION ALL
  CALL (within) {
  WHEN $period IS NOT NULL THEN { // what happened, began or was said in the time that the query speaks of, the last first
    UNWIND $owner_keys AS owner_key
    UNWIND $kinds AS kind
    CALL (owner_key, kind, within) {
      WHEN kind = 'fact' THEN {
        MATCH (n:Fact {owner_key: owner_key}) WHERE n.valid_from >= $period.from AND n.valid_from < $period.until
          AND n.state IN $states AND n.valid_from <= $starts_by AND n.valid_to > $ends_after AND n.created_at <= $known_by
          AND (within IS NULL OR n IN within)
        RETURN n ORDER BY n.valid_from DESC LIMIT $k
      } WHEN kind = 'episode' THEN {
        MATCH (n:Episode {owner_key: owner_key}) WHERE n.valid_from >= $period.from AND n.valid_from < $period.until
          AND n.state IN $states AND n.valid_from <= $starts_by AND n.valid_to > $ends_after AND n.created_at <= $known_by
          AND (within IS NULL OR n IN within)
        RETURN n ORDER BY n.valid_from DESC LIMIT $k
      } ELSE {
        MATCH (n:Note {owner_key: owner_key}) WHERE n.valid_from >= $period.from AND n.valid_from < $period.until
          AND n.state IN $states AND n.valid_from <= $starts_by AND n.valid_to > $ends_after AND n.created_at <= $known_by
          AND (within IS NULL OR n IN within)
        RETURN n ORDER BY n.valid_from DESC LIMIT $k
      }
    }
    RETURN n, 0.0 AS vector, 0.0 AS keyword, 0.0 AS graph, null AS path
  } ELSE {
    UNWIND [] AS n
    RETURN n, 0.0 AS vector, 0.0 AS keyword, 0.0 AS graph, null AS path
  }
  }
  RETURN n, vector, keyword, graph, path
  UNION ALL
  UNWIND related AS r
  RETURN r.n AS n, 0.0 AS vector, 0.0 AS keyword, 0.0 AS graph, null AS path
}
WITH n, called, called_keys, only_of, compared, related, max(vector) AS vector, max(keyword) AS keyword, max(graph) AS graph,
     head(collect(path)) AS path
// what was believed at known_at: the last of the fact's own versions that the store had by then
LET version = CASE WHEN $known_at IS NULL OR n.known_since IS NULL THEN null
                   ELSE size([since IN n.known_since WHERE since <= $known_at]) - 1 END
LET from_then = CASE WHEN version >= 0 THEN n.known_from[version] END
LET until_then = CASE WHEN version >= 0 THEN n.known_until[version] END
FILTER $known_at IS NULL OR n.known_since IS NULL
    OR (version >= 0 AND ($as_of IS NULL OR (from_then <= $as_of AND until_then > $as_of)))
WITH called, called_keys, only_of, compared, related, collect({n: n, vector: vector, keyword: keyword, graph: graph, path: path,
     version: version, from_then: from_then, until_then: until_then}) AS found
CALL (found, compared) { // how near each candidate is, and of a turn also what was said just before and after it
  CALL (found, compared) {
    UNWIND range(0, size(found) - 1) AS place
    RETURN found[place].n AS n, CASE WHEN found[place].vector > 0.0 THEN found[place].vector END AS told, place, null AS beside
    UNION ALL
    UNWIND CASE WHEN $weights.beside > 0.0 AND $vector IS NOT NULL THEN range(0, size(found) - 1) ELSE [] END AS beside
    LET said = found[beside].n
    MATCH (said:Episode)-[:NEXT]-(n:Episode) WHERE n.state IN $states AND n.valid_from <= $starts_by
    RETURN n, null AS told, null AS place, beside
    UNION ALL
    UNWIND compared AS hit
    RETURN hit.n AS n, hit.cosine AS told, null AS place, null AS beside
  }
  WITH n, max(told) AS told, max(place) AS place, collect(beside) AS besides
  FILTER place IS NOT NULL OR size(besides) > 0
  LET cosine = CASE WHEN told IS NOT NULL OR $vector IS NULL OR n.embedding IS NULL THEN told
                    ELSE 2 * vector.similarity.cosine(n.embedding, $vector) - 1 END
  LET near = CASE WHEN cosine > 0 THEN cosine WHEN cosine IS NOT NULL OR place IS NOT NULL THEN 0.0 END
  UNWIND [{place: place, own: near}] + [b IN besides | {place: b, beside: near}] AS one
  WITH one WHERE one.place IS NOT NULL
  WITH one.place AS place, max(one.own) AS own, avg(one.beside) AS beside
  RETURN found[place] AS one, CASE WHEN beside IS NULL THEN own
                                   ELSE (1.0 - $weights.beside) * own + $weights.beside * beside END AS near
}
LET n = one.n, keyword = one.keyword, graph = one.graph, path = one.path, version = one.version,
    from_then = one.from_then, until_then = one.until_then
LET spoken = CASE WHEN n.kind = 'episode' AND size(n.name) > 0 AND $query_words CONTAINS ' ' + toLower(n.name) + ' ' THEN 1.0 ELSE 0.0 END
// what is about another bearer of a name, or about another person than the one whom the query names, hardly answers it
LET meant = [e IN called WHERE NOT e.is_actor]
LET held = toLower(coalesce(n.search, ''))
CALL (n, meant, held, graph, called, called_keys, only_of) {
  WHEN size(only_of) > 0 THEN { // of a relative: neither about them nor with a word for them in it or beside it
    LET heard = held + ' ' + toLower(coalesce(n.context, ''))
    RETURN NOT any(e IN only_of WHERE heard CONTAINS e.name_key) AND NOT any(word IN $relative.words WHERE heard CONTAINS word)
           AND NOT EXISTS { MATCH (n)-[:SUBJECT|OBJECT|ABOUT]->(e:Entity) WHERE e IN only_of } AS rival
  }
  WHEN size(meant) = 0 THEN { RETURN false AS rival }
  ELSE {
    MATCH (n)-[:SUBJECT|ABOUT]->(said:Entity)
    CALL (said) { // hardly any is merged, and to walk from each takes as long as all the rest
      WHEN said.merged_into IS NULL THEN { RETURN said AS about }
      ELSE { MATCH (said)-[:SAME_AS*1..8 {active: true}]->(about:Entity) WHERE about.merged_into IS NULL RETURN about }
    }
    WITH collect(DISTINCT about) AS abouts
    RETURN size(abouts) > 0 AND NOT any(about IN abouts WHERE about.is_actor OR about IN called)
      AND (any(about IN abouts WHERE about.name_key IN called_keys)
           OR (graph = 0.0 AND NOT any(key IN called_keys WHERE held CONTAINS key)
               AND any(about IN abouts WHERE any(e IN meant WHERE (about.type = 'person' AND e.type = 'person')
                     OR any(word IN split(about.name_key, ' ') WHERE size(word) > 2 AND NOT word ENDS WITH "'s"
                            AND word IN split(e.name_key, ' ')))))) AS rival
  }
}
LET relation = coalesce(head([r IN related WHERE r.n = n | r.weight]), 0.0)
LET timely = CASE WHEN n.valid_from >= $period.from AND n.valid_from < $period.until THEN 1.0 ELSE 0.0 END
LET total = CASE WHEN rival THEN 0.33 ELSE 1.0 END
          * ($weights.vector * near + $weights.keyword * keyword + $weights.graph * graph + $weights.relation * relation + $weights.time * timely
             + $weights.speaker * spoken)
LET base = CASE WHEN total > 1.0 THEN 1.0 ELSE total END
// without a profile nothing below changes a score, so what will not be given back is left out before it is worked out
ORDER BY base DESC, n.valid_from DESC, n.id
LIMIT CASE WHEN $ranking = 'none' THEN $keep ELSE 100000 END
// retention (design, rule 8): decay x anchor + rehearsal, within 0..1; age from the last update and never negative
LET age_days = coalesce((datetime($now).epochMillis - n.updated_at.epochMillis) / 86400000.0, 0.0)
LET exempt = coalesce(n.pinned, false)
    OR any(mark IN coalesce(n.tags, []) + [coalesce(n.category, '')]
           WHERE mark IN ['long_term_policy', 'legal_stopline'] + coalesce(store.decay_exempt, []))
// the first of the store's own rules that names the fact, else its relation's half-life
LET half_life = coalesce(head([i IN range(0, size(coalesce(store.half_life_of, [])) - 1)
      WHERE store.half_life_of[i] IN ['predicate:' + n.sense, 'category:' + n.category, 'layer:' + n.layer]
      | store.half_life_days[i]]), n.half_life_days, 365.0)
LET decay = CASE WHEN exempt OR age_days <= 0 THEN 1.0 ELSE 0.5 ^ (age_days / toFloat(half_life)) END
LET rehearsal = CASE WHEN n.access_count * 0.04 > 0.35 THEN 0.35 ELSE coalesce(n.access_count * 0.04, 0.0) END
LET kept = decay * (0.35 + 0.65 * coalesce(n.importance, 0.5)) + rehearsal
LET retention = CASE WHEN kept >= 1.0 THEN 1.0 WHEN kept > 0.0 THEN kept ELSE 0.0 END
// ranking profiles: boosts of importance 8, retention 4 and access 4 (logarithmic, full at 100), or freshness 8 over 90 days;
// a boost only moves a score towards 1, so it never lifts what does not match
LET accesses = log10(1.0 + coalesce(n.access_count, 0)) / 2.0
LET boost = CASE $ranking
    WHEN 'important' THEN (8 * coalesce(n.importance, 0.5) + 4 * retention + 4 * CASE WHEN accesses > 1.0 THEN 1.0 ELSE accesses END) / 16.0
    WHEN 'recent' THEN CASE WHEN age_days >= 90 THEN 0.0 WHEN age_days <= 0 THEN 1.0 ELSE 1.0 - age_days / 90.0 END
    ELSE 0.0 END
LET score = base + base * (1.0 - base) * boost
ORDER BY score DESC, n.valid_from DESC, n.id
LIMIT $keep
CALL (n) {
  OPTIONAL MATCH (n)-[:SUBJECT]->(subject:Entity)
  OPTIONAL MATCH (n)-[:OBJECT]->(object:Entity)
  RETURN subject{.id, .name} AS subject, object{.id, .name} AS object LIMIT 1
}
CALL (n) {
  OPTIONAL MATCH (n:Episode)<-[d:DERIVED_FROM]-(f:Fact)
  WHERE d.event = 'assert' AND f.state <> 'retraction' AND f.valid_from <= $starts_by
  RETURN count(CASE WHEN f.valid_to > $ends_after AND f.state <> 'expired' THEN 1 END) AS holding,
         count(CASE WHEN f.valid_to <= $ends_after OR f.state = 'expired' THEN 1 END) AS gone,
         count(CASE WHEN f.disputed AND f.valid_to > $ends_after AND f.state = 'live' THEN 1 END) AS disputed
}
ORDER BY score DESC, n.id
// times as text: the driver takes twenty times as long over each as over a string, and there are hundreds
RETURN collect({
  kind: n.kind,
  memory: n{.id, .text, content: coalesce(n.heard, n.content), .title, .body, .name, .role, .category, .layer, .importance, .confidence,
            .learning_state, .approval, .predicate, .literal, .tags, .sensitivity, .quoted, .source_id, .source_type, .session_id,
            .access_count, .state,
            valid_at: toString(coalesce(from_then, n.valid_at)),
            invalid_at: toString(CASE WHEN version IS NULL THEN n.invalid_at
                                      WHEN until_then < datetime('9999-12-31T23:59:59Z') THEN until_then END),
            occurred_at: toString(n.occurred_at), updated_at: toString(n.updated_at), expired_at: toString(n.expired_at),
            valid_from: toString(n.valid_from), valid_to: toString(n.valid_to), created_at: toString(n.created_at),
            disputed: coalesce(n.disputed, false) OR disputed > 0,
            contradictions: CASE WHEN n.disputed THEN COLLECT {
              MATCH (n)<-[:CONTRADICTS]-(c:Contradiction {state: 'open'}) RETURN c.id ORDER BY c.id } ELSE [] END},
  score: score, scores: {vector: near, keyword: keyword, graph: graph, relation: relation, time: timely}, path: path, subject: subject, object: object,
  rival: rival, retention: retention, stale: $known_at IS NULL AND gone > 0 AND gone >= holding,
  sources: COLLECT {
    MATCH (n)-[d:DERIVED_FROM]->(e:Episode)
    WHERE d.withdrawn_by IS NULL AND coalesce(d.event, 'assert') = 'assert'
    WITH d, e ORDER BY e.occurred_at DESC LIMIT 5
    RETURN {episode_id: e.id, source_id: e.source_id, session_id: e.session_id, occurred_at: toString(e.occurred_at),
            quote: coalesce(d.quote, left(e.content, 500))}
  }
}) AS candidates
}
RETURN store.settings AS settings, store.audit_key AS audit_key, candidates
