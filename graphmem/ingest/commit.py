"""Commit: one transaction writes entities, statements, settled facts and the episodes' state, or nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from ..models.fact import Decision, EntityName
from ..models.ids import actor_identity, hash_key, name_key, new_id, scope_token
from ..models.names import entity_key
from ..models.text import search_form, words_key
from ..ports import Vectors
from ..safety.sensitivity import sensitivity_of
from ..store.driver import Database, Transaction
from ..store.records import decision_from
from .draft import Draft
from .job import EpisodeRow, Job
from .match import enrich, explained, follow_matches
from .predicates import DEFAULT_HALF_LIFE
from .reading import is_undated
from .resolve import Resolved, mention_ref, resolve
from .same_as import follow_names, park_facts

_MISTAKE_WITHIN = timedelta(days=7)
"""Where values coexist, a correction is about what was said in the week before it, not about something old."""


@dataclass(frozen=True, slots=True)
class Committed:
    """What one commit did."""

    decisions: tuple[Decision, ...]
    entities: tuple[EntityName, ...]


class Overtaken(Exception):
    """Episodes of the job were processed or erased by someone else meanwhile; nothing of it is written."""


async def commit(
    database: Database,
    job: Job,
    drafts: tuple[Draft, ...],
    fact_vectors: Vectors,
    episode_vectors: Vectors,
    now: datetime,
    answer: Callable[[Committed], str] | None = None,
) -> Committed:
    """Write everything of a job in one transaction, with the answer that a repeat of the call is given, where wanted.

    Errors: NotFound (an entity id), Overtaken, DatabaseError.
    """
    commit_id = new_id()

    async def work(transaction: Transaction) -> Committed:
        done = await assert_drafts(transaction, job, drafts, fact_vectors, now, commit_id)
        finished = await transaction.run(
            "ingest/finish_episodes",
            {
                "owner_key": job.owner_key,
                "now": now,
                "episodes": [_finished(e, episode_vectors[i].tolist()) for i, e in enumerate(job.episodes)],
            },
        )
        if len(finished) < len(job.episodes):
            raise Overtaken
        if answer is not None:
            kept = {"owner_key": job.owner_key, "episode_id": job.episodes[0].id, "answer": answer(done)}
            await transaction.run("ingest/keep_answer", kept)
        return done

    return await database.write(work)


def _finished(episode: EpisodeRow, vector: list[float]) -> dict[str, Any]:
    """An episode's vector and words; one of which nothing was heard has neither."""
    heard = episode.heard
    search = None if heard is None else search_form(heard)
    return {"id": episode.id, "embedding": None if heard == "" else vector, "heard": heard, "search": search}


async def assert_drafts(
    transaction: Transaction,
    job: Job,
    drafts: tuple[Draft, ...],
    vectors: Vectors,
    now: datetime,
    commit_id: str,
) -> Committed:
    """Lock the owner, resolve names, write statements, settle what they touch, and say what came of each."""
    scope = {"store_id": job.store_id, "owner_key": job.owner_key, "now": now}
    actor = await lock(transaction, job, scope)
    drafts = await follow_matches(transaction, job.owner_key, drafts)
    called = (actor.name, job.scope.actor_id)
    names = frozenset({"user", *map(name_key, called), *map(entity_key, called)})
    identity = {**scope, "actor_identity": actor_identity(job.owner_key)}
    found, entities = await resolve(transaction, job, drafts, names, identity)
    rows = [
        _statement_row(draft, episode, job.owner_key, found, names, vectors[i].tolist())
        for i, draft in enumerate(drafts)
        for episode in draft.episodes
    ]
    rows += [_ending(row) for row in rows if not row["polarity"] and row["statement"]["event"] == "assert"]
    asserted = await _assert(transaction, rows, scope, commit_id) if rows else []
    slots = await _withdraw_replaced(transaction, job, scope, commit_id)
    slots.update(row["slot_key"] for row in asserted)
    coexist = {row["axis_key"] for row in asserted if row["cardinality"] == "many"}
    slots.update(await apply_corrections(transaction, coexist, scope, commit_id))
    settled = await settle(transaction, job.owner_key, slots, now, commit_id)
    reworded = await enrich(transaction, job.owner_key, _said(drafts, rows), now, commit_id)
    decisions = await _decisions(transaction, job, drafts, rows, asserted, settled, commit_id, reworded)
    return Committed(decisions, tuple(entities))


async def take_lock(transaction: Transaction, store_id: str, owner: str, now: datetime) -> None:
    """Take the owner's write lock for the rest of the transaction: one change of an owner's truth at a time."""
    await transaction.run("ingest/take_owner_lock", {"store_id": store_id, "owner_key": owner, "now": now})


async def lock(transaction: Transaction, job: Job, scope: dict[str, Any]) -> EntityName:
    """Take the owner's lock and return the actor's entity, named after its first named speaker."""
    speaker = next((e.name for e in job.episodes if e.role == "user" and e.name), None)
    row = (
        await transaction.run(
            "ingest/lock_owner",
            {
                **scope,
                "actor_identity": actor_identity(job.owner_key),
                "actor": {
                    "id": new_id(),
                    "name": job.scope.actor_id,
                    "name_key": name_key(job.scope.actor_id),
                    "tokens": scope_token("o", job.owner_key),
                },
                "speaker_name": speaker,
                "speaker_key": name_key(speaker) if speaker else None,
            },
        )
    )[0]
    return EntityName(id=row["id"], name=row["name"])


async def settle(transaction: Transaction, owner: str, slots: Counter[str], now: datetime, commit_id: str) -> set[str]:
    """Derive the facts of these slots anew from their statements; `slots` counts statements added.

    Names that the facts give or take may merge entities or take them apart, which changes further slots: all that
    were settled are given back.
    """
    settled: set[str] = set()
    while slots:
        await transaction.run(
            "ingest/settle_slots",
            {
                "store_id": owner.partition(":")[0],
                "owner_key": owner,
                "now": now,
                "commit_id": commit_id,
                "slots": await _with_spare_ids(transaction, owner, slots),
            },
        )
        if settled:
            await park_facts(transaction, owner, slots, now, commit_id)
        await transaction.run("ingest/restore_wordings", {"owner_key": owner, "slot_keys": sorted(slots)})
        settled.update(slots)
        slots = await follow_names(transaction, owner, slots, now, commit_id)
    return settled


async def _with_spare_ids(transaction: Transaction, owner: str, slots: Counter[str]) -> list[dict[str, Any]]:
    """Each slot with enough ids: no more facts can come of it than it has statements, plus one that resumes each."""
    sizes = await transaction.run("ingest/slot_sizes", {"owner_key": owner, "slot_keys": sorted(slots)})
    return [
        {"key": row["slot_key"], "spare_ids": [new_id() for _ in range(2 * row["statements"] + 2)]} for row in sizes
    ]


async def _withdraw_replaced(transaction: Transaction, job: Job, scope: dict[str, Any], commit_id: str) -> Counter[str]:
    """A new version of a source takes back what only the old version said, whichever was processed first."""
    sourced = [e.id for e in job.episodes if e.source_id]
    if not sourced:
        return Counter()
    replaced = [{"old": e.replaced, "new": e.id} for e in job.episodes if e.replaced]
    if replaced and is_undated(job):
        await transaction.run("ingest/keep_times", {"owner_key": scope["owner_key"], "sources": replaced})
    rows = await transaction.run(
        "ingest/withdraw_sources",
        {
            "owner_key": scope["owner_key"],
            "episode_ids": sourced,
            "reason": "source_replaced",
            "commit_id": commit_id,
        },
    )
    return Counter(row["slot_key"] for row in rows)


async def _assert(
    transaction: Transaction, rows: list[dict[str, Any]], scope: dict[str, Any], commit_id: str
) -> list[dict[str, Any]]:
    return await transaction.run("ingest/assert_statements", {**scope, "rows": rows, "commit_id": commit_id})


async def apply_corrections(
    transaction: Transaction, axes: Iterable[str], scope: dict[str, Any], commit_id: str
) -> list[str]:
    """Slots of what corrections took back where values coexist; an axis is a subject and a relation."""
    if not (axis_keys := sorted(axes)):
        return []
    rows = await transaction.run(
        "ingest/apply_corrections",
        {
            "owner_key": scope["owner_key"],
            "now": scope["now"],
            "axis_keys": axis_keys,
            "within": _MISTAKE_WITHIN,
            "commit_id": commit_id,
        },
    )
    return [row["slot_key"] for row in rows]


def _statement_row(
    draft: Draft,
    episode: EpisodeRow,
    owner: str,
    found: dict[str, Resolved],
    actor_names: frozenset[str],
    vector: list[float],
) -> dict[str, Any]:
    """One statement as `ingest/assert_statements` takes it."""
    literal = draft.literal
    said_at = draft.said_at(episode)
    predicate = draft.predicate
    subject = found[mention_ref(draft.subject, draft, actor_names)]
    object_ = None if literal is not None else found[mention_ref(draft.object, draft, actor_names)]
    valid_at = draft.valid_at
    return {
        "subject_id": subject.entity.id,
        "object_id": object_.entity.id if object_ else None,
        "literal": literal,
        "literal_key": hash_key(name_key(literal)) if literal is not None else None,
        "predicate_definition": {
            "name": predicate.name,
            "sense": predicate.sense,
            "axis": predicate.axis,
            "cardinality": predicate.cardinality or draft.cardinality or predicate.guess or "many",
            "kind": predicate.kind,
            "half_life_days": predicate.half_life_days or DEFAULT_HALF_LIFE[_layer(draft)],
        },
        "polarity": draft.affirms,
        "episode_id": episode.id,
        "fact": _fact_properties(draft, owner, vector),
        "statement": {
            "id": new_id(),
            "said_subject": subject.said,
            "said_object": object_.said if object_ else None,
            "event": "retract" if draft.retracts else "assert",
            "valid_at": (valid_at.at if valid_at else said_at).astimezone(UTC),
            "valid_at_precision": valid_at.precision if valid_at else episode.precision,
            "invalid_at": draft.invalid_at.at if draft.invalid_at else None,
            "invalid_at_precision": draft.invalid_at.precision if draft.invalid_at else None,
            "said_at": said_at.astimezone(UTC),
            "explicit": valid_at is not None,
            "correction": draft.correction,
            "trust": draft.trust(episode),
            "extractor": draft.extractor,
            "quote": draft.quote,
            "start": draft.start,
            "end": draft.end,
            "passage_key": draft.passage_key,
            **_words(draft, owner),
        },
    }


def _words(draft: Draft, owner: str) -> dict[str, Any]:
    """By what the statement's sentence is known again, and whether it is what was said, word for word."""
    key = words_key(owner, draft.text)
    return {"text_key": key, "own_words": draft.quote is not None and words_key(owner, draft.quote) == key}


def _ending(row: dict[str, Any]) -> dict[str, Any]:
    """The denial as the end of what it denies, which among values that exclude one another has another slot."""
    statement = {**row["statement"], "id": new_id(), "event": "retract", "denies": True}
    return {**row, "ends": True, "polarity": True, "fact": {**row["fact"], "id": new_id()}, "statement": statement}


def _layer(draft: Draft) -> str:
    """What happened is episodic, what holds is semantic."""
    return "episodic" if draft.predicate.kind == "event" else "semantic"


def _fact_properties(draft: Draft, owner: str, vector: list[float]) -> dict[str, Any]:
    """What a new fact keeps of its first statement."""
    return {
        "id": new_id(),
        "text": draft.text,
        "search": search_form(draft.text),
        "context": search_form(draft.quote or ""),
        "tokens": scope_token("o", owner),
        "embedding": vector,
        "category": draft.category or draft.predicate.category or "general",
        "layer": _layer(draft),
        "importance": draft.importance,
        "confidence": draft.confidence,
        "learning_state": draft.learning_state,
        "expires_at": draft.expires_at,
        "sensitivity": sensitivity_of(f"{draft.text} {draft.literal or ''}", draft.predicate.sense),
        "quoted": draft.quoted or None,
        "alias_key": entity_key(draft.literal) if draft.names and draft.literal else None,
    }


def _said(drafts: tuple[Draft, ...], rows: list[dict[str, Any]]) -> list[tuple[Draft, str]]:
    """Each draft with the first statement that it became."""
    position, said = 0, []
    for draft in drafts:
        said.append((draft, str(rows[position]["statement"]["id"])))
        position += len(draft.episodes)
    return said


async def _decisions(
    transaction: Transaction,
    job: Job,
    drafts: tuple[Draft, ...],
    rows: list[dict[str, Any]],
    asserted: list[dict[str, Any]],
    settled: set[str],
    commit_id: str,
    reworded: frozenset[str],
) -> tuple[Decision, ...]:
    """What became of every draft, in their order."""
    if not rows:
        return ()
    slots = sorted({row["slot_key"] for row in asserted} | settled)
    read = await transaction.run(
        "ingest/decisions",
        {
            "owner_key": job.owner_key,
            "slot_keys": slots,
            "commit_id": commit_id,
        },
    )
    by_statement = {row["statement_id"]: row for row in read}
    cardinality = {row["statement_id"]: row["cardinality"] for row in asserted}
    decisions = []
    for draft, statement in _said(drafts, rows):
        row = by_statement.get(statement)
        if row is not None:
            decision = decision_from(row, draft.cardinality, cardinality[statement])
            decisions.append(explained(decision, draft.match, reworded=statement in reworded))
    return tuple(decisions)
