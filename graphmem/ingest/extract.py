"""Extract: messages to drafts, by the extractor that the call or the settings name, or from given facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, Protocol

from ..config import Settings
from ..errors import ProviderError
from ..models.episode import Extraction, Role
from ..models.fact import RejectedCandidate, Usage
from ..models.ids import name_key
from ..models.names import is_pronoun, read_name
from ..ports import EntityMention, Extracted, Extractor, Judge, Meter, Open, Turn
from ..safety.orders import Orders
from ..safety.secrets import is_only_marker
from .budget import EXHAUSTED, READING, JobMeter
from .doubt import doubted, orders_of
from .draft import LONGEST_NAME, Draft, draft_of_candidate, draft_of_fact, naming_text
from .evidence import Before, Heard
from .job import EpisodeRow, Job
from .place import OpenDraft
from .predicates import read_predicate

ExtractorName = Literal["llm", "offline", "none"]
SaidRow = tuple[Role, str | None, str, datetime]
"""Role, name, content and time of a message."""


@dataclass(frozen=True, slots=True)
class Drafted:
    """What extraction gave."""

    drafts: tuple[Draft, ...]
    rejected: tuple[RejectedCandidate, ...]
    usage: Usage
    warnings: tuple[str, ...] = ()
    open: tuple[OpenDraft, ...] = ()
    """What may be told of by sentences that rules cannot place."""
    heard: tuple[str | None, ...] = ()
    """What of each episode is searched and recalled; None: all of it."""


class Readers(Protocol):
    """Where extractors and the judge come from."""

    @property
    def has_model(self) -> bool:
        """Whether there is a language model."""
        ...

    def named(self, name: ExtractorName, meter: Meter) -> Extractor:
        """The extractor of that name, its model calls counted by `meter`. Errors: ConfigurationError."""
        ...

    def judge(self, meter: Meter | None) -> Judge:
        """The judge with a model, its calls counted by `meter`; without a meter the one by rules."""
        ...


def choose(extraction: Extraction, settings: Settings, readers: Readers) -> ExtractorName:
    """Which extractor reads: the call's, else the settings', else the model when there is one."""
    asked = extraction if extraction != "auto" else settings.extractor
    if asked == "auto":
        return "llm" if readers.has_model else "offline"
    return asked


def turns_of(said: Sequence[SaidRow], actor_name: str, agent_id: str | None) -> list[Turn]:
    """Messages as an extractor sees them; who has no name of their own is called as the scope calls them."""
    speakers: dict[str, str] = {"user": actor_name, "assistant": agent_id or "assistant"}
    return [
        Turn(i, role, name or speakers.get(role, role), content, at) for i, (role, name, content, at) in enumerate(said)
    ]


async def extract(
    job: Job, settings: Settings, actor_name: str, readers: Readers, meter: JobMeter, before: Before
) -> Drafted:
    """Drafts of the job's episodes. Errors: ProviderError; given facts skip the extractor and what it may read."""
    if job.facts is not None:
        return _given(job, actor_name)
    name = choose(job.extraction, settings, readers)
    if name == "none":
        return Drafted((), (), Usage(extractor="none"))
    said = [(e.role, e.name, e.content, e.occurred_at) for e in job.episodes]
    turns = turns_of(said, actor_name, job.scope.agent_id)
    heard = await before.heard(turns, actor_name)
    extracted = await _extracted(name, heard.turns, job, settings, readers, meter)
    drafts, rejected = [], [RejectedCandidate(text=r.text, reason=r.reason) for r in extracted.rejected]
    read = zip(job.episodes, heard.turns, strict=True)
    orders = [orders_of(replace(episode, content=turn.content)) for episode, turn in read]
    for candidate in extracted.candidates:
        draft = draft_of_candidate(candidate, job.episodes[candidate.turn], extracted.extractor)
        draft = replace(doubted(draft, orders[candidate.turn]), passage_key=heard.passage_of(draft, candidate.turn))
        reason = _refusal(draft)
        if reason is None:
            drafts.append(draft)
        else:
            rejected.append(RejectedCandidate(text=draft.text[:200], reason=reason))
    drafts, again = await before.news(drafts)
    rejected = [*heard.rejected, *rejected, *again]
    usage = meter.usage(extracted.extractor)
    opened = [_opened(one, job.episodes, heard, orders, extracted.extractor) for one in extracted.open]
    kept = tuple(one for one in opened if _refusal(one.draft) is None)
    return Drafted(_with_names(drafts), tuple(rejected), usage, extracted.warnings, kept, heard.texts)


def _opened(one: Open, episodes: Sequence[EpisodeRow], heard: Heard, orders: list[Orders], extractor: str) -> OpenDraft:
    turn = one.candidate.turn
    draft = doubted(draft_of_candidate(one.candidate, episodes[turn], extractor), orders[turn])
    return OpenDraft(replace(draft, passage_key=heard.passage_of(draft, turn)), one.guesses)


async def _extracted(
    name: ExtractorName, turns: Sequence[Turn], job: Job, settings: Settings, readers: Readers, meter: JobMeter
) -> Extracted:
    """What the extractor found; rules take over from a model without budget, unless the model was asked for by name."""
    try:
        with meter.timed(READING):
            return await readers.named(name, meter).extract(turns)
    except ProviderError as error:
        if error.reason != EXHAUSTED or "llm" in (job.extraction, settings.extractor):
            raise
    with meter.timed(READING):
        extracted = await readers.named("offline", meter).extract(turns)
    return replace(extracted, warnings=(*extracted.warnings, EXHAUSTED))


def _given(job: Job, actor_name: str) -> Drafted:
    drafts = []
    for fact in job.facts or ():
        episodes = [e for e in job.episodes if fact.message_id in (None, e.source_id)]
        if episodes:  # none: its message was a repeat, so the fact is known
            drafts.append(doubted(draft_of_fact(fact, episodes, actor_name)))
    return Drafted(_with_names(drafts), (), Usage(extractor="none"))


def _with_names(drafts: list[Draft]) -> tuple[Draft, ...]:
    """The drafts, and one for each other name that a mention carries and no draft states."""
    stated = {(_key(d.subject), _key(d.object)) for d in drafts if d.names}
    added = []
    for draft in drafts:
        for mention in (draft.subject, draft.object):
            for other in _other_names(mention):
                pair = (_key(mention), name_key(other))
                if pair not in stated and isinstance(mention, EntityMention):
                    stated.add(pair)
                    added.append(_naming_draft(draft, mention, other))
    return (*drafts, *added)


def _key(mention: object) -> str:
    name = getattr(mention, "name", None)
    return read_name(name).key if isinstance(name, str) else str(getattr(mention, "id", ""))


def _other_names(mention: object) -> tuple[str, ...]:
    if not isinstance(mention, EntityMention):
        return ()
    reading = read_name(mention.name).reading
    return (*mention.aliases, *([reading] if reading else []))


def _naming_draft(draft: Draft, mention: EntityMention, other: str) -> Draft:
    return replace(
        draft,
        subject=mention,
        predicate=read_predicate("alias"),
        object=EntityMention(other),
        text=naming_text(mention, other),
        polarity=True,
        event="assert",
        valid_at=None,
        invalid_at=None,
        correction=False,
        cardinality=None,
        category=None,
    )


def _refusal(draft: Draft) -> str | None:
    """Why a candidate cannot be stored, or None."""
    for mention in (draft.subject, draft.object):
        name = getattr(mention, "name", None)
        if name is not None and not name_key(name):
            return "empty_name"
        if name is not None and is_only_marker(name):
            return "secret"
        if name is not None and len(name) > LONGEST_NAME and mention is draft.subject:
            return "name_too_long"
        if name is not None and is_pronoun(name) and not getattr(mention, "is_speaker", False):
            return "pronoun"
    return None
