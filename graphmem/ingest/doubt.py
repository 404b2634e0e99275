"""Doubt: what follows from a text that orders its reader about is at most a claim, to be confirmed by someone."""

from __future__ import annotations

from dataclasses import replace

from ..models.episode import EntityRef
from ..safety.orders import Orders, find_orders, is_order
from .draft import REPORTED_SOURCES, Draft
from .job import EpisodeRow


def is_own_word(role: str, source_type: str) -> bool:
    """Whether a message is what the owner says themselves, not what a document, a tool or the assistant says."""
    return role == "user" and source_type.casefold() not in REPORTED_SOURCES


def orders_of(episode: EpisodeRow) -> Orders:
    """Where the episode orders its reader about."""
    return find_orders(episode.content, own_word=is_own_word(episode.role, episode.source_type))


def doubted(draft: Draft, orders: Orders | None = None) -> Draft:
    """The draft as it is, or as a quoted claim when it comes from an order or is one itself."""
    names = (getattr(m, "name", "") for m in (draft.subject, draft.object) if not isinstance(m, EntityRef))
    tainted = orders is not None and orders.taint(draft.start, draft.end)
    if not tainted and not any(is_order(text) for text in (draft.text, *names)):
        return draft
    return replace(draft, learning_state="candidate", quoted=True)
