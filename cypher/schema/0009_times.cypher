// does:    What happened in a stretch of time is found by its beginning.
// mode:    schema
// scope:   none    indexes hold for the whole database
CREATE INDEX fact_time IF NOT EXISTS FOR (n:Fact) ON (n.owner_key, n.valid_from);
CREATE INDEX episode_time IF NOT EXISTS FOR (n:Episode) ON (n.owner_key, n.valid_from);
CREATE INDEX note_time IF NOT EXISTS FOR (n:Note) ON (n.owner_key, n.valid_from);
