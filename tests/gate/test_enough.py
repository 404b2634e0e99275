"""What the gate leaves out does not take the place of what may be given, however much of it fits better."""

from __future__ import annotations

import pytest

from graphmem.models.episode import RememberRequest

from .conftest import SCOPE, World

MANY = 30
"""More than a recall first asks for."""


@pytest.mark.parametrize("mode", ["hybrid", "keyword"])
async def test_many_that_are_left_out_leave_room(world: World, mode: str) -> None:
    messages = [
        {"id": f"old{n}", "content": f"Smoked lapsang tea is brewed in pot {n}.", "occurred_at": "2020-01-01T00:00:00Z"}
        for n in range(MANY)
    ]
    messages.append({"id": "new", "content": "Tea is in the cupboard, on the upper shelf, behind the flour and rice."})
    body = {"scope": SCOPE, "messages": messages, "extraction": "none"}
    await world.memory.remember(world.store, RememberRequest.model_validate(body))
    gate = {"max_age_days": 90, "min_score": 0}
    answer = await world.recall("Smoked lapsang tea brewed", kinds=["episode"], mode=mode, gate=gate)
    assert [item.sources[0].source_id for item in answer.items] == ["new"]
    assert answer.audit.reasons == {"stale": MANY}
