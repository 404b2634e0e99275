// does:    Facts that rest on these episodes alone.
// mode:    read
// scope:   owner
// param:   owner_key     string
// param:   episode_ids   list<string>
// returns: id            string
CYPHER 25
UNWIND $episode_ids AS id
MATCH (e:Episode {id: id})<-[:DERIVED_FROM]-(f:Fact)
WHERE f.owner_key = $owner_key
  AND NOT EXISTS { MATCH (f)-[:DERIVED_FROM]->(other:Episode) WHERE NOT other.id IN $episode_ids }
RETURN DISTINCT f.id AS id
