// does:    Take the owner's write lock, so that one actor's truth is decided by one transaction at a time.
// mode:    write
// scope:   owner
// param:   store_id         string
// param:   owner_key        string
// param:   actor_identity   string     identity key of the actor's entity
// param:   actor            map        id, name, name_key for a new actor
// param:   speaker_name     string     display name met in the text, or null
// param:   speaker_key      string     its name key, or null
// param:   now              datetime
// returns: id               string     the actor's entity
// returns: name             string
CYPHER 25
// a node of its own without relationships: locking a dense node by a property deadlocks with writers of its edges
MERGE (lock:OwnerLock {owner_key: $owner_key})
ON CREATE SET lock.store_id = $store_id
SET lock.taken_at = $now
WITH lock
MERGE (a:Entity {identity_key: $actor_identity})
ON CREATE SET a += $actor, a.store_id = $store_id, a.owner_key = $owner_key, a.is_actor = true,
              a.type = 'person', a.aliases = [], a.created_at = $now, a.named = false
WITH a
CALL (a) {
  WITH a WHERE NOT a.named AND $speaker_name IS NOT NULL
  SET a.aliases = CASE WHEN a.name_key = $speaker_key THEN a.aliases ELSE a.aliases + [a.name] END,
      a.alias_text = CASE WHEN a.name_key = $speaker_key THEN null ELSE a.name END,
      a.name = $speaker_name, a.name_key = $speaker_key, a.named = true
}
RETURN a.id AS id, a.name AS name
