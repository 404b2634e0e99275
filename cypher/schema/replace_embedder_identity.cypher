// does:    Record another embedder, once everything has been embedded again with it.
// mode:    write
// scope:   none    all stores share one vector index
// param:   name        string
// param:   dimension   integer
// param:   digest      string
// param:   now         datetime
MERGE (i:EmbedderIdentity {id: 'memory_embedding'})
SET i.name = $name, i.dimension = $dimension, i.digest = $digest, i.recorded_at = $now
