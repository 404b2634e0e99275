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
// returns: cardinality    string   of the relation, which wins over the statement's
CYPHER 25
UNWIND $rows AS row
CALL (row) {
  MATCH (subject:Entity {id: row.subject_id}) WHERE subject.owner_key = $owner_key
  MATCH (episode:Episode {id: row.episode_id}) WHERE episode.owner_key = $owner_key
  OPTIONAL MATCH (object:Entity {id: row.object_id}) WHERE object.owner_key = $owner_key
  // What the store defines of a relation counts, else what it was when the owner first spoke of it. A relation that nobody
  // defined has no node: its name is the owner's, and goes with the facts.
  LET sense = row.predicate_definition.sense
  LET defined = head(COLLECT {
    MATCH (same:Predicate {store_id: $store_id, sense: sense}) WHERE same.version IS NOT NULL
    RETURN same{.axis, .cardinality, .kind, .half_life_days} ORDER BY same.id LIMIT 1 })
  LET met = CASE WHEN defined IS NULL THEN head(COLLECT {
    MATCH (g:Fact {owner_key: $owner_key, sense: sense}) WHERE g.polarity
    RETURN {axis: substring(g.axis_key, 37), cardinality: CASE WHEN g.slot_key = g.axis_key THEN 'one' ELSE 'many' END}
    LIMIT 1 }) END
  LET axis = coalesce(defined.axis, met.axis, row.predicate_definition.axis)
  LET cardinality = coalesce(defined.cardinality, met.cardinality, row.predicate_definition.cardinality)
  LET kind = coalesce(defined.kind, row.predicate_definition.kind)
  LET half_life_days = coalesce(defined.half_life_days, row.predicate_definition.half_life_days)
  FILTER NOT coalesce(row.ends, false) OR cardinality = 'one' // where values coexist a denial has the slot of its value
  // A slot holds the values that exclude one another: all objects of a one-valued predicate; else one object,
  // affirmed, denied or under the opposite predicate (likes, dislikes).
  LET object_key = coalesce(object.id, row.literal_key, '*')
  LET single = cardinality = 'one' AND row.polarity
  LET slot_key = subject.id + '|' + axis + CASE WHEN single THEN '' ELSE '|' + object_key END
  LET value_key = CASE WHEN object_key = '*' THEN '*'
                       ELSE sense + CASE WHEN row.polarity THEN '|+|' ELSE '|-|' END + object_key END
  MERGE (f:Fact {run_key: slot_key + '#' + value_key + '#0'})
  ON CREATE SET f += row.fact, f.store_id = $store_id, f.owner_key = $owner_key, f.kind = 'fact',
                f.slot_key = slot_key, f.axis_key = subject.id + '|' + axis, f.value_key = value_key,
                f.predicate = row.predicate_definition.name, f.sense = sense, f.literal = row.literal,
                f.polarity = row.polarity, f.layer = CASE kind WHEN 'event' THEN 'episodic' ELSE f.layer END,
                f.half_life_days = half_life_days, f.status = 'active', f.approval = 'approved',
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
  WITH f, d, cardinality, slot_key, subject, object, episode
  CALL (f, object, episode) {
    WITH f, object, episode WHERE object IS NOT NULL
    MERGE (f)-[:OBJECT]->(object)
    MERGE (episode)-[:ABOUT]->(object)
  }
  MERGE (episode)-[:ABOUT]->(subject)
  RETURN d.id AS statement_id, slot_key, f.axis_key AS axis_key, cardinality
}
RETURN statement_id, slot_key, axis_key, cardinality
