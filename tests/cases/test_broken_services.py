"""Services that refuse everything, lose everything or answer nonsense pass no case that proves something."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import httpx
import pytest

from .replies import CheckFailed
from .runner import Runner
from .steps import Hints, NotAvailable
from .test_cases import CASES

LOST = {
    "items": [],
    "next_page_token": None,
    "context": "",
    "degraded": [],
    "episodes": [{"id": "x"}],
    "facts": [],
    "id": "x",
}
REFUSING_IS_SOUND = {"B129", "B131", "B237"}
LOSING_IS_SOUND = {"B160", "B167", "B183", "B230"}
"""Cases whose only demand is that something is not stored, or not half stored."""


class BrokenService:
    """Answers every call alike."""

    hints: Hints = "given"

    def __init__(self, status: int, body: Any) -> None:
        self.status, self.body = status, body
        reply = httpx.Response(status) if body is None else httpx.Response(status, json=body)
        self.client = httpx.AsyncClient(
            transport=httpx.MockTransport(lambda request: httpx.Response(status, content=reply.content)),
            base_url="http://broken",
        )

    async def call_tool(
        self, store_id: str, actor_id: str, name: str, arguments: Mapping[str, Any]
    ) -> tuple[bool | None, Any, str]:
        return (None if self.status >= 500 else self.status >= 400), self.body, ""

    def script(self, facts: Mapping[str, Any]) -> None: ...

    def inject(self, target: str, mode: str, value: Any, times: Any) -> None: ...

    async def wait_idle(self, store_id: str, actor_ids: Iterable[str], seconds: float) -> None: ...

    async def restart(self) -> None: ...


@pytest.mark.parametrize(
    ("status", "body", "sound"),
    [
        (500, {"detail": "x"}, set()),
        (404, {"detail": "x"}, REFUSING_IS_SOUND),
        (400, {"detail": "x"}, REFUSING_IS_SOUND),
        (200, {}, set()),
        (200, None, set()),
        (200, LOST, LOSING_IS_SOUND),
    ],
    ids=["fails", "knows-nothing", "refuses", "empty-object", "no-body", "loses"],
)
async def test_a_broken_service_passes_nothing(status: int, body: Any, sound: set[str]) -> None:
    service = BrokenService(status, body)
    passed = set()
    for case in CASES:
        try:
            await Runner(service, "s").run(case)
            passed.add(case["id"])
        except (CheckFailed, NotAvailable):
            pass
    await service.client.aclose()
    assert passed == sound
