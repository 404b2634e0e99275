"""A person at Neo4j Browser: a headless Chromium that logs in, turns the pages of the guide and runs its queries."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Locator, Page, async_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 60_000
"""Milliseconds: the machine may be busy, and nothing is measured."""


def chromium() -> str | None:
    """Where a Chromium is installed (`apt-get install chromium`); None where there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Person:
    """What somebody does in Neo4j Browser, and sees."""

    def __init__(self, page: Page) -> None:
        self.page = page

    async def log_in(self, address: str, password: str) -> None:
        """Open the address, as `graphmem db browser` gives it, and give the password, which is all that is asked."""
        await self.page.goto(address)
        await self.page.get_by_test_id("password").fill(password)
        await self.page.get_by_test_id("connect").click()
        await self.page.get_by_text("You are connected").wait_for()

    async def press(self, label: str) -> None:
        """Press the icon before a line of the guide."""
        await self.page.get_by_test_id("guidesDrawer").locator("a", has_text=label).locator("i").click()

    async def turn(self, title: str) -> None:
        """Turn the pages of the guide until this title shows."""
        drawer = self.page.get_by_test_id("guidesDrawer")
        while not await drawer.get_by_role("heading", name=title).count():
            await self.page.get_by_test_id("guideNextSlide").click(timeout=5_000)

    async def fill(self, parameter: str, text: str) -> None:
        """Fill a field of the guide and set its parameter."""
        await self.page.locator(f'[value-for="{parameter}"]').press_sequentially(text)
        await self.page.locator("pre.runnable", has_text=f":param {parameter} ").locator("i").click()
        await self.page.get_by_text("Successfully set your parameters").first.wait_for()

    def frame(self) -> Locator:
        """The newest result."""
        return self.page.locator("article").first

    async def captions(self) -> list[str]:
        """What is written on the nodes of the newest graph."""
        nodes = self.frame().locator("g.node")
        await nodes.first.wait_for()
        return [" ".join(await node.locator("text").all_text_contents()) for node in await nodes.all()]


@asynccontextmanager
async def person(width: int = 1280, height: int = 800, language: str = "en") -> AsyncIterator[Person]:
    """Somebody with a fresh Chromium; one must be installed."""
    async with async_playwright() as playwright:
        # the sandbox needs rights that containers do not give; the pages are our own
        browser = await playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        try:
            page = await browser.new_page(viewport={"width": width, "height": height}, locale=language)
            page.set_default_timeout(PATIENCE)
            yield Person(page)
        finally:
            await browser.close()
