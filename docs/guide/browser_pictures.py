"""Takes the pictures of browser.md, after `uv run graphmem demo`: `uv run python docs/guide/browser_pictures.py`.

It needs a Chromium (`apt-get install chromium fonts-noto-cjk`), works on the stores of the demo, and adds notes and a
dispute to the English one.
"""

from __future__ import annotations

import asyncio
import io
import sys
from pathlib import Path
from typing import Any

from PIL import Image

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent.parent))

from graphmem import Memory  # noqa: E402
from graphmem.cli.browser.guide import Language  # noqa: E402
from graphmem.cli.browser.opening import guided  # noqa: E402
from graphmem.config import Settings  # noqa: E402
from graphmem.models.episode import RememberRequest  # noqa: E402
from graphmem.models.note import NoteIn, NoteQuery  # noqa: E402
from graphmem.store.local import LocalServer, ServerInfo  # noqa: E402
from tests.support.neo4j_browser import person  # noqa: E402

STORE, ACTOR = "demo-en", "maya"
NOTES = {
    "Kittens": "Feed Miso twice a day. See [[Vet]].",
    "Vet": "Miso is due for shots in May. Take the carrier from [[Moving to Seattle]].",
    "Moving to Seattle": "Boxes, the carrier and the bicycle. The ferry is near; see [[Weekend trips]].",
    "Weekend trips": "By ferry to the islands. Bring snacks without peanuts.",
}
SAID = {"I think my birthday is 3 May.": "3 May", "I think my birthday is 4 May.": "4 May"}

SHOTS: tuple[tuple[str, Language, str, str, str, tuple[str, str] | None], ...] = (
    ("known", "en", ACTOR, "What is known, and since when", "Draw what is known", ("name", "Ken")),
    ("since", "en", ACTOR, "What is known, and since when", "List it", None),
    ("why", "en", ACTOR, "Why a fact was retired", "Draw the chain", ("text", "Brightline")),
    ("disputes", "en", ACTOR, "Open disputes", "Draw the disputes", None),
    ("notes", "en", ACTOR, "The network of notes", "Draw the notes", None),
    ("fading", "en", ACTOR, "What fades next", "List what fades", None),
    ("why-ja", "ja", "haruka", "事実が古くなった理由", "一つの事実の経緯を図にする", ("text", "東海印刷")),
)
"""Picture, language, actor, slide, query, and what to look for."""


async def prepare(settings: Settings) -> None:
    """Add what the demo has not: notes that link to each other, and a dispute."""
    scope = {"actor_id": ACTOR}
    async with Memory.open(settings) as memory:
        if (await memory.notes.page(STORE, NoteQuery(actor_id=ACTOR), 1, None)).items:
            return
        for title, body in NOTES.items():
            note = {"scope": scope, "title": title, "body": body, "about": ["Maya"], "auto_link": False}
            await memory.notes.create(STORE, NoteIn.model_validate(note))
        for text, day in SAID.items():
            fact = {"subject": "user", "predicate": "birthday", "object": day, "cardinality": "one"}
            said: dict[str, Any] = {"role": "user", "content": text, "occurred_at": "2026-02-01T09:00:00Z"}
            call = {"scope": scope, "messages": [said], "facts": [fact], "extraction": "none"}
            await memory.remember(STORE, RememberRequest.model_validate(call))


async def shoot(info: ServerInfo, language: Language) -> None:
    """Take the pictures of one language in one sitting."""
    async with guided(info, language) as address, person(1500, 640, language) as somebody:
        await somebody.log_in(address, info.password)
        await somebody.press({"en": "Colours and captions", "ja": "色と見出し"}[language])
        await somebody.page.get_by_text("node.Fact {").first.wait_for()
        for name, _, actor, slide, query, asked in (shot for shot in SHOTS if shot[1] == language):
            await somebody.restart(f"{actor} ·")
            await somebody.turn(slide)
            if asked:
                await somebody.fill(*asked)
            await somebody.run(query)
            await somebody.tidy()
            save(await somebody.page.screenshot(), FOLDER / f"browser-{name}.png")


def save(picture: bytes, path: Path) -> None:
    """Keep the picture small: few colours are enough for it."""
    with Image.open(io.BytesIO(picture)) as image:
        image.convert("RGB").quantize(64).save(path, optimize=True)


async def main() -> None:
    """Prepare the stores and take every picture."""
    settings = Settings()
    await prepare(settings)
    info = await LocalServer(settings).ensure_started()
    for language in ("en", "ja"):
        await shoot(info, language)


if __name__ == "__main__":
    asyncio.run(main())
