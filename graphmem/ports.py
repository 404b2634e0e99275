"""What the library needs from the outside: an extractor, an embedder, a clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from .models.times import ValidTime

Vectors = NDArray[np.float32]
"""Array of shape (texts, dimension), float32, each row of length 1."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What makes stored vectors comparable: same name, dimension and digest of weights and means."""

    name: str
    dimension: int
    digest: str


class Embedder(Protocol):
    """Text to vectors; await `prepare` before the first use."""

    async def prepare(self) -> None:
        """Find out what the identity needs, such as the width of a remote vector. Errors: ProviderError."""
        ...

    @property
    def identity(self) -> Identity:
        """Recorded in the database and checked at start."""
        ...

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text, for storing. Errors: ProviderError; never a zero or NaN vector."""
        ...

    async def embed_query(self, text: str) -> Vectors:
        """One unit vector of shape (dimension,), for searching. Errors: ProviderError."""
        ...

    async def close(self) -> None:
        """Free what was opened."""
        ...


@dataclass(frozen=True, slots=True)
class Turn:
    """One message as the extractor sees it."""

    index: int
    role: Literal["user", "assistant", "system", "tool"]
    speaker: str
    """Name by which the first person of this message is known."""
    content: str
    occurred_at: datetime
    """Aware; its zone is the speaker's where that is known, so that "today" is the speaker's day."""


@dataclass(frozen=True, slots=True)
class EntityMention:
    """A name that a candidate speaks of; `is_speaker` marks the first person of its turn."""

    name: str
    type: str | None = None
    """person, organisation, place, thing, concept, or None when unknown."""
    is_speaker: bool = False
    aliases: tuple[str, ...] = ()
    context: str | None = None
    """What tells this bearer of the name from another, when it is not part of the name."""
    firm: int = 0
    """How far the type may tell two entities apart: 0 a hint, 1 a model's word, 2 the caller's."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A fact that an extractor proposes, with the span that grounds it."""

    turn: int
    """`Turn.index` of the message that grounds it."""
    text: str
    """The fact as one sentence that can be read alone."""
    subject: EntityMention
    predicate: str
    """Canonical snake_case name where known (lives_in, works_at, likes, …), else the words used."""
    object: EntityMention
    quote: str
    """Exactly the characters of the episode that ground it: `content[start:end]`."""
    start: int
    end: int
    polarity: bool = True
    event: Literal["assert", "retract"] = "assert"
    valid_at: ValidTime | None = None
    invalid_at: ValidTime | None = None
    correction: bool = False
    cardinality: Literal["one", "many"] | None = None
    category: str = "general"
    confidence: float = 0.7
    importance: float = 0.5
    learning_state: Literal["candidate", "stated", "confirmed"] = "stated"


@dataclass(frozen=True, slots=True)
class Rejection:
    """A candidate that the extractor or the grounding check refused."""

    turn: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Extracted:
    """Answer of an extractor."""

    extractor: str
    candidates: tuple[Candidate, ...] = ()
    rejected: tuple[Rejection, ...] = ()
    llm_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    warnings: tuple[str, ...] = field(default=())


class Extractor(Protocol):
    """Messages to candidate facts."""

    @property
    def name(self) -> str:
        """`offline`, `llm` or `none`; kept with every fact it grounds."""
        ...

    async def extract(self, turns: Sequence[Turn], *, known_names: Sequence[str] = ()) -> Extracted:
        """Candidates of all turns. Errors: ProviderError when a model failed; never a silent empty answer."""
        ...

    async def close(self) -> None:
        """Free what was opened."""
        ...


class Clock(Protocol):
    """Where "now" comes from."""

    def now(self) -> datetime:
        """The present, aware, in UTC."""
        ...
