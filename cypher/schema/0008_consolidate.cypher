// does:    What consolidation needs: a store's sessions and entities page by page, one theme an entity.
// mode:    schema
// scope:   none    constraints hold for the whole database
CREATE INDEX session_store_page IF NOT EXISTS FOR (n:Session) ON (n.store_id, n.key);
CREATE INDEX entity_store_page IF NOT EXISTS FOR (n:Entity) ON (n.store_id, n.id);
CREATE CONSTRAINT note_theme_key IF NOT EXISTS FOR (n:Note) REQUIRE n.theme_key IS UNIQUE;
