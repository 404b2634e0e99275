// does:    The vector index, with scope, kind, state and validity inside it, for the embedder's dimension.
// mode:    schema
// scope:   none    an index holds every store; each search filters on owner_key inside it
// param:   config   map   `vector.dimensions` and `vector.similarity_function`
CYPHER 25 CREATE VECTOR INDEX memory_embedding IF NOT EXISTS FOR (n:Fact|Note|Episode) ON n.embedding
  WITH [n.owner_key, n.kind, n.state, n.valid_from, n.valid_to, n.created_at]
  OPTIONS {indexConfig: $config}
