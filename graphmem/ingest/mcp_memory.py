"""Taking in the graph of the reference MCP memory server: each statement is an episode and the fact that it states."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Literal

from ..errors import InvalidInput
from ..models.episode import RememberRequest, Source
from ..models.fact import RememberResult
from ..models.imports import ImportedFile, LineProblem
from ..models.scope import Scope
from .read_mcp_memory import Statement, read_graph

SOURCE_TYPE = "import"
"""What is imported is reported: it never retires the user's own word."""
_AT_ONCE = 100
"""Statements of one call."""

Remember = Callable[[str, RememberRequest], Awaitable[RememberResult]]


class McpMemory:
    """Imports of such files; the same file again changes nothing."""

    def __init__(self, remember: Remember) -> None:
        self._remember = remember

    async def take(self, store_id: str, scope: Scope, path: str, text: str, *, wait: bool = True) -> ImportedFile:
        """Take in one file; lines that cannot be taken are in the answer. Errors: NotFound (store), DatabaseError."""
        graph = await asyncio.to_thread(read_graph, text)
        counts: Counter[str] = Counter()
        problems = list(graph.problems)
        statements = _once(graph.statements)
        for start in range(0, len(statements), _AT_ONCE):
            await self._send(store_id, scope, path, statements[start : start + _AT_ONCE], wait, counts, problems)
        return ImportedFile(
            path=path,
            outcome=_outcome(counts),
            reason=None if counts["new"] or counts["known"] else "no line of it could be taken in",
            facts=counts["facts"],
            problems=tuple(sorted(problems, key=lambda problem: problem.line)),
        )

    async def _send(
        self,
        store_id: str,
        scope: Scope,
        path: str,
        statements: Sequence[Statement],
        wait: bool,
        counts: Counter[str],
        problems: list[LineProblem],
    ) -> None:
        """Remember statements in one call; where one of them is refused, each by itself."""
        request = RememberRequest(
            scope=scope,
            messages=tuple(statement.message for statement in statements),
            source=Source(type=SOURCE_TYPE),
            facts=tuple(statement.fact for statement in statements),
            extraction="none",
            wait=wait,
        )
        try:
            result = await self._remember(store_id, request)
        except InvalidInput as error:
            if len(statements) == 1:
                problems.append(LineProblem(line=statements[0].line, reason=error.message))
                return
            for statement in statements:
                await self._send(store_id, scope, path, [statement], wait, counts, problems)
            return
        known = sum(episode.duplicate for episode in result.episodes)
        counts.update(known=known, new=len(result.episodes) - known, facts=len(result.facts))


def _once(statements: Sequence[Statement]) -> list[Statement]:
    """The statements without those that say the same again."""
    return list({statement.message.id: statement for statement in reversed(statements)}.values())[::-1]


def _outcome(counts: Counter[str]) -> Literal["made", "changed", "same", "failed"]:
    if not counts["new"]:
        return "same" if counts["known"] else "failed"
    return "changed" if counts["known"] else "made"
