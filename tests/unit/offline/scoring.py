"""Scores extracted candidates against the labelled sentences."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from graphmem.ports import Candidate, Turn
from graphmem.providers.offline import OfflineExtractor

DATA = Path(__file__).parents[2] / "data" / "extraction"


@dataclass
class Score:
    found: int = 0
    wanted: int = 0
    right: int = 0
    extracted: int = 0
    missed: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        return self.right / self.extracted if self.extracted else 1.0

    @property
    def recall(self) -> float:
        return self.found / self.wanted if self.wanted else 1.0


def load(language: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / f"{language}.jsonl").read_text("utf-8").splitlines()]


async def score(rows: list[dict[str, Any]]) -> Score:
    turns = [
        Turn(i, "user", row["speaker"], row["text"], datetime.fromisoformat(row["reference"]))
        for i, row in enumerate(rows)
    ]
    extracted = await OfflineExtractor().extract(turns)
    result = Score()
    for i, row in enumerate(rows):
        _row(row, [c for c in extracted.candidates if c.turn == i], result)
    return result


def _row(row: dict[str, Any], candidates: list[Candidate], result: Score) -> None:
    left = list(row["facts"])
    result.wanted += len(left)
    for candidate in candidates:
        match = next((gold for gold in left if _same(gold, candidate)), None)
        if match is None and candidate.learning_state == "candidate":
            continue  # a guess or a wish: kept, but not recalled as a fact
        result.extracted += 1
        if match is None:
            result.extra.append(
                f"{row['text']} -> {candidate.subject.name} {candidate.predicate} {candidate.object.name}"
            )
            continue
        left.remove(match)
        result.right += 1
        result.found += 1
    result.missed += [f"{row['text']} -> {gold['s']} {gold['p']} {gold['o']}" for gold in left]


def _same(gold: dict[str, Any], candidate: Candidate) -> bool:
    return (
        _key(candidate.subject.name) in _keys(gold["s"])
        and candidate.predicate in gold["p"].split("|")
        and _key(candidate.object.name) in _keys(gold["o"])
        and (candidate.polarity, candidate.event) == (gold["polarity"], gold["event"])
    )


def _keys(names: str) -> Iterable[str]:
    return [_key(name) for name in names.split("|")]


def _key(name: str) -> str:
    return re.sub(r"^(?:the|a|an)\s+", "", name.casefold().strip())
