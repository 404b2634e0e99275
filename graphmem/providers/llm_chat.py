"""One chat call with a structured answer, on endpoints that differ in what they accept."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, Literal

from graphmem.ports import Reply

from .openai_client import open_client, provider_errors

if TYPE_CHECKING:
    from openai import APIStatusError
    from openai.types.chat import ChatCompletion

    from graphmem.config import Settings

Mode = Literal["json_schema", "json_object", "text"]
_LADDER: tuple[Mode, ...] = ("json_schema", "json_object", "text")
_UNSUPPORTED = frozenset({400, 415, 422, 500, 501})
"""Statuses by which servers say that they do not know a response format; some answer 500."""


class ChatModel:
    """The configured model. It remembers which response format its endpoint takes, once one has worked."""

    def __init__(self, settings: Settings) -> None:
        self._timeout = settings.llm_timeout
        self._model = settings.llm_model
        self._client = open_client(settings, base_url=settings.openai_base_url, timeout=self._timeout)
        self._rung = 0
        self._proven = False
        self._temperature = True

    @property
    def mode(self) -> Mode:
        """The response format that is asked for."""
        return _LADDER[self._rung]

    async def ask(self, system: str, user: str, *, task: str, schema: dict[str, Any], schema_intro: str = "") -> Reply:
        """The answer to one question, within the time limit of the settings, repetitions included.

        Where the endpoint takes no schema, `schema_intro` and the schema are added to the system message.
        Errors: ProviderError.
        """
        with provider_errors("The model endpoint"):
            async with asyncio.timeout(self._timeout):
                return _reply(await self._climb_down(system, user, _named(task, schema), schema_intro))

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _climb_down(self, system: str, user: str, schema: dict[str, Any], schema_intro: str) -> ChatCompletion:
        from openai import APIStatusError

        for rung in range(self._rung, len(_LADDER)):
            told = system if rung == 0 else f"{system}\n\n{schema_intro}\n{json.dumps(schema['schema'])}"
            try:
                completion = await self._send(_LADDER[rung], told, user, schema)
            except APIStatusError as error:
                last = rung == len(_LADDER) - 1
                if last or self._proven or error.status_code not in _UNSUPPORTED:
                    raise
            else:
                self._rung, self._proven = rung, True
                return completion
        raise AssertionError("the last rung returns or raises")

    async def _send(self, mode: Mode, system: str, user: str, schema: dict[str, Any]) -> ChatCompletion:
        from openai import APIStatusError

        try:
            return await self._create(mode, system, user, schema)
        except APIStatusError as error:
            if not (self._temperature and _about_temperature(error)):
                raise
        self._temperature = False  # reasoning models take their own only
        return await self._create(mode, system, user, schema)

    async def _create(self, mode: Mode, system: str, user: str, schema: dict[str, Any]) -> ChatCompletion:
        extra: dict[str, Any] = {"temperature": 0} if self._temperature else {}
        if mode == "json_schema":
            extra["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif mode == "json_object":
            extra["response_format"] = {"type": "json_object"}
        completion: ChatCompletion = await self._client.chat.completions.create(
            model=self._model,
            messages=[{"role": "system", "content": system}, {"role": "user", "content": user}],
            **extra,
        )
        return completion


def _named(task: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": task, "schema": schema, "strict": True}


def _about_temperature(error: APIStatusError) -> bool:
    return error.status_code in (400, 422) and "temperature" in str(error)


def _reply(completion: ChatCompletion) -> Reply:
    usage = getattr(completion, "usage", None)
    tokens = (usage.prompt_tokens or 0, usage.completion_tokens or 0) if usage else (0, 0)
    choice = next(iter(getattr(completion, "choices", None) or ()), None)
    if choice is None or choice.message is None:
        return Reply(None, False, False, *tokens)
    refused = bool(choice.message.refusal) or choice.finish_reason == "content_filter"
    return Reply(choice.message.content, refused, choice.finish_reason == "length", *tokens)
