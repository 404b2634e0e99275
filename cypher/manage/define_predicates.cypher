// does:    Define relations for a store: every written name of one means the same.
// mode:    write
// scope:   store
// param:   store_id      string
// param:   definitions   list<map>   sense; key and name for the first node of it; properties
// param:   now           datetime
CYPHER 25
UNWIND $definitions AS row
CALL (row) {
  WITH row WHERE NOT EXISTS { MATCH (:Predicate {store_id: $store_id, sense: row.sense}) }
  MERGE (p:Predicate {key: $store_id + '|' + row.key})
  ON CREATE SET p.id = row.id, p.store_id = $store_id, p.sense = row.sense, p.name = row.name, p.created_at = $now
}
MATCH (p:Predicate {store_id: $store_id, sense: row.sense})
SET p += row.properties, p.updated_at = $now
