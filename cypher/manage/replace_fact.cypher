// does:    Link a corrected fact to the one that takes its place.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   old_id      string
// param:   new_id      string
// param:   by          string     the episode that corrects it
// param:   now         datetime
CYPHER 25
MATCH (old:Fact {id: $old_id}) WHERE old.owner_key = $owner_key
MATCH (new:Fact {id: $new_id}) WHERE new.owner_key = $owner_key
MERGE (new)-[s:SUPERSEDES]->(old)
SET s.reason = 'corrected', s.by_episode = $by, s.at = $now
