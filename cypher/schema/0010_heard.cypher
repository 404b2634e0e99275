// does:    What was heard before: messages by their content, statements by their words and by the passage they stand in.
// mode:    schema
// scope:   none    the keys are hashes that the owner is part of
CREATE INDEX episode_content IF NOT EXISTS FOR (n:Episode) ON (n.owner_key, n.content_hash);
CREATE INDEX derived_text IF NOT EXISTS FOR ()-[d:DERIVED_FROM]-() ON (d.text_key);
CREATE INDEX derived_passage IF NOT EXISTS FOR ()-[d:DERIVED_FROM]-() ON (d.passage_key);
