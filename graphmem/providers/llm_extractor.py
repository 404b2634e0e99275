"""Extraction by a language model behind any OpenAI-compatible endpoint."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from graphmem.errors import ProviderError
from graphmem.ports import Candidate, Chat, Extracted, Rejection, Turn
from graphmem.prompts import load_prompt
from graphmem.prompts.extract import answer_schema, read_items

from .deeds import holds_evidence
from .grounding import NOT_GROUNDED
from .llm_answer import FACTS, BadAnswerError
from .llm_answer import read_items as read_answer
from .llm_mapping import candidate_of
from .pieces import cut_at, is_japanese

log = logging.getLogger(__name__)

CHARS_PER_CALL = 12_000
"""Characters of messages in one model call; more are spread over several calls."""
MALFORMED = "malformed"
"""Reason for an item without subject, predicate or object."""
_MOST_NAMES = 100
_BLANKS = re.compile(r" {20,}")
"""What stands in place of text that is no evidence: not worth a model's tokens."""


@dataclass(frozen=True, slots=True)
class Part:
    """A turn, or a stretch of a long one that begins at `offset` of its content."""

    turn: Turn
    offset: int


@dataclass(slots=True)
class _Outcome:
    """What the calls so far gave, and what they cost."""

    candidates: list[Candidate] = field(default_factory=list)
    rejected: list[Rejection] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def only_ungrounded(self) -> bool:
        """Whether there were facts and none of them is stated by the messages."""
        return not self.candidates and any(r.reason == NOT_GROUNDED for r in self.rejected)

    def add(self, other: _Outcome) -> None:
        self.candidates += other.candidates
        self.rejected += other.rejected
        self.warnings += other.warnings


class LLMExtractor:
    """Facts by a model: one call for 12,000 characters of messages, repeated once at most."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat

    @property
    def name(self) -> str:
        """`llm`."""
        return "llm"

    async def extract(self, turns: Sequence[Turn], *, known_names: Sequence[str] = ()) -> Extracted:
        """Candidates of all turns, each grounded in its message.

        A fact that is not in its message, that lacks a part, or that a system prompt, a tool or the assistant
        states is refused and listed; what the assistant did or promised is not. Errors: ProviderError when the
        endpoint failed, or gave no answer that can be used twice in a row; its `reason` tells which.
        """
        run = _Run(self._chat, tuple(known_names[:_MOST_NAMES]))
        found = _Outcome()
        for chunk in chunks(turns):
            if any(holds_evidence(part.turn) for part in chunk):
                found.add(await run.read(chunk))
        return Extracted(
            extractor=self.name,
            candidates=tuple(dict.fromkeys(found.candidates)),
            rejected=tuple(found.rejected),
            llm_calls=run.calls,
            prompt_tokens=run.prompt_tokens,
            completion_tokens=run.completion_tokens,
            warnings=tuple(found.warnings),
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._chat.close()


class _Run:
    """The model calls of one extraction, and their cost."""

    def __init__(self, chat: Chat, known_names: tuple[str, ...]) -> None:
        self.calls = self.prompt_tokens = self.completion_tokens = 0
        self._chat = chat
        self._names = known_names

    async def read(self, chunk: Sequence[Part]) -> _Outcome:
        """Facts of these turns; a second call when the first gave nothing that can be used."""
        first: _Outcome | None = None
        try:
            first = await self._attempt(chunk, None)
            if not first.only_ungrounded:
                return first
            reason = NOT_GROUNDED
        except BadAnswerError as error:
            reason = error.reason
        log.info("model answer not usable (%s), asking once more", reason)
        try:
            return await self._attempt(chunk, reason)
        except BadAnswerError as error:
            if first is not None:
                return first
            if error.reason == reason == "bare_empty_list":
                return _Outcome(warnings=["bare_empty_list"])
            raise ProviderError(f"The model's answer cannot be used ({error.reason}).", reason=error.reason) from error

    async def _attempt(self, chunk: Sequence[Part], last_reason: str | None) -> _Outcome:
        turns = [part.turn for part in chunk]
        prompt = load_prompt("extract")
        system = prompt["ja" if is_japanese("\n".join(turn.content for turn in turns)) else "en"]
        if last_reason is not None:
            system += "\n\n" + prompt["again"].replace("{reason}", last_reason)
        self.calls += 1
        reply = await self._chat.ask(
            system,
            framed(turns, self._names),
            task="facts",
            schema=answer_schema(),
            schema_intro=prompt["schema"],
        )
        self.prompt_tokens += reply.prompt_tokens
        self.completion_tokens += reply.completion_tokens
        raw = read_answer(FACTS, reply.content, refused=reply.refused, cut_off=reply.cut_off)
        return self._sorted_out(raw, turns, {part.turn.index: part.offset for part in chunk})

    def _sorted_out(self, raw: list[object], turns: Sequence[Turn], offsets: dict[int, int]) -> _Outcome:
        items, bad = read_items(raw)
        if raw and not items:
            raise BadAnswerError(MALFORMED)
        outcome = _Outcome(rejected=[Rejection(turns[0].index, "", MALFORMED)] * bad)
        for item in items:
            result = candidate_of(item, turns, names=self._names)
            if isinstance(result, Candidate):
                by = offsets[result.turn]
                outcome.candidates.append(replace(result, start=result.start + by, end=result.end + by))
            else:
                outcome.rejected.append(result)
        return outcome


def framed(turns: Sequence[Turn], known_names: Sequence[str] = ()) -> str:
    """The messages as data, one JSON object a line, so that no text can look like the frame around it."""
    lines = [json.dumps({"known_names": list(known_names)}, ensure_ascii=False)] if known_names else []
    for turn in turns:
        line = {
            "turn": turn.index,
            "role": turn.role,
            "speaker": turn.speaker,
            "at": turn.occurred_at.isoformat(timespec="seconds"),
            "weekday": turn.occurred_at.strftime("%A"),
            "text": _BLANKS.sub(" ", turn.content),
        }
        lines.append(json.dumps(line, ensure_ascii=False))
    return "\n".join(lines)


def chunks(turns: Sequence[Turn]) -> Iterator[list[Part]]:
    """The turns in groups of at most 12,000 characters; a longer turn comes in parts."""
    held: list[Part] = []
    size = 0
    for turn in turns:
        offset = 0
        for content in cut_at(turn.content, CHARS_PER_CALL):
            if held and (offset or size + len(content) > CHARS_PER_CALL):
                yield held
                held, size = [], 0
            held.append(Part(replace(turn, content=content), offset))
            offset += len(content)
            size += len(content)
    if held:
        yield held
