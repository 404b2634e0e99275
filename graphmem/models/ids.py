"""Identifiers and keys: UUIDv7 ids that sort by creation, and hashes that stand for long values."""

from __future__ import annotations

import hashlib
import os
import re
import threading
import time
import unicodedata
import uuid

_SPACE = re.compile(r"\s+")
_ARTICLE = re.compile(r"^(?:the|a|an)\s+(?=\S)")


class _Ids:
    """UUIDv7 values that rise within this process, also within a millisecond and when the clock goes back."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._at = self._low = 0

    def next(self) -> int:
        """48 bits of milliseconds, 12 of a random number, then 62 that count up from another one (RFC 9562, 6.2)."""
        with self._lock:
            at = time.time_ns() // 1_000_000
            if at > self._at:
                self._at = at
                self._low = int.from_bytes(os.urandom(10), "big") & _COUNT
            else:
                self._low += 1 + int.from_bytes(os.urandom(4), "big")
            high, low = self._low >> 62, self._low & (1 << 62) - 1
            return self._at << 80 | 0x7 << 76 | high << 64 | 0x2 << 62 | low


_COUNT = (1 << 73) - 1
"""Bits of the first count of a millisecond, of the 74 that there are: it does not overflow."""
_ids = _Ids()


def new_id() -> str:
    """A UUIDv7 (RFC 9562, section 5.7) as text; each is greater than all that this process made before."""
    return str(uuid.UUID(int=_ids.next()))


def hash_key(*parts: str | None) -> str:
    """Hex BLAKE2b-160 of the parts, each framed by its length, so that no two lists share a key."""
    return _framed(hashlib.blake2b(digest_size=20), parts)


def keyed_hash(key: str, *parts: str | None) -> str:
    """`hash_key` that nobody without the key (1 to 64 bytes) can try values against."""
    return _framed(hashlib.blake2b(digest_size=20, key=key.encode()), parts)


def _framed(digest: hashlib.blake2b, parts: tuple[str | None, ...]) -> str:
    for part in parts:
        data = b"" if part is None else part.encode("utf-8", "surrogatepass")
        digest.update(b"-" if part is None else str(len(data)).encode())
        digest.update(b":" + data)
    return digest.hexdigest()


def name_key(name: str) -> str:
    """What makes two spellings one name: NFKC, case folded, white space joined, leading article dropped.

    Digits, versions and symbols stay, so `C`, `C++` and `C#`, or 2023 and 2024, are different names.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    folded = folded.replace("−", "-").replace("‐", "-").replace("‑", "-")
    folded = "".join(c for c in folded if unicodedata.category(c) != "Cc" or c.isspace())
    folded = _SPACE.sub(" ", folded).strip()
    return _ARTICLE.sub("", folded) or folded


def owner_key(store_id: str, actor_id: str) -> str:
    """The security boundary as one value: store and actor. A store id holds no colon, so it cannot clash."""
    return f"{store_id}:{actor_id}"


def actor_identity(owner: str) -> str:
    """Identity key of the owner's own entity."""
    return hash_key(owner, "actor")


def scope_token(kind: str, owner: str, value: str = "") -> str:
    """A scope key as one full-text token: a letter for its kind, then 16 hex digits."""
    return kind + hash_key(kind, owner, value)[:16]
