// does:    Erase up to so many records of a store; called until none is left.
// mode:    write
// scope:   store
// param:   store_id   string
// param:   limit      integer
// returns: deleted    integer
CYPHER 25
CALL () {
  MATCH (n:Episode {store_id: $store_id}) RETURN n LIMIT $limit
  UNION ALL MATCH (n:Fact {store_id: $store_id}) RETURN n LIMIT $limit
  UNION ALL MATCH (n:Note {store_id: $store_id}) RETURN n LIMIT $limit
  UNION ALL MATCH (n:Entity {store_id: $store_id}) RETURN n LIMIT $limit
  UNION ALL MATCH (n:Alias {store_id: $store_id}) RETURN n LIMIT $limit
  UNION ALL MATCH (n:Message {store_id: $store_id}) RETURN n LIMIT $limit
  UNION ALL MATCH (n:Session {store_id: $store_id}) RETURN n LIMIT $limit
  UNION ALL MATCH (n:Contradiction {store_id: $store_id}) RETURN n LIMIT $limit
  UNION ALL MATCH (n:Recall {store_id: $store_id}) RETURN n LIMIT $limit
  UNION ALL MATCH (n:Receipt {store_id: $store_id}) RETURN n LIMIT $limit
  UNION ALL MATCH (n:Idempotency {store_id: $store_id}) RETURN n LIMIT $limit
  UNION ALL MATCH (n:OwnerLock {store_id: $store_id}) RETURN n LIMIT $limit
  UNION ALL MATCH (n:Lease {store_id: $store_id}) RETURN n LIMIT $limit
  UNION ALL MATCH (n:ModelUse {store_id: $store_id}) RETURN n LIMIT $limit
  UNION ALL MATCH (n:Change {store_id: $store_id}) RETURN n LIMIT $limit
  UNION ALL MATCH (n:Predicate {store_id: $store_id}) RETURN n LIMIT $limit
}
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS deleted
