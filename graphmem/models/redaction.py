"""What a call's answer says of the secrets that were taken out of it."""

from __future__ import annotations

from pydantic import Field

from .base import Model


class Redacted(Model):
    """Secrets of one kind in one field of the request; neither the secret nor anything made of it is kept."""

    kind: str = Field(description="`password`, `aws key`, `card number`, …: as in the marker that stands in its place.")
    count: int
    field: str = Field(description="Where it stood, such as `messages.0.content`.")
