"""Upkeep of a store: decay and expiry, archiving, summaries and themes, purging what was hidden long ago."""
