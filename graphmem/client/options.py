"""What a client is told: address, credential, time limits, how often it tries."""

from __future__ import annotations

import ipaddress
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httpx

from graphmem.errors import ConfigurationError

DEFAULT_URL = "http://127.0.0.1:8080"
"""Where `graphmem serve` answers unless told otherwise."""
KEEP_ALIVE = 3.0
"""Seconds that an idle connection is kept: shorter than servers do (uvicorn: 5), so that none is used as it closes."""
CONNECTIONS = 100
"""Connections of one client at most."""
_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_OWN = frozenset(
    {"accept", "content-encoding", "content-length", "content-type", "idempotency-key", "if-match", "transfer-encoding"}
)
"""Headers that say what one call is: the same for all calls, a write would be taken for the one before."""


@dataclass(frozen=True, slots=True)
class Timeout:
    """Limits of a call in seconds; None is without limit."""

    connect: float | None = 5.0
    """Until there is a connection."""
    read: float | None = 120.0
    """Until the next bytes come: remembering with a model takes its time before the first."""
    total: float | None = 300.0
    """For the whole call, with every retry and the waits between them."""


@dataclass(frozen=True, slots=True)
class Options:
    """What holds for every call of a client."""

    base_url: str
    api_key: str | None = field(default=None, repr=False)
    timeout: Timeout = Timeout()
    max_retries: int = 2
    backoff: float = 0.5
    """Seconds before the first retry; each further one waits twice as long."""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


def checked_url(url: str) -> str:
    """The address without a slash at its end. Errors: ConfigurationError."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.hostname and (parts.port or 1) > 0
        usable = usable and url.isprintable() and " " not in url
        httpx.URL(url).host.encode("idna")
    except (AttributeError, TypeError, ValueError, httpx.InvalidURL):
        raise ConfigurationError(f"base_url is not an address, such as {DEFAULT_URL}.", field="base_url") from None
    if not usable or "?" in url or "#" in url:
        raise ConfigurationError(
            f"base_url must be http or https with a host and nothing after the path, such as {DEFAULT_URL}.",
            field="base_url",
        )
    if "@" in parts.netloc:
        raise ConfigurationError(
            "base_url must not hold a user or password; give the key as api_key.", field="base_url"
        )
    return url.rstrip("/")


def checked_key(key: str | None) -> str | None:
    """The key as it is. Errors: ConfigurationError, for one that no header can carry."""
    usable = isinstance(key, str) and key and key.isascii() and key.isprintable() and " " not in key
    if key is not None and not usable:
        raise ConfigurationError(
            "api_key must be printable ASCII without white space; look for a line break at its end.", field="api_key"
        )
    return key


def time_limits(timeout: Timeout | float | None) -> Timeout:
    """A number stands for the whole call. Errors: ConfigurationError."""
    if timeout is None:
        return Timeout(None, None, None)
    limits = timeout if isinstance(timeout, Timeout) else Timeout(total=timeout)
    if any(value is not None and not _is_number(value, 0.0) for value in (limits.connect, limits.read, limits.total)):
        raise ConfigurationError("timeout must be more than 0 seconds, or None for no limit.", field="timeout")
    return limits


def checked_retries(most: int) -> int:
    """The number as it is. Errors: ConfigurationError."""
    if not isinstance(most, int) or most < 0:
        raise ConfigurationError("max_retries must be a whole number, 0 or more.", field="max_retries")
    return most


def checked_backoff(seconds: float) -> float:
    """The wait as it is. Errors: ConfigurationError."""
    if seconds != 0 and not _is_number(seconds, 0.0):
        raise ConfigurationError("backoff must be 0 seconds or more.", field="backoff")
    return seconds


def checked_headers(headers: Mapping[str, str] | None, *, has_key: bool) -> dict[str, str]:
    """The headers, of which no error repeats a value. Errors: ConfigurationError."""
    given = dict(headers or {})
    for name, value in given.items():
        if not isinstance(name, str) or _NAME.fullmatch(name) is None:
            raise ConfigurationError("headers: a name is not that of a header.", field="headers")
        if name.lower() in _OWN or (has_key and name.lower() == "authorization"):
            raise ConfigurationError(f"headers: the client sets {name} itself.", field="headers")
        if not isinstance(value, str) or not value.isascii() or not value.isprintable() or value != value.strip():
            raise ConfigurationError(
                f"headers: {name} must be printable ASCII; look for a line break at its end.", field="headers"
            )
    return given


def _is_number(value: object, more_than: float) -> bool:
    return isinstance(value, int | float) and math.isfinite(value) and value > more_than


def stays_here(url: str) -> bool:
    """Whether an address is plain HTTP on this machine: what goes there does not go through a proxy."""
    scheme, host = urlsplit(url).scheme, urlsplit(url).hostname or ""
    if scheme != "http":  # the certificates that the environment names are needed
        return False
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
