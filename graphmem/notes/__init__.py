"""Zettelkasten notes and entries: `service.py` is what callers use, `write.py` how a note comes into the graph."""
