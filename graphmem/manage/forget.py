"""Forget: archive hides, erase removes a record and everything that came of it, and checks that it is gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Literal

from ..errors import NotFound
from ..ingest.commit import settle, take_lock
from ..models.ids import new_id, owner_key
from ..models.manage import ForgetRequest, ForgetTarget, Receipt
from ..models.names import entity_key
from ..models.recall import Gate, RecallRequest, RecallResult
from ..models.scope import ReadScope, Scope
from ..ports import Clock
from ..store.driver import Database, Transaction
from .derived import drop_derived
from .erase_notes import erase_notes
from .holding import hold_again
from .messages import erase_messages, select_messages
from .sweep import sweep, unnamed

_BATCH = 500
_RECALLS = 2_000
_MIN_SCORE = 0.3
"""A forget by query takes only what matches well, unless the call says otherwise."""

Recall = Callable[[str, RecallRequest], Awaitable[RecallResult]]


class Forget:
    """Forgetting in one database."""

    def __init__(self, database: Database, clock: Clock, recall: Recall) -> None:
        self._database = database
        self._clock = clock
        self._recall = recall

    async def forget(self, store_id: str, request: ForgetRequest) -> Receipt:
        """Archive or erase what the target names within the scope.

        Errors: NotFound when ids, an entity, a session or a source name nothing there.
        """
        owner = owner_key(store_id, request.scope.actor_id)
        episodes, facts, notes, messages = await self._selected(store_id, owner, request)
        alone = sorted({*facts, *await self._only_from(owner, episodes)})
        notes = sorted({*notes, *await self._notes_only_from(owner, episodes)})
        if request.dry_run:
            counts = _counts(facts=len(alone), episodes=len(episodes), notes=len(notes), messages=len(messages))
            return self._receipt(request.mode, counts, dry_run=True, verified=True)
        if request.mode == "erase":
            everything = request.target.all is True and not _narrow(request.scope)
            return await self.erase(store_id, owner, episodes, facts, notes, messages, everything=everything)
        return await self._archive(store_id, owner, episodes, alone, notes)

    async def _selected(
        self, store_id: str, owner: str, request: ForgetRequest
    ) -> tuple[list[str], list[str], list[str], list[str]]:
        """Episodes, facts and notes that the target names; to erase a fact is to erase its episodes, which say it.

        The fourth are the keys of messages that go too: erasing takes what was kept of a conversation with it.
        """
        target, scope = request.target, request.scope
        entities: list[str] = []
        if target.query is not None:
            episodes, facts, notes = await self._by_query(store_id, request, target.query)
        else:
            row = (await self._database.run("manage/select_records", _selection(owner, target)))[0]
            episodes, facts, notes, entities = row["episodes"], row["facts"], row["notes"], row["entities"]
        episodes, facts, notes = await self._inside(owner, scope, episodes, facts, notes)
        if request.mode == "erase":
            about = await self._with_sources(owner, episodes, facts, entities)
            episodes = (await self._inside(owner, scope, about, [], []))[0]
        erasing = request.mode == "erase"
        messages = await select_messages(self._database, owner, episodes, target, scope) if erasing else []
        named = target.ids or target.entity or target.source_id or target.session_id
        if named and not (episodes or facts or notes or messages or (entities and not _narrow(scope))):
            raise NotFound("Nothing of this actor matches the target.", field="target")
        return episodes, facts, notes, messages

    async def _inside(
        self, owner: str, scope: Scope, episodes: list[str], facts: list[str], notes: list[str]
    ) -> tuple[list[str], list[str], list[str]]:
        """Those inside the agent, session and route of the scope; of the facts, those that nothing outside supports."""
        if not _narrow(scope):
            return episodes, facts, notes
        keys = scope.model_dump(exclude={"actor_id"})
        named = {"owner_key": owner, "episode_ids": episodes, "fact_ids": facts, "note_ids": notes}
        row = (await self._database.run("manage/narrow_records", {**named, **keys}))[0]
        return row["episodes"], row["facts"], row["notes"]

    async def _by_query(
        self, store_id: str, request: ForgetRequest, query: str
    ) -> tuple[list[str], list[str], list[str]]:
        target = request.target
        result = await self._recall(
            store_id,
            RecallRequest(
                scope=ReadScope(**request.scope.model_dump()),
                query=query,
                limit=100,
                validity="any",
                dry_run=True,
                gate=Gate(min_score=_MIN_SCORE if target.min_score is None else target.min_score),
            ),
        )
        return (
            [i.id for i in result.items if i.kind == "episode"],
            [i.id for i in result.items if i.kind == "fact"],
            [i.id for i in result.items if i.kind == "note"],
        )

    async def _with_sources(
        self, owner: str, episodes: Sequence[str], facts: Sequence[str], entities: Sequence[str]
    ) -> list[str]:
        rows = await self._database.run(
            "manage/episodes_about",
            {"owner_key": owner, "fact_ids": list(facts), "entity_ids": list(entities)},
        )
        return sorted({*episodes, *(row["id"] for row in rows)})

    async def _only_from(self, owner: str, episodes: Sequence[str]) -> list[str]:
        rows = await self._database.run("manage/facts_only_from", {"owner_key": owner, "episode_ids": list(episodes)})
        return [row["id"] for row in rows]

    async def _notes_only_from(self, owner: str, episodes: Sequence[str]) -> list[str]:
        rows = await self._database.run("manage/notes_only_from", {"owner_key": owner, "episode_ids": list(episodes)})
        return [row["id"] for row in rows]

    async def _archive(
        self, store_id: str, owner: str, episodes: list[str], facts: list[str], notes: list[str]
    ) -> Receipt:
        now = self._clock.now()
        gone = {"owner_key": owner, "fact_ids": facts, "episode_ids": episodes, "note_ids": notes, "now": now}

        async def work(transaction: Transaction) -> dict[str, int]:
            await take_lock(transaction, store_id, owner, now)
            await drop_derived(transaction, owner, episodes, facts, now)
            row = (await transaction.run("manage/archive_records", gone))[0]
            await settle(transaction, owner, Counter(row.pop("slots")), now, new_id())  # what they had disputed
            return row

        row = await self._database.write(work)
        return await self._kept(store_id, self._receipt("archive", _counts(**row), dry_run=False, verified=True))

    async def erase(
        self,
        store_id: str,
        owner: str,
        episodes: list[str],
        facts: list[str],
        notes: Sequence[str] = (),
        messages: Sequence[str] = (),
        *,
        everything: bool = False,
    ) -> Receipt:
        """Erase records, restore what they had ended, remove what nothing refers to, and look again."""
        now = self._clock.now()
        notes = sorted({*notes, *await self._notes_only_from(owner, episodes)})
        # those that rest on the episodes alone go with them, unless another source has come by then
        alone = sorted({*await self._only_from(owner, episodes)}.difference(facts))
        senses = await self._senses(owner, facts + alone)
        # first: once its episode is gone, nothing says which message goes with it
        said = await erase_messages(self._database, owner, messages)
        restored: list[str] = []
        for start in range(0, max(len(episodes), len(facts), len(notes), 1), _BATCH):
            batch = {"owner_key": owner, "episode_ids": episodes[start : start + _BATCH]}
            gone = {"owner_key": owner, "fact_ids": facts[start : start + _BATCH]}
            some = notes[start : start + _BATCH]

            async def work(
                transaction: Transaction,
                batch: dict[str, Any] = batch,
                gone: dict[str, Any] = gone,
                some: Sequence[str] = some,
            ) -> list[str]:
                await take_lock(transaction, store_id, owner, now)
                await drop_derived(transaction, owner, batch["episode_ids"], gone["fact_ids"], now)
                await erase_notes(transaction, owner, some, now)
                slots = await transaction.run("manage/erase_facts", gone)
                slots += await transaction.run("manage/erase_episodes", batch)
                commit_id = new_id()
                settled = await settle(transaction, owner, Counter(r["slot_key"] for r in slots), now, commit_id)
                return await hold_again(transaction, owner, settled, now, commit_id)

            restored += await self._database.write(work)

        if everything:
            await self._erase_recalls(owner)
        await sweep(self._database, store_id, owner, now, everything=everything)
        gone = {"store_id": store_id, "owner_key": owner, "episode_ids": episodes, "note_ids": notes, "senses": senses}
        left = (await self._database.run("manage/count_records", {**gone, "fact_ids": facts}))[0]
        stayed = (await self._database.run("manage/count_records", {**gone, "fact_ids": alone}))[0]["facts"]
        counts = _counts(len(facts) + len(alone) - stayed, len(episodes), len(notes), said)
        verified = not any(left.values()) and not await unnamed(self._database, owner)
        receipt = self._receipt("erase", counts, dry_run=False, verified=verified)
        receipt = receipt.model_copy(update={"restored": tuple(sorted({*restored}.difference(facts, alone)))})
        return await self._kept(store_id, receipt)

    async def _erase_recalls(self, owner: str) -> None:
        """Erase the audits of the owner's recalls in small transactions, since there may be very many."""
        page = {"owner_key": owner, "limit": _RECALLS}
        while (await self._database.run("manage/erase_recalls", page))[0]["erased"]:
            pass

    async def _senses(self, owner: str, facts: list[str]) -> list[str]:
        rows = await self._database.run("manage/relations_of_facts", {"owner_key": owner, "fact_ids": facts})
        return [row["sense"] for row in rows]

    def _receipt(
        self, mode: Literal["archive", "erase"], counts: dict[str, int], *, dry_run: bool, verified: bool
    ) -> Receipt:
        return Receipt(
            id=new_id(),
            mode=mode,
            dry_run=dry_run,
            counts=counts,
            verified=verified,
            at=self._clock.now(),
        )

    async def _kept(self, store_id: str, receipt: Receipt) -> Receipt:
        await self._database.run(
            "manage/save_receipt",
            {
                "store_id": store_id,
                "receipt": {
                    "id": receipt.id,
                    "mode": receipt.mode,
                    "facts": receipt.counts["facts"],
                    "episodes": receipt.counts["episodes"],
                    "notes": receipt.counts["notes"],
                    "messages": receipt.counts.get("messages", 0),
                    "verified": receipt.verified,
                    "at": receipt.at,
                    "created_at": receipt.at,
                },
            },
        )
        return receipt


def _counts(facts: int, episodes: int, notes: int, messages: int = 0) -> dict[str, int]:
    """By kind of record; messages only where a conversation was kept."""
    counts = {"facts": facts, "episodes": episodes, "notes": notes}
    return counts | {"messages": messages} if messages else counts


def _narrow(scope: Scope) -> bool:
    """Whether the scope is less than everything of its actor."""
    return any((scope.agent_id, scope.session_id, scope.route_id))


def _selection(owner: str, target: ForgetTarget) -> dict[str, Any]:
    return {
        "owner_key": owner,
        "everything": target.all is True,
        "ids": list(target.ids or ()),
        "session_id": target.session_id,
        "source_id": target.source_id,
        "since": target.since,
        "until": target.until,
        "entity": _entity(target.entity),
    }


def _entity(given: str | None) -> str | None:
    return entity_key(given) if given is not None else None
