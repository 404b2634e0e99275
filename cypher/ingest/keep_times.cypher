// does:    Let what a new version of an undated source says again hold since its older version said it.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   sources     list<map>   old: episode that is replaced; new: episode that replaces it
CYPHER 25
UNWIND $sources AS source
MATCH (old:Episode {owner_key: $owner_key, id: source.old})<-[before:DERIVED_FROM]-(known:Fact)
MATCH (new:Episode {owner_key: $owner_key, id: source.new})<-[d:DERIVED_FROM]-(f:Fact)
WHERE f.slot_key = known.slot_key AND f.value_key = known.value_key AND d.event = before.event
  AND NOT d.explicit AND NOT before.explicit AND before.withdrawn_by IS NULL AND before.valid_at < d.valid_at
SET d.valid_at = before.valid_at, d.valid_at_precision = before.valid_at_precision
