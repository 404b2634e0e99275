"""The extractor that finds nothing: the caller gives the facts."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.ports import Extracted, Turn


class NoneExtractor:
    """Answers with no candidates and no model call."""

    @property
    def name(self) -> str:
        """`none`."""
        return "none"

    async def extract(self, turns: Sequence[Turn], *, known_names: Sequence[str] = ()) -> Extracted:
        """Nothing, by choice of the caller."""
        return Extracted(extractor=self.name)

    async def close(self) -> None:
        """Nothing is open."""
