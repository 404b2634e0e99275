// does:    What is pending of a session, in its order.
// mode:    schema
// scope:   none    indexes hold for the whole database
CREATE INDEX episode_queue IF NOT EXISTS FOR (n:Episode) ON (n.owner_key, n.session_id, n.status, n.id);
