// does:    Other names of entities, found by key within an owner.
// mode:    schema
// scope:   none    constraints hold for the whole database
CREATE CONSTRAINT alias_key IF NOT EXISTS FOR (n:Alias) REQUIRE n.key IS UNIQUE;
CREATE INDEX alias_name IF NOT EXISTS FOR (n:Alias) ON (n.owner_key, n.name_key);
CREATE INDEX alias_store IF NOT EXISTS FOR (n:Alias) ON (n.store_id);
