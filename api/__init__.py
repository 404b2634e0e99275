"""The REST API: `create_app()` gives the ASGI application that `graphmem serve` runs."""

from __future__ import annotations

from .app import create_app

__all__ = ["create_app"]
