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

    async def restart(self, owner: str) -> None:
        """Go back to the first slide, choose whose memory, and clear the results away."""
        previous = self.page.get_by_test_id("guidePreviousSlide")
        while await previous.count() and await previous.is_enabled() and await previous.is_visible():
            await previous.click()
        await self.press(owner)
        await self.frame().get_by_text("owner_key").first.wait_for()

    async def run(self, label: str) -> None:
        """Press the icon before a query and wait until its result is the newest, is drawn and stands still."""
        await self.press(label)
        await self.page.locator("article:first-of-type", has_text=f"// {label}").wait_for()
        await self.frame().locator("g.node, table").first.wait_for()
        before, nodes = "", self.frame().locator("g.node")
        while (now := " ".join([await n.get_attribute("transform") or "" for n in await nodes.all()])) != before:
            before = now
            await self.page.wait_for_timeout(500)

    async def tidy(self) -> None:
        """Close all results but the newest, and give its graph the whole room."""
        frames = self.page.locator("article")
        while await frames.count() > 1:
            await frames.last.get_by_title("Close").click()
            await self.page.wait_for_timeout(400)
        panel = self.frame().get_by_title("Collapse the node properties display")
        if await panel.count():
            await panel.click()
            await self.frame().get_by_label("zoom-to-fit").click()
        await self.page.wait_for_timeout(1000)

    async def fill(self, parameter: str, text: str) -> None:
        """Fill a field of the guide and set its parameter."""
        field = self.page.locator(f'[value-for="{parameter}"]')
        await field.fill(text)
        await field.press("End")  # the guide's fields are read at the end of a key stroke, as an input method gives too
        await self.page.locator("pre.runnable", has_text=f'"{text}"').locator("i").click()
        await self.frame().get_by_text(f'"{parameter}": "{text}"').wait_for()

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
