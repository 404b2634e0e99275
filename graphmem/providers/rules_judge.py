"""Pairs decided by rules alone: what is plainly the same or plainly another thing, and nothing in between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.ports import Judged, Pair, Relation

from .details import details
from .likeness import likeness_of

_SHORT = 8
"""Characters of a Japanese value that is one word."""


@dataclass(frozen=True, slots=True)
class RulesJudge:
    """The judge without a model; `embedder` is the name in its identity, by which likeness is measured."""

    embedder: str

    @property
    def floor(self) -> float:
        """Where likeness begins to mean something for this embedder."""
        return likeness_of(self.embedder).contrary

    async def judge(self, pairs: Sequence[Pair]) -> Judged:
        """The relation of each pair; what is doubtful is taken to be unrelated, so that both are kept."""
        return Judged(tuple(self.clear(pair) or "unrelated" for pair in pairs))

    def clear(self, pair: Pair) -> Relation | None:
        """The relation, where rules are sure of it."""
        bands = likeness_of(self.embedder)
        if pair.likeness < bands.doubtful and not pair.may_replace:
            return "unrelated"
        new, known = details(pair.new), details(pair.known)
        if pair.same_value:
            refines = pair.same_category and pair.likeness >= bands.related
            more = known.words_within(new) and len(set(new.words)) > len(set(known.words))
            return "adds" if refines and more else "unrelated"
        if not (known.within(new) or new.within(known)):
            return None if pair.may_replace else "unrelated"
        both = known.within(new) and new.within(known)
        if both and new.plain == known.plain:
            return "same"
        if both and pair.same_relation and pair.likeness >= bands.same and set(new.words) == set(known.words):
            return "same"
        if pair.same_relation and _one_word(pair.new_value) and _one_word(pair.known_value):
            return "unrelated"
        return None


def allowed(pair: Pair, relation: Relation) -> Relation:
    """A model's verdict, or `unrelated` where it would lose or turn a number, a unit, a name or a negation."""
    new, known = details(pair.new), details(pair.known)
    holds = {
        "same": new.within(known) and known.within(new),
        "adds": known.within(new),
        "covered": new.within(known),
        "contradicts": pair.may_replace,
        "unrelated": True,
    }[relation]
    return relation if holds else "unrelated"


def _one_word(value: str) -> bool:
    return len(value.split()) == 1 and (value.isascii() or len(value) <= _SHORT)
