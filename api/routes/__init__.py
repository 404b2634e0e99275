"""One controller for each kind of record."""

from __future__ import annotations

from .disputes import Contradictions
from .docs import docs_page, openapi_document
from .entities import Entities
from .entries import Entries
from .episodes import Episodes
from .facts import Facts
from .forget import forget
from .health import alive, ready
from .imports import import_files
from .maintenance import consolidate, decay, purge
from .notes import Notes
from .predicates import Predicates
from .recall import recall
from .recalls import Recalls
from .sessions import Sessions, open_items
from .stores import Stores
from .timeline import profile, timeline

HANDLERS = (
    *(Stores, Episodes, recall, Recalls, Facts, Contradictions, Predicates, profile, timeline, Entities, Notes),
    *(Entries, Sessions, open_items, forget, import_files, decay, consolidate, purge, alive, ready),
)
"""Every route of the contract."""
PAGES = (openapi_document, docs_page)
"""What describes them."""

__all__ = ["HANDLERS", "PAGES"]
