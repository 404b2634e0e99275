"""Summaries by a language model: one call, and nothing kept that no message supports."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Sequence
from typing import Any

from graphmem.errors import ProviderError
from graphmem.ports import Chat, Learned, Reply, Said, Sentence, Summary
from graphmem.prompts import load_prompt
from graphmem.prompts.summarise import Answer, Item, answer_schema, read_answer

from .extractive import HEARD_ROLES, MOST_ITEMS, MOST_SENTENCES, ExtractiveSummariser, parts_of
from .llm_answer import without_thinking
from .pieces import is_japanese
from .support import spoken_in, supported

log = logging.getLogger(__name__)

CHARS_PER_CALL = 24_000
"""Characters of messages in the one call; of a longer conversation as many sentences of each message as fit."""
_ROLES = ("user", "assistant", "tool")


class LLMSummariser:
    """A `Summariser` by a model; where all that it says lacks support, the offline summary stands instead."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat
        self._offline = ExtractiveSummariser()

    @property
    def name(self) -> str:
        """`llm`."""
        return "llm"

    async def summarise(self, said: Sequence[Said], learned: Sequence[Learned]) -> Summary:
        """One call. Errors: ProviderError when the endpoint failed or its answer cannot be used."""
        turns = shortened(said)
        if not any(turn.role in HEARD_ROLES for turn in turns):
            return await self._offline.summarise(said, learned)
        prompt = load_prompt("summarise")
        text = "\n".join(turn.content for turn in turns)
        system = prompt["ja" if is_japanese(text) else "en"]
        reply = await self._chat.ask(
            system, framed(turns), task="summary", schema=answer_schema(), schema_intro=prompt["schema"]
        )
        answer, bad = _read(reply)
        summary = _grounded(answer, turns, bad, reply)
        if summary.sentences:
            return summary
        log.info("no sentence of the model's summary is supported, the offline summary stands")
        offline = await self._offline.summarise(said, learned)
        return _with_cost(offline, summary.dropped, reply)


def shortened(said: Sequence[Said]) -> list[Said]:
    """The messages as the model may see them: usable sentences only, evenly cut to the size of one call."""
    most = max(200, CHARS_PER_CALL // max(1, len(said)))
    sentences: dict[str, list[str]] = {}
    for part in parts_of(said, roles=_ROLES):
        sentences.setdefault(part.episode_id, []).append(part.text)
    whole = sum(len(text) for texts in sentences.values() for text in texts) <= CHARS_PER_CALL
    turns: list[Said] = []
    left = CHARS_PER_CALL
    for message in said:
        content = _within(sentences.get(message.episode_id, []), left if whole else min(left, most))
        if content:
            left -= len(content)
            turns.append(Said(message.episode_id, message.role, message.speaker, content, message.occurred_at))
    return turns


def _within(texts: Sequence[str], most: int) -> str:
    content = ""
    for text in texts:
        if len(content) + len(text) > most:
            break
        content += f"{text}\n"
    return content.rstrip("\n")


def framed(turns: Sequence[Said]) -> str:
    """The messages as data, one JSON object a line, so that no text can look like the frame around it."""
    return "\n".join(
        json.dumps(
            {
                "turn": index,
                "role": turn.role,
                "speaker": turn.speaker,
                "at": turn.occurred_at.isoformat(timespec="seconds"),
                "text": turn.content,
            },
            ensure_ascii=False,
        )
        for index, turn in enumerate(turns)
    )


def _read(reply: Reply) -> tuple[Answer, int]:
    reason = "refused" if reply.refused else "truncated" if reply.cut_off else "not_json"
    text = without_thinking(reply.content)
    for start in [match.start() for match in re.finditer(r"\{", text)][:20]:
        try:
            value: Any = json.JSONDecoder().raw_decode(text, start)[0]
        except (ValueError, RecursionError):
            continue
        if (read := read_answer(value)) is not None and not reply.refused:
            return read
    raise ProviderError(f"The model's answer cannot be used ({reason}).", reason=reason)


def _grounded(answer: Answer, turns: Sequence[Said], bad: int, reply: Reply) -> Summary:
    names = list(dict.fromkeys(turn.speaker for turn in turns))
    kept = [_sourced(item, turns, names) for item in answer.summary]
    items = [_sourced(item, turns, names) for item in answer.open_items]
    text = "\n".join(turn.content for turn in turns if turn.role in HEARD_ROLES)
    sentences = tuple(sentence for sentence in kept if sentence is not None)
    topic_holds = spoken_in(answer.topic, text, names) and supported(answer.topic.capitalize(), [text], names)
    return _with_cost(
        Summary(
            topic=answer.topic if answer.topic and topic_holds else "",
            sentences=sentences[:MOST_SENTENCES],
            open_items=tuple(item for item in items if item is not None)[:MOST_ITEMS],
        ),
        bad + kept.count(None) + items.count(None),
        reply,
    )


def _sourced(item: Item, turns: Sequence[Said], names: Sequence[str]) -> Sentence | None:
    """The sentence with the episodes that support it: those it names, else the one message that says it alone."""
    named = [turns[i] for i in dict.fromkeys(item.turns) if i < len(turns) and turns[i].role in HEARD_ROLES]
    if named and supported(item.text, [turn.content for turn in named], names):
        return Sentence(item.text, tuple(turn.episode_id for turn in named))
    for turn in turns:
        if turn.role in HEARD_ROLES and supported(item.text, [turn.content], names):
            return Sentence(item.text, (turn.episode_id,))
    return None


def _with_cost(summary: Summary, dropped: int, reply: Reply) -> Summary:
    return Summary(
        topic=summary.topic,
        sentences=summary.sentences,
        open_items=summary.open_items,
        dropped=dropped,
        llm_calls=1,
        prompt_tokens=reply.prompt_tokens,
        completion_tokens=reply.completion_tokens,
    )
