// does:    The embedder whose vectors this database holds; no row in a new database.
// mode:    read
// scope:   none    all stores share one vector index
// returns: name        string
// returns: dimension   integer
// returns: digest      string
MATCH (i:EmbedderIdentity {id: 'memory_embedding'})
RETURN i.name AS name, i.dimension AS dimension, i.digest AS digest
