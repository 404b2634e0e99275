// does:    What a decay pass would do with one page of a store's facts.
// mode:    read
// scope:   store
// param:   store_id        string
// param:   after           string     id of the last fact of the page before, or ''
// param:   limit           integer
// param:   archive_below   float
// param:   now             datetime
// param:   most            integer    facts to name at most
// returns: last            string     id of the page's last fact, null when there is none
// returns: examined        integer
// returns: changed         integer
// returns: archived        integer
// returns: expired         integer
// returns: restored        integer
// returns: moved           list<map>  id, from, to, status, reason of the facts whose status would change
CYPHER 25
MATCH (store:Store {id: $store_id})
CALL (store) {
  MATCH (f:Fact) USING INDEX f:Fact(store_id, id)
  WHERE f.store_id = $store_id AND f.id > $after
  WITH store, f ORDER BY f.id LIMIT $limit
  // retention (design, rule 8): decay x anchor + rehearsal, within 0..1; age from the last update and never negative
  LET age_days = coalesce((datetime($now).epochMillis - f.updated_at.epochMillis) / 86400000.0, 0.0)
  LET exempt = coalesce(f.pinned, false)
      OR any(mark IN coalesce(f.tags, []) + [coalesce(f.category, '')]
             WHERE mark IN ['long_term_policy', 'legal_stopline'] + coalesce(store.decay_exempt, []))
  // the first of the store's own rules that names the fact, else its relation's half-life
  LET half_life = coalesce(head([i IN range(0, size(coalesce(store.half_life_of, [])) - 1)
        WHERE store.half_life_of[i] IN ['predicate:' + f.sense, 'category:' + f.category, 'layer:' + f.layer]
        | store.half_life_days[i]]), f.half_life_days, 365.0)
  LET decay = CASE WHEN exempt OR age_days <= 0 THEN 1.0 ELSE 0.5 ^ (age_days / toFloat(half_life)) END
  LET rehearsal = CASE WHEN f.access_count * 0.04 > 0.35 THEN 0.35 ELSE coalesce(f.access_count * 0.04, 0.0) END
  LET kept = decay * (0.35 + 0.65 * coalesce(f.importance, 0.5)) + rehearsal
  LET retention = CASE WHEN kept >= 1.0 THEN 1.0 WHEN kept > 0.0 THEN kept ELSE 0.0 END
  // what becomes of it: only what can be recalled is archived, only what the pass archived comes back
  LET over = coalesce(f.expires_at <= $now, false), faded = NOT exempt AND retention < $archive_below
  LET verdict = CASE
      WHEN f.state = 'live' AND over THEN 'expired'
      WHEN f.state = 'live' AND faded THEN 'low_retention'
      WHEN f.state = 'archived' AND f.archived_reason IN ['low_retention', 'expired'] AND NOT over AND NOT faded THEN 'restored' END
  LET scored = round(retention, 4)
  LET rescored = verdict IS NOT NULL OR coalesce(f.retention_score <> scored, true)
  RETURN max(f.id) AS last, count(f) AS examined, count(CASE WHEN rescored THEN 1 END) AS changed,
         count(CASE WHEN verdict = 'low_retention' THEN 1 END) AS archived,
         count(CASE WHEN verdict = 'expired' THEN 1 END) AS expired,
         count(CASE WHEN verdict = 'restored' THEN 1 END) AS restored,
         collect(CASE WHEN verdict IS NOT NULL THEN {id: f.id, from: coalesce(f.retention_score, 1.0), to: scored,
             status: CASE verdict WHEN 'restored' THEN 'active' ELSE 'archived' END, reason: verdict} END)[..$most] AS moved
}
RETURN last, examined, changed, archived, expired, restored, moved
