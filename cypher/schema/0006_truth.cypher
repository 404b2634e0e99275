// does:    What people decide about facts, a relation's facts store by store, and relations by what they mean.
// mode:    schema
// scope:   none    constraints hold for the whole database
CREATE CONSTRAINT change_id IF NOT EXISTS FOR (n:Change) REQUIRE n.id IS UNIQUE;
CREATE INDEX change_owner IF NOT EXISTS FOR (n:Change) ON (n.owner_key);
CREATE INDEX change_store IF NOT EXISTS FOR (n:Change) ON (n.store_id);
CREATE INDEX fact_sense IF NOT EXISTS FOR (n:Fact) ON (n.store_id, n.sense);
CREATE INDEX fact_owner_sense IF NOT EXISTS FOR (n:Fact) ON (n.owner_key, n.sense);
CREATE INDEX predicate_sense IF NOT EXISTS FOR (n:Predicate) ON (n.store_id, n.sense);
