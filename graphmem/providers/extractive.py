"""Summaries without a model: the sentences that say most, word for word, and the facts that were learned."""

from __future__ import annotations

import asyncio
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graphmem.ports import Learned, Said, Sentence, Summary

from .folding import fold
from .keywords import Keywords
from .offline.sentences import split
from .pieces import wide_count

HEARD_ROLES = ("user", "tool")
"""Whose words a summary may hold."""
MOST_SENTENCES = 8
"""Sentences of one summary."""
MOST_ITEMS = 20
"""Open items of one summary."""
_MOST_FACTS = 4
_SHORTEST, _LONGEST = 6, 400
_TOPIC_WORDS = 3
_LONGEST_TOPIC = 120
_ALIKE = 0.6
_WORD = re.compile(r"[^\W\d_]{3,}|\d+")
_WIDE_RUN = re.compile(r"[\u30a1-\u30ff\u3400-\u9fff々]{2,}")
_QUESTION = re.compile(r"[?？]\s*$|(?:ですか|ますか|でしょうか|かな)[。]?\s*$")
_SMALL_TALK = re.compile(
    r"(?i)^(?:hi|hello|hey|thanks|thank you|ok(?:ay)?|sure|great|good (?:morning|evening|night)|bye|noted)\b.{0,25}$"
    r"|^(?:こんにちは|おはよう|こんばんは|ありがとう|了解|はい|うん|承知|よろしく|お疲れ).{0,14}$"
)
_OPEN = re.compile(
    r"(?i)\b(?:to-?do|(?:still|yet) (?:need|have|has|must)|(?:need|needs|have|has|want|wants|got|plan|plans) to"
    r"|must|should|remind me|don['’]?t (?:let me )?forget|remember to|not (?:yet )?(?:decided|sure|done|booked|settled)"
    r"|undecided|follow up|by (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow)|next step)\b"
    r"|TODO|やること|なければ(?:いけ|なら|なり)|なきゃ|ないと(?:いけ|なら|なり|。|$)"
    r"|必要がある|忘れないで|忘れずに|未定|まだ.{0,12}(?:ない|いません)|宿題|予定(?:です|だ|。|$)|つもり|あとで|後で|リマインド"
)
_DONE = re.compile(
    r"(?i)\b(?:had to|didn['’]t have to|don['’]t (?:need|have) to|no need|used to)\b"
    r"|(?:必要は?な[いく]|なくて(?:も)?(?:いい|良い)|終わった|済んだ|済みました|終わりました)"
)


@dataclass(frozen=True, slots=True)
class Part:
    """A sentence of a message."""

    text: str
    episode_id: str
    place: int
    """Its order among all sentences."""
    start: int
    end: int


class ExtractiveSummariser:
    """A `Summariser` that chooses; what it gives stands in a message or is the text of a fact."""

    def __init__(self, most: int = MOST_SENTENCES) -> None:
        self._most = most
        self._keywords = Keywords()

    @property
    def name(self) -> str:
        """`offline`."""
        return "offline"

    async def summarise(self, said: Sequence[Said], learned: Sequence[Learned]) -> Summary:
        """The most telling sentences in the order in which they were said; only users and tools are heard."""
        return await asyncio.to_thread(self._summarise, said, learned)

    def _summarise(self, said: Sequence[Said], learned: Sequence[Learned]) -> Summary:
        parts = [part for part in parts_of(said) if not _SMALL_TALK.match(part.text)]
        items = tuple(part for part in parts if _is_open(part.text))[-MOST_ITEMS:]
        facts = _best_facts(learned)
        chosen = _chosen(parts, facts, self._most - len(facts))
        order = {message.episode_id: index for index, message in enumerate(said)}
        lines = [(order.get(fact.episode_id, -1), 0, fact.text, fact.episode_id) for fact in facts]
        lines += [(order[part.episode_id], part.place + 1, part.text, part.episode_id) for part in chosen]
        return Summary(
            topic=self._topic([line[2] for line in lines]),
            sentences=tuple(Sentence(text, (source,)) for _, _, text, source in sorted(lines)),
            open_items=tuple(Sentence(part.text, (part.episode_id,)) for part in items),
        )

    def _topic(self, texts: Sequence[str]) -> str:
        text = "\n".join(texts)
        words = self._keywords("", text)[:_TOPIC_WORDS]
        return ("、" if wide_count(text) else ", ").join(words)[:_LONGEST_TOPIC]


def parts_of(said: Sequence[Said], *, roles: Sequence[str] = HEARD_ROLES) -> Iterator[Part]:
    """The sentences that may be used: of users and tools, without markup, code and recalled context, not barred."""
    place = 0
    for message in said:
        if message.role not in roles:
            continue
        for sentence in split(message.content):
            start, end = sentence.span(0, len(sentence.text))
            place += 1
            if any(begin < end and start < stop for begin, stop in message.barred):
                continue
            text = sentence.words(message.content, 0, len(sentence.text))
            if _SHORTEST <= len(text) <= _LONGEST:
                yield Part(text, message.episode_id, place, start, end)


def words_of(text: str) -> frozenset[str]:
    """The words by which sentences are compared: stems in English, runs of kanji and katakana in Japanese."""
    plain = {word[:5] for word in _WORD.findall(text.casefold()) if word.isascii()}
    return frozenset(plain | {fold(run) for run in _WIDE_RUN.findall(text)})


def _is_open(text: str) -> bool:
    return bool(_OPEN.search(text)) and not _DONE.search(text)


def _best_facts(learned: Sequence[Learned]) -> list[Learned]:
    distinct = list({fold(fact.text): fact for fact in learned}.values())
    return sorted(distinct, key=lambda fact: (-fact.importance, fact.text))[:_MOST_FACTS]


def _chosen(parts: Sequence[Part], facts: Sequence[Learned], most: int) -> list[Part]:
    """The best parts, none of which says again what a fact or a better one says."""
    words = {part: words_of(part.text) for part in parts}
    frequency = Counter(word for found in words.values() for word in found)
    ranked = sorted(parts, key=lambda part: (-_weight(part, words[part], frequency), part.place))
    known = [words_of(fact.text) for fact in facts]
    chosen: list[Part] = []
    for part in ranked:
        if len(chosen) >= most:
            break
        said = words[part]
        if any(_share(said & fact, said) or _states(part, learned) for fact, learned in zip(known, facts, strict=True)):
            continue
        if not any(_share(said & words[other], min(said, words[other], key=len)) for other in chosen):
            chosen.append(part)
    return chosen


def _states(part: Part, fact: Learned) -> bool:
    """Whether most of the sentence is what the fact was read from."""
    if fact.episode_id != part.episode_id or fact.span is None:
        return False
    start, end = fact.span
    return min(end, part.end) - max(start, part.start) >= _ALIKE * (part.end - part.start)


def _share(common: frozenset[str], whole: frozenset[str]) -> bool:
    return bool(whole) and len(common) >= _ALIKE * len(whole)


def _weight(part: Part, words: frozenset[str], frequency: Counter[str]) -> float:
    if not words:
        return 0.0
    central = sum(frequency[word] for word in words) / math.sqrt(len(words))
    telling = 1.3 if re.search(r"\d|(?<!^)[A-Z]", part.text) else 1.0
    return central * telling * (0.3 if _QUESTION.search(part.text) else 1.0)
