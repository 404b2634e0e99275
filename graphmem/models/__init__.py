"""Frozen models of the contract; no I/O."""
