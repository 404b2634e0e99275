"""A language model as the reranker: one call that grades all texts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

from graphmem.errors import ProviderError
from graphmem.ports import Chat
from graphmem.prompts import load_prompt
from graphmem.prompts.rerank import answer_schema, read_grades

from .llm_answer import GRADES, BadAnswerError, read_items
from .openai_client import provider_errors
from .pieces import is_japanese

_WHAT = "The model that reranks"


class LLMReranker:
    """Grades by `chat`, within `timeout` seconds; closing it leaves the model open for others."""

    def __init__(self, chat: Chat, model: str, *, timeout: float) -> None:
        self._chat = chat
        self._model = model
        self._timeout = timeout

    @property
    def name(self) -> str:
        """`llm` and the model."""
        return f"llm:{self._model}"

    async def rerank(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """One score of 0 to 1 a text, in their order. Errors: ProviderError, also when a text got no grade."""
        if not texts:
            return ()
        prompt = load_prompt("rerank")
        with provider_errors(_WHAT):
            async with asyncio.timeout(self._timeout):
                reply = await self._chat.ask(
                    prompt["ja" if is_japanese(query) else "en"],
                    framed(query, texts),
                    task="grades",
                    schema=answer_schema(),
                    schema_intro=prompt["schema"],
                )
        try:
            raw = read_items(GRADES, reply.content, refused=reply.refused, cut_off=reply.cut_off)
        except BadAnswerError as error:
            raise ProviderError(f"{_WHAT} gave no usable answer ({error.reason}).", reason=error.reason) from error
        found = read_grades(raw, len(texts))
        if len(found) != len(texts):
            reason = "truncated" if reply.cut_off else "bad_answer"
            raise ProviderError(f"{_WHAT} graded {len(found)} of {len(texts)} texts.", reason=reason)
        return [found[index] for index in range(len(texts))]

    async def close(self) -> None:
        """Nothing: the model is shared."""


def framed(query: str, texts: Sequence[str]) -> str:
    """Query and texts as data, one JSON object a line."""
    lines = [{"query": query}, *({"memory": index, "text": text} for index, text in enumerate(texts))]
    return "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
