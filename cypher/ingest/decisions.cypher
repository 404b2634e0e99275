// does:    What one commit did: each of its statements with the fact it belongs to now.
// mode:    read
// scope:   owner
// param:   owner_key        string
// param:   slot_keys        list<string>
// param:   commit_id        string
// returns: statement_id     string
// returns: statement        map
// returns: fact             map       the fact, or the fact it ended
// returns: subject          map
// returns: object           map
// returns: created          boolean
// returns: ended            boolean   whether this statement ended the fact
// returns: superseded       list<string>
// returns: contradictions   list<string>
CYPHER 25
UNWIND $slot_keys AS slot_key
MATCH (f:Fact {slot_key: slot_key})-[d:DERIVED_FROM]->(:Episode)
WHERE f.owner_key = $owner_key AND d.commit_id = $commit_id AND d.continued IS NULL
CALL (f) {
  OPTIONAL MATCH (f)-[:SUBJECT]->(subject:Entity)
  OPTIONAL MATCH (f)-[:OBJECT]->(object:Entity)
  RETURN subject{.id, .name} AS subject, object{.id, .name} AS object LIMIT 1
}
RETURN d.id AS statement_id, d{.event, .correction, .valid_at, .withdrawn_by} AS statement,
       f{.*, embedding: null, context: null, retention: 1.0} AS fact, subject, object,
       f.commit_id = $commit_id AS created, f.closer = d.id AS ended,
       COLLECT { MATCH (f)-[s:SUPERSEDES]->(older:Fact) WHERE s.commit_id = $commit_id RETURN older.id } AS superseded,
       COLLECT { MATCH (f)<-[:CONTRADICTS]-(c:Contradiction {state: 'open'}) RETURN c.id } AS contradictions
