// does:    Write statements: each is an edge from its fact to the episode that says it; settling comes after.
// mode:    write
// scope:   owner
// param:   store_id    string
// param:   owner_key   string
// param:   rows        list<map>   one statement each, see graphmem/ingest/commit.py
// param:   now         datetime
// param:   commit_id   string      marks what this commit made
// returns: statement_id   string
// returns: slot_key       string
// returns: axis_key       string   subject and relation
// returns: cardinality    string   the store's definition, which wins over the statement's
CYPHER 25
UNWIND $rows AS row
CALL (row) {
  MATCH (subject:Entity {id: row.subject_id}) WHERE subject.owner_key = $owner_key
  MATCH (episode:Episode {id: row.episode_id}) WHERE episode.owner_key = $owner_key
  OPTIONAL MATCH (object:Entity {id: row.object_id}) WHERE object.owner_key = $owner_key
  // another name of a relation that the store knows means what the store says of it
  LET known = head(COLLECT {
    MATCH (same:Predicate {store_id: $store_id, sense: row.predicate_definition.sense})
    RETURN same{.axis, .cardinality, .opposite, .inverse, .kind, .half_life_days, .version} ORDER BY same.id LIMIT 1 })
  MERGE (p:Predicate {key: $store_id + '|' + row.predicate_key})
  ON CREATE SET p += row.predicate_definition, p += coalesce(known, {}), p.store_id = $store_id, p.created_at = $now
  FILTER NOT coalesce(row.ends, false) OR p.cardinality = 'one' // where values coexist a denial has the slot of its value
  // A slot holds the values that exclude one another: all objects of a one-valued predicate; else one object,
  // affirmed, denied or under the opposite predicate (likes, dislikes).
  LET object_key = coalesce(object.id, row.literal_key, '*')
  LET single = p.cardinality = 'one' AND row.polarity
  LET slot_key = subject.id + '|' + p.axis + CASE WHEN single THEN '' ELSE '|' + object_key END
  LET value_key = CASE WHEN object_key = '*' THEN '*'
                       ELSE p.sense + CASE WHEN row.polarity THEN '|+|' ELSE '|-|' END + object_key END
  MERGE (f:Fact {run_key: slot_key + '#' + value_key + '#0'})
  ON CREATE SET f += row.fact, f.store_id = $store_id, f.owner_key = $owner_key, f.kind = 'fact',
                f.slot_key = slot_key, f.axis_key = subject.id + '|' + p.axis, f.value_key = value_key, f.predicate = p.name, f.sense = p.sense, f.literal = row.literal,
                f.polarity = row.polarity, f.layer = CASE p.kind WHEN 'event' THEN 'episodic' ELSE f.layer END, f.half_life_days = p.half_life_days, f.status = 'active', f.approval = 'approved',
                f.access_count = 0, f.pinned = false, f.version = 0, f.tags = [], f.commit_id = $commit_id,
                f.created_at = $now, f.updated_at = $now
  CALL (row, f) { // a fact that was only known to have ended takes its words from the statement that states it
    WITH row, f
    WHERE row.statement.event = 'assert' AND EXISTS { (f)-[:DERIVED_FROM]->() }
      AND NOT EXISTS { MATCH (f)-[d:DERIVED_FROM]->() WHERE d.event = 'assert' }
    SET f.text = row.fact.text, f.search = row.fact.search, f.context = row.fact.context, f.embedding = row.fact.embedding,
        f.category = row.fact.category, f.importance = row.fact.importance, f.confidence = row.fact.confidence,
        f.learning_state = row.fact.learning_state, f.worded_by = row.statement.id
  }
  // said again: its age begins anew, what had faded or expired comes back, and the newest word on its end counts
  CALL (row, f, slot_key, value_key) {
    WITH row, f, slot_key, value_key WHERE f.version > 0 AND row.statement.event = 'assert'
    MATCH (known:Fact {slot_key: slot_key})
    WHERE known.owner_key = $owner_key AND known.value_key = value_key AND known.state <> 'expired'
    SET known.expires_at = CASE WHEN known.expires_at <= $now THEN row.fact.expires_at
                                ELSE coalesce(row.fact.expires_at, known.expires_at) END,
        known.status = CASE WHEN known.archived_reason IN ['low_retention', 'expired'] THEN 'active' ELSE known.status END,
        known.archived_at = CASE WHEN known.archived_reason IN ['low_retention', 'expired'] THEN null ELSE known.archived_at END,
        known.archived_reason = CASE WHEN known.archived_reason IN ['low_retention', 'expired'] THEN null
                                     ELSE known.archived_reason END,
        known.updated_at = $now
  }
  MERGE (f)-[:SUBJECT]->(subject)
  CREATE (f)-[d:DERIVED_FROM]->(episode)
  // each source keeps its own words, so that those of one that is erased go with it (`ingest/restore_wordings`)
  SET d = row.statement, d.commit_id = $commit_id, d.text = row.fact.text, d.context = row.fact.context,
      f.worded_by = CASE WHEN f.text = row.fact.text THEN coalesce(f.worded_by, d.id) ELSE f.worded_by END
  LET other = f.text <> row.fact.text
  SET d.search = CASE WHEN other THEN row.fact.search END, d.embedding = CASE WHEN other THEN row.fact.embedding END
  WITH f, d, p, slot_key, subject, object, episode
  CALL (f, object, episode) {
    WITH f, object, episode WHERE object IS NOT NULL
    MERGE (f)-[:OBJECT]->(object)
    MERGE (episode)-[:ABOUT]->(object)
  }
  MERGE (episode)-[:ABOUT]->(subject)
  RETURN d.id AS statement_id, slot_key, f.axis_key AS axis_key, p.cardinality AS cardinality
}
RETURN statement_id, slot_key, axis_key, cardinality
