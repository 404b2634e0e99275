"""The conversations that `graphmem demo` remembers (`*.jsonl`) and its questions about them (`*.toml`)."""
