"""The words of a fact are those of a source that is there: erased means erased, also where others say the same."""

from __future__ import annotations

from typing import Any

from graphmem import Memory
from graphmem.models.episode import RememberRequest
from graphmem.models.fact import FactQuery
from graphmem.models.recall import RecallRequest

ACTOR = "遥"
FACT = {"subject": "user", "predicate": "lives_in", "object": "Osaka", "valid_at": "2025-03"}


async def say(memory: Memory, store: str, said: str, text: str, **fact: Any) -> str:
    body = {"scope": {"actor_id": ACTOR}, "text": said, "facts": [{**FACT, "text": text, **fact}]}
    return (await memory.remember(store, RememberRequest.model_validate(body))).episodes[0].id


async def texts(memory: Memory, store: str) -> list[str]:
    return [fact.text for fact in (await memory.list_facts(store, FactQuery(actor_id=ACTOR))).items]


async def test_the_words_of_an_erased_source_go_although_another_says_the_same(memory: Memory, store_id: str) -> None:
    first = await say(memory, store_id, "Secretly, with Ken.", "Haruka lives in Osaka, secretly, with Ken.")
    await say(memory, store_id, "In Osaka.", "Haruka lives in Osaka.")
    assert await texts(memory, store_id) == ["Haruka lives in Osaka, secretly, with Ken."]
    await memory.delete_episode(store_id, ACTOR, first)
    assert await texts(memory, store_id) == ["Haruka lives in Osaka."]
    for mode in ("keyword", "vector"):
        ask = {"scope": {"actor_id": ACTOR}, "query": "Where does Haruka live?", "mode": mode, "kinds": ["fact"]}
        assert [i.text for i in (await memory.recall(store_id, RecallRequest.model_validate(ask))).items] == [
            "Haruka lives in Osaka."
        ]
    ask = {"scope": {"actor_id": ACTOR}, "query": "secretly Ken", "mode": "keyword"}
    assert not (await memory.recall(store_id, RecallRequest.model_validate(ask))).items


async def test_the_words_stay_while_one_source_that_gave_them_is_there(memory: Memory, store_id: str) -> None:
    first = await say(memory, store_id, "Osaka, by the sea.", "Haruka lives in Osaka.")
    await say(memory, store_id, "Osaka it is.", "Haruka lives in Osaka.")
    await say(memory, store_id, "In the city of Osaka.", "Haruka lives in the city of Osaka.")
    await memory.delete_episode(store_id, ACTOR, first)
    assert await texts(memory, store_id) == ["Haruka lives in Osaka."]
    ask = {"scope": {"actor_id": ACTOR}, "query": "sea", "mode": "keyword", "kinds": ["fact"]}
    assert not (await memory.recall(store_id, RecallRequest.model_validate(ask))).items
