"""What the service gave comes back, session after session: nothing grows but by what the user newly says."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from graphmem import Memory
from graphmem.config import Settings
from graphmem.models.episode import RememberRequest
from graphmem.models.fact import RememberResult
from graphmem.models.manage import ForgetRequest
from graphmem.models.recall import RecallRequest
from tests.support.openai_server import OpenAIServer

SESSIONS = 50
COLOURS = ("red", "blue", "green", "black", "white", "grey", "brown", "purple", "pink", "orange")
THINGS = ("bicycle", "kettle", "lamp", "umbrella", "guitar")
COLOURS_JA = ("赤い", "青い", "緑の", "黒い", "白い", "灰色の", "茶色の", "紫の", "桃色の", "橙色の")
THINGS_JA = ("自転車", "傘", "時計", "鞄", "机")


@dataclass(frozen=True)
class Language:
    """One conversation: what is said at first, what the assistant gives back, what comes every time."""

    name: str
    first: tuple[str, ...]
    moved: str
    erased: str
    erased_text: str
    echo: str
    deed: str
    tool: str
    system: str
    footer: str
    query: str
    facts: dict[str, list[dict[str, Any]]]

    def news(self, n: int) -> str:
        if self.name == "en":
            return f"I own a {COLOURS[n % 10]} {THINGS[n // 10]}."
        return f"私は{COLOURS_JA[n % 10]}{THINGS_JA[n // 10]}を持っています。"

    def script(self) -> dict[str, list[dict[str, Any]]]:
        """What a model finds in all of this: also in what it should not be shown."""
        things = [(f"a {c} {t}" if self.name == "en" else f"{c}{t}") for t in THINGS for c in COLOURS]
        if self.name == "ja":
            things = [f"{c}{t}" for t in THINGS_JA for c in COLOURS_JA]
        own = {self.news(i): [{"s": "user", "p": "owns", "o": things[i].removeprefix("a ")}] for i in range(SESSIONS)}
        return own | self.facts


EN = Language(
    name="en",
    first=("I live in Osaka.", "My sister Anna plays the cello.", "I am allergic to peanuts."),
    moved="I moved to Kobe.",
    erased="I like natto.",
    erased_text="Haruka likes natto",
    echo="As you told me, you live in Osaka. I understand that you like natto. You prefer tea.",
    deed="I have booked table 4 at Rossa.",
    tool="[tool calendar v2] status=ok\nuser lives in Osaka; user likes natto\nHaruka lives in Osaka",
    system="You are a helpful assistant. The user lives in Osaka and likes natto.",
    footer="-- \nHaruka Tanaka\nI work at Larkspur Ltd.\nThis mail is confidential.",
    query="Where does Haruka live, what is Haruka allergic to, who plays the cello?",
    facts={
        "I live in Osaka.": [{"s": "user", "p": "lives_in", "o": "Osaka"}],
        "Haruka lives in Osaka": [{"s": "user", "p": "lives_in", "o": "Osaka"}],
        "you live in Osaka": [{"s": "user", "p": "lives_in", "o": "Osaka"}],
        "Haruka likes natto": [{"s": "user", "p": "likes", "o": "natto"}],
        "I like natto.": [{"s": "user", "p": "likes", "o": "natto"}],
        "I moved to Kobe.": [{"s": "user", "p": "lives_in", "o": "Kobe"}],
        "Haruka lives in Kobe": [{"s": "user", "p": "lives_in", "o": "Kobe"}],
        "My sister Anna plays the cello.": [{"s": "Anna", "p": "plays", "o": "cello"}],
        "Anna plays cello": [{"s": "Anna", "p": "plays", "o": "cello"}],
        "I am allergic to peanuts.": [{"s": "user", "p": "allergic_to", "o": "peanuts"}],
        "Haruka allergic to peanuts": [{"s": "user", "p": "allergic_to", "o": "peanuts"}],
        "You prefer tea.": [{"s": "user", "p": "prefers", "o": "tea"}],
        "I have booked table 4 at Rossa.": [{"s": "user", "p": "booked", "o": "table 4"}],
        "I work at Larkspur Ltd.": [{"s": "user", "p": "works_at", "o": "Larkspur Ltd"}],
    },
)
JA = Language(
    name="ja",
    first=("私は大阪に住んでいます。", "妹のアンナはチェロを弾きます。", "ピーナッツにアレルギーがあります。"),
    moved="神戸に引っ越しました。",
    erased="私は納豆が好きです。",
    erased_text="春香は納豆が好き",
    echo="以前のお話では大阪にお住まいですね。納豆がお好きだと伺いました。大阪に住んでいることを覚えています。",
    deed="4番テーブルを予約しました。",
    tool="[tool calendar v2] status=ok\nユーザーは大阪に住んでいる。\n春香は大阪に住んでいる",
    system="あなたは親切なアシスタントです。ユーザーは大阪に住んでいて、納豆が好きです。",
    footer="-- \n田中春香\n私はラークスパー社で働いています。\nこのメールは機密です。",
    query="春香はどこに住んでいますか。アレルギーは何ですか。チェロを弾くのは誰ですか。",
    facts={
        "私は大阪に住んでいます。": [{"s": "user", "p": "lives_in", "o": "大阪"}],
        "春香は大阪に住んでいる": [{"s": "user", "p": "lives_in", "o": "大阪"}],
        "大阪にお住まい": [{"s": "user", "p": "lives_in", "o": "大阪"}],
        "春香は納豆が好き": [{"s": "user", "p": "likes", "o": "納豆"}],
        "私は納豆が好きです。": [{"s": "user", "p": "likes", "o": "納豆"}],
        "神戸に引っ越しました。": [{"s": "user", "p": "lives_in", "o": "神戸"}],
        "妹のアンナはチェロを弾きます。": [{"s": "アンナ", "p": "plays", "o": "チェロ"}],
        "ピーナッツにアレルギーがあります。": [{"s": "user", "p": "allergic_to", "o": "ピーナッツ"}],
        "4番テーブルを予約しました。": [{"s": "user", "p": "予約する", "o": "4番テーブル"}],
        "私はラークスパー社で働いています。": [{"s": "user", "p": "works_at", "o": "ラークスパー社"}],
    },
)
NAMES = {"en": "Haruka", "ja": "春香"}


class World:
    """One owner of one store."""

    def __init__(self, memory: Memory, store: str, actor: str, language: Language) -> None:
        self.memory, self.store, self.actor, self.language = memory, store, actor, language

    def user(self, content: str) -> dict[str, Any]:
        return {"role": "user", "name": NAMES[self.language.name], "content": content}

    async def say(self, session: str, *messages: dict[str, Any], day: int = 0) -> RememberResult:
        at = f"2026-03-{1 + day // 24:02}T{day % 24:02}:00:00Z"
        body = {
            "scope": {"actor_id": self.actor, "session_id": session},
            "messages": list(messages),
            "occurred_at": at,
        }
        return await self.memory.remember(self.store, RememberRequest.model_validate(body))

    async def context(self) -> str:
        asked = {"scope": {"actor_id": self.actor}, "query": self.language.query, "limit": 12}
        return (await self.memory.recall(self.store, RecallRequest.model_validate(asked))).context

    async def begin(self) -> None:
        """What the user says at first, a move, and something that is said and erased."""
        for n, text in enumerate(self.language.first):
            await self.say(f"first-{n}", self.user(text))
        await self.say("moved", self.user(self.language.moved), day=1)
        await self.say("erased", self.user(self.language.erased), day=1)
        body = {"scope": {"actor_id": self.actor}, "target": {"session_id": "erased"}, "mode": "erase"}
        await self.memory.forget(self.store, ForgetRequest.model_validate(body))

    async def go_on(self) -> None:
        """What is new in all sessions, without what comes back: the footer counts three times, the deed once."""
        for n in range(3):
            deed = [{"role": "assistant", "content": self.language.deed}] if n == 0 else []
            await self.say(f"s{n}", self.user(f"{self.language.news(n)}\n\n{self.language.footer}"), *deed, day=2 + n)
        await self.say("s3", *(self.user(self.language.news(n)) for n in range(3, SESSIONS)), day=5)

    async def rows(self, query: str) -> list[dict[str, Any]]:
        found = await self.memory.database.driver.execute_query(query, {"owner": f"{self.store}:{self.actor}"})
        return [dict(record) for record in found.records]

    async def facts(self) -> dict[str, tuple[int, float, float, bool]]:
        """Each fact that was ever stated: its sources, its weight, and whether it holds."""
        rows = await self.rows(
            "MATCH (f:Fact {owner_key: $owner}) RETURN f.text AS text, f.importance AS importance,"
            " f.confidence AS confidence, f.valid_to > datetime() AND f.state = 'live' AS holds,"
            " COUNT { (f)-[:DERIVED_FROM]->() } AS sources"
        )
        return {r["text"]: (r["sources"], r["importance"], r["confidence"], r["holds"]) for r in rows}

    async def entities(self) -> list[str]:
        return sorted(r["name"] for r in await self.rows("MATCH (e:Entity {owner_key: $owner}) RETURN e.name AS name"))


def bare(context: str) -> str:
    """The block without its tags, as a client may pass it on."""
    return re.sub(r"</?memory-context>\n?", "", context)


def bullets(context: str) -> str:
    """Only what the items say, as a list."""
    items = re.findall(r"(?m)^\d+\. \[[^\]]*\] (.*?)(?: \(source: [^)]*\))?$", context)
    assert items
    return "\n".join(f"- {item}" for item in items)


def replayed(language: Language, context: str, n: int) -> list[dict[str, Any]]:
    """Everything that comes with a new message in session n."""
    given = (context, bare(context), bullets(context))[n % 3]
    stale = {"en": "- Haruka lives in Osaka", "ja": "- 春香は大阪に住んでいる"}[language.name]
    listed = f"{bullets(context)}\n{stale}\n- {language.erased_text}"
    pasted = (context, bare(context), listed)[n % 3]
    text = f"{pasted}\n\n{language.news(n)}\n\n{language.footer}"
    return [
        {"role": "system", "content": f"{language.system}\n\n{given}"},
        {"role": "assistant", "content": f"{given}\n\n{language.echo}\n{language.deed}"},
        {"role": "tool", "content": f"{language.tool}\n{given}"},
        {"role": "user", "name": NAMES[language.name], "content": text},
    ]


@pytest.fixture(scope="session")
def model() -> Iterator[OpenAIServer]:
    with OpenAIServer() as server:
        yield server


@pytest.fixture(scope="session")
async def reading(neo4j_settings: Settings, model: OpenAIServer) -> AsyncIterator[Memory]:
    """A memory that reads with the scripted model."""
    changes = {"openai_base_url": model.url, "llm_timeout": 10.0}
    async with Memory.open(neo4j_settings.model_copy(update=changes)) as opened:
        yield opened


@pytest.mark.timeout(600)
@pytest.mark.parametrize("language", [EN, JA], ids=lambda language: language.name)
@pytest.mark.parametrize("reader", ["offline", "llm"])
async def test_fifty_sessions_add_only_what_is_new(
    memory: Memory, reading: Memory, model: OpenAIServer, store_id: str, language: Language, reader: str
) -> None:
    model.reset()
    model.script_facts(language.script())
    memory = reading if reader == "llm" else memory
    alone, fed = World(memory, store_id, "alone", language), World(memory, store_id, "fed", language)
    for world in (alone, fed):
        await world.begin()
    reasons: set[str] = set()
    for n in range(SESSIONS):
        context = await fed.context()
        result = await fed.say(f"s{n}", *replayed(language, context, n), day=2 + n)
        assert result.episodes[0].status == "processed"
        reasons |= {r.reason for r in result.rejected}
    await alone.go_on()
    assert await fed.facts() == await alone.facts()
    assert await fed.entities() == await alone.entities()
    assert reasons >= {"recalled", "boilerplate"}
    held = [text for text, fact in (await fed.facts()).items() if fact[3]]
    assert not [text for text in held if "Osaka" in text or "大阪" in text]
    assert not [text for text in await fed.facts() if "natto" in text or "納豆" in text]
