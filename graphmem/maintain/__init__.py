"""Upkeep over batches; each pass has a dry run."""
