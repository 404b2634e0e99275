// does:    Episodes by the source that they are parts of, and by their content, within an owner.
// mode:    schema
// scope:   none    indexes hold every store
CREATE INDEX episode_conversation IF NOT EXISTS FOR (n:Episode) ON (n.owner_key, n.conversation);
CREATE INDEX episode_content IF NOT EXISTS FOR (n:Episode) ON (n.owner_key, n.content_hash);
