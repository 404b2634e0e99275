"""What is given up, sold or left ends in whatever relation it is known; what only sounds like it does not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from graphmem import Memory
from graphmem.models.episode import RememberRequest
from graphmem.models.fact import Fact, FactQuery

ACTOR = "mira"


async def say(memory: Memory, store_id: str, *texts: str, month: int = 1) -> None:
    for number, text in enumerate(texts, month):
        told = {"id": f"m{number}", "content": text, "occurred_at": f"2026-0{number}-01T09:00:00Z"}
        request = {"scope": {"actor_id": ACTOR}, "messages": [told], "extraction": "offline"}
        await memory.remember(store_id, RememberRequest.model_validate(request))


async def current(memory: Memory, store_id: str) -> list[Fact]:
    query = FactQuery.model_validate({"actor_id": ACTOR, "validity": "current"})
    return [fact for fact in (await memory.list_facts(store_id, query)).items if fact.polarity]


def values(facts: Sequence[Fact]) -> set[str]:
    return {fact.object.name if fact.object else str(fact.literal) for fact in facts}


ENDED = [
    ("I play squash with Ben on Wednesdays.", "My knee is shot, so I had to stop playing squash.", "squash"),
    ("We have a dog called Rufus.", "Rufus passed away on Sunday.", "Rufus"),
    ("I work out at FitBox.", "Cancelled my FitBox membership, it was too expensive.", "FitBox"),
    ("My girlfriend is Lena.", "Lena and I split up in March.", "Lena"),
    ("I use Evernote.", "I've ditched Evernote.", "Evernote"),
    ("I drive a Honda Civic.", "I sold the Civic.", "Honda Civic"),
    ("I drink coffee.", "I cut out coffee after the summer.", "coffee"),
    ("ネットフリックスに入っています。", "誰も見ないのでネットフリックスは退会しました。", "ネットフリックス"),
    ("水曜はスカッシュをしています。", "膝を壊して、スカッシュはもうやってない。", "スカッシュ"),
    ("莉奈と付き合ってる。", "三月に莉奈と別れた。", "莉奈"),
    ("ビスケットという猫を飼っています。", "先週、ビスケットが亡くなりました。", "ビスケット"),
    ("古いフィットに乗っています。", "フィットを手放した。", "古いフィット"),
]


@pytest.mark.parametrize(("before", "after", "value"), ENDED)
async def test_what_is_over_is_known_as_over(
    memory: Memory, store_id: str, before: str, after: str, value: str
) -> None:
    await say(memory, store_id, before)
    old = {fact.id for fact in await current(memory, store_id) if value in values([fact])}
    assert old
    await say(memory, store_id, after, month=3)
    assert not old & {fact.id for fact in await current(memory, store_id)}


STAYS = [
    ("I work at Acme.", "I left Acme at six and went to the pub.", "Acme"),
    ("I work at Acme.", "Acme closed early today.", "Acme"),
    ("I have a dog called Rex.", "I dropped Rex off at the vet.", "Rex"),
    ("I have a dog called Rex.", "I gave Rex a bath.", "Rex"),
    ("My girlfriend is Maja.", "Maja and I split the bill.", "Maja"),
    ("I drive a Honda Civic.", "I stopped the Civic at the lights.", "Honda Civic"),
    ("I drive a Honda Civic.", "I sold the Civic's old tyres.", "Honda Civic"),
    ("I work at Acme.", "I no longer eat at Acme.", "Acme"),
    ("I live in Bergen.", "I'm now at Leeds University for a talk.", "Bergen"),
    ("I attend Lund University.", "I'm at Leeds University today.", "Lund University"),
    ("I live in Bergen.", "They moved me to table four.", "Bergen"),
    ("I drink coffee.", "I might give up coffee.", "coffee"),
    ("I drink coffee.", "My brother gave up coffee.", "coffee"),
    ("I drink coffee.", "If I gave up coffee, I'd sleep better.", "coffee"),
    ("I drink coffee.", "I didn't give up coffee.", "coffee"),
    ("I like olives.", "I ran out of olives.", "olives"),
    ("The choir practice starts at 7 pm.", "The choir practice has now ended at 9 pm.", "7 pm"),
    ("My phone number is 555-0142.", "My office number is 555-0177.", "555-0142"),
    ("莉奈と付き合ってる。", "駅で莉奈と別れた。", "莉奈"),
    ("コーヒーを飲む。", "妹がコーヒーをやめた。", "コーヒー"),
    ("コーヒーを飲む。", "コーヒーをやめようかな。", "コーヒー"),
    ("青葉電機で働いています。", "もう青葉電機では食べません。", "青葉電機"),
    ("フィットに乗っています。", "フィットを駅前に止めた。", "フィット"),
    ("金沢に住んでいます。", "いとこが福岡に引っ越した。", "金沢"),
]


@pytest.mark.parametrize(("before", "after", "value"), STAYS)
async def test_what_only_sounds_like_an_end_ends_nothing(
    memory: Memory, store_id: str, before: str, after: str, value: str
) -> None:
    await say(memory, store_id, before)
    assert value in values(await current(memory, store_id))
    await say(memory, store_id, after, month=3)
    assert value in values(await current(memory, store_id))


REPLACED = [
    ("I'm on the payments team.", "I got reassigned to the fraud team this week.", "fraud team"),
    ("At work I'm on the Atlas project.", "Atlas got shelved, so they moved me onto Borealis.", "Borealis"),
    ("I'm a junior analyst.", "I've been bumped up to senior analyst!", "senior analyst"),
    ("The kitchen budget is 8,000 euros.", "We had to raise the kitchen budget to 9,500 euros.", "9,500 euros"),
    ("My dentist is Dr Moreno.", "Since Dr Moreno retired, I've been seeing Dr Patel.", "Dr Patel"),
    ("My address is 12 Elm Road.", "Please update my address: it's 40 Mill Lane from now on.", "40 Mill Lane"),
    ("古いフィットに乗っています。", "フィットを手放して、リーフに乗り換えた。", "リーフ"),
    ("上司は田村さん。", "田村さんが異動したので、これからは石川さんが上司になる。", "石川"),
    ("住所は緑町3-4です。", "住所が変わりました。これからは本町1-20です。", "本町1-20"),
    ("役職は係長です。", "四月付けで課長に上がりました。", "課長"),
    ("仕事は在宅です。", "先月から在宅じゃなくて出社になった。", "出社"),
]


@pytest.mark.parametrize(("before", "after", "value"), REPLACED)
async def test_a_new_post_price_or_place_takes_the_place_of_the_old(
    memory: Memory, store_id: str, before: str, after: str, value: str
) -> None:
    await say(memory, store_id, before)
    (old,) = [f for f in await current(memory, store_id) if f.confidence > 0.6]
    await say(memory, store_id, after, month=3)
    facts = await current(memory, store_id)
    assert value in values(facts)
    assert old.id not in {fact.id for fact in facts}


async def test_what_a_sentence_ended_holds_again_when_it_is_deleted(memory: Memory, store_id: str) -> None:
    await say(memory, store_id, "I use Evernote.", "I've ditched Evernote.")
    query = FactQuery.model_validate({"actor_id": ACTOR, "validity": "any"})
    (told,) = [f for f in (await memory.list_facts(store_id, query)).items if f.predicate == "uses"]
    assert told.invalid_at is not None
    episodes = await memory.list_episodes(store_id, ACTOR, source_id="m2")
    await memory.delete_episode(store_id, ACTOR, episodes.items[0].id)
    assert "Evernote" in values(await current(memory, store_id))
