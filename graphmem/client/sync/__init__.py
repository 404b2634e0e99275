"""The client for code that is not async, made from `graphmem.client.aio`."""
