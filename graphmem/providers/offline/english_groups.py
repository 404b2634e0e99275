"""Teams, plans, projects, firms and schools by the words that name them."""

from __future__ import annotations

import re

from .draft import Name
from .english_make import typed
from .english_nouns import noun_phrase
from .english_scene import Phrase, Scene, Token
from .english_spans import is_proper

_SCHOOL = re.compile(
    r"\b(?:school|college|university|uni|academy|gymnasium|lyceum|lyc[ée]e|kindergarten|polytechnic|conservatory"
    r"|preschool|primary|elementary|nursery|daycare|seminary|institute of technology)\b",
    re.I,
)
_PLANS = frozenset({"plan", "tier", "package", "subscription", "tariff"})
_TIERS = frozenset(
    {"free", "basic", "starter", "standard", "plus", "pro", "premium", "business", "team", "enterprise", "family",
     "unlimited", "bronze", "silver", "gold", "platinum", "deluxe", "essential", "essentials", "ultimate", "lite",
     "advanced", "professional", "individual", "student"}
)  # fmt: skip
_TEAMS = frozenset({"team", "squad", "crew", "department", "division"})


def is_school(words: str) -> bool:
    """Whether a name is that of a school or university."""
    return _SCHOOL.search(words) is not None


def group_of(token: Token, scene: Scene, *, unit: bool = False) -> tuple[str, Phrase | Name] | None:
    """The team or the plan that a noun names, with its relation; with `unit` also a bare one: marketing, finance."""
    head = token.lemma_.lower()
    if unit and token.lower_ in scene.words.lists["units"] and (phrase := noun_phrase(token, scene)):
        return "team", phrase
    words = [c for c in token.children if c.dep_ in ("compound", "amod", "nmod") and c.i < token.i]
    if head in _TEAMS and words and (phrase := noun_phrase(token, scene)):
        return "team", phrase
    if head in _PLANS and words and not any(c.dep_ == "poss" for c in token.children):
        first, last = words[0].left_edge, words[-1]
        text = scene.read(first.idx, last.idx + len(last))
        return ("subscription_plan", Name(text)) if text[:1].isupper() or text.lower() in _TIERS else None
    if head in ("project", "initiative") and words:
        return "works_on", Name(scene.read(words[0].left_edge.idx, words[-1].idx + len(words[-1])))
    if token.lower_ in _TIERS and token.text[:1].isupper() and (phrase := noun_phrase(token, scene)):
        return "subscription_plan", phrase
    return None


def firm_of(token: Token, scene: Scene) -> tuple[str, Phrase | Name] | None:
    """A firm by the last word of its name: "moved to Orbit Foods" is a new job, not a new home."""
    phrase = noun_phrase(token, scene) if is_proper(token) else None
    if phrase is None or phrase.name.text.split()[-1].lower().strip(".") not in scene.words.lists["organisation_words"]:
        return None
    return None if is_school(phrase.name.text) else ("works_at", typed(phrase, "organisation"))
