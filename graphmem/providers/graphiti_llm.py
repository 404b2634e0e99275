"""Any language model client of graphiti-core as a `Chat` (extra `graphmem[graphiti]`)."""

from __future__ import annotations

import asyncio
import json
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict

from graphmem.ports import Reply

from .graphiti_errors import provider_error
from .graphiti_package import load_graphiti

if TYPE_CHECKING:
    from graphiti_core.llm_client.client import LLMClient

_SPENT: ContextVar[list[int] | None] = ContextVar("graphmem_graphiti_tokens", default=None)
_WHAT = "The model client"
_UNREADABLE = "?"
"""Stands for an answer that the client could not read, and that it does not give."""


class GraphitiChat:
    """Asks through `client`, within `timeout` seconds, repetitions included; closing it leaves the client as it is.

    Tokens are counted where the client reports them (OpenAI, Azure, Anthropic, Gemini). Errors: ConfigurationError
    where graphiti-core is not installed.
    """

    def __init__(self, client: LLMClient, *, timeout: float = 60.0) -> None:
        load_graphiti()
        self._client = client
        self._timeout = timeout
        _listen(client)

    async def ask(self, system: str, user: str, *, task: str, schema: dict[str, Any], schema_intro: str = "") -> Reply:
        """The client's answer as JSON text. Errors: ProviderError."""
        from graphiti_core.prompts.models import Message

        spent = [0, 0]
        token = _SPENT.set(spent)
        try:
            async with asyncio.timeout(self._timeout):
                answer = await self._client.generate_response(
                    [Message(role="system", content=system), Message(role="user", content=user)],
                    response_model=_form(task, json.dumps(schema)),
                    prompt_name=f"graphmem.{task}",
                )
        except Exception as error:  # noqa: BLE001  clients pass on whatever their packages raise
            return _failed(error, spent)
        finally:
            _SPENT.reset(token)
        return Reply(json.dumps(answer, ensure_ascii=False), prompt_tokens=spent[0], completion_tokens=spent[1])

    async def close(self) -> None:
        """Nothing: who made the client closes it."""


def _failed(error: Exception, spent: list[int]) -> Reply:
    """Answers that came and are of no use are for the caller to judge. Errors: ProviderError for the rest."""
    from graphiti_core.llm_client.errors import EmptyResponseError, RefusalError

    if isinstance(error, RefusalError):
        return Reply(None, refused=True, prompt_tokens=spent[0], completion_tokens=spent[1])
    if isinstance(error, EmptyResponseError):
        return Reply(None, prompt_tokens=spent[0], completion_tokens=spent[1])
    if isinstance(error, ValueError) and not isinstance(error, UnicodeError):  # no JSON, or not of the form asked for
        return Reply(_UNREADABLE, prompt_tokens=spent[0], completion_tokens=spent[1])
    raise provider_error(_WHAT, error) from error


@cache
def _form(task: str, schema: str) -> type[BaseModel]:
    """A model class with this JSON schema that takes any object: what comes is read leniently later."""

    class Form(BaseModel):
        model_config = ConfigDict(extra="allow", title=task)

        @classmethod
        def __get_pydantic_json_schema__(cls, core_schema: Any, handler: Any) -> dict[str, Any]:
            described: dict[str, Any] = json.loads(schema)
            return described

    Form.__name__ = Form.__qualname__ = task
    return Form


def _listen(client: LLMClient) -> None:
    """Have the client tell what each call costs; its own count goes on."""
    from graphiti_core.llm_client.token_tracker import TokenUsageTracker

    class Tracker(TokenUsageTracker):
        def record(self, prompt_name: str | None, input_tokens: int, output_tokens: int) -> None:
            super().record(prompt_name, input_tokens, output_tokens)
            if (spent := _SPENT.get()) is not None:
                spent[0] += input_tokens
                spent[1] += output_tokens

    if type(client.token_tracker) is TokenUsageTracker:
        client.token_tracker = Tracker()  # type: ignore[no-untyped-call]
