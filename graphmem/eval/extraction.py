"""What the offline extractor takes from sentences that were labelled by hand.

Data: a folder with `<language>.jsonl`, one sentence a line: `text`, `speaker`, `reference` (the time of speaking),
`split` (`dev` was tuned on, `test` was not), `phenomenon`, and `facts`, a list of `s`, `p`, `o`, `polarity`, `event`,
`from`, `until`, `category`, `optional`. `|` separates names that are equally right.

A candidate equals a labelled fact when all of this holds:

- subject: the same name, but for case, width, a leading article or possessive, and a Japanese honorific at the end;
- predicate: the same relation as `ingest/predicates.toml` reads names (`works_for` is `works_at`);
- object: as the subject; a date in brackets, which only spells out a relative one, is not part of the name;
- polarity: the same, or the other one of the opposite relation (does not dislike);
- event: both assert, or both tell of an end;
- date: `from` and `until` are the same moment in the same precision, in the speaker's zone. A label without one
  wants none; `*` leaves it open.

What was said as a wish or on hearsay is kept as a candidate that recall does not show: it counts neither way. A fact
that is labelled `optional` may be found or not. `category` is counted apart.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InvalidInput
from ..ingest.predicates import read_predicate, seeded
from ..models.times import ValidTime
from ..ports import Turn

if TYPE_CHECKING:
    from ..ports import Candidate, Extractor

Row = dict[str, Any]
SHIPPED = Path(__file__).parents[2] / "tests" / "data" / "extraction"
"""The labelled set of the repository; an installed package has none."""
LANGUAGES = ("en", "ja")
_LEAD = re.compile(r"^(?:the|a|an|my|our|some)\s+")
_BRACKETED = re.compile(r"\s*[((](?:\d{4}(?:-\d{2}){0,2}(?: \d{2}:\d{2})?)[))]\s*")
_GAP = re.compile(r"(?<=\W)\s+|\s+(?=\W)|(?<=[^\x00-\x7f])\s+(?=[^\x00-\x7f])")
_HONORIFIC = re.compile(r"(?<=\w)(?:さん|様|氏|くん|ちゃん)$")


@dataclass
class Score:
    """Counts over some sentences; `right` of `found` are labelled, and `wanted` were there to find."""

    sentences: int = 0
    wanted: int = 0
    found: int = 0
    right: int = 0
    categories: int = 0
    categories_right: int = 0

    @property
    def precision(self) -> float:
        """Share of what was extracted that is right; 1 where nothing was extracted."""
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        """Share of what was said that was extracted; 1 where nothing was said."""
        return self.right / self.wanted if self.wanted else 1.0


@dataclass
class Report:
    """Scores of one language: of each split, and in each split of each phenomenon; `misses` are lines to read."""

    splits: dict[str, Score] = field(default_factory=lambda: defaultdict(Score))
    phenomena: dict[str, dict[str, Score]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(Score)))
    misses: list[str] = field(default_factory=list)


def load(folder: Path, language: str) -> list[Row]:
    """The labelled sentences of a language. Errors: InvalidInput naming the file."""
    path = folder / f"{language}.jsonl"
    if not path.is_file():
        raise InvalidInput(f"{path} is not there; --data takes a folder with en.jsonl and ja.jsonl.", field="data")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


async def evaluate(extractor: Extractor, folder: Path = SHIPPED) -> dict[str, Report]:
    """A report for each language that the folder has. Errors: InvalidInput when it has none."""
    present = [language for language in LANGUAGES if (folder / f"{language}.jsonl").is_file()] or LANGUAGES[:1]
    return {language: await measure(extractor, load(folder, language)) for language in present}


async def measure(extractor: Extractor, rows: Sequence[Row]) -> Report:
    """Every sentence is a message of its own, so that none helps another."""
    turns = [
        Turn(i, "user", row["speaker"], row["text"], datetime.fromisoformat(row["reference"]))
        for i, row in enumerate(rows)
    ]
    candidates = (await extractor.extract(turns)).candidates
    report = Report()
    for i, row in enumerate(rows):
        split = row.get("split", "all")
        scores = (report.splits[split], report.phenomena[split][row.get("phenomenon", "all")])
        stated = [c for c in candidates if c.turn == i and c.learning_state != "candidate"]
        _count(row, stated, scores, report.misses)
    return report


def summary(report: Report, *, misses: bool = False) -> Row:
    """A report as plain data: figures of each split, and in it of each phenomenon; with `misses` their lines."""
    found = {
        split: {**_figures(total), "phenomena": {k: _figures(s) for k, s in sorted(report.phenomena[split].items())}}
        for split, total in report.splits.items()
    }
    return {"splits": found, **({"misses": report.misses} if misses else {})}


def _figures(score: Score) -> Row:
    return {"precision": round(score.precision, 4), "recall": round(score.recall, 4), **asdict(score)}


def reached(report: Report, precision: float, recall: float) -> bool:
    """Whether every split has at least these figures."""
    return all(score.precision >= precision and score.recall >= recall for score in report.splits.values())


def _count(row: Row, candidates: Sequence[Candidate], scores: Sequence[Score], misses: list[str]) -> None:
    left = list(row["facts"])
    missed = f"{row.get('split', 'all')} {row.get('phenomenon', '')}: {row['text']}"
    for score in scores:
        score.sentences += 1
        score.wanted += sum(not fact.get("optional") for fact in left)
    for candidate in candidates:
        match = next((fact for fact in left if same(fact, candidate, row["reference"])), None)
        if match is None:
            misses.append(f"{missed} | extra {_shown(candidate)}")
        else:
            left.remove(match)
        for score in scores:
            _note(score, match, candidate)
    misses += [f"{missed} | missed {_labelled(fact)}" for fact in left if not fact.get("optional")]


def _note(score: Score, match: Row | None, candidate: Candidate) -> None:
    if match is not None and match.get("optional"):
        return
    score.found += 1
    if match is None:
        return
    score.right += 1
    if "category" in match:
        score.categories += 1
        score.categories_right += match["category"] == candidate.category


def same(fact: Row, candidate: Candidate, reference: str) -> bool:
    """Whether a candidate says what the label says; the rules stand above."""
    return (
        _key(candidate.subject.name) in _keys(fact["s"])
        and _key(candidate.object.name) in _keys(fact["o"])
        and any(_relation(fact, name, candidate) for name in fact["p"].split("|"))
        and fact["event"] == candidate.event
        and _date(fact.get("from"), candidate.valid_at, reference)
        and _date(fact.get("until"), candidate.invalid_at, reference)
    )


def _relation(fact: Row, name: str, candidate: Candidate) -> bool:
    wanted, given = read_predicate(name), read_predicate(candidate.predicate)
    if wanted.sense == given.sense or name == candidate.predicate:
        return bool(fact["polarity"] == candidate.polarity)
    opposite = seeded().get(wanted.sense, {}).get("opposite")
    return opposite == given.sense and fact["polarity"] != candidate.polarity


def _date(wanted: str | None, given: ValidTime | None, reference: str) -> bool:
    if wanted == "*":
        return True
    if wanted is None or given is None:
        return wanted is None and given is None
    return shown_time(given, reference) == wanted


def shown_time(time: ValidTime, reference: str) -> str:
    """A time at its precision; days and moments in the zone of the reference."""
    if time.precision in ("year", "month"):
        return time.at.astimezone(UTC).strftime("%Y" if time.precision == "year" else "%Y-%m")
    local = time.at.astimezone(datetime.fromisoformat(reference).tzinfo)
    return local.strftime("%Y-%m-%d" if time.precision == "day" else "%Y-%m-%dT%H:%M")


def _keys(names: str) -> Iterable[str]:
    return [_key(name) for name in names.split("|")]


def _key(name: str) -> str:
    plain = _BRACKETED.sub(" ", unicodedata.normalize("NFKC", name).casefold())
    return _GAP.sub("", _HONORIFIC.sub("", _LEAD.sub("", plain.strip()))).strip()


def _shown(c: Candidate) -> str:
    signs = ("" if c.polarity else " not") + (" ended" if c.event == "retract" else "")
    times = [t.at.isoformat()[:16] + f" ({t.precision})" for t in (c.valid_at, c.invalid_at) if t]
    return " · ".join([c.subject.name, c.predicate, c.object.name + signs, *times])


def _labelled(fact: Row) -> str:
    signs = ("" if fact["polarity"] else " not") + (" ended" if fact["event"] == "retract" else "")
    return " · ".join([fact["s"], fact["p"], fact["o"] + signs, *(fact[k] for k in ("from", "until") if k in fact)])
