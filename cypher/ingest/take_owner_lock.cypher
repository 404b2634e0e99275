// does:    Take the owner's write lock for the rest of the transaction.
// mode:    write
// scope:   owner
// param:   store_id    string
// param:   owner_key   string
// param:   now         datetime
MERGE (lock:OwnerLock {owner_key: $owner_key})
ON CREATE SET lock.store_id = $store_id
SET lock.taken_at = $now
