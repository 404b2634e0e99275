"""graphmem inside other frameworks."""
