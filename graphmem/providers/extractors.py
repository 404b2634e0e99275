"""The extractors of one process, each made when it is first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import ExtractorName, make_extractor

if TYPE_CHECKING:
    from ..config import Settings
    from ..ports import Extractor


class Extractors:
    """Extractors by name; close it to close those that were made."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._made: dict[str, Extractor] = {}

    def named(self, name: ExtractorName) -> Extractor:
        """The extractor of that name. Errors: ConfigurationError."""
        if name not in self._made:
            self._made[name] = make_extractor(name, self._settings)
        return self._made[name]

    async def close(self) -> None:
        """Close every extractor that was made."""
        for extractor in self._made.values():
            await extractor.close()
        self._made.clear()
