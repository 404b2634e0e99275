"""The agents of the guide and of the README, and examples/agent_framework, run as they stand."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tests.support.tree import ROOT

from .test_readme import EXAMPLE, README, environment, python_shows, run

__all__ = ["environment"]

FOLDER = ROOT / "examples/agent_framework"
GUIDE = (ROOT / "docs/guide/agent_framework.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", [GUIDE, README], ids=["guide", "readme"])
def test_the_example(environment: dict[str, str], store_id: str, tmp_path: Path, page: str) -> None:
    code, output = {m[1]: (m[3], m[4]) for m in EXAMPLE.finditer(page)}["agent"]
    assert output
    # no test depends on how fast the machine is
    code = code.replace('kinds=["fact"])', 'kinds=["fact"], recall_timeout=250, remember_timeout=250)')
    code = code.replace("Provider(**where)", "Provider(**where, timeout=250)")
    assert python_shows(code, environment | {"PYTHONPATH": str(FOLDER)}, store_id, tmp_path) == output


def test_the_story(environment: dict[str, str], tmp_path: Path) -> None:
    shown = run([sys.executable, "-W", "error", str(FOLDER / "main.py")], environment, tmp_path)
    sessions = re.split(r"^-- .*, session (.*)$", shown, flags=re.MULTILINE)
    told = dict(zip(sessions[1::2], sessions[2::2], strict=True))
    assert list(told) == ["mon", "fri", "sun", "月曜", "金曜", "日曜"]
    assert "memory maya is vegan" in told["fri"]
    assert "memory maya lives in Tokyo" in told["sun"]
    assert "Kyoto" not in told["sun"], "what was replaced is not shown"
    assert "memory 遥はビーガン" in told["金曜"]
    assert "memory 遥は東京に住んでいる" in told["日曜"]
    assert "京都" not in told["日曜"]
    assert "maya" not in "".join(told[name] for name in ("月曜", "金曜", "日曜"))


def test_the_guide_shows_the_default_prompt() -> None:
    from graphmem.plugins.agent_framework import GraphMemContextProvider

    assert GraphMemContextProvider.DEFAULT_CONTEXT_PROMPT in GUIDE
