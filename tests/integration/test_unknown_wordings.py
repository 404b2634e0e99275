"""A new value in words that no rule knows takes the place of the old one, and what may stand beside it stays."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from graphmem import Memory
from graphmem.models.episode import RememberRequest
from graphmem.models.fact import Fact, FactQuery
from graphmem.models.recall import RecallRequest

ACTOR = "notes"


async def say(memory: Memory, store_id: str, texts: Sequence[str], *, together: bool) -> None:
    told = [
        {"id": f"m{i}", "content": text, "occurred_at": f"2026-0{i + 1}-01T09:00:00Z"} for i, text in enumerate(texts)
    ]
    for messages in [told] if together else [[one] for one in told]:
        request = {"scope": {"actor_id": ACTOR}, "messages": messages, "extraction": "offline"}
        await memory.remember(store_id, RememberRequest.model_validate(request))


async def current(memory: Memory, store_id: str) -> list[Fact]:
    query = FactQuery.model_validate({"actor_id": ACTOR, "validity": "current"})
    return (await memory.list_facts(store_id, query)).items


def names(facts: Sequence[Fact]) -> set[str]:
    return {fact.object.name if fact.object else str(fact.literal) for fact in facts}


REPLACED = [
    ("Erin Walsh picks up on 01632 960 118.", "Erin Walsh has got a new number: 555-0199.", "555-0199"),
    ("Imani Otieno lives in Mombasa.", "Imani Otieno has swapped Mombasa for Kisumu.", "Kisumu"),
    (
        "Carlos Mendes is a customer of Banco Azul.",
        "Carlos Mendes has taken the account over to Caixa Verde.",
        "Caixa Verde",
    ),
    ("遠藤拓也は名古屋に住んでいる。", "遠藤拓也は今、高知で生活している。", "高知"),
    ("回数券は3000円で売られている。", "回数券は3400円に値上がりした。", "3400円"),
]


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize(("before", "after", "value"), REPLACED)
async def test_a_new_value_takes_the_place_of_the_old(
    memory: Memory, store_id: str, before: str, after: str, value: str, together: bool
) -> None:
    await say(memory, store_id, [before, after], together=together)
    facts = await current(memory, store_id)
    assert names(facts) == {value}
    history = await memory.fact_history(store_id, ACTOR, facts[0].id)
    assert "supersedes" in [step.event for step in history]


BESIDE = [
    ("Uma Shah helps out at the Harbour Kitchen.", "Uma Shah helps out at the Animal Shelter too."),
    ("Priya Nair is fond of jazz.", "Priya Nair is fond of techno."),
    ("Nils Berg ordered a kayak.", "Nils Berg ordered a tent."),
    ("Anna Berg has taken up residence in Bergen.", "Anna Bergman has taken up residence in Oslo."),
    ("小池渚は台湾を旅した。", "小池渚はポルトガルを旅した。"),
    ("山岸徹は月曜に漢文を教える。", "山岸徹は金曜に書道を教える。"),
]


@pytest.mark.parametrize(("first", "second"), BESIDE)
async def test_what_may_stand_beside_it_stays(memory: Memory, store_id: str, first: str, second: str) -> None:
    await say(memory, store_id, [first, second], together=False)
    query = FactQuery.model_validate({"actor_id": ACTOR, "validity": "any"})
    every = (await memory.list_facts(store_id, query)).items
    assert all(fact.invalid_at is None for fact in every)


async def test_a_known_value_ends_in_words_that_no_rule_knows(memory: Memory, store_id: str) -> None:
    said = ["Malik Johnson works at Marigold Labs.", "Malik Johnson was let go by Marigold Labs."]
    await say(memory, store_id, said, together=False)
    assert "Marigold Labs" not in {
        f.object.name for f in await current(memory, store_id) if f.predicate == "works_at" and f.object
    }


async def test_what_it_ended_holds_again_when_the_sentence_is_deleted(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, REPLACED[1][:2], together=False)
    (kisumu,) = await current(memory, store_id)
    full = await memory.get_fact(store_id, ACTOR, kisumu.id)
    await memory.delete_episode(store_id, ACTOR, full.sources[0].episode_id)
    assert names(await current(memory, store_id)) == {"Mombasa"}


async def test_recall_gives_the_new_value_only(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, REPLACED[3][:2], together=False)
    asked = {"scope": {"actor_id": ACTOR}, "query": "遠藤拓也はどこに住んでいる？", "kinds": ["fact"], "dry_run": True}
    answer = await memory.recall(store_id, RecallRequest.model_validate(asked))
    assert [item.text for item in answer.items if "名古屋" in item.text] == []
    assert "高知" in answer.items[0].text
