// does:    Full-text indexes whose documents carry their scope as tokens, so that scope is applied before top-k.
// mode:    schema
// scope:   none    an index holds every store; each query requires a scope token
CREATE FULLTEXT INDEX memory_text IF NOT EXISTS FOR (n:Fact|Note|Episode)
  ON EACH [n.search, n.context, n.tokens]
  OPTIONS {indexConfig: {`fulltext.analyzer`: 'cjk'}};
CREATE FULLTEXT INDEX entity_text IF NOT EXISTS FOR (n:Entity)
  ON EACH [n.name_key, n.alias_text, n.tokens]
  OPTIONS {indexConfig: {`fulltext.analyzer`: 'cjk'}};
