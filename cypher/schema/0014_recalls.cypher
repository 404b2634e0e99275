// does:    Audits of recalls by time, for lists and for the purge, and a key for each store that hides what was asked.
// mode:    schema
// scope:   none    indexes hold for the whole database
CREATE INDEX recall_owner_at IF NOT EXISTS FOR (n:Recall) ON (n.owner_key, n.at, n.id);
CREATE INDEX recall_store_at IF NOT EXISTS FOR (n:Recall) ON (n.store_id, n.at);
MATCH (s:Store) WHERE s.audit_key IS NULL SET s.audit_key = randomUUID();
