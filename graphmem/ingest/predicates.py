"""Relation names: what a written predicate means, and what is known of it before a store says otherwise."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from ..models.ids import hash_key

_SEPARATORS = re.compile(r"[\s\-/・]+")
_ENDED = re.compile(r"^(?:no_longer|not_anymore|stopped|used_to|formerly|previously)_+(?=\w)")
_DENIED = re.compile(
    r"^(?:does_not|doesn't|do_not|don't|did_not|is_not|isn't|not|never|cannot|can't)_+(?=\w)"
)
_FAVOURITE = re.compile(r"^(?:fav(?:ou?rite)?_|(?:一番)?(?:好きな|お気に入りの))(?P<thing>.+)$")
_LONGEST_KEY = 60

DEFAULT_HALF_LIFE = {"semantic": 365.0, "episodic": 30.0, "procedural": 730.0}
"""Days, by layer, for a relation that has none of its own (seed 1 asks for half-lives by kind of memory)."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """What a written relation stands for."""

    name: str
    """As it is shown: the caller's word, or the canonical name."""
    key: str
    """Its identity within a store."""
    sense: str
    """The relation it is another name of; two names of one sense say the same."""
    axis: str
    """Senses that exclude one another for one object share it (likes, dislikes)."""
    cardinality: str | None
    category: str | None
    kind: str
    half_life_days: float | None
    ended: bool = False
    """The word itself says that it holds no more (`no_longer_likes`)."""
    denied: bool = False
    """The word itself is negative (`does_not_like`)."""


def _fold(name: str) -> str:
    folded = unicodedata.normalize("NFKC", name).casefold().strip()
    return _SEPARATORS.sub("_", folded).strip("_") or folded


@cache
def _seeds() -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    known = tomllib.loads((files(__package__) / "predicates.toml").read_text(encoding="utf-8"))
    names = {_fold(name): sense for sense, entry in known.items() for name in [sense, *entry.get("same", [])]}
    return known, names


def read_predicate(written: str) -> Predicate:
    """What the written relation means. Names that are not known keep their own sense."""
    known, names = _seeds()
    folded = _fold(written)
    plain, ended = _strip(_ENDED, folded)
    plain, denied = _strip(_DENIED, plain)
    sense = names.get(plain)
    changed = ended or denied
    favourite = _FAVOURITE.match(plain)
    if sense is None and favourite:
        sense = "favourite_" + names.get(favourite["thing"], favourite["thing"])
    sense = sense or _depluralised(plain, names)
    entry = known.get(sense, {"cardinality": "one", "category": "preference"} if favourite else {})
    opposite = entry.get("opposite")
    short = plain if len(plain) <= _LONGEST_KEY else hash_key(plain)
    sense_key = sense if len(sense) <= _LONGEST_KEY else hash_key(sense)
    return Predicate(
        name=plain if changed else written.strip(),
        key=short,
        sense=sense_key,
        axis=min(sense_key, opposite) if opposite else sense_key,
        cardinality=entry.get("cardinality"),
        category=entry.get("category"),
        kind=entry.get("kind", "state"),
        half_life_days=float(entry["half_life"]) if "half_life" in entry else None,
        ended=ended,
        denied=denied,
    )


def _strip(pattern: re.Pattern[str], name: str) -> tuple[str, bool]:
    rest = pattern.sub("", name)
    return rest, rest != name


def _depluralised(name: str, names: dict[str, str]) -> str:
    """`like` and `likes` are one relation: a verb's third-person s is not part of its sense."""
    if name + "s" in names:
        return names[name + "s"]
    if name.endswith("s") and name[:-1] in names:
        return names[name[:-1]]
    return name
