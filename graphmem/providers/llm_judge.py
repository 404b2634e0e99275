"""Doubtful pairs judged by a language model, all of them in one call."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence

from graphmem.errors import ProviderError
from graphmem.ports import Chat, Judged, Pair, Relation
from graphmem.prompts import load_prompt
from graphmem.prompts.judge import answer_schema, read_verdicts

from .llm_answer import VERDICTS, BadAnswerError, read_items
from .pieces import is_japanese
from .rules_judge import RulesJudge, allowed

log = logging.getLogger(__name__)

MOST_PAIRS = 24
"""Pairs in one call; of more, those that are most alike."""
_LONGEST = 600
"""Characters of a statement that a model is asked about."""


class LLMJudge:
    """The rules where they are sure, a model for the rest: one call, repeated once when its answer is of no use."""

    def __init__(self, chat: Chat, embedder: str) -> None:
        self._chat = chat
        self._rules = RulesJudge(embedder)

    @property
    def floor(self) -> float:
        """As for the rules."""
        return self._rules.floor

    async def judge(self, pairs: Sequence[Pair]) -> Judged:
        """The relation of each pair; where the model fails they count as unrelated, with a warning `not_judged`."""
        relations: dict[int, Relation] = {}
        for index, pair in enumerate(pairs):
            if (clear := self._rules.clear(pair)) is not None:
                relations[index] = clear
        doubtful = [i for i, pair in enumerate(pairs) if i not in relations and _askable(pair)]
        doubtful = sorted(doubtful, key=lambda i: -pairs[i].likeness)[:MOST_PAIRS]
        warnings: tuple[str, ...] = ()
        if doubtful:
            try:
                asked = await self._asked([pairs[i] for i in doubtful])
            except ProviderError as error:
                log.info("pairs are not judged: %s", error.reason)
                asked, warnings = {}, (f"not_judged: {error.reason}",)
            relations |= {doubtful[at]: allowed(pairs[doubtful[at]], relation) for at, relation in asked.items()}
        return Judged(tuple(relations.get(i, "unrelated") for i in range(len(pairs))), warnings)

    async def _asked(self, pairs: Sequence[Pair]) -> dict[int, Relation]:
        try:
            return await self._attempt(pairs, None)
        except BadAnswerError as error:
            reason = error.reason
        try:
            return await self._attempt(pairs, reason)
        except BadAnswerError as error:
            raise ProviderError(f"The model's answer cannot be used ({error.reason}).", reason=error.reason) from error

    async def _attempt(self, pairs: Sequence[Pair], last_reason: str | None) -> dict[int, Relation]:
        prompt = load_prompt("judge")
        text = "\n".join(pair.new for pair in pairs)
        system = prompt["ja" if is_japanese(text) else "en"]
        if last_reason is not None:
            system += "\n\n" + prompt["again"].replace("{reason}", last_reason)
        reply = await self._chat.ask(
            system, framed(pairs), task="verdicts", schema=answer_schema(), schema_intro=prompt["schema"]
        )
        raw = read_items(VERDICTS, reply.content, refused=reply.refused, cut_off=reply.cut_off)
        found = read_verdicts(raw, len(pairs))
        if not found:
            raise BadAnswerError("no_verdicts")
        return found


def framed(pairs: Sequence[Pair]) -> str:
    """The pairs as data, one JSON object a line."""
    return "\n".join(
        json.dumps({"pair": i, "known": pair.known, "new": pair.new}, ensure_ascii=False)
        for i, pair in enumerate(pairs)
    )


def _askable(pair: Pair) -> bool:
    return len(pair.new) <= _LONGEST and len(pair.known) <= _LONGEST
