// does:    Messages of sessions: one node each, found by key, by place in their session, and by owner or store.
// mode:    schema
// scope:   none    indexes hold for the whole database
CREATE CONSTRAINT message_key IF NOT EXISTS FOR (n:Message) REQUIRE n.key IS UNIQUE;
CREATE INDEX message_place IF NOT EXISTS FOR (n:Message) ON (n.session_key, n.position);
CREATE INDEX message_owner IF NOT EXISTS FOR (n:Message) ON (n.owner_key, n.key);
CREATE INDEX message_store IF NOT EXISTS FOR (n:Message) ON (n.store_id);
