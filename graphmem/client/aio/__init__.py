"""The async client; `graphmem.client.sync` is made from it."""
