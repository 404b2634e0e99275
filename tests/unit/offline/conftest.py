"""One extractor for all tests of this folder: its models load once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime

import pytest

from graphmem.ports import Candidate, Extracted, Turn
from graphmem.providers.offline import OfflineExtractor

Extract = Callable[..., Awaitable[Extracted]]
Facts = Callable[..., Awaitable[list[Candidate]]]

REFERENCE = "2026-02-03T09:00:00+09:00"


@pytest.fixture(scope="session")
def extractor() -> OfflineExtractor:
    return OfflineExtractor()


@pytest.fixture
def extract(extractor: OfflineExtractor) -> Extract:
    async def run(*texts: str, speaker: str = "Haruka", at: str = REFERENCE, role: str = "user") -> Extracted:
        moment = datetime.fromisoformat(at)
        return await extractor.extract([Turn(i, role, speaker, text, moment) for i, text in enumerate(texts)])  # type: ignore[arg-type]

    return run


@pytest.fixture
def facts(extract: Extract) -> Facts:
    async def run(text: str, **options: str) -> list[Candidate]:
        return list((await extract(text, **options)).candidates)

    return run
