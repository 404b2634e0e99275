"""One controller for each kind of record."""

from __future__ import annotations

from graphmem.api.routes.docs import docs_page, openapi_document
from graphmem.api.routes.entities import Entities
from graphmem.api.routes.episodes import Episodes
from graphmem.api.routes.facts import Facts
from graphmem.api.routes.forget import forget
from graphmem.api.routes.health import alive, ready
from graphmem.api.routes.recall import recall
from graphmem.api.routes.stores import Stores

HANDLERS = (Stores, Episodes, recall, Facts, Entities, forget, alive, ready)
"""Every route of the contract."""
PAGES = (openapi_document, docs_page)
"""What describes them."""

__all__ = ["HANDLERS", "PAGES"]
