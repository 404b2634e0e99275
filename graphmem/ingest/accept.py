"""Accept: give what came in an identity and a place, and save it before any model is called."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from ..errors import Conflict, InvalidInput, NotFound
from ..models.episode import Message, RememberRequest
from ..models.fact import EpisodeRef
from ..models.ids import hash_key, new_id, owner_key, scope_token
from ..models.redaction import Redacted
from ..models.scope import Scope
from ..models.text import search_form
from ..safety.orders import find_orders, is_order
from ..safety.redact import QUICK, Clean, Secrets, by_message
from ..safety.secrets import holds_marker
from ..safety.sensitivity import sensitivity_of
from ..store.driver import Database, Transaction
from .doubt import is_own_word
from .job import EpisodeRow, Job, dump_request
from .reading import Reading


@dataclass(frozen=True, slots=True)
class Accepted:
    """What was saved: the job to process (None when everything was known), and every episode's state."""

    job: Job | None
    episodes: tuple[EpisodeRef, ...]
    answer: str | None = None
    """What the call was told the first time, where it is a repeat (`answers.py`)."""


def content_hash(content: str) -> str:
    """Equal for texts that differ only by line ends, a byte-order mark or composition of characters."""
    text = content.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return hash_key(unicodedata.normalize("NFC", text).strip())


def scope_tokens(owner: str, scope: Scope) -> str:
    """The scope as full-text tokens: required in every full-text query, so scope is applied before top-k."""
    tokens = [scope_token("o", owner)]
    for kind, value in (("a", scope.agent_id), ("s", scope.session_id), ("r", scope.route_id)):
        if value is not None:
            tokens.append(scope_token(kind, owner, value))
    return " ".join(tokens)


@dataclass(frozen=True, slots=True)
class Call:
    """One remember call without its secrets, as rows to save; `position` is the row that each message became."""

    request: RememberRequest
    messages: tuple[Message, ...]
    redacted: tuple[Redacted, ...]
    rows: list[dict[str, Any]]
    position: list[int]
    owner: str
    job_id: str
    reading: str | None = None

    @property
    def job(self) -> str:
        """What is needed to process it after a crash."""
        return dump_request(self.request.extraction, self.request.facts, self.reading)

    def outcome(self, store_id: str, saved: Sequence[dict[str, Any]]) -> Accepted:
        """What became of the rows of this call: the job to process, and every message's episode."""
        refs = self.refs(saved)
        episodes = _episode_rows(saved, self.rows, self.messages, self.position)
        if not episodes:
            return Accepted(None, refs)
        request = self.request
        given = (request.scope, episodes, request.extraction, request.facts, self.reading)
        return Accepted(Job(self.job_id, store_id, self.owner, *given), refs)

    def refs(self, saved: Sequence[dict[str, Any]]) -> tuple[EpisodeRef, ...]:
        """Every message's episode, of the rows that this call became."""
        later = _later(self.position)
        taken_out = _taken_out(self.request, self.messages, self.redacted)
        return tuple(
            _ref(
                saved[self.position[i]],
                message.id or _source_id(self.request),
                taken_out[i],
                duplicate=saved[self.position[i]]["duplicate"] or i in later,
            )
            for i, message in enumerate(self.messages)
        )


async def accept(
    database: Database,
    store_id: str,
    request: RememberRequest,
    now: datetime,
    lease: timedelta,
    idempotency_key: str | None,
    secrets: Secrets,
    reading: Reading | None = None,
) -> Accepted:
    """Save the call's episodes without their secrets; with `wait` they are this caller's for as long as the lease.

    `reading` is what is known of a text beside its words. Errors: NotFound (store), Conflict (key reused),
    InvalidInput (message_id; a secret that is refused).
    """
    call = await prepare(store_id, await secrets.clean(request), now, reading)
    request, rows = call.request, call.rows
    lease_until = now + lease if request.wait else now
    jobs = {call.job_id: call.job}
    parameters = save_parameters(store_id, call.owner, request.scope, rows, now, lease_until, jobs)

    async def work(transaction: Transaction) -> tuple[list[dict[str, Any]], bool]:
        if idempotency_key is not None:
            digest, ids = hash_key(request.model_dump_json()), [row["id"] for row in rows]
            known = await claim(transaction, store_id, call.owner, idempotency_key, digest, ids, now)
            if known is not None:
                return known, True
        saved = await transaction.run("ingest/save_episodes", parameters)
        if not saved:
            raise NotFound(f"There is no store {store_id}.", field="store")
        if idempotency_key is not None and any(row["duplicate"] for row in saved):
            await _note_known(transaction, call.owner, idempotency_key, saved)
        return saved, False

    saved, repeated = await database.write(work)
    if repeated:
        answer = next((row["answer"] for row in saved if row["answer"] and not row["duplicate"]), None)
        if len(saved) == len(rows):
            return Accepted(None, call.refs(saved), answer)
        return Accepted(None, tuple(_ref(row, None, (), duplicate=row["duplicate"]) for row in saved), answer)
    return call.outcome(store_id, saved)


async def prepare(store_id: str, clean: Clean[RememberRequest], now: datetime, reading: Reading | None = None) -> Call:
    """The rows that a call becomes. Errors: InvalidInput (message_id)."""
    request, owner, job_id = clean.value, owner_key(store_id, clean.value.scope.actor_id), new_id()
    messages = _messages(request, now)
    _check_message_ids(request, messages)
    many = sum(len(m.content) for m in messages) > QUICK
    made = (request, messages, owner, job_id)
    rows, position = await asyncio.to_thread(_rows, *made) if many else _rows(*made)
    if reading is None:
        return Call(request, messages, clean.redacted, rows, position, owner, job_id)
    known = reading.dump()
    for row in rows:
        digest = reading.digest(row["content_hash"])
        row["content_hash"] = digest
        row["properties"] |= {
            "occurred_at_precision": reading.precision,
        }
    return Call(request, messages, clean.redacted, rows, position, owner, job_id, known)


def _messages(request: RememberRequest, now: datetime) -> tuple[Message, ...]:
    """The call as messages that all have a time; a later message without one is a millisecond later."""
    if request.text is not None:
        given: Sequence[Message] = (Message(id=_source_id(request), content=request.text),)
    else:
        given = request.messages or ()
    start = request.occurred_at or now
    return tuple(
        m if m.occurred_at else m.model_copy(update={"occurred_at": start + timedelta(milliseconds=i)})
        for i, m in enumerate(given)
    )


def _taken_out(
    request: RememberRequest, messages: Sequence[Message], redacted: tuple[Redacted, ...]
) -> list[tuple[Redacted, ...]]:
    """What was taken out of the call, for each of its messages."""
    facts = request.facts or ()

    def covers(fact: int, message: int) -> bool:
        return facts[fact].message_id in (None, messages[message].id)

    return by_message(redacted, len(messages), covers)


def _source_id(request: RememberRequest) -> str | None:
    return request.source.id if request.source and request.text is not None else None


def _check_message_ids(request: RememberRequest, messages: Sequence[Message]) -> None:
    known = {m.id for m in messages}
    for index, fact in enumerate(request.facts or ()):
        if fact.message_id is not None and fact.message_id not in known:
            raise InvalidInput("message_id names no message of this call.", field=f"facts.{index}.message_id")


def _rows(
    request: RememberRequest, messages: Sequence[Message], owner: str, job_id: str
) -> tuple[list[dict[str, Any]], list[int]]:
    """Rows to save and, for each message, the row it became: the same message twice in one call is one row."""
    rows: list[dict[str, Any]] = []
    position: list[int] = []
    seen: dict[tuple[Any, ...], int] = {}
    source = request.source
    for message in messages:
        digest = content_hash(message.content)
        same = (message.id, message.role, message.name, digest, None if message.id else message.occurred_at)
        if not message.id and request.messages and not any(m.occurred_at for m in request.messages):
            same = (None, message.role, message.name, digest, None)
        if same in seen:
            position.append(seen[same])
            continue
        seen[same] = len(rows)
        position.append(len(rows))
        conversation = source.id if source and request.text is None else None
        row = episode_row(owner, request.scope, message, source.type if source else "chat", job_id)
        row["properties"]["conversation"] = conversation
        rows.append(row)
    return rows, position


def episode_row(owner: str, scope: Scope, message: Message, source_type: str, job_id: str) -> dict[str, Any]:
    """One message that has a time, as `ingest/save_episodes` takes it."""
    occurred_at = message.occurred_at
    if occurred_at is None:
        raise ValueError("a message gets its time before it is saved")
    digest = content_hash(message.content)
    return {
        "id": new_id(),
        "source_key": source_key(owner, scope, source_type, message.id),
        "content_hash": digest,
        "properties": {
            "role": message.role,
            "name": message.name,
            "content": message.content,
            "content_hash": digest,
            "search": search_form(message.content),
            "sensitivity": sensitivity_of(message.content),
            "quoted": _is_quoted(message, source_type) or None,
            "source_type": source_type,
            "source_id": message.id,
            "occurred_at": occurred_at.astimezone(UTC),
            "utc_offset": _offset(occurred_at),
            **scope.model_dump(),
            "tokens": scope_tokens(owner, scope),
            "job_id": job_id,
        },
    }


def _is_quoted(message: Message, source_type: str) -> bool:
    """Whether it orders its reader about, so that it is shown as a quotation only."""
    if message.name and is_order(f"{message.name}: "):
        return True
    return bool(find_orders(message.content, own_word=is_own_word(message.role, source_type)))


def _later(position: Sequence[int]) -> set[int]:
    """Messages that repeat an earlier one of the same call."""
    return {i for i, row in enumerate(position) if row in position[:i]}


def _offset(time: datetime) -> int:
    """Minutes east of UTC."""
    offset = time.utcoffset() or timedelta()
    return int(offset.total_seconds() // 60)


def source_key(owner: str, scope: Scope, source_type: str, source_id: str | None) -> str | None:
    """What makes a source of this scope one episode; None where it cannot be told from others."""
    if source_id is None or holds_marker(source_id):  # with its secret gone it no longer tells sources apart
        return None
    return hash_key(*_place(owner, scope), source_type, source_id)


def scope_key(owner: str, scope: Scope) -> str:
    """A scope as one value."""
    return hash_key(*_place(owner, scope))


def _place(owner: str, scope: Scope) -> tuple[str | None, ...]:
    return owner, scope.agent_id, scope.session_id, scope.route_id


def save_parameters(
    store_id: str,
    owner: str,
    scope: Scope,
    rows: list[dict[str, Any]],
    now: datetime,
    lease_until: datetime,
    jobs: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Parameters of `ingest/save_episodes`; `jobs` is what the rows' jobs need, by id."""
    session = scope.session_id
    return {
        "store_id": store_id,
        "owner_key": owner,
        "session_key": hash_key(owner, session) if session else None,
        "session": {"id": session, "actor_id": scope.actor_id, "agent_id": scope.agent_id},
        "episodes": rows,
        "jobs": dict(jobs or {}),
        "lease_until": lease_until,
        "now": now,
    }


async def claim(
    transaction: Transaction,
    store_id: str,
    owner: str,
    key: str,
    request_hash: str,
    episode_ids: list[str],
    now: datetime,
) -> list[dict[str, Any]] | None:
    """Episodes of an earlier call with this key, or None when this call is the first. Errors: Conflict."""
    known = await transaction.run(
        "ingest/claim_idempotency_key",
        {
            "store_id": store_id,
            "owner_key": owner,
            "key": hash_key(owner, key),
            "request_hash": request_hash,
            "episode_ids": episode_ids,
            "now": now,
        },
    )
    if not known or known[0]["first"]:
        return None
    if known[0]["request_hash"] != request_hash:
        raise Conflict("This Idempotency-Key was used for another request.", field="Idempotency-Key")
    where = {"owner_key": owner, "episode_ids": known[0]["episode_ids"]}
    states = await transaction.run("ingest/episode_states", where)
    return [{**row, "duplicate": row["id"] in known[0]["known_ids"]} for row in states]


async def _note_known(transaction: Transaction, owner: str, key: str, saved: Sequence[dict[str, Any]]) -> None:
    """The claim was made with the ids of new episodes; some were known under others."""
    ids, known = [row["id"] for row in saved], [row["id"] for row in saved if row["duplicate"]]
    where = {"owner_key": owner, "key": hash_key(owner, key)}
    await transaction.run("ingest/note_known", {**where, "episode_ids": ids, "known_ids": known})


def _ref(row: dict[str, Any], source_id: str | None, redacted: tuple[Redacted, ...], *, duplicate: bool) -> EpisodeRef:
    return EpisodeRef(
        id=row["id"],
        source_id=row.get("source_id") or source_id,
        status=row["status"],
        duplicate=duplicate,
        redacted=redacted,
    )


def _episode_rows(
    saved: Sequence[dict[str, Any]],
    rows: list[dict[str, Any]],
    messages: Sequence[Message],
    position: Sequence[int],
) -> tuple[EpisodeRow, ...]:
    """The new episodes, in order."""
    first = {row: i for i, row in reversed(list(enumerate(position)))}
    return tuple(
        EpisodeRow(
            id=row["id"],
            role=messages[first[i]].role,
            name=messages[first[i]].name,
            content=messages[first[i]].content,
            source_id=rows[i]["properties"]["source_id"],
            occurred_at=messages[first[i]].occurred_at or datetime.now(UTC),
            replaced=row["replaced"],
            source_type=rows[i]["properties"]["source_type"],
            precision=rows[i]["properties"].get("occurred_at_precision", "instant"),
        )
        for i, row in enumerate(saved)
        if not row["duplicate"]
    )
