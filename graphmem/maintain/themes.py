"""Themes: what several sessions of one owner say around one entity, as a note that is renewed with its sources."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ..ingest.commit import take_lock
from ..manage.erase_notes import erase_notes
from ..models.base import MAX_NAME
from ..models.ids import new_id
from ..models.scope import Scope
from ..models.times import OPEN_END
from ..notes.content import Content, properties
from ..ports import Summariser, Summary
from ..store.driver import Database, Row, Transaction
from .lease import Lease
from .sources import mark_of, read_sources
from .walk import Step

LEAST_EPISODES = 3
"""Episodes that make a theme; they must come from two sessions or more."""
MOST_EPISODES = 50
MOST_NEAR = 10
"""Episodes that are in a theme by their vector alone."""


def theme_preview(database: Database, store_id: str, near: float, now: datetime) -> Step:
    """Which themes a pass would make, renew or remove around the entities of a page."""

    async def step(after: str, limit: int) -> Row:
        row = await _page(database, store_id, near, now, after, limit)
        due = [theme for theme in row["themes"] if _is_due(theme)]
        return {
            "last": row["last"],
            "examined": row["examined"],
            "changed": len(due),
            "themes": sum(bool(theme["episodes"]) for theme in due),
            "removed": sum(not theme["episodes"] for theme in due),
            "planned": [_planned(theme) for theme in due],
        }

    return step


def theme_step(database: Database, lease: Lease, summariser: Summariser, near: float, now: datetime) -> Step:
    """Make, renew and remove the themes around the entities of a page."""

    async def step(after: str, limit: int) -> Row:
        row = await _page(database, lease.store_id, near, now, after, limit)
        done: Row = {"last": row["last"], "examined": row["examined"], "changed": 0, "themes": 0, "removed": 0}
        writer = _Writer(database, lease.store_id, summariser, now)
        for theme in filter(_is_due, row["themes"]):
            kind = "themes" if theme["episodes"] else "removed"
            if await (writer.write(theme) if theme["episodes"] else writer.remove(theme)):
                done |= {kind: done[kind] + 1, "changed": done["changed"] + 1}
            await lease.keep(database, f"themes:{theme['entity']}")
        await lease.keep(database, f"themes:{row['last'] or after}")
        return done

    return step


async def _page(database: Database, store_id: str, near: float, now: datetime, after: str, limit: int) -> Row:
    asked = {
        "store_id": store_id,
        "after": after,
        "limit": limit,
        "least": LEAST_EPISODES,
        "most": MOST_EPISODES,
        "near": near,
        "near_most": MOST_NEAR,
        "now": now,
    }
    return (await database.run("maintain/themes_page", asked))[0]


def _is_due(theme: Row) -> bool:
    """Not yet there, made from something else, hidden with what it was made from, or without ground."""
    if not theme["episodes"] or theme["theme"] is None:
        return True
    return bool(theme["status"] != "active" or theme["mark"] != mark_of(theme["name"], theme["episodes"]))


def _planned(theme: Row) -> Row:
    reason = "removed" if not theme["episodes"] else "new" if theme["theme"] is None else "changed"
    said = {"kind": "theme", "id": theme["entity"], "actor_id": theme["actor_id"]}
    return said | {"episodes": len(theme["episodes"]), "reason": reason}


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes and removes themes, each in a transaction under its owner's lock."""

    database: Database
    store_id: str
    summariser: Summariser
    now: datetime

    async def write(self, theme: Row) -> bool:
        """Whether it was written: not when a source changed meanwhile, or when nothing of it may be said."""
        ids = [episode["id"] for episode in theme["episodes"]]
        sources = await read_sources(self.database, theme["owner_key"], ids, self.now, current_only=True)
        summary = await self.summariser.summarise(sources.said, sources.learned)
        if not summary.sentences or sources.newest is None:
            return theme["theme"] is not None and await self.remove(theme)
        note = _note(theme, summary, sources.newest)

        async def work(transaction: Transaction) -> bool:
            await take_lock(transaction, self.store_id, theme["owner_key"], self.now)
            rows = await transaction.run(
                "maintain/save_theme",
                {
                    "store_id": self.store_id,
                    "owner_key": theme["owner_key"],
                    "entity_id": theme["entity"],
                    "episode_ids": ids,
                    "theme": note,
                    "new_id": new_id(),
                    "version_id": new_id(),
                    "open_end": OPEN_END,
                    "now": self.now,
                },
            )
            return bool(rows and rows[0]["saved"])

        return await self.database.write(work)

    async def remove(self, theme: Row) -> bool:
        """Erase a theme with its versions."""

        async def work(transaction: Transaction) -> bool:
            await take_lock(transaction, self.store_id, theme["owner_key"], self.now)
            await erase_notes(transaction, theme["owner_key"], [theme["theme"]], self.now)
            return True

        return await self.database.write(work)


def _note(theme: Row, summary: Summary, newest: datetime) -> dict[str, Any]:
    """The note's properties, without those by which recall and links would find it."""
    words = [word for word in summary.topic.replace("、", ", ").split(", ") if word]
    content = Content(
        body="\n".join(f"- {sentence.text}" for sentence in summary.sentences),
        title=theme["name"][:MAX_NAME],
        description=summary.topic or None,
        keywords=tuple(dict.fromkeys([theme["name"][:MAX_NAME], *words])),
        category="theme",
    )
    scope = Scope(actor_id=theme["actor_id"])
    hidden = {"search": None, "context": None, "tokens": None, "topic_key": None, "embedding": None}
    return {
        **properties(content, theme["owner_key"], scope, lambda _, __: ()),
        **scope.model_dump(),
        **hidden,
        "theme_mark": mark_of(theme["name"], theme["episodes"]),
        "sentence_from": [" ".join(sentence.episode_ids) for sentence in summary.sentences],
        "auto_link": False,
        "valid_at": newest,
        "valid_from": newest,
        "valid_at_precision": "instant",
    }
