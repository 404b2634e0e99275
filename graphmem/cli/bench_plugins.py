"""`graphmem bench agent-framework`: what the plug-in adds to recall."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from .common import NO_OPTIONS, Common, Json, load_settings, open_memory
from .output import Stages, print_json, stdout

if TYPE_CHECKING:
    from graphmem.eval.plugin import Ask
    from graphmem.memory import Memory


async def agent_framework(
    *,
    facts: Annotated[int, Parameter(help="Facts in the store.", validator=Number(gte=10, lte=50_000))] = 1000,
    recalls: Annotated[int, Parameter(help="Recalls to measure.", validator=Number(gte=5, lte=10_000))] = 100,
    as_json: Json = False,
    common: Common = NO_OPTIONS,
) -> int:
    """Measure recall through the Agent Framework provider beside Memory; 1 when it takes over 1.3 times as long."""
    from graphmem.eval.plugin import measure

    async with open_memory(load_settings(common)) as memory:
        with Stages() as stages:
            found = await measure(memory, partial(_asking, memory), facts, recalls, stages)
    if as_json:
        print_json(found)
    else:
        row = found.recall
        stdout().print(
            f"recall p50: {row.graphmem:.1f} ms through the provider, {row.bare:.1f} ms through Memory: "
            f"ratio {row.ratio:.2f} (goal {row.goal}); {found.recalls} recalls over {found.facts} facts"
        )
    return 0 if found.recall.reached else 1


def _asking(memory: Memory, store: str, actor: str) -> Ask:
    """The provider, asked as the runs of one session ask it."""
    from graphmem.plugins.agent_framework import GraphMemContextProvider
    from graphmem.plugins.agent_framework.probe import Probe

    provider = GraphMemContextProvider(
        memory=memory, store=store, search_user_id=actor, context_prompt=None, recall_timeout=600
    )
    return Probe(provider).ask
