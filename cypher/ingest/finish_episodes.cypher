// does:    Mark episodes as processed and give them their vectors; those gone or finished by another are left out.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   episodes    list<map>   id, embedding; heard, search: what of it is recalled, where that is not all of it
// param:   now         datetime
// returns: id          string
CYPHER 25
UNWIND $episodes AS row
MATCH (e:Episode {owner_key: $owner_key, id: row.id})
WHERE e.status <> 'processed'
SET e.status = 'processed', e.embedding = row.embedding, e.updated_at = $now, e.heard = row.heard,
    e.search = coalesce(row.search, e.search), e.tokens = CASE WHEN row.heard = '' THEN '' ELSE e.tokens END
REMOVE e.job, e.lease_until, e.error
WITH e
CALL (e) { // nor is it heard beside its neighbours
  WITH e WHERE e.heard IS NOT NULL
  MATCH (e)-[:NEXT*0..2]-(n:Episode)
  WITH DISTINCT n
  SET n.context = coalesce(n.name, '') + reduce(text = '', part IN COLLECT {
      MATCH (n)-[:NEXT*0..2]-(w:Episode)
      RETURN left(w.search, CASE WHEN w = n THEN 2000 ELSE 500 END) } | text + ' ' + part)
}
RETURN e.id AS id
