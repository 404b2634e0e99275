// does:    Notes that rest on these episodes alone; a former version stands for itself where its note rests on others.
// mode:    read
// scope:   owner
// param:   owner_key     string
// param:   episode_ids   list<string>
// returns: id            string
CYPHER 25
UNWIND $episode_ids AS id
MATCH (e:Episode {id: id})<-[:DERIVED_FROM]-(n:Note)
WHERE n.owner_key = $owner_key
  AND NOT EXISTS { MATCH (n)-[:DERIVED_FROM]->(other:Episode) WHERE NOT other.id IN $episode_ids }
  AND (n.version_of IS NULL OR EXISTS {
    MATCH (kept:Note {id: n.version_of})-[:DERIVED_FROM]->(other:Episode) WHERE NOT other.id IN $episode_ids })
RETURN DISTINCT n.id AS id
