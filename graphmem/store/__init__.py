"""Neo4j: the connection, the schema, and the managed local server."""
