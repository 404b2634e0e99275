// does:    What upkeep needs: one lease a store, and a store's facts and episodes page by page.
// mode:    schema
// scope:   none    indexes hold every store
CREATE CONSTRAINT lease_store IF NOT EXISTS FOR (n:Lease) REQUIRE n.store_id IS UNIQUE;
CREATE INDEX fact_store_page IF NOT EXISTS FOR (n:Fact) ON (n.store_id, n.id);
CREATE INDEX episode_store_page IF NOT EXISTS FOR (n:Episode) ON (n.store_id, n.id);
