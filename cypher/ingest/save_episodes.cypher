// does:    Save what came in, before any model is called; a known source of the same content is given back as it is.
// mode:    write
// scope:   owner
// param:   store_id      string
// param:   owner_key     string
// param:   session_key   string         null outside a session
// param:   session       map            id, actor_id, agent_id
// param:   episodes      list<map>      in the order of the conversation
// param:   jobs          map            what is needed to process each job, by its id; its first new episode keeps it
// param:   lease_until   datetime       until then only the caller processes them
// param:   now           datetime
// returns: id            string
// returns: index         integer        position in $episodes
// returns: status        string
// returns: duplicate     boolean        true: nothing was written for it
// returns: replaced      string         id of the older version of this source, or null
CYPHER 25
MATCH (store:Store {id: $store_id})
CALL () {
  WHEN $session_key IS NOT NULL THEN {
    MERGE (s:Session {key: $session_key})
    ON CREATE SET s += $session, s.store_id = $store_id, s.owner_key = $owner_key,
                  s.created_at = $now, s.started_at = $now
    SET s.touched_at = $now // the lock that keeps the order of one session
    RETURN s AS session
  } ELSE { RETURN null AS session }
}
LET previous = session.last_episode_id
UNWIND range(0, size($episodes) - 1) AS index
LET row = $episodes[index]
CALL (row) {
  WHEN row.source_key IS NULL THEN {
    CREATE (e:Episode {id: row.id})
    RETURN e, false AS duplicate, null AS replaced
  } ELSE {
    MERGE (found:Episode {source_key: row.source_key})
    ON CREATE SET found.id = row.id, found.version_hash = row.content_hash // a later row may be of the same source
    WITH row, found
    CALL (row, found) {
      WHEN found.id = row.id THEN { RETURN found AS e, false AS duplicate, null AS replaced }
      WHEN coalesce(found.version_hash, found.content_hash) = row.content_hash THEN { RETURN found AS e, true AS duplicate, null AS replaced }
      ELSE { // another content under one source id is a new version of that source
        REMOVE found.source_key
        SET found.state = 'superseded', found.superseded_by = row.id, found.updated_at = $now
        CREATE (e:Episode {id: row.id, source_key: row.source_key, replaces: found.id, version_hash: row.content_hash})
               -[:SUPERSEDES]->(found)
        RETURN e, false AS duplicate, found.id AS replaced
      }
    }
    RETURN e, duplicate, replaced
  }
}
CALL (row, e, duplicate, session) {
  WHEN duplicate THEN { FINISH }
  ELSE {
    SET e += row.properties, e.store_id = $store_id, e.owner_key = $owner_key, e.kind = 'episode',
        e.state = 'live', e.status = 'pending', e.attempts = 1, e.lease_until = $lease_until,
        e.valid_from = e.occurred_at, e.valid_to = datetime('9999-12-31T23:59:59Z'),
        e.created_at = $now, e.updated_at = $now
    WITH e, session WHERE session IS NOT NULL
    CREATE (e)-[:IN_SESSION]->(session)
  }
}
WITH session, previous, collect({node: e, index: index, duplicate: duplicate, replaced: replaced}) AS saved
LET fresh = [s IN saved WHERE NOT s.duplicate | s.node]
CALL (session, fresh) {
  WITH session, fresh WHERE session IS NOT NULL AND size(fresh) > 0
  SET session.last_episode_id = fresh[-1].id, session.last_at = $now
}
CALL (fresh) {
  UNWIND fresh AS e
  WITH e.job_id AS job_id, head(collect(e)) AS first
  SET first.job = $jobs[job_id]
}
CALL (previous, fresh) {
  OPTIONAL MATCH (last:Episode {id: previous})
  LET chain = CASE WHEN last IS NULL THEN fresh ELSE [last] + fresh END
  UNWIND CASE WHEN size(chain) > 1 THEN range(1, size(chain) - 1) ELSE [] END AS i
  LET before = chain[i - 1], after = chain[i]
  WITH before, after WHERE $session_key IS NOT NULL OR before.job_id = after.job_id // else they are texts of their own
  CREATE (before)-[:NEXT]->(after)
}
CALL (fresh) {
  UNWIND fresh AS e
  MATCH (n:Episode)-[:NEXT*0..2]->(e)
  WITH DISTINCT n
  // what was said just before and after finds a turn by the words that it answers to (decision 0013)
  SET n.context = coalesce(n.name, '') + reduce(text = '', part IN COLLECT {
      MATCH (n)-[:NEXT*0..2]-(w:Episode)
      RETURN left(w.search, CASE WHEN w = n THEN 2000 ELSE 500 END) } | text + ' ' + part)
}
UNWIND saved AS s
RETURN s.node.id AS id, s.index AS index, s.node.status AS status, s.duplicate AS duplicate, s.replaced AS replaced
ORDER BY index
