"""What the library needs from the outside: an extractor, an embedder, a reranker, a model, a judge, a clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol

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

    def __str__(self) -> str:
        """On one line, as a store's calibration names it."""
        return f"{self.name}/{self.dimension}/{self.digest}"


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
class Relative:
    """Somebody who is named by what they are to another person: "my brother's wife"."""

    steps: tuple[tuple[str, ...], ...]
    """From the one to the other, the relations that each step may be."""
    words: tuple[str, ...]
    """The words of the question for them."""
    of_asker: bool
    """Whether it begins with who asks; else with whom the question names."""


@dataclass(frozen=True, slots=True)
class PlainQuestion:
    """A question in the form in which it can be compared with others."""

    text: str
    """With one name in the place of each."""
    about: Literal["named", "nobody", "kin", "others", "unknown"]
    """Somebody with a name; nobody else than who asks; relatives of who asks (kin) or of another; or unknown."""
    relative: Relative | None = None
    """Whom it is about, where no name says it but words that are known do."""


@dataclass(frozen=True, slots=True)
class AskedRelation:
    """A relation that a question asks for."""

    sense: str
    """As facts have it."""
    weight: float
    """How sure that is, 0 to 1."""


class RelationReader(Protocol):
    """Which relations a question asks for."""

    def plain(self, query: str) -> PlainQuestion:
        """The question in the form to be embedded."""
        ...

    def asked(self, question: PlainQuestion, vector: Vectors | None, embedder: Identity) -> tuple[AskedRelation, ...]:
        """The relations; none for most questions. `vector` is that of the plain text, as a query, by `embedder`."""
        ...


class Reranker(Protocol):
    """How well texts answer a query, each read together with it."""

    @property
    def name(self) -> str:
        """Kind and model, such as `endpoint:bge-reranker-v2-m3`."""
        ...

    async def rerank(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """One score of 0 to 1 a text, in their order, within a time limit of its own. Errors: ProviderError."""
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
class Guess:
    """What a sentence may state: a relation and its two sides."""

    subject: EntityMention
    relation: str
    """A canonical name, or `ends`: that the object is the subject's no more."""
    object: EntityMention
    behind: float
    """How far it is behind the best guess about the two, 0 or more."""
    way: str = ""
    """Of a rule's own: in which way it says that something is over (`ingest/endings.py`), `told`, that the words tell
    of this relation if the subject has one, `after`, that they do if
    the message ended what the subject had in it, or `instead`, that it takes the place of a known thing that the
    sentence names; empty for a guess by likeness."""


@dataclass(frozen=True, slots=True)
class Open:
    """A sentence whose relation is not sure by itself; what is known already may tell (`ingest/place.py`)."""

    candidate: Candidate
    """What a guess becomes: quote, times and wording."""
    guesses: tuple[Guess, ...]
    """The best first."""


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
    open: tuple[Open, ...] = ()


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


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered, and what it cost."""

    content: str | None
    refused: bool = False
    cut_off: bool = False
    """It ended at a limit of length."""
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Chat(Protocol):
    """A language model that answers one question with JSON."""

    async def ask(self, system: str, user: str, *, task: str, schema: dict[str, Any], schema_intro: str = "") -> Reply:
        """The answer, as it came. Errors: ProviderError when there is none.

        A model that can be held to `schema` is; one that cannot is told it in the prompt, after `schema_intro`.
        """
        ...

    async def close(self) -> None:
        """Free what was opened."""
        ...


Relation = Literal["same", "adds", "covered", "contradicts", "unrelated"]
"""How a new statement stands to a known one: the same, all of it and more, less of it, in conflict, none of these."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A new statement beside a known fact of the same subject that it may repeat, refine or contradict."""

    new: str
    known: str
    likeness: float
    """Cosine of the two sentences."""
    new_value: str = ""
    known_value: str = ""
    same_relation: bool = False
    """Both have one relation and one polarity."""
    same_value: bool = False
    """Both have one object too: they are one fact, perhaps in other words."""
    may_replace: bool = False
    """The known relation holds one value, and the new statement's relation is not a known one."""
    same_category: bool = False


@dataclass(frozen=True, slots=True)
class Judged:
    """Answer of a judge: one relation a pair, in their order."""

    relations: tuple[Relation, ...]
    warnings: tuple[str, ...] = ()


class Judge(Protocol):
    """Decides pairs that likeness cannot decide. Changed numbers, units, names or negations are never the same."""

    @property
    def floor(self) -> float:
        """The likeness from which on a pair is worth a look."""
        ...

    async def judge(self, pairs: Sequence[Pair]) -> Judged:
        """The relation of each pair; where a model fails, rules decide and a warning says so."""
        ...


class Meter(Protocol):
    """What counts the model calls of one job, and stops them where its store's budget ends."""

    async def begin(self) -> None:
        """Count one call before it is made. Errors: ProviderError with reason `budget_exhausted`."""
        ...

    async def end(self, reply: Reply) -> None:
        """Count what the answer cost."""
        ...


class Clock(Protocol):
    """Where "now" comes from."""

    def now(self) -> datetime:
        """The present, aware, in UTC."""
        ...


@dataclass(frozen=True, slots=True)
class Said:
    """One message to be summarised."""

    episode_id: str
    role: Literal["user", "assistant", "system", "tool"]
    speaker: str
    content: str
    occurred_at: datetime
    barred: tuple[tuple[int, int], ...] = ()
    """Spans that state what does not hold; a sentence that touches one is not used."""


@dataclass(frozen=True, slots=True)
class Learned:
    """A fact that follows from messages that are summarised."""

    text: str
    episode_id: str
    importance: float = 0.5
    span: tuple[int, int] | None = None
    """Where the message states it."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a summary, and the episodes that say it."""

    text: str
    episode_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """What messages come to."""

    topic: str
    sentences: tuple[Sentence, ...]
    open_items: tuple[Sentence, ...] = ()
    dropped: int = 0
    """Sentences that no message supports."""
    llm_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Summariser(Protocol):
    """Messages to a summary."""

    @property
    def name(self) -> str:
        """`offline` or `llm`; kept with the summary."""
        ...

    async def summarise(self, said: Sequence[Said], learned: Sequence[Learned]) -> Summary:
        """A summary in which every sentence has its source. Errors: ProviderError when a model failed."""
        ...
