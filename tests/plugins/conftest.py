"""No test of the plug-ins depends on how fast the machine is."""

from __future__ import annotations

import pytest

from graphmem.plugins import tools


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools, "CALL_SECONDS", 280.0)
    monkeypatch.setattr(tools, "SAVE_SECONDS", 270.0)
