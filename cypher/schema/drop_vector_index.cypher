// does:    Remove the vector index before vectors of another embedder are written.
// mode:    schema
// scope:   none    an index holds every store
DROP INDEX memory_embedding IF EXISTS
