// does:    Give facts back a wording that a remaining source gave, where the source of the present one is gone.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   slot_keys   list<string>
CYPHER 25
UNWIND $slot_keys AS slot_key
MATCH (f:Fact {slot_key: slot_key})
WHERE EXISTS { (f)-[:DERIVED_FROM]->() } // a fact that was moved and deleted in this transaction is still in the index
WITH DISTINCT f
WHERE f.owner_key = $owner_key AND f.worded_by IS NOT NULL
  AND EXISTS { MATCH (f)-[d:DERIVED_FROM]->() WHERE d.withdrawn_by IS NULL }
  AND NOT EXISTS { MATCH (f)-[d:DERIVED_FROM]->() WHERE d.id = f.worded_by AND d.withdrawn_by IS NULL }
CALL (f) {
  MATCH (f)-[d:DERIVED_FROM]->(:Episode)
  WHERE d.withdrawn_by IS NULL
  RETURN d ORDER BY d.event, coalesce(d.text = f.text, false) DESC, d.text IS NULL, d.embedding IS NULL, d.id DESC LIMIT 1
}
// a source that gave no sentence of its own has its quote; without a vector it is found by words
LET text = coalesce(d.text, d.quote, f.text)
LET same = text = f.text
SET f.search = CASE WHEN same THEN f.search ELSE coalesce(d.search, text) END,
    f.context = coalesce(d.context, d.quote, ''),
    f.embedding = CASE WHEN same THEN f.embedding ELSE d.embedding END,
    f.version = CASE WHEN same THEN f.version ELSE f.version + 1 END,
    f.text = text, f.worded_by = CASE WHEN d.text IS NULL THEN null ELSE d.id END
