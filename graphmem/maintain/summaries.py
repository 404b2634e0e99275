"""Summaries of sessions: made anew when what they are made from has changed, and kept on the session."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ..ingest.commit import take_lock
from ..ports import Sentence, Summary
from ..store.driver import Database, Row, Transaction
from .lease import Lease
from .sources import Maker, mark_of, read_sources
from .walk import Step

MOST_EPISODES = 500
"""Messages that one summary is made from, the newest."""


def session_preview(database: Database, store_id: str, maker: Maker) -> Step:
    """Which sessions of a page a pass would summarise."""

    async def step(after: str, limit: int) -> Row:
        rows = await _page(database, store_id, after, limit)
        due = [row for row in rows if _is_due(row, maker)]
        return _done(rows) | {
            "changed": len(due),
            "summarised": sum(bool(row["episodes"]) for row in due),
            "planned": [_planned(row) for row in due],
        }

    return step


def session_step(database: Database, lease: Lease, maker: Maker, now: datetime) -> Step:
    """Summarise those sessions of a page whose sources have changed."""

    async def step(after: str, limit: int) -> Row:
        rows = await _page(database, lease.store_id, after, limit)
        done: Row = _done(rows) | {"changed": 0, "summarised": 0}
        for row in rows:
            if _is_due(row, maker):
                made = await SessionWriter(database, lease.store_id, maker, now).run(row)
                done |= {name: done.get(name, 0) + count for name, count in made.items()}
                await lease.keep(database, f"sessions:{row['key']}")
        await lease.keep(database, f"sessions:{done['last'] or after}")
        return done

    return step


async def _page(database: Database, store_id: str, after: str, limit: int) -> list[Row]:
    page = {"store_id": store_id, "after": after, "limit": limit, "most": MOST_EPISODES}
    return await database.run("maintain/sessions_page", page)


def _is_due(row: Row, maker: Maker) -> bool:
    return not row["pending"] and maker.is_due(row["mark"], row["episodes"])


def _done(rows: list[Row]) -> Row:
    return {"last": rows[-1]["key"] if rows else None, "examined": len(rows)}


def _planned(row: Row) -> Row:
    reason = "new" if row["mark"] is None else "changed" if row["episodes"] else "removed"
    said = {"kind": "session", "id": row["id"], "actor_id": row["actor_id"]}
    return said | {"episodes": len(row["episodes"]), "reason": reason}


@dataclass(frozen=True, slots=True)
class SessionWriter:
    """Makes one session's summary and keeps it."""

    database: Database
    store_id: str
    maker: Maker
    now: datetime

    async def run(self, row: Row) -> dict[str, int]:
        """What was done, as counts of a pass."""
        episodes = row["episodes"]
        ids = [episode["id"] for episode in episodes]
        if not ids:
            return {"changed": int(await self._save(row, ids, _NOTHING))}
        sources = await read_sources(self.database, row["owner_key"], ids, self.now, current_only=False)
        summary, by = await self.maker.make(sources.said, sources.learned)
        cost = {
            "dropped": summary.dropped,
            "llm_calls": summary.llm_calls,
            "prompt_tokens": summary.prompt_tokens,
            "completion_tokens": summary.completion_tokens,
        }
        mark = mark_of(by, episodes)
        saved = mark != row["mark"] and await self._save(row, ids, _properties(summary, by, mark))
        return cost | {"changed": int(saved), "summarised": int(saved)}

    async def _save(self, row: Row, ids: list[str], summary: dict[str, Any]) -> bool:
        async def work(transaction: Transaction) -> bool:
            await take_lock(transaction, self.store_id, row["owner_key"], self.now)
            rows = await transaction.run(
                "maintain/save_summary",
                {
                    "owner_key": row["owner_key"],
                    "session_key": row["key"],
                    "episode_ids": ids,
                    "summary": summary,
                    "now": self.now,
                },
            )
            return bool(rows and rows[0]["saved"])

        return await self.database.write(work)


_NOTHING: dict[str, Any] = dict.fromkeys(
    ("topic", "summary", "summary_from", "open_items", "open_from", "summary_by", "summary_mark")
)


def _properties(summary: Summary, by: str, mark: str) -> dict[str, Any]:
    return {
        "topic": summary.topic or None,
        "summary": [sentence.text for sentence in summary.sentences],
        "summary_from": _sources(summary.sentences),
        "open_items": [item.text for item in summary.open_items] or None,
        "open_from": _sources(summary.open_items) or None,
        "summary_by": by,
        "summary_mark": mark,
    }


def _sources(sentences: tuple[Sentence, ...]) -> list[str]:
    return [" ".join(sentence.episode_ids) for sentence in sentences]
