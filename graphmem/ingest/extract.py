"""Extract: messages to drafts, by the extractor that the call or the settings name, or from given facts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from ..config import Settings
from ..models.fact import RejectedCandidate, Usage
from ..models.ids import name_key
from ..models.names import is_pronoun, read_name
from ..ports import EntityMention, Extractor, Turn
from .draft import Draft, draft_of_candidate, draft_of_fact
from .job import Job
from .predicates import read_predicate

ExtractorName = Literal["llm", "offline", "none"]
_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class Drafted:
    """What extraction gave."""

    drafts: tuple[Draft, ...]
    rejected: tuple[RejectedCandidate, ...]
    usage: Usage


def choose(job: Job, settings: Settings) -> ExtractorName:
    """Which extractor reads this job: the call's, else the settings', else the model when one is configured."""
    asked = job.extraction if job.extraction != "auto" else settings.extractor
    if asked == "auto":
        return "llm" if settings.has_model else "offline"
    return asked


async def extract(
    job: Job, settings: Settings, actor_name: str, extractor_named: Callable[[ExtractorName], Extractor]
) -> Drafted:
    """Drafts of the job's episodes. Errors: ProviderError; given facts skip the extractor."""
    if job.facts is not None:
        return _given(job, actor_name)
    name = choose(job, settings)
    if name == "none":
        return Drafted((), (), Usage(extractor="none"))
    turns = [
        Turn(i, e.role, e.name or (actor_name if e.role == "user" else e.role), e.content, e.occurred_at)
        for i, e in enumerate(job.episodes)
    ]
    extracted = await extractor_named(name).extract(turns)
    drafts, rejected = [], [RejectedCandidate(text=r.text, reason=r.reason) for r in extracted.rejected]
    for candidate in extracted.candidates:
        draft = draft_of_candidate(candidate, job.episodes[candidate.turn], extracted.extractor)
        reason = _refusal(draft)
        if reason is None:
            drafts.append(draft)
        else:
            rejected.append(RejectedCandidate(text=draft.text[:200], reason=reason))
    usage = Usage(
        extractor=extracted.extractor,
        llm_calls=extracted.llm_calls,
        prompt_tokens=extracted.prompt_tokens,
        completion_tokens=extracted.completion_tokens,
    )
    return Drafted(_with_names(drafts), tuple(rejected), usage)


def _given(job: Job, actor_name: str) -> Drafted:
    drafts = []
    for fact in job.facts or ():
        episodes = [e for e in job.episodes if fact.message_id in (None, e.source_id)]
        if episodes:  # none: its message was a repeat, so the fact is known
            drafts.append(draft_of_fact(fact, episodes, actor_name))
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
    base = read_name(mention.name).base
    return replace(
        draft,
        subject=mention,
        predicate=read_predicate("alias"),
        object=EntityMention(other),
        text=f"{base} alias {other}" if base.isascii() else f"{base}の別名は{other}",
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
        if name is not None and len(name) > _LONGEST_NAME and mention is draft.subject:
            return "name_too_long"
        if name is not None and is_pronoun(name) and not getattr(mention, "is_speaker", False):
            return "pronoun"
    return None
