// does:    Mark episodes as processed and give them their vectors; those gone or finished by another are left out.
// mode:    write
// scope:   owner
// param:   owner_key   string
// param:   episodes    list<map>   id, embedding
// param:   now         datetime
// returns: id          string
CYPHER 25
UNWIND $episodes AS row
MATCH (e:Episode {owner_key: $owner_key, id: row.id})
WHERE e.status <> 'processed'
SET e.status = 'processed', e.embedding = row.embedding, e.updated_at = $now
REMOVE e.job, e.lease_until, e.error
RETURN e.id AS id
