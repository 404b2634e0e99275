"""Sending calls: connections, tries, time limits."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from copy import copy
from dataclasses import replace
from typing import Any, TypeVar

import httpx
from pydantic import BaseModel

from graphmem.errors import UnexpectedAnswer
from graphmem.models.manage import Page

from ..options import CONNECTIONS, KEEP_ALIVE, Options, stays_here
from ..retry import Tries
from ..wire import Answer, Call, Route, call_of, result
from .waiting import limited, sleep

M = TypeVar("M", bound=BaseModel)
T = TypeVar("T")

MOST = 200
"""Rows of a page, as iterators ask for them: the most that the service gives."""


class AsyncHttp:
    """The way to one service."""

    def __init__(self, options: Options, client: httpx.AsyncClient | None = None) -> None:
        self.options = options
        self._owned = client is None
        self._client = client or httpx.AsyncClient(
            limits=httpx.Limits(max_connections=CONNECTIONS, keepalive_expiry=KEEP_ALIVE),
            trust_env=not stays_here(options.base_url),
        )

    def changed(self, **options: Any) -> AsyncHttp:
        """The same connections with other options; closing it closes nothing."""
        other = copy(self)
        other.options, other._owned = replace(self.options, **options), False
        return other

    async def close(self) -> None:
        """Close the connections that were opened here."""
        if self._owned:
            await self._client.aclose()

    async def ask(
        self,
        route: Route[M],
        place: Mapping[str, str],
        *,
        query: Mapping[str, Any] | None = None,
        body: BaseModel | None = None,
        key: str | None = None,
        if_match: int | None = None,
        settle: bool = False,
    ) -> M:
        """The answer of a call. Errors: those of the service, ServiceError."""
        call = call_of(route, self.options, place, query=query, body=body, key=key, if_match=if_match, settle=settle)
        return result(route, call, await self.send(call))

    async def send(self, call: Call) -> Answer:
        """The answer to a call, tried again where that is safe. Errors: ServiceError, when there is none."""
        tries = Tries(self.options, call)
        try:
            async with limited(self.options.timeout.total):
                while True:
                    try:
                        answer = await self._once(call, tries)
                    except httpx.HTTPError as error:
                        wait: float | None = tries.after_failure(error)
                    else:
                        wait = tries.after_answer(answer)
                        if wait is None:
                            return answer
                    await sleep(wait or 0.0)
        except TimeoutError:
            raise tries.timed_out() from None

    async def _once(self, call: Call, tries: Tries) -> Answer:
        request = self._client.build_request(
            call.method, call.url, headers=call.headers, content=call.content, timeout=tries.timeout()
        )
        # the credential goes to no other host
        response = await self._client.send(request, stream=True, follow_redirects=False)
        content = bytearray()
        try:
            async for part in response.aiter_bytes():
                content += part
                tries.check()
        finally:
            await response.aclose()
        return Answer(response.status_code, response.headers, bytes(content))


async def every(read: Callable[[str | None], Awaitable[Page[T]]]) -> AsyncIterator[T]:
    """Every item of a list, page after page. Errors: those of reading a page."""
    token: str | None = None
    while True:
        page = await read(token)
        for item in page.items:
            yield item
        if page.next_page_token is None:
            return
        if page.next_page_token == token:
            raise UnexpectedAnswer("The list does not go on: its next page is the page before. Read it again.")
        token = page.next_page_token
