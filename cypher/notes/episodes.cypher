// does:    The episodes of these ids that are there, newest last.
// mode:    read
// scope:   owner
// param:   owner_key     string
// param:   episode_ids   list<string>
// returns: id            string
// returns: occurred_at   datetime
CYPHER 25
UNWIND $episode_ids AS id
MATCH (e:Episode {id: id})
WHERE e.owner_key = $owner_key
RETURN e.id AS id, e.occurred_at AS occurred_at
ORDER BY occurred_at
