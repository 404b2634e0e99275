"""Facts: list, read, change; their history."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from ..errors import Conflict, InvalidInput, NotFound, PreconditionFailed
from ..ingest.accept import episode_row, save_parameters
from ..ingest.commit import assert_drafts, settle, take_lock
from ..ingest.draft import Draft
from ..ingest.job import EpisodeRow, Job
from ..ingest.predicates import read_predicate
from ..models.episode import EntityRef, Message
from ..models.fact import Fact, FactPatch, FactQuery, HistoryEntry
from ..models.ids import new_id, owner_key
from ..models.manage import Page
from ..models.names import entity_key
from ..models.scope import Scope
from ..models.times import BEGINNING, OPEN_END, ValidTime
from ..ports import Clock, Embedder, EntityMention
from ..safety.redact import Secrets
from ..store.driver import Database, Row, Transaction
from ..store.records import fact_from, history_from
from .paging import page_of, position

_EVERY_STATE = ["live", "archived", "draft", "rejected", "candidate", "deleted", "expired"]
_IN_PLACE = ("importance", "confidence", "category", "tags", "pinned", "sensitivity", "expires_at")
_CORRECTING = ("text", "object", "valid_at", "invalid_at")


class Facts:
    """The facts of a database."""

    def __init__(self, database: Database, embedder: Embedder, clock: Clock, secrets: Secrets) -> None:
        self._database = database
        self._embedder = embedder
        self._clock = clock
        self._secrets = secrets

    async def page(self, store_id: str, query: FactQuery, page_size: int, page_token: str | None) -> Page[Fact]:
        """One page of an owner's facts; current ones unless the query says otherwise."""
        now = self._clock.now()
        at = query.as_of or now
        every = query.validity == "any"
        whole = every or query.known_at is not None  # what was believed then is looked at row by row
        rows = await self._database.run(
            "manage/facts",
            {
                "owner_key": owner_key(store_id, query.actor_id),
                "after": position(page_token, "facts"),
                "limit": page_size + 1,
                "states": _states(query),
                "starts_by": OPEN_END if whole else at,
                "ends_after": BEGINNING if whole else at,
                "known_at": query.known_at,
                "as_of": None if every else at,
                "subject_key": _subject_key(query.subject),
                "sense": read_predicate(query.predicate).sense if query.predicate else None,
                "category": query.category,
                "layer": query.layer,
                "now": now,
            },
        )
        return page_of([_fact(row) for row in rows], page_size, "facts", lambda f: f.id)

    async def get(self, store_id: str, actor_id: str, fact_id: str) -> Fact:
        """One fact with its sources. Errors: NotFound."""
        return _fact(await self._row(store_id, actor_id, fact_id))

    async def _row(self, store_id: str, actor_id: str, fact_id: str) -> Row:
        rows = await self._database.run(
            "manage/fact",
            {
                "owner_key": owner_key(store_id, actor_id),
                "fact_id": fact_id,
                "now": self._clock.now(),
            },
        )
        if not rows:
            raise NotFound("There is no such fact of this actor.", field="fact_id")
        return rows[0]

    async def by_id(self, store_id: str, actor_id: str, fact_ids: Sequence[str]) -> list[Fact]:
        """Facts with their sources in the order of the ids; those that are not there are left out."""
        if not fact_ids:
            return []
        parameters = {
            "owner_key": owner_key(store_id, actor_id),
            "fact_ids": list(fact_ids),
            "now": self._clock.now(),
        }
        return [_fact(row) for row in await self._database.run("manage/facts_by_id", parameters)]

    async def history(self, store_id: str, actor_id: str, fact_id: str) -> tuple[HistoryEntry, ...]:
        """What became of a fact, oldest first. Errors: NotFound."""
        await self._row(store_id, actor_id, fact_id)
        rows = await self._database.run(
            "manage/fact_history", {"owner_key": owner_key(store_id, actor_id), "fact_id": fact_id}
        )
        return tuple(history_from(row) for row in rows)

    async def update(self, store_id: str, actor_id: str, fact_id: str, patch: FactPatch, if_match: int | None) -> Fact:
        """Change a fact; another text, object or valid time makes a new fact that corrects this one.

        Errors: NotFound, PreconditionFailed, Conflict (it was already corrected), InvalidInput.
        """
        clean = await self._secrets.clean(patch)
        patch = clean.value
        given = patch.model_dump(exclude_unset=True)
        if not given:
            raise InvalidInput("The patch changes nothing.", field="body")
        rows = await self._database.run(
            "manage/update_fact",
            {
                "owner_key": owner_key(store_id, actor_id),
                "fact_id": fact_id,
                "if_match": if_match,
                "changes": {k: list(v) if k == "tags" else v for k, v in given.items() if k in _IN_PLACE},
                "now": self._clock.now(),
            },
        )
        if not rows:
            raise NotFound("There is no such fact of this actor.", field="fact_id")
        if rows[0]["stale"]:
            raise PreconditionFailed("The fact has changed since this version; read it again.", field="If-Match")
        if any(key in given for key in _CORRECTING):
            fact_id = await self._correct(store_id, actor_id, fact_id, patch, given)
        fact = await self.get(store_id, actor_id, fact_id)
        return fact.model_copy(update={"redacted": clean.redacted})

    async def _correct(
        self, store_id: str, actor_id: str, fact_id: str, patch: FactPatch, given: dict[str, Any]
    ) -> str:
        """Withdraw the fact and state it anew; the id of the new fact."""
        row = await self._row(store_id, actor_id, fact_id)
        old = _fact(row)
        if old.expired_at is not None:
            raise Conflict("This fact was already corrected; change the one that took its place.", field="fact_id")
        if patch.object is not None:
            patch = patch.model_copy(update={"object": self._secrets.value_of(old.predicate, patch.object, "object")})
        now = self._clock.now()
        edit, saved = _edit(store_id, actor_id, _corrected_text(old, patch), now)
        draft = _corrected_draft(row, old, patch, given, edit.episodes[0])
        vectors = await self._embedder.embed_passages([draft.text])
        owner = owner_key(store_id, actor_id)

        async def work(transaction: Transaction) -> str:
            commit_id = new_id()
            await take_lock(transaction, store_id, owner, now)
            await transaction.run(
                "ingest/save_episodes", save_parameters(store_id, owner, edit.scope, [saved], now, now)
            )
            slots = await transaction.run(
                "manage/withdraw_fact",
                {
                    "owner_key": owner,
                    "fact_ids": [fact_id],
                    "by": edit.episodes[0].id,
                    "reason": "corrected",
                    "status": None,
                    "approval": None,
                    "commit_id": commit_id,
                },
            )
            touched = Counter(r["slot_key"] for r in slots)
            await settle(transaction, owner, touched, now, commit_id)
            committed = await assert_drafts(transaction, edit, (draft,), vectors, now, commit_id)
            await transaction.run(
                "ingest/finish_episodes",
                {
                    "owner_key": owner,
                    "now": now,
                    "episodes": [{"id": edit.episodes[0].id, "embedding": vectors[0].tolist()}],
                },
            )
            new = committed.decisions[0].fact.id
            await transaction.run(
                "manage/replace_fact",
                {
                    "owner_key": owner,
                    "old_id": fact_id,
                    "new_id": new,
                    "by": edit.episodes[0].id,
                    "now": now,
                },
            )
            return new

        return await self._database.write(work)


def _states(query: FactQuery) -> list[str]:
    if query.status == "archived":
        return ["archived"]
    if query.status == "deleted":
        return ["deleted"]
    if query.validity == "any" and query.status is None:
        return _EVERY_STATE
    return ["live", "expired"] if query.validity == "any" or query.known_at else ["live"]


def _subject_key(subject: str | None) -> str | None:
    return entity_key(subject) if subject else None


def _fact(row: Row) -> Fact:
    return fact_from(row["fact"], row["subject"], row["object"], row["sources"])


def _corrected_text(old: Fact, patch: FactPatch) -> str:
    """The new sentence: the one given, else the old one with the object exchanged."""
    if patch.text is not None:
        return patch.text
    if patch.object is None:
        return old.text
    former = old.object.name if old.object else old.literal or ""
    if former and former in old.text:
        return old.text.replace(former, patch.object)
    return f"{old.subject.name} {old.predicate.replace('_', ' ')} {patch.object}"


def _edit(store_id: str, actor_id: str, text: str, now: datetime) -> tuple[Job, dict[str, Any]]:
    """The edit as an episode of its own, so that the new fact has a source; and the row that saves it."""
    scope, owner, job_id = Scope(actor_id=actor_id), owner_key(store_id, actor_id), new_id()
    row = episode_row(owner, scope, Message(content=text, occurred_at=now), "edit", job_id)
    episode = EpisodeRow(row["id"], "user", None, text, None, now, source_type="edit")
    return Job(job_id, store_id, owner, scope, (episode,), "none", ()), row


def _corrected_draft(row: Row, old: Fact, patch: FactPatch, given: dict[str, Any], episode: EpisodeRow) -> Draft:
    object_: EntityMention | EntityRef
    if patch.object is not None:
        object_ = EntityMention(patch.object)
    elif old.object is not None:
        object_ = EntityRef(id=old.object.id)
    else:
        object_ = EntityMention(old.literal or "")
    valid_at = patch.valid_at or ValidTime(at=old.valid_at, precision=old.valid_at_precision)
    invalid_at = patch.invalid_at
    if "invalid_at" not in given and old.invalid_at is not None and row["fact"].get("end_reason") == "ended":
        invalid_at = ValidTime(at=old.invalid_at)
    if invalid_at is not None and invalid_at.at <= valid_at.at:
        raise InvalidInput("invalid_at must be later than valid_at.", field="invalid_at")
    return Draft(
        episodes=(episode,),
        subject=EntityRef(id=old.subject.id),
        predicate=read_predicate(old.predicate),
        object=object_,
        text=_corrected_text(old, patch),
        extractor="edit",
        quote=episode.content,
        polarity=old.polarity,
        valid_at=valid_at,
        invalid_at=invalid_at,
        category=patch.category or old.category,
        confidence=old.confidence if patch.confidence is None else patch.confidence,
        importance=old.importance if patch.importance is None else patch.importance,
        learning_state="confirmed",
        expires_at=given.get("expires_at", old.expires_at),
    )
