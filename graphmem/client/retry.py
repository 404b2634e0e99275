"""When a call is tried again, after how long, and what it fails with in the end; no I/O."""

from __future__ import annotations

import secrets
import time
from typing import TypeVar

import httpx

from graphmem.errors import ServiceError, ServiceTimeout, ServiceUnavailable, UnexpectedAnswer

from .failures import BUSY, retry_after
from .options import Options
from .wire import Answer, Call

LONGEST_WAIT = 8.0
"""Seconds between two tries at most, unless the service asks for more."""
MOST_PATIENCE = 60.0
"""Seconds of a `Retry-After` that are waited; a longer one is the caller's to wait."""
_MOST_DOUBLINGS = 30
E = TypeVar("E", bound=ServiceError)

_PASSING = (httpx.TimeoutException, httpx.NetworkError, httpx.RemoteProtocolError, httpx.ProxyError)
"""What may be otherwise the next time."""
_NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError)


class Tries:
    """The tries of one call."""

    def __init__(self, options: Options, call: Call) -> None:
        self._options = options
        self._call = call
        self._done = 0
        self._pauses = 0
        self._maybe_done = False
        total = options.timeout.total
        self._end = None if total is None else time.monotonic() + total

    @property
    def left(self) -> float | None:
        """Seconds that the call still has; None without a limit."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    def check(self) -> None:
        """Nothing, while there is time. Errors: ServiceTimeout."""
        if self.left == 0.0:
            raise self.timed_out()

    def timeout(self) -> httpx.Timeout:
        """The limits of the next try: none longer than what is left. Errors: ServiceTimeout."""
        self.check()
        limits = self._options.timeout
        connect, read = self._within(limits.connect), self._within(limits.read)
        return httpx.Timeout(connect=connect, read=read, write=read, pool=connect)

    def _within(self, seconds: float | None) -> float | None:
        left = self.left
        return left if seconds is None else seconds if left is None else min(seconds, left)

    def after_answer(self, answer: Answer) -> float | None:
        """Seconds to wait before the next try; None when the answer stands."""
        if answer.status == 202 and self._call.settle and self._done:
            return self._pause()
        if answer.status not in BUSY or answer.status in self._call.also:
            return None
        # 429 says that nothing was done; of the others nobody knows
        if not self._call.repeatable and answer.status != 429:
            return None
        return self._next(retry_after(answer.headers))

    def after_failure(self, error: httpx.HTTPError) -> float:
        """Seconds to wait before the next try. Errors: that of the tree, when there is none."""
        sent = not isinstance(error, _NEVER_SENT)
        self._maybe_done = self._maybe_done or sent
        if isinstance(error, _PASSING) and (self._call.repeatable or not sent):
            again = self._next(None)
            if again is not None:
                return again
        raise self._advised(_error_of(error, self._options.base_url)) from error

    def timed_out(self) -> ServiceTimeout:
        """The error for a call whose time is over."""
        self._maybe_done = True
        return self._advised(ServiceTimeout(f"The call was not done within {self._options.timeout.total:g} seconds."))

    def _next(self, asked: float | None) -> float | None:
        """Count a retry and say how long to wait before it; None when there is none."""
        if self._done >= self._options.max_retries or (asked or 0.0) > MOST_PATIENCE:
            return None
        wait = self._pause(asked or 0.0)
        self._done += wait is not None
        return wait

    def _pause(self, least: float = 0.0) -> float | None:
        """Seconds to wait, longer each time; None when the call has less."""
        wait = min(LONGEST_WAIT, self._options.backoff * 2.0**self._pauses)
        # not the same for all, so that many clients do not come back at once
        wait = least + wait * (0.5 + secrets.randbelow(1_000) / 2_000)
        left = self.left
        if left is not None and wait >= left:
            return None
        self._pauses = min(self._pauses + 1, _MOST_DOUBLINGS)
        return wait

    def _advised(self, error: E) -> E:
        """The error with what to do about a write that may have been done."""
        call = self._call
        if not self._maybe_done or (call.repeatable and call.key is None):
            return error
        advice = "send it again with the idempotency_key of this error" if call.key else "look before you send it again"
        error.message = f"{error.message} The write may have been done: {advice}."
        error.args = (error.message,)
        error.idempotency_key = call.key
        return error


def _error_of(error: httpx.HTTPError, base_url: str) -> ServiceError:
    said = str(error) or type(error).__name__
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        kind = ServiceTimeout if isinstance(error, httpx.ConnectTimeout) else ServiceUnavailable
        return kind(f"No connection to {base_url} ({said}): start `graphmem serve`, or correct base_url.")
    if isinstance(error, httpx.TimeoutException):
        return ServiceTimeout(
            f"The service at {base_url} did not answer in time ({type(error).__name__}): try again, or give the client "
            "a longer timeout."
        )
    if isinstance(error, httpx.ProxyError):
        return ServiceUnavailable(
            f"The proxy does not connect to {base_url} ({said}): look at HTTP_PROXY and NO_PROXY."
        )
    if isinstance(error, _PASSING):
        return ServiceUnavailable(
            f"The connection to {base_url} broke before the answer was whole ({type(error).__name__}): try again."
        )
    return UnexpectedAnswer(f"The answer of {base_url} is no HTTP that can be read ({type(error).__name__}).")
