// does:    One page of memories to embed again, by id.
// mode:    read
// scope:   none    an operator re-embeds the whole database
// param:   after    string
// param:   limit    integer
// returns: id       string
// returns: text     string
CYPHER 25
CALL () {
  MATCH (n:Fact) WHERE n.id > $after RETURN n.id AS id, n.text AS text ORDER BY id LIMIT $limit
  UNION ALL
  MATCH (n:Note) WHERE n.id > $after AND n.version_of IS NULL
  RETURN n.id AS id, n.title + coalesce('\n' + n.description, '') + '\n' + n.body AS text ORDER BY id LIMIT $limit
  UNION ALL
  MATCH (n:Episode) WHERE n.id > $after AND coalesce(n.heard, 'all') <> ''
  RETURN n.id AS id, coalesce(n.name + ': ', '') + coalesce(n.heard, n.content) AS text ORDER BY id LIMIT $limit
}
RETURN id, text
ORDER BY id LIMIT $limit
