"""One parsed English sentence and what is needed to read names out of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .dates import DateSpan
from .draft import Context, Draft, Loose, Name
from .lexicon import Lexicon
from .sentences import Sentence

Token = Any
"""A spaCy token; spaCy has no type information."""


@dataclass(slots=True)
class Scene:
    """One parsed sentence with everything needed to read names out of it."""

    sentence: Sentence
    content: str
    doc: Any
    context: Context
    words: Lexicon
    dates: list[DateSpan] = field(default_factory=list)
    side: list[Draft] = field(default_factory=list)
    loose: list[Loose] = field(default_factory=list)
    named_first: bool = False
    """The first word stands in for a name."""
    denied: bool = False
    """The sentence began with "It is not that"."""

    def read(self, start: int, end: int) -> str:
        """Characters of the sentence as they were written."""
        return self.sentence.words(self.content, start, end)

    def dated(self, token: Token) -> bool:
        """Whether the token belongs to a time expression."""
        return any(span.start <= token.idx < span.end for span in self.dates)

    def shown(self, token: Token) -> str:
        """The article of a noun, as it opens a sentence."""
        if self.named_first and token.i == 0:
            return "The " if self.read(token.idx, token.idx + 2).lower().startswith("the ") else ""
        article = next((c for c in token.children if c.dep_ == "det" and c.lower_ in ("the", "a", "an")), None)
        return f"{article.text.capitalize()} " if article is not None else ""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase: the name, the words to show in a sentence, and its head."""

    name: Name
    shown: str
    head: Token
