// does:    End facts of a made-up memory where another one takes their place.
// mode:    write
// scope:   store
// param:   store_id   string
// param:   rows       list<map>   old, new: ids of facts; by: id of the episode; at: the moment
CYPHER 25
UNWIND $rows AS row
MATCH (old:Fact {id: row.old}) WHERE old.store_id = $store_id
MATCH (new:Fact {id: row.new}) WHERE new.store_id = $store_id
SET old.valid_to = row.at, old.invalid_at = row.at, old.end_reason = 'replaced', old.ended_by = row.by, old.version = 2,
    old.known_since = old.known_since + [row.at], old.known_from = old.known_from + [old.valid_at],
    old.known_until = old.known_until + [row.at]
CREATE (new)-[:SUPERSEDES {reason: 'replaced', by_episode: row.by, at: row.at}]->(old)
