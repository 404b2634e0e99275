// does:    What each store has asked of the language model, one node a day.
// mode:    schema
// scope:   none    constraints hold for the whole database
CREATE CONSTRAINT model_use_key IF NOT EXISTS FOR (n:ModelUse) REQUIRE n.key IS UNIQUE;
CREATE INDEX model_use_store IF NOT EXISTS FOR (n:ModelUse) ON (n.store_id);
