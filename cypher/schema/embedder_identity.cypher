// does:    Record the embedder of a new database, or give the one recorded.
// mode:    write
// scope:   none    all stores share one vector index
// param:   name        string
// param:   dimension   integer
// param:   digest      string
// param:   now         datetime
// returns: name        string
// returns: dimension   integer
// returns: digest      string
MERGE (i:EmbedderIdentity {id: 'memory_embedding'})
ON CREATE SET i.name = $name, i.dimension = $dimension, i.digest = $digest, i.recorded_at = $now
RETURN i.name AS name, i.dimension AS dimension, i.digest AS digest
