// does:    How many of these records are still there, and of the names of relations that nobody defined.
// mode:    read
// scope:   owner
// param:   store_id      string
// param:   owner_key     string
// param:   fact_ids      list<string>
// param:   episode_ids   list<string>
// param:   note_ids      list<string>
// param:   senses        list<string>   relations of the facts
// returns: facts         integer
// returns: notes         integer
// returns: episodes      integer
// returns: relations     integer
CYPHER 25
RETURN
  COUNT { UNWIND $fact_ids AS id MATCH (f:Fact {id: id}) WHERE f.owner_key = $owner_key RETURN f } AS facts,
  COUNT { UNWIND $episode_ids AS id MATCH (e:Episode {id: id}) WHERE e.owner_key = $owner_key RETURN e } AS episodes,
  COUNT { UNWIND $note_ids AS id MATCH (n:Note {id: id}) WHERE n.owner_key = $owner_key RETURN n } AS notes,
  COUNT { UNWIND $senses AS sense MATCH (p:Predicate {store_id: $store_id, sense: sense})
          WHERE p.version IS NULL RETURN p } AS relations
