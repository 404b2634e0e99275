"""Remember calls, as a library and as a process of its own: `python -m tests.fault.load STORE [TEXT]`.

Without a text that process talks until it is ended; each of its lines is the id of an acknowledged episode.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from itertools import count

from graphmem import Memory
from graphmem.config import Settings
from graphmem.errors import GraphMemError
from graphmem.models.episode import RememberRequest

PEOPLE = ("遥", "Haruka", "健")
WAITS = (True, True, False)


def request(person: int, number: int) -> RememberRequest:
    """What this person says: a home that replaces the last one, and a person whom nobody else knows."""
    facts = [
        {"subject": "user", "predicate": "lives_in", "object": f"街{number % 7}", "valid_at": f"{1900 + number}"},
        {"subject": "user", "predicate": "knows", "object": f"Friend {number} of {person}"},
        {"subject": f"Friend {number} of {person}", "predicate": "age", "object": str(20 + number % 50)},
    ]
    return RememberRequest.model_validate(
        {
            "scope": {"actor_id": PEOPLE[person % len(PEOPLE)], "session_id": f"s{person}"},
            "text": f"{person}: {number}番目の引っ越し",
            "extraction": "none",
            "facts": facts,
            "wait": WAITS[number % len(WAITS)],
        }
    )


def said(people: int, most: int = 400) -> dict[str, list[str]]:
    """Every text that `request` can give, with the predicates of its facts."""
    made = [request(person, number) for person in range(people) for number in range(most)]
    return {str(one.text): [fact.predicate for fact in one.facts or ()] for one in made}


async def talk(memory: Memory, store: str, person: int) -> AsyncIterator[str]:
    """Ids of acknowledged episodes, until the database is away."""
    for number in count():
        try:
            result = await memory.remember(store, request(person, number))
        except GraphMemError:
            return
        for episode in result.episodes:
            yield episode.id


async def talk_all(memory: Memory, store: str, people: int, heard: Callable[[str], None]) -> None:
    """All people at once; `heard` gets every acknowledged id."""

    async def one(person: int) -> None:
        async for episode_id in talk(memory, store, person):
            heard(episode_id)

    await asyncio.gather(*(one(person) for person in range(people)))


def spoken(text: str, *, wait: bool = True) -> RememberRequest:
    """A text that a model reads."""
    scope = {"actor_id": "haruka"}
    return RememberRequest.model_validate({"scope": scope, "text": text, "extraction": "llm", "wait": wait})


async def main(store: str, *texts: str) -> None:
    """Say the texts, or talk until somebody ends this process."""
    async with Memory.open(Settings()) as memory:
        for text in texts:
            await memory.remember(store, spoken(text))
        if not texts:
            await talk_all(memory, store, 3, lambda episode_id: print(episode_id, flush=True))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
