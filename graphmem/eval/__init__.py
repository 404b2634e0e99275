"""Measurements of what graphmem costs and how well it answers."""
