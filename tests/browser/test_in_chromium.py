"""A person in a real browser: `graphmem db browser`'s address, the password once, then clicks in the guide."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from graphmem.cli.browser.opening import guided
from graphmem.config import Settings
from graphmem.store.local import LocalServer, ServerInfo
from tests.support.neo4j_browser import Person, chromium, person

from .conftest import Looked

pytestmark = pytest.mark.skipif(chromium() is None, reason="no Chromium here: `apt-get install chromium`")


async def server(settings: Settings) -> ServerInfo:
    """The server of the tests, when it is the managed one: only that one is known to have Neo4j Browser."""
    found = (await LocalServer(settings).status()).info
    if found is None or found.bolt_uri != settings.neo4j_uri:
        pytest.skip("the Neo4j of this run is not the managed one, whose Neo4j Browser is known")
    return found


@asynccontextmanager
async def logged_in(settings: Settings, language: str) -> AsyncIterator[Person]:
    info = await server(settings)
    async with guided(info, language) as address, person(language=language) as somebody:  # type: ignore[arg-type]
        await somebody.log_in(address, info.password)
        yield somebody


async def test_the_guide_opens_and_its_queries_show_captions(neo4j_settings: Settings, looked: Looked) -> None:
    async with logged_in(neo4j_settings, "ja") as somebody:
        await somebody.press("色と見出し")
        await somebody.page.get_by_text("node.Fact {").first.wait_for()
        await somebody.press(looked.store)
        await somebody.frame().get_by_text(f'"owner_key": "{looked.owner}"').wait_for()

        await somebody.turn("事実が古くなった理由")
        await somebody.fill("text", "大阪")
        await somebody.run("一つの事実の経緯を図にする")
        captions = [re.sub(r"\s+", "", text) for text in await somebody.captions()]
        assert {"IliveinKyoto.", "大阪に引っ越しました。", "ImovedtoSapporo."} < set(captions)
        assert len(captions) == 6
        arrows = await somebody.frame().locator("g.relationship text").all_text_contents()
        # where there is little room a word is cut; Browser itself adds what else lies between the nodes
        assert len([text for text in arrows if "replaced".startswith(text.rstrip("…"))]) == 2
        assert len([text for text in arrows if "DERIVED_FROM".startswith(text.rstrip("…"))]) == 3

        await somebody.run("もう成り立たない事実と理由の表")
        table = await somebody.frame().inner_text()
        assert "I no longer play tennis." in table
        assert not re.search(r"embedding|0\.\d{9}", table)
