"""The field cases: inputs that have broken memory services, and what a sound one does with them."""

from __future__ import annotations

import asyncio
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from .replies import CheckFailed
from .runner import Runner
from .service import LiveService
from .steps import NotAvailable

HERE = Path(__file__).resolve().parent
CASES_FILE = HERE.parents[2] / "shared" / "cases" / "cases.jsonl"
if not CASES_FILE.is_file():
    pytest.skip("the field cases ../shared/cases/cases.jsonl are not there", allow_module_level=True)

CASES: list[dict[str, Any]] = [json.loads(line) for line in CASES_FILE.read_text("utf-8").splitlines() if line]
EXCUSES: dict[str, dict[str, str]] = tomllib.loads((HERE / "excuses.toml").read_text("utf-8"))
FIRM_KINDS = {
    "query-syntax",
    "blank-text",
    "huge-input",
    "unicode-bytes",
    "unicode-normalization",
    "case-variants",
    "multi-valued",
    "single-valued",
    "malformed-request",
    "unknown-fields",
    "limits",
    "ids",
    "alias",
    "timezone",
    "out-of-order",
    "future-dated",
    "correction",
    "self-contradiction",
    "temporary",
    "negation",
    "numeric-units",
    "duplicate-ingest",
    "as-of-boundary",
    "calendar-edge",
    "decay-clock",
    "graph-traversal",
    "tool-surface",
}
"""Kinds of which no case may be excused."""
SECONDS_A_CASE = 60


def _marks(case_id: str) -> list[pytest.MarkDecorator]:
    excuse = EXCUSES.get(case_id)
    if excuse is None:
        return []
    if excuse["status"] == "not_applicable":
        return [pytest.mark.skip(reason=f"not applicable: {excuse['reason']}")]
    # only a check that fails is excused: an error of the runner or of a fixture is not
    return [pytest.mark.xfail(strict=True, raises=(CheckFailed, NotAvailable), reason=excuse["reason"])]


@pytest.mark.timeout(2 * SECONDS_A_CASE, func_only=True)
@pytest.mark.parametrize("case", [pytest.param(c, id=c["id"], marks=_marks(c["id"])) for c in CASES])
async def test_case(case: dict[str, Any], service: LiveService) -> None:
    # a case that is too slow is cancelled here, so that nothing of it goes on during the next
    async with service.fresh_store() as store_id, asyncio.timeout(SECONDS_A_CASE):
        await Runner(service, store_id).run(case)


def test_every_excuse_is_about_a_case_and_says_why() -> None:
    by_id = {case["id"]: case for case in CASES}
    assert set(EXCUSES) <= set(by_id)
    for excuse in EXCUSES.values():
        assert set(excuse) == {"status", "reason"}
        assert excuse["status"] in ("later", "not_applicable")
        assert len(excuse["reason"]) > 10


def test_no_case_of_a_firm_kind_is_excused() -> None:
    assert {case["kind"] for case in CASES} >= FIRM_KINDS
    assert [case["id"] for case in CASES if case["kind"] in FIRM_KINDS and case["id"] in EXCUSES] == []
