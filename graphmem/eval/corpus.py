"""A large memory, made up: many actors of very different sizes, facts that replace one another, vectors in clusters.

The same numbers give the same memory. No model is asked: a vector is its topic's centre plus noise, so what is near in
meaning is near in space, as with an encoder, and the exact neighbours of a query are known without the database.
"""

from __future__ import annotations

import bisect
import itertools
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphmem.models.ids import actor_identity, hash_key, name_key, new_id, owner_key, scope_token
from graphmem.models.times import OPEN_END

from .snapshot import EDGES, NODES
from .words import ADJECTIVES, CITIES, COMPANIES, FAMILY, GIVEN, NOUNS, relations
from .workload import START

Floats = NDArray[np.float32]
Row = dict[str, Any]

_STEP = timedelta(minutes=5)
"""Between one fact and the next."""
_EVEN = 0.5
"""Share of the facts that all actors have alike; the rest goes to few."""
_TOPICS = 400
_NOISE = 1.0
"""Length of a fact's noise beside its topic's centre: two facts of one topic have a cosine of 0.5."""
_NEAR = 0.6
"""Length of a query's noise beside the fact that answers it."""
_PER_EPISODE = 2
"""Facts of one episode."""
_NOTE_EVERY = 50
"""Facts to one note."""


@dataclass(frozen=True, slots=True)
class Question:
    """A query of an actor, with its vector."""

    actor: str
    text: str
    vector: Floats


@dataclass(slots=True)
class _Fact:
    """What questions and exact search need to know of a fact."""

    id: str
    actor: int
    subject: str
    mine: bool
    relation: int
    start: datetime
    end: datetime = OPEN_END


@dataclass(slots=True)
class Corpus:
    """Facts of one store, made in order; `loads` goes on where it ended before."""

    store_id: str
    actors: int
    dimension: int
    seed: int = 7
    facts: list[_Fact] = field(default_factory=list)
    vectors: list[Floats] = field(default_factory=list)
    memories: int = 0
    """Facts, episodes and notes made so far."""
    _bounds: list[float] = field(init=False)
    _centres: Floats = field(init=False)
    _known: list[dict[str, str]] = field(init=False)
    """Entity ids of each actor, by name."""
    _held: dict[tuple[int, str, int], int] = field(default_factory=dict)
    """The present fact of a one-valued relation of a subject."""

    def __post_init__(self) -> None:
        random = np.random.default_rng([self.seed, 0])
        self._bounds = list(itertools.accumulate(shares(self.actors)))
        self._centres = _units(random.standard_normal((_TOPICS, self.dimension), dtype=np.float32))
        self._known = [{} for _ in range(self.actors)]

    def owner(self, actor: int) -> str:
        """Owner key of an actor."""
        return owner_key(self.store_id, f"actor{actor}")

    def loads(self, until: int, size: int) -> Iterator[tuple[Row, list[Row]]]:
        """Rows of `eval/load` and of `eval/replace_facts`, `size` facts at a time, until there are `until` facts."""
        while len(self.facts) < until:
            yield self._load(min(size, until - len(self.facts)))

    def _load(self, count: int) -> tuple[Row, list[Row]]:
        first = len(self.facts)
        random = np.random.default_rng([self.seed, 1, first])
        rows: dict[str, list[Row]] = defaultdict(list, {name: [] for name in NODES + EDGES})
        replaced: list[Row] = []
        topics = random.integers(_TOPICS, size=count)
        noise = random.standard_normal((count, self.dimension), dtype=np.float32) * (_NOISE / self.dimension**0.5)
        vectors = _units(self._centres[topics] + noise)
        for start in range(0, count, _PER_EPISODE):
            actor = bisect.bisect(self._bounds, float(random.random()) * self._bounds[-1])
            chosen = range(start, min(start + _PER_EPISODE, count))
            self._episode(min(actor, self.actors - 1), vectors[chosen.start : chosen.stop], random, rows, replaced)
        self.memories += sum(len(rows[name]) for name in ("Fact", "Episode", "Note"))
        return dict(rows), replaced

    def _episode(
        self, actor: int, vectors: Floats, random: np.random.Generator, rows: dict[str, list[Row]], replaced: list[Row]
    ) -> None:
        """One episode of an actor and the facts that it says."""
        at = START + len(self.facts) * _STEP
        episode = self._memory(actor, "episode", at)
        texts = []
        about: set[str] = set()
        for vector in vectors:
            text, entities = self._fact(actor, vector, episode["id"], random, rows, replaced)
            texts.append(text)
            about.update(entities)
        content = " ".join(texts)
        mean = _units(vectors.mean(axis=0, keepdims=True))[0]
        episode |= {
            "content": content, "search": content, "context": "", "embedding": mean.tolist(), "role": "user",
            "actor_id": f"actor{actor}", "session_id": f"s{len(self.facts) // 40}", "occurred_at": at,
            "source_type": "chat", "utc_offset": 0, "status": "processed", "attempts": 1,
        }  # fmt: skip
        rows["Episode"].append(episode)
        rows["ABOUT"] += [{"from": episode["id"], "to": id_, "properties": {}} for id_ in sorted(about)]

    def _fact(
        self, actor: int, vector: Floats, episode: str, random: np.random.Generator, rows: dict[str, list[Row]],
        replaced: list[Row],
    ) -> tuple[str, tuple[str, str]]:  # fmt: skip
        """One fact with its subject and object; its text, and the ids of both."""
        number = len(self.facts)
        at = START + number * _STEP
        relation, kinds = int(random.integers(len(relations()))), relations()
        mine = bool(random.random() < 0.5)
        subject = _person(actor) if mine else _person(actor * 31 + 1 + int(random.integers(self._friends(actor))))
        object_ = _object(kinds[relation].objects, random)
        text = kinds[relation].sentence(subject, object_, japanese=number % 3 == 0)
        ids = (self._entity(actor, subject, mine, rows), self._entity(actor, object_, False, rows))
        kind = kinds[relation]
        slot = f"{ids[0]}|{kind.name}"
        fact = self._memory(actor, "fact", at) | {
            "text": text, "search": text, "context": "", "embedding": vector.tolist(), "predicate": kind.name,
            "sense": kind.name, "polarity": True, "category": kind.category, "layer": "semantic",
            "learning_state": "stated", "approval": "approved", "status": "active", "importance": 0.5 + number % 5 / 10,
            "confidence": 0.8, "pinned": False, "tags": [], "disputed": False, "half_life_days": 365.0, "version": 1,
            "valid_at": at, "valid_at_precision": "instant", "known_since": [at], "known_from": [at],
            "known_until": [OPEN_END], "slot_key": slot, "axis_key": slot, "value_key": f"{kind.name}|+|{ids[1]}",
        }  # fmt: skip
        fact["run_key"] = f"{fact['slot_key']}#{fact['id']}"
        rows["Fact"].append(fact)
        rows["SUBJECT"].append({"from": fact["id"], "to": ids[0], "properties": {}})
        rows["OBJECT"].append({"from": fact["id"], "to": ids[1], "properties": {}})
        said = {
            "id": fact["id"], "event": "assert", "valid_at": at, "said_at": at, "trust": 2, "correction": False,
            "explicit": False, "own_words": False, "text": text, "extractor": "none",
        }  # fmt: skip
        rows["DERIVED_FROM"].append({"from": fact["id"], "to": episode, "properties": said})
        self.facts.append(_Fact(fact["id"], actor, subject, mine, relation, at))
        self.vectors.append(vector)
        if kinds[relation].single:
            self._replace((actor, subject, relation), number, episode, replaced)
        if number % _NOTE_EVERY == 0:
            rows["Note"].append(self._note(actor, at, text, vector, object_))
        return text, ids

    def _replace(self, slot: tuple[int, str, int], number: int, episode: str, replaced: list[Row]) -> None:
        """The former value of the slot ends where this one begins."""
        former, self._held[slot] = self._held.get(slot), number
        if former is None:
            return
        self.facts[former].end = self.facts[number].start
        replaced.append(
            {"old": self.facts[former].id, "new": self.facts[number].id, "by": episode, "at": self.facts[number].start}
        )

    def _memory(self, actor: int, kind: str, at: datetime) -> Row:
        """What every kind of memory carries."""
        owner = self.owner(actor)
        return {
            "id": new_id(), "store_id": self.store_id, "owner_key": owner, "kind": kind, "state": "live",
            "tokens": scope_token("o", owner), "valid_from": at, "valid_to": OPEN_END, "created_at": at,
            "updated_at": at, "access_count": 0,
        }  # fmt: skip

    def _note(self, actor: int, at: datetime, text: str, vector: Floats, about: str) -> Row:
        return self._memory(actor, "note", at) | {
            "title": f"On {about}", "body": text, "search": f"On {about} {text}", "context": "", "keywords": [],
            "tags": [],
            "layer": "semantic", "status": "active", "approval": "approved", "learning_state": "stated",
            "importance": 0.5, "half_life_days": 365.0, "version": 1, "valid_at": at, "embedding": vector.tolist(),
        }  # fmt: skip

    def _friends(self, actor: int) -> int:
        return 3 + int(20 * (self._bounds[actor] - (self._bounds[actor - 1] if actor else 0)) / self._bounds[0])

    def _entity(self, actor: int, name: str, mine: bool, rows: dict[str, list[Row]]) -> str:
        """The id of an actor's entity of that name, which is made when it is new."""
        known = self._known[actor]
        if name not in known:
            known[name] = id_ = new_id()
            owner = self.owner(actor)
            rows["Entity"].append(
                {
                    "id": id_, "store_id": self.store_id, "owner_key": owner, "tokens": scope_token("o", owner),
                    "identity_key": actor_identity(owner) if mine else hash_key(owner, name_key(name)), "name": name,
                    "name_key": name_key(name), "base": name, "aliases": [], "is_actor": mine, "named": mine,
                    "type": "person" if mine else None, "qualifier_words": [],
                    "created_at": START, "mentioned_at": START,
                }
            )  # fmt: skip
        return known[name]

    def questions(self, count: int, seed: int = 0) -> list[Question]:
        """Queries for present facts; half of them by actors chosen by how much they have, half by any actor."""
        random = np.random.default_rng([self.seed, 2, seed, len(self.facts)])
        by_actor = defaultdict(list)
        for number, fact in enumerate(self.facts):
            if fact.end == OPEN_END:
                by_actor[fact.actor].append(number)
        actors = sorted(by_actor)
        present = [number for numbers in by_actor.values() for number in numbers]
        asked = []
        for turn in range(count):
            own = by_actor[actors[int(random.integers(len(actors)))]] if turn % 2 else present
            asked.append(self._question(own[int(random.integers(len(own)))], turn, random))
        return asked

    def _question(self, number: int, turn: int, random: np.random.Generator) -> Question:
        fact = self.facts[number]
        first_person = fact.mine and turn % 4 < 2
        text = relations()[fact.relation].question(fact.subject, first_person=first_person, japanese=turn % 3 == 0)
        noise = random.standard_normal((1, self.dimension), dtype=np.float32) * (_NEAR / self.dimension**0.5)
        return Question(f"actor{fact.actor}", text, _units(self.vectors[number] + noise)[0])

    def near(self, count: int) -> Floats:
        """Vectors of queries, each near a fact, whoever owns it."""
        random = np.random.default_rng([self.seed, 3])
        chosen = random.integers(len(self.facts), size=count)
        noise = random.standard_normal((count, self.dimension), dtype=np.float32) * (_NEAR / self.dimension**0.5)
        return _units(np.stack([self.vectors[n] for n in chosen]) + noise)


def shares(actors: int) -> list[float]:
    """The actors' shares of the facts: half is given to all alike, half to few by a power law."""
    few = np.power(np.arange(actors) + 5.0, -1.2)
    return list(_EVEN / actors + (1 - _EVEN) * few / few.sum())


def _units(vectors: Floats) -> Floats:
    unit: Floats = (vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)).astype(np.float32)
    return unit


def _person(number: int) -> str:
    return f"{GIVEN[number % len(GIVEN)]} {FAMILY[number // len(GIVEN) % len(FAMILY)]}"


def _object(kind: str, random: np.random.Generator) -> str:
    if kind == "city":
        return _any(CITIES, random)
    if kind == "company":
        return f"{_any(COMPANIES, random)} {_any(NOUNS, random).capitalize()}"
    return f"{_any(ADJECTIVES, random)} {_any(NOUNS, random)}"


def _any(words: tuple[str, ...], random: np.random.Generator) -> str:
    return words[int(random.integers(len(words)))]
