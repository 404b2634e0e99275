// does:    What stands beside an episode, anew: two turns before and after it, and its own words among them.
// mode:    schema
// scope:   none    every store; in batches
CYPHER 25
MATCH (n:Episode) WHERE n.id > ''
CALL (n) {
  SET n.context = coalesce(n.name, '') + reduce(text = '', part IN COLLECT {
      MATCH (n)-[:NEXT*0..2]-(w:Episode)
      RETURN left(w.search, CASE WHEN w = n THEN 2000 ELSE 500 END) } | text + ' ' + part)
} IN TRANSACTIONS OF 500 ROWS;
