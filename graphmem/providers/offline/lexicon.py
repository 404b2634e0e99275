"""The words the offline extractor knows; the data is in `lexicon.toml`."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Literal

IMPORTANCE = {
    "constraint": 0.8,
    "profile": 0.7,
    "relationship": 0.7,
    "preference": 0.65,
    "decision": 0.6,
    "milestone": 0.5,
    "plan": 0.5,
    "open_item": 0.5,
    "procedure": 0.5,
    "general": 0.4,
}
"""Importance of a fact by its category, where its predicate says nothing else."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """What is known of one predicate."""

    name: str
    cardinality: Literal["one", "many"] = "many"
    category: str = "general"
    importance: float = 0.4
    templates: tuple[tuple[str, str], ...] = ()

    def sentence(self, language: str, subject: str, target: str, *, polarity: bool) -> str | None:
        """The fact as a sentence of that language; None where no wording is known."""
        prefix = "" if polarity else "no_"
        template = dict(self.templates).get(prefix + language)
        return template.format(s=subject, o=target) if template else None


@dataclass(frozen=True, slots=True)
class Lexicon:
    """All word lists, keys in lower case."""

    predicates: dict[str, Predicate]
    kin: dict[str, str]
    attribute: dict[str, str]
    favourite: dict[str, str]
    verbs_ja: dict[str, str]
    lists: dict[str, frozenset[str]]
    lists_ja: dict[str, frozenset[str]]
    suffixes: dict[str, tuple[str, ...]]
    kinds_ja: dict[str, tuple[tuple[str, ...], tuple[str, ...]]]
    """By predicate: how the Japanese names begin and end of what it has for a value."""

    def predicate(self, name: str) -> Predicate:
        """The entry of a predicate; kin, favourites and unknown ones get sensible defaults."""
        if entry := self.predicates.get(name):
            return entry
        if name.startswith("favourite_"):
            return Predicate(name, "one", "preference", IMPORTANCE["preference"])
        if name in self.kin.values():
            one = name in self.lists["kin_one"]
            return Predicate(name, "one" if one else "many", "relationship", IMPORTANCE["relationship"])
        return Predicate(name)

    def kind_ja(self, name: str) -> str | None:
        """The predicate that such a name is a value of: みなと銀行 of `bank`; None where it tells nothing."""
        found = (p for p, (starts, ends) in self.kinds_ja.items() if name.startswith(starts) or name.endswith(ends))
        return next(found, None)

    def is_state(self, name: str) -> bool:
        """Whether a predicate tells how somebody or something is, not what was done."""
        return name in self.predicates or name.startswith("favourite_") or name in self.kin.values()

    def belonging(self, predicate: str, target: str) -> str:
        """`member_of`, or `political_party` for a party: a person is in one at a time."""
        party = re.search(r"\b(?:Party|Democrats)\b|[^\s]{1,}党$", target)
        return "political_party" if predicate == "member_of" and party else predicate

    def importance(self, predicate: str, category: str | None) -> float:
        """Importance of a fact of that predicate, or of the category that its rule gave it."""
        return self.predicate(predicate).importance if category is None else IMPORTANCE[category]

    def attribute_predicate(self, words: str) -> str:
        """The predicate of "X's words" or 「Xの words」."""
        key = re.sub(r"^(?:new|current|present|latest)\s+(?=\S)", "", words.casefold().strip())
        if match := re.match(r"(?:favou?rite|好きな|一番好きな)\s*(.+)", key):
            return "favourite_" + snake(self.favourite.get(match[1], match[1]))
        role = self.kin.get(key) or self.kin.get(key.rsplit(" ", 1)[-1])
        return self.attribute.get(key) or role or snake(key)


def snake(words: str) -> str:
    """Words as a predicate name: lower case, joined by underscores, other scripts kept."""
    return re.sub(r"[^\w]+", "_", words.casefold()).strip("_")


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The lexicon, read at first use."""
    data = tomllib.loads((resources.files(__package__) / "lexicon.toml").read_text("utf-8"))
    return Lexicon(
        predicates={name: _predicate(name, entry) for name, entry in data["predicate"].items()},
        kin=data["kin"],
        attribute=data["attribute"],
        favourite=data["favourite"],
        verbs_ja=data["verbs_ja"],
        lists_ja={name: frozenset(words) for name, words in data["lists_ja"].items()},
        lists={name: frozenset(words) for name, words in data["lists"].items()},
        kinds_ja={
            name: (tuple(entry.get("starts", ())), tuple(entry.get("ends", ())))
            for name, entry in data["kinds_ja"].items()
        },
        suffixes={
            name: tuple(words) for name, words in data["lists"].items() if "suffixes" in name or name == "groups_ja"
        },
    )


def _predicate(name: str, entry: dict[str, str]) -> Predicate:
    category = entry.get("category", "general")
    words = tuple((key, value) for key, value in entry.items() if key.endswith(("en", "ja")))
    return Predicate(
        name,
        "one" if entry.get("cardinality") == "one" else "many",
        category,
        float(entry.get("importance", IMPORTANCE[category])),
        words,
    )
