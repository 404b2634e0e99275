"""What `graphmem db browser` brings into Neo4j Browser: a guide with ready queries, and a style."""
