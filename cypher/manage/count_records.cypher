// does:    How many of these records are still there.
// mode:    read
// scope:   owner
// param:   owner_key     string
// param:   fact_ids      list<string>
// param:   episode_ids   list<string>
// param:   note_ids      list<string>
// returns: facts         integer
// returns: notes         integer
// returns: episodes      integer
CYPHER 25
RETURN
  COUNT { UNWIND $fact_ids AS id MATCH (f:Fact {id: id}) WHERE f.owner_key = $owner_key RETURN f } AS facts,
  COUNT { UNWIND $episode_ids AS id MATCH (e:Episode {id: id}) WHERE e.owner_key = $owner_key RETURN e } AS episodes,
  COUNT { UNWIND $note_ids AS id MATCH (n:Note {id: id}) WHERE n.owner_key = $owner_key RETURN n } AS notes
