"""Recall: scope, candidates, fuse, gate, context. `pipeline.py` reads like that line."""
