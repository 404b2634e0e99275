"""What the clients of graphiti-core raise, as this package's errors."""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.errors import ProviderError

from .openai_client import reason_of_status

_BY_NAME = (
    ("RateLimit", "rate_limited"),
    ("Timeout", "timeout"),
    ("Connect", "unreachable"),
    ("Auth", "not_authenticated"),
)


def provider_error(what: str, error: BaseException) -> ProviderError:
    """The error with a stable reason and without the client's message, which may repeat the text."""
    reason = next(filter(None, map(_reason, _chain(error))), "failed")
    return ProviderError(f"{what} failed ({reason}).", reason=reason)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The error and what it came from."""
    seen: set[int] = set()
    found: BaseException | None = error
    while found is not None and id(found) not in seen:
        seen.add(id(found))
        yield found
        found = found.__cause__ or found.__context__


def _reason(error: BaseException) -> str | None:
    status = getattr(error, "status_code", None) or getattr(error, "code", None)
    if isinstance(status, int) and 400 <= status < 600:
        return reason_of_status(status)
    return next((reason for part, reason in _BY_NAME if part in type(error).__name__), None)
