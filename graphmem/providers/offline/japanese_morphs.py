"""Morphemes, noun phrases and clauses of a Japanese sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .dates import DateSpan


@dataclass(frozen=True, slots=True)
class Morph:
    """One morpheme with its place in the sentence."""

    surface: str
    start: int
    end: int
    pos: str
    detail: str
    third: str
    form: str
    lemma: str
    unknown: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """One noun between の: morphemes without particles."""

    text: str
    start: int
    end: int
    proper: str = ""
    """`人名` or `地名` where the dictionary says so."""
    honorific: bool = False
    number: bool = False
    temporal: bool = False
    unknown: bool = False
    """Not in the dictionary, as most names of people and firms in katakana or Latin letters."""
    speech: bool = False
    """What somebody said, in quotation marks."""


@dataclass(frozen=True, slots=True)
class Arg:
    """A noun phrase and its particle; `topic` for は and も."""

    parts: tuple[Part, ...]
    role: str
    topic: bool = False
    clause: Clause | None = None
    """Of a clause that was made a noun: 住んでいるのは."""

    @property
    def head(self) -> Part:
        """The last noun."""
        return self.parts[-1]

    @property
    def text(self) -> str:
        """The parts joined by の."""
        return "の".join(p.text for p in self.parts)


@dataclass(slots=True)
class Clause:
    """Arguments and a predicate. `kind`: verb, adjective, noun or none."""

    args: list[Arg] = field(default_factory=list)
    kind: str = "none"
    lemma: str = ""
    noun: tuple[Part, ...] = ()
    start: int = 0
    end: int = 0
    endings: list[str] = field(default_factory=list)
    adverbs: list[str] = field(default_factory=list)
    dates: list[DateSpan] = field(default_factory=list)
    joiner: str = ""
    modifies: bool = False
    imperative: bool = False

    def has(self, *words: str) -> bool:
        """Whether one of the endings is there."""
        return any(word in self.endings for word in words)

    @property
    def negated(self) -> bool:
        """Whether the endings negate."""
        return self.has("ない", "ぬ", "ず", "ん") and not self.has("かも")

    @property
    def past(self) -> bool:
        """Whether the endings tell of the past."""
        return "た" in self.endings

    @property
    def lasting(self) -> bool:
        """Whether a state or habit goes on (ている)."""
        return self.has("いる", "てる", "おる")

    def arg(self, *roles: str) -> Arg | None:
        """The last argument with one of the roles."""
        return next((a for a in reversed(self.args) if a.role in roles), None)


_ADVERBS = frozenset({"引き続き", "取り急ぎ", "続けて", "くり返し", "繰り返し"})


def _names_a_thing(before: Morph, pos: Sequence[str], surface: str, after: Sequence[Any]) -> bool:
    """Whether a word makes a noun of the verb stem before it: かかりつけ(の), 飲み仲間, 使い方."""
    if before.pos != "動詞" or not before.form.startswith("連用形"):
        return False
    if surface == "つけ" and after:
        return bool(after[0].surface() == "の")
    return pos[0] == "接尾辞" and pos[1] == "名詞的" and pos[2] == "一般" and surface not in ("さん", "様", "中")


def morphs_of(tokens: Sequence[Any]) -> list[Morph]:
    """SudachiPy morphemes as plain records."""
    found: list[Morph] = []
    for index, token in enumerate(all_tokens := list(tokens)):
        pos = token.part_of_speech()
        if not token.surface().strip():
            continue
        third = pos[2] if pos[2] != "*" else ""
        if token.surface() == "さ" and pos[0] == "接尾辞" and found and found[-1].pos in ("形容詞", "形状詞"):
            stem = found.pop()  # 広さ
            text = stem.surface + "さ"
            found.append(Morph(text, stem.start, token.end(), "名詞", "普通名詞", "一般", "*", text))
            continue
        if token.surface() in _ADVERBS and pos[0] == "動詞":
            pos = ("副詞", "*", "*", "*", "*", "*")  # 引き続き
        elif found and _names_a_thing(found[-1], pos, token.surface(), all_tokens[index + 1 : index + 2]):
            start, text = token.begin(), token.surface()
            while found and found[-1].pos == "動詞" and found[-1].form.startswith("連用形") and found[-1].end == start:
                stem = found.pop()  # かかりつけ医, 使い方
                start, text = stem.start, stem.surface + text
            found.append(Morph(text, start, token.end(), "名詞", "普通名詞", "一般", "*", text))
            continue
        found.append(
            Morph(
                token.surface(),
                token.begin(),
                token.end(),
                pos[0],
                pos[1],
                third,
                pos[5],
                "た" if pos[4] == "助動詞-タ" else token.dictionary_form(),
                token.is_oov(),
            )
        )
    return found
