// does:    What fades next: facts by the day on which their retention falls below the threshold, if nobody asks for them.
// mode:    read
// scope:   owner
// param:   owner_key       string
// param:   archive_below   float     the store's threshold, 0.1 by default
// returns: fact            string
// returns: fades_on        string      null: never
// returns: days_left       integer
// returns: retention       float     now, from 0 to 1
// returns: half_life_days  float
// returns: importance      float
// returns: recalled        integer   how often
// returns: ends_on         string      of a temporary memory
CYPHER 25
MATCH (f:Fact {owner_key: $owner_key})
WHERE f.id > '' AND f.state = 'live' AND f.valid_to > datetime()
OPTIONAL MATCH (store:Store {id: f.store_id})
// retention (design, rule 8): decay x anchor + rehearsal, within 0..1; age from the last update and never negative
LET age_days = coalesce((datetime().epochMillis - f.updated_at.epochMillis) / 86400000.0, 0.0)
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
LET anchor = 0.35 + 0.65 * coalesce(f.importance, 0.5)
// the formula solved for the age; what was recalled often enough never falls so low
LET fades_at_days = CASE WHEN exempt OR rehearsal >= $archive_below THEN null
    ELSE half_life * log(anchor / ($archive_below - rehearsal)) / log(2) END
LET left_days = CASE WHEN fades_at_days <= age_days THEN 0 ELSE toInteger(ceil(fades_at_days - age_days)) END
LET fades_on = CASE WHEN left_days IS NOT NULL THEN date() + duration({days: left_days}) END
LET ends_on = date(f.expires_at)
RETURN f.text AS fact, toString(fades_on) AS fades_on, left_days AS days_left, round(retention, 2) AS retention,
       half_life AS half_life_days, f.importance AS importance, f.access_count AS recalled, toString(ends_on) AS ends_on
ORDER BY CASE WHEN ends_on < fades_on OR fades_on IS NULL THEN ends_on ELSE fades_on END, retention, f.id LIMIT 50
