// does:    Notes: unique ids and paths, and the range indexes that scoped queries start from.
// mode:    schema
// scope:   none    constraints hold for the whole database
CREATE CONSTRAINT note_id IF NOT EXISTS FOR (n:Note) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT note_path_key IF NOT EXISTS FOR (n:Note) REQUIRE n.path_key IS UNIQUE;
CREATE INDEX note_owner IF NOT EXISTS FOR (n:Note) ON (n.owner_key, n.id);
CREATE INDEX note_topic IF NOT EXISTS FOR (n:Note) ON (n.owner_key, n.topic_key);
CREATE INDEX note_place IF NOT EXISTS FOR (n:Note) ON (n.owner_key, n.place);
CREATE INDEX note_store IF NOT EXISTS FOR (n:Note) ON (n.store_id);
