// does:    The parts of a source (a file, a conversation) that stand now; those that it no longer has are left out.
// mode:    read
// scope:   owner
// param:   owner_key      string
// param:   source         string    id of the source
// returns: id             string
// returns: source_id      string    id of the part
// returns: agent_id       string
// returns: session_id     string
// returns: route_id       string
// returns: source_type    string
// returns: status         string
// returns: content_hash   string
CYPHER 25
MATCH (e:Episode {owner_key: $owner_key, conversation: $source})
WHERE e.source_key IS NOT NULL
RETURN e.id AS id, e.source_id AS source_id, e.agent_id AS agent_id, e.session_id AS session_id,
       e.route_id AS route_id, e.source_type AS source_type, e.status AS status, e.content_hash AS content_hash
