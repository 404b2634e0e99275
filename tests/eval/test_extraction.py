"""`graphmem eval extraction`: the shipped set holds its thresholds, and a wrong label or extraction is counted."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from graphmem.cli.eval import extraction
from graphmem.errors import InvalidInput
from graphmem.eval.extraction import LANGUAGES, SHIPPED, evaluate, load, reached, same
from graphmem.models.times import ValidTime
from graphmem.ports import Candidate, EntityMention
from graphmem.providers.offline import OfflineExtractor

REFERENCE = "2026-06-17T08:30:00+02:00"
ROW = {"text": "I moved to Osaka in 2024.", "speaker": "Ida", "reference": REFERENCE, "split": "test"}
FACT = {"s": "Ida", "p": "lives_in", "o": "Osaka", "polarity": True, "event": "assert", "from": "2024"}


async def test_the_shipped_set_holds_its_thresholds() -> None:
    reports = await evaluate(OfflineExtractor())
    assert list(reports) == ["en", "ja"]
    for language, report in reports.items():
        assert set(report.splits) == {"dev", "test"}
        assert reached(report, 0.9, 0.6), (language, report.misses)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_shipped_set_is_large_and_a_third_of_it_states_nothing(language: str) -> None:
    rows = load(SHIPPED, language)
    assert len(rows) >= 160
    for split in ("dev", "test"):
        some = [row for row in rows if row["split"] == split]
        assert len(some) >= 80
        assert sum(not row["facts"] for row in some) * 3 >= len(some)
    assert len({row["text"] for row in rows}) > len(rows) * 0.97


def write(folder: Path, *facts: dict[str, Any]) -> Path:
    (folder / "en.jsonl").write_text(json.dumps({**ROW, "facts": list(facts)}), encoding="utf-8")
    return folder


async def test_right_missed_and_too_many(tmp_path: Path) -> None:
    right = (await evaluate(OfflineExtractor(), write(tmp_path, FACT)))["en"].splits["test"]
    assert (right.precision, right.recall) == (1.0, 1.0)
    report = (await evaluate(OfflineExtractor(), write(tmp_path, {**FACT, "o": "Kyoto"})))["en"]
    wrong = report.splits["test"]
    assert (wrong.precision, wrong.recall) == (0.0, 0.0)
    assert len(report.misses) == 2
    optional = (await evaluate(OfflineExtractor(), write(tmp_path, {**FACT, "optional": True})))["en"].splits["test"]
    assert (optional.found, optional.wanted) == (0, 0)


@pytest.mark.parametrize(("change", "equal"), [
    ({}, True),
    ({"p": "residence|likes"}, True),
    ({"p": "works_at"}, False),
    ({"o": "Kobe|osaka"}, True),
    ({"o": "the Osaka"}, True),
    ({"polarity": False}, False),
    ({"event": "retract"}, False),
    ({"from": "2024-01"}, False),
    ({"from": "2025"}, False),
    ({"from": "*"}, True),
    ({"until": "2025"}, False),
])  # fmt: skip
def test_what_counts_as_equal(change: dict[str, Any], equal: bool) -> None:
    year = ValidTime(at=datetime(2024, 1, 1, tzinfo=UTC), precision="year")
    said = Candidate(0, "", EntityMention("Ida"), "lives_in", EntityMention("Osaka"), "", 0, 0, valid_at=year)
    assert same({**FACT, **change}, said, REFERENCE) is equal


def test_not_disliking_is_the_other_way_to_say_liking() -> None:
    said = Candidate(0, "", EntityMention("Ida"), "dislikes", EntityMention("opera"), "", 0, 0)
    label = {"s": "Ida", "p": "likes", "o": "opera", "polarity": False, "event": "assert"}
    assert same(label, said, REFERENCE)
    assert not same({**label, "polarity": True}, said, REFERENCE)


@pytest.mark.parametrize(("label", "code"), [({}, 0), ({"o": "Kyoto"}, 1)])
async def test_the_command_ends_by_its_thresholds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], label: dict[str, str], code: int
) -> None:
    folder = write(tmp_path, {**FACT, **label})
    assert await extraction(data=folder, as_json=True, misses=True) == code
    report = json.loads(capsys.readouterr().out)["en"]
    assert report["splits"]["test"]["precision"] == 1.0 - code
    assert bool(report["misses"]) == bool(code)


async def test_a_folder_without_sentences_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"en\.jsonl"):
        await evaluate(OfflineExtractor(), tmp_path)
