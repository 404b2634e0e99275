// does:    Fill a store with facts, episodes and entities that a measurement looks through.
// mode:    write
// scope:   store
// param:   store_id   string
// param:   rows       list<map>   n, owner_key, actor
CYPHER 25
UNWIND $rows AS row
MERGE (s:Entity {identity_key: row.owner_key + '#filler' + toString(row.n % 1000)})
ON CREATE SET s.id = $store_id + '-s' + row.actor + toString(row.n % 1000), s.store_id = $store_id, s.owner_key = row.owner_key,
              s.name = 'filler ' + toString(row.n % 1000), s.name_key = s.name, s.aliases = [], s.is_actor = false,
              s.created_at = datetime()
CREATE (e:Episode {id: $store_id + '-e' + toString(row.n), store_id: $store_id, owner_key: row.owner_key, kind: 'episode',
        state: 'live', status: 'processed', content: 'filler', role: 'user', actor_id: row.actor, occurred_at: datetime(),
        created_at: datetime(), updated_at: datetime(), valid_from: datetime(), valid_to: datetime('9999-12-31T23:59:59Z')})
CREATE (f:Fact {id: $store_id + '-f' + toString(row.n), store_id: $store_id, owner_key: row.owner_key, kind: 'fact',
        state: 'live', status: 'active', approval: 'approved', learning_state: 'stated', text: 'filler', predicate: 'notes',
        slot_key: s.id + '|notes|' + toString(row.n), value_key: 'notes|+|' + toString(row.n),
        axis_key: s.id + '|notes', run_key: s.id + '|notes|' + toString(row.n) + '#0', version: 1,
        valid_at: datetime(), valid_from: datetime(), valid_to: datetime('9999-12-31T23:59:59Z'), created_at: datetime(),
        updated_at: datetime(), access_count: 0, importance: 0.5, confidence: 0.5, pinned: false})
CREATE (f)-[:SUBJECT]->(s)
CREATE (f)-[:DERIVED_FROM {id: f.id, event: 'assert', valid_at: f.valid_at, said_at: f.valid_at, trust: 2, correction: false}]->(e)
