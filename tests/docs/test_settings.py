"""Every setting is documented, with the default it has; nothing is documented that does not exist."""

from __future__ import annotations

import re

from graphmem.config import Settings
from tests.support.settings import variables_by_field, variables_of_settings
from tests.support.tree import ROOT

ROW = re.compile(r"^\| (`[^|]+`) \| `(\w+)` \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)


def rows() -> dict[str, tuple[list[str], str]]:
    """Field to its variables and its default, as the guide has them."""
    text = (ROOT / "docs/guide/settings.md").read_text(encoding="utf-8")
    return {field: (re.findall(r"`(\w+)`", names), default.strip()) for names, field, default, _ in ROW.findall(text)}


def test_every_setting_is_in_the_guide_with_all_its_names() -> None:
    assert {field: names for field, (names, _) in rows().items()} == variables_by_field()


def test_plain_defaults_are_the_real_ones() -> None:
    for field, (_, default) in rows().items():
        value = Settings.model_fields[field].default
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            assert default.strip("`") == (f"{value:g}" if isinstance(value, float) else str(value)), field


def test_no_page_names_a_variable_that_does_not_exist() -> None:
    tests = {"NEO4J_TEST_URI", "NEO4J_TEST_USERNAME", "NEO4J_TEST_PASSWORD", "GRAPHMEM_REQUIRE_NEO4J"}
    other = tests | {"OPENAI_AGENTS_DISABLE_TRACING"}  # of the OpenAI Agents SDK
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    for page in pages:
        named = set(re.findall(r"\b(?:NEO4J|OPENAI|GRAPHMEM)_[A-Z0-9_]*[A-Z0-9]\b", page.read_text(encoding="utf-8")))
        assert named <= variables_of_settings() | other, page
