"""The examples of the guide to models run as they stand, with the scripted endpoint as their model."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.openai_server import OpenAIServer
from tests.support.tree import ROOT

from .test_readme import EXAMPLE, environment, python_shows

__all__ = ["environment"]

GUIDE = (ROOT / "docs/guide/models.md").read_text(encoding="utf-8")
EXAMPLES = {m[1]: (m[3], m[4]) for m in EXAMPLE.finditer(GUIDE)}


@pytest.mark.parametrize("name", ["budget", "graphiti", "reranker"])
def test_the_examples(environment: dict[str, str], store_id: str, tmp_path: Path, name: str) -> None:
    code, output = EXAMPLES[name]
    with OpenAIServer() as model:
        model.script_facts({"I live in Osaka.": [{"s": "user", "p": "lives_in", "o": "Osaka"}]})
        model.relevance = {"coffee": 0.9, "tea": 0.2}
        shown = python_shows(code, environment | {"OPENAI_BASE_URL": model.url}, store_id, tmp_path)
    assert shown == output
