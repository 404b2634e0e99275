"""Stable pages: a token holds the id after which the next page begins, and which list it belongs to."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Sequence
from typing import TypeVar

from ..errors import InvalidInput
from ..models.manage import Page

T = TypeVar("T")

_DIGITS = 18
"""Of a place at most: the database counts to 2**63."""


def page_of(items: Sequence[T], page_size: int, kind: str, key: Callable[[T], str]) -> Page[T]:
    """A page of rows that were asked with one more than `page_size`, to see whether there is a next."""
    shown = tuple(items[:page_size])
    more = len(items) > page_size
    return Page[T](items=shown, next_page_token=_token(kind, key(shown[-1])) if more else None)


def position(token: str | None, kind: str) -> str:
    """The id after which the page begins; '' for the first. Errors: InvalidInput for a foreign token."""
    if token is None:
        return ""
    try:
        held, _, after = base64.urlsafe_b64decode(token.encode()).decode().partition(":")
    except (ValueError, binascii.Error) as error:
        raise InvalidInput("page_token was not given by this list.", field="page_token") from error
    if held != kind or not after:
        raise InvalidInput("page_token was not given by this list.", field="page_token")
    return after


def place(held: str) -> int:
    """The whole number that a token holds as its place. Errors: InvalidInput for one that no list gives."""
    if not (held.isascii() and held.isdecimal() and len(held) <= _DIGITS):
        raise InvalidInput("page_token was not given by this list.", field="page_token")
    return int(held)


def _token(kind: str, after: str) -> str:
    return base64.urlsafe_b64encode(f"{kind}:{after}".encode()).decode()
