// does:    The network of notes, as a graph: notes, their links, and the names that they are about.
// mode:    read
// scope:   owner
// param:   owner_key   string
// returns: n           node    a note
// returns: link        path    it and what it links to
// returns: about       path    it and a name
CYPHER 25
MATCH (n:Note {owner_key: $owner_key})
WHERE n.id > '' AND n.version_of IS NULL AND n.state = 'live' AND n.valid_to > datetime()
WITH n ORDER BY COUNT { (n)-[:LINKS]-() } DESC, n.id LIMIT 60
OPTIONAL MATCH link = (n)-[:LINKS]->(:Note|Fact)
OPTIONAL MATCH about = (n)-[:ABOUT]->(:Entity)
RETURN n, link, about
