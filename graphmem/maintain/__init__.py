"""Upkeep of a store: decay and expiry, archiving, and erasing what has been archived or deleted for long."""
