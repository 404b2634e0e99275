"""An agent that remembers a trip to Osaka and a vegan user, across sessions, in English and Japanese.

    python examples/agent_framework/main.py                      # no key: scripted answers, real memory
    python examples/agent_framework/main.py --model gpt-4o-mini  # a real model: OPENAI_API_KEY, agent-framework-openai

It works in a store of its own in the configured Neo4j (the managed local one by default), and deletes it at the end.
"""

from __future__ import annotations

import argparse
import asyncio
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any

from agent_framework import Agent
from offline import OfflineChatClient

from graphmem import Memory
from graphmem.models.manage import StoreIn
from graphmem.plugins.agent_framework import GraphMemContextProvider, GraphMemHistoryProvider

JAPAN = timezone(timedelta(hours=9))


@dataclass(frozen=True)
class Scene:
    """One session: its name and day, what the user says, and what a model might answer."""

    session: str
    day: datetime
    turns: tuple[tuple[str, str], ...]


ENGLISH = (
    Scene(
        "mon",
        datetime(2026, 3, 2, 9, tzinfo=JAPAN),
        (
            ("I am vegan. I live in Kyoto.", "Good to know: no meat, fish, eggs or dairy."),
            ("I plan to visit Osaka in May. I like hotels near the station.", "I will look near Umeda and Namba."),
        ),
    ),
    Scene(
        "fri",
        datetime(2026, 3, 6, 9, tzinfo=JAPAN),
        (
            ("Where could I have dinner in Osaka? Remember what I eat.", "Try the vegan okonomiyaki in Namba."),
            ("I moved to Tokyo.", "Then the bullet train is the way to Osaka."),
        ),
    ),
    Scene(
        "sun",
        datetime(2026, 3, 8, 9, tzinfo=JAPAN),
        (("From which city do I travel? Where do I live?", "From Tokyo."),),
    ),
)
JAPANESE = (
    Scene(
        "月曜",
        datetime(2026, 3, 2, 9, tzinfo=JAPAN),
        (
            ("私はビーガンです。京都に住んでいます。", "肉、魚、卵、乳製品は避けますね。"),
            ("5月に大阪に旅行する予定です。駅に近いホテルが好きです。", "梅田かなんばの近くで探します。"),
        ),
    ),
    Scene(
        "金曜",
        datetime(2026, 3, 6, 9, tzinfo=JAPAN),
        (
            (
                "大阪で夕食はどこがいいですか。私はビーガンだと覚えていますか。",
                "なんばのビーガンお好み焼きはいかがでしょう。",
            ),
            ("東京に引っ越しました。", "では大阪へは新幹線ですね。"),
        ),
    ),
    Scene("日曜", datetime(2026, 3, 8, 9, tzinfo=JAPAN), (("私はどこに住んでいますか。", "東京です。"),)),
)
STORIES = {"en": ("maya", ENGLISH), "ja": ("遥", JAPANESE)}


def chat_client(model: str | None, script: Iterator[str]) -> Any:
    """The scripted client, or that of a real model."""
    if model is None:
        return OfflineChatClient(script)
    from agent_framework.openai import OpenAIChatCompletionClient

    return OpenAIChatCompletionClient(model=model)


async def tell(memory: Memory, store: str, language: str, model: str | None) -> None:
    """One user's three sessions: what is said in one is known in the next."""
    user, scenes = STORIES[language]
    present = scenes[0].day
    client = chat_client(model, iter([answer for scene in scenes for _, answer in scene.turns]))
    memories = GraphMemContextProvider(
        memory=memory,
        store=store,
        user_id=user,
        search_user_id=user,
        kinds=["fact"],
        limit=3,
        recall_timeout=120,  # a database that has just started plans its first query
        now=lambda: present,  # so that "in May" is the May after the story; left out, it is the machine's clock
    )
    history = GraphMemHistoryProvider(memory=memory, store=store, user_id=user, timeout=120)
    agent = Agent(client, "You plan trips. Be brief.", name="planner", context_providers=[history, memories])
    for scene in scenes:
        present = scene.day
        session = agent.create_session(session_id=scene.session)
        print(f"-- {user}, session {scene.session}")
        for text, _ in scene.turns:
            answer = await agent.run(text, session=session)
            print(f"user     {text}")
            for shown in getattr(client, "shown", []):
                print(f"  memory {shown}")
            print(f"agent    {answer.text}")


async def main() -> None:
    """Tell both stories."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", help="a model of OpenAI, or of OPENAI_BASE_URL, instead of scripted answers")
    parser.add_argument("--language", choices=sorted(STORIES), action="append", help="default: both")
    given = parser.parse_args()
    async with Memory.open() as memory:
        store = f"example-{uuid.uuid4().hex[:12]}"
        await memory.create_store(StoreIn(id=store, description="examples/agent_framework"))
        try:
            for language in given.language or STORIES:
                await tell(memory, store, language, given.model)
        finally:
            await memory.delete_store(store)


if __name__ == "__main__":
    asyncio.run(main())
