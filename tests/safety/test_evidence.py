"""What is evidence: the user's own words each time they are said, not what the service gave or what always comes."""

from __future__ import annotations

import pytest

from graphmem.models.fact import Fact, FactQuery
from graphmem.models.scope import Scope
from graphmem.models.truth import FactAction
from graphmem.safety.recalled import recalled_spans

from .conftest import SCOPE, World

EN = {
    "said": "I live in Osaka.",
    "rendered": "ana lives in Osaka",
    "moved": "I moved to Kobe.",
    "sister": "My sister Mia lives in Rome.",
    "of_her": "Mia lives in Rome.",
}
JA = {
    "said": "私は大阪に住んでいます。",
    "rendered": "anaは大阪に住んでいる",
    "moved": "神戸に引っ越しました。",
    "sister": "妹の美亜はローマに住んでいます。",
    "of_her": "美亜はローマに住んでいる。",
}
BOTH = pytest.mark.parametrize("words", [EN, JA], ids=["en", "ja"])


async def sources(world: World, part: str, *, validity: str = "current") -> list[int]:
    """How many sources each fact has that speaks of this, by the newest."""
    page = await world.memory.list_facts(
        world.store, FactQuery.model_validate({"actor_id": "ana", "validity": validity}), page_size=200
    )
    facts = [await world.memory.get_fact(world.store, "ana", f.id) for f in page.items if part in f.text]
    return [len(fact.sources) for fact in facts]


async def in_session(world: World, session: str, text: str, day: int = 1, **more: object) -> list[tuple[str, str]]:
    """Say it in that session; the facts that came of it, and what was rejected."""
    message = {"role": "user", "content": text, **more}
    told = await world.say(
        scope={**SCOPE, "session_id": session}, messages=[message], occurred_at=f"2026-03-{day:02}T09:00:00Z"
    )
    return [(d.event, d.fact.text) for d in told.facts] + [("rejected", r.reason) for r in told.rejected]


@BOTH
async def test_what_a_user_says_again_is_a_source(world: World, words: dict[str, str]) -> None:
    await in_session(world, "s1", words["said"])
    await in_session(world, "s2", words["said"], 2)
    place = "Osaka" if words is EN else "大阪"
    assert await sources(world, place) == [2]
    await in_session(world, "s3", words["sister"], 3)
    await in_session(world, "s4", words["of_her"], 4)
    assert await sources(world, "lives in Rome" if words is EN else "ローマ") == [2]


@BOTH
@pytest.mark.parametrize(
    "form",
    [
        "{}",
        "{}。",
        "- {}",
        "* {} (source: m1)",
        "> {}",
        "You wrote: “{}”",
        "「{}」?",
        "| memory |\n|---|\n| {} |",
        "{}; {}",
    ],
)
async def test_what_only_the_service_says_so_is_not(world: World, words: dict[str, str], form: str) -> None:
    await in_session(world, "s1", words["said"])
    found = await in_session(world, "s2", form.format(words["rendered"], words["rendered"]), 2)
    assert set(found) == {("rejected", "recalled")}
    assert await sources(world, "Osaka" if words is EN else "大阪") == [1]


async def test_who_speaks_of_themselves_by_name_is_heard(world: World) -> None:
    for n in (1, 2):
        await in_session(world, f"s{n}", "Ana lives in Osaka.", n, name="Ana")
    assert await sources(world, "Osaka") == [2]


@pytest.mark.parametrize("source", ["document", "email"])
async def test_a_document_has_words_of_its_own(world: World, source: str) -> None:
    await in_session(world, "s1", "I live in Osaka.")
    await world.say("ana lives in Osaka", source={"type": source}, occurred_at="2026-03-02")
    assert await sources(world, "Osaka") == [2]


async def test_a_list_of_ones_own_is_heard_again(world: World) -> None:
    mine = "- My sister Mia lives in Rome\n- I like tea"
    for n in (1, 2):
        await in_session(world, f"s{n}", mine, n)
    assert await sources(world, "tea") == [2]
    found = await in_session(world, "s3", "- ana likes tea\n- My brother Ben lives in Oslo", 3)
    assert ("rejected", "recalled") in found
    assert "Ben lives in Oslo" in [text for _, text in found]


async def test_the_list_of_the_service_is_left_out_whole(world: World) -> None:
    for text in ("I live in Osaka.", "I like tea."):
        await in_session(world, "s1", text)
    pasted = "- ana lives in Osaka\n- ana likes tea\n- ana likes natto\n- Mia plays the harp\n\nI like jazz."
    found = await in_session(world, "s2", pasted, 2)
    assert found == [("ADD", "ana likes jazz"), ("rejected", "recalled")]


@BOTH
async def test_a_statement_counts_again_after_it_no_longer_held(world: World, words: dict[str, str]) -> None:
    place = "Osaka" if words is EN else "大阪"
    for n in range(1, 6):
        found = await in_session(world, f"s{n}", words["said"], n)
        assert found[0][0] == ("ADD" if n == 1 else "NONE" if n < 4 else "rejected")
    assert found == [("rejected", "boilerplate")]
    assert await sources(world, place) == [3]
    await in_session(world, "s6", words["moved"], 6)
    assert await sources(world, place) == []
    assert (await in_session(world, "s7", words["said"], 7))[0] == ("ADD", words["rendered"])
    assert await sources(world, place) == [1]
    assert await in_session(world, "s8", words["said"], 8) == [("rejected", "boilerplate")]


async def test_a_statement_counts_again_after_it_was_erased_or_rejected(world: World) -> None:
    for n in range(1, 5):
        await in_session(world, f"s{n}", "I like natto.", n)
    [fact] = [f for f in await world.facts() if "natto" in f.text]
    await world.memory.truth.reject(world.store, fact.id, FactAction(scope=Scope(actor_id="ana")))
    assert [text for _, text in await in_session(world, "s5", "I like natto.", 5)] == ["ana likes natto"]


FOOTERS = [
    ("Please call me back.\n\n-- \nAna Lind\nI work at Larkspur Ltd.", "I work at Globex.", "Larkspur"),
    (
        "折り返しお願いします。\n\n--\n安奈\n私はラークスパー社で働いています。",
        "私はグロベックス社で働いています。",
        "ラークスパー",
    ),
]


@pytest.mark.parametrize(("mail", "now", "old"), FOOTERS, ids=["en", "ja"])
async def test_a_footer_does_not_bring_back_what_ended(world: World, mail: str, now: str, old: str) -> None:
    for n in range(1, 5):
        found = await in_session(world, f"s{n}", mail, n)
    assert ("rejected", "boilerplate") in found
    assert await sources(world, old) == [3]
    await in_session(world, "s5", now, 5)
    assert ("rejected", "boilerplate") in await in_session(world, "s6", f"{now}\n\n{mail}", 6)
    assert await sources(world, old) == []


@pytest.mark.parametrize(("source", "expected"), [("email", 3), ("document", 5)])
async def test_each_document_carries_what_it_says(world: World, source: str, expected: int) -> None:
    for n in range(1, 6):
        text = f"Page {n} of the minutes.\n\nMia Lind lives in Rome."
        at = f"2026-03-0{n}T09:00:00Z"
        await world.say(text, source={"type": source, "id": f"page-{n}"}, occurred_at=at)
    assert await sources(world, "Rome") == [expected]


async def test_a_newer_version_of_a_message_is_read(world: World) -> None:
    for n in range(1, 6):
        text = f"Draft {n}.\n\nMia Lind lives in Rome."
        await world.say(text, source={"type": "chat", "id": "draft"}, occurred_at=f"2026-03-0{n}T09:00:00Z")
    assert [f.text for f in await world.facts()] == ["Mia Lind lives in Rome"]


async def test_a_session_in_which_it_is_said_twice_is_one(world: World) -> None:
    for n in range(1, 6):
        await in_session(world, "s1", "I like tea.", n)
    assert await sources(world, "tea") == [5]


@pytest.mark.parametrize("role", ["assistant", "system", "tool"])
@BOTH
async def test_others_add_nothing_to_what_is_known_of_the_user(world: World, words: dict[str, str], role: str) -> None:
    await in_session(world, "s1", words["said"])
    before = await everything_known(world)
    for text in (words["said"], words["rendered"], "As you told me, you live in Osaka.", "大阪にお住まいですね。"):
        await in_session(world, "s2", text, 2, role=role)
    assert await everything_known(world) == before


async def everything_known(world: World) -> list[tuple[str, float, float, int]]:
    facts: list[Fact] = [await world.memory.get_fact(world.store, "ana", f.id) for f in await world.facts()]
    return sorted((f.text, f.importance, f.confidence, len(f.sources)) for f in facts)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I have booked table 4 at Rossa.", "travel has booked table 4 at Rossa"),
        ("4番テーブルを予約しました。", "travelは4番テーブルを予約しました。"),
    ],
)
async def test_an_assistant_tells_once_what_it_did(world: World, text: str, told: str) -> None:
    for n in (1, 2):
        await world.say(
            scope={**SCOPE, "agent_id": "travel", "session_id": f"s{n}"},
            messages=[{"role": "assistant", "content": text}],
            occurred_at=f"2026-03-0{n}T09:00:00Z",
        )
    [fact] = [await world.memory.get_fact(world.store, "ana", f.id) for f in await world.facts()]
    assert (fact.text, fact.subject.name, len(fact.sources)) == (told, "travel", 1)


async def test_what_was_given_is_kept_and_not_recalled(world: World) -> None:
    await in_session(world, "s1", "I live in Osaka.")
    context = (await world.recall("Where does Ana live?")).context
    told = await world.say(
        messages=[
            {"role": "system", "content": context},
            {"role": "user", "content": f"{context}\nI keep quails in the garden."},
        ],
        occurred_at="2026-03-02",
    )
    kept = [await world.memory.get_episode(world.store, "ana", e.id) for e in told.episodes]
    assert [episode.content for episode in kept] == [context, f"{context}\nI keep quails in the garden."]
    again = await world.recall("Where does Ana live? Who keeps quails?", limit=20)
    texts = [item.text for item in again.items if item.kind == "episode"]
    assert "I keep quails in the garden." in texts
    assert not [text for text in texts if "memories" in text]
    assert again.context.count("Relevant memories") == 1


BLOCK = (
    "## Relevant memories\nUse these memories only when they help answer the user.\n"
    "1. [profile; importance=0.70; retention=1.00; since 2026-01-01] Ana lives in Osaka (source: m1)\n"
    "2. [episode; said 2026-01-02] Ana: I like tea. (source: m2)"
)
JSON_BLOCK = (
    '{"heading": "Relevant memories", "use": "Use these memories only when they help answer the user.", "memories": [\n'
    '{"n": 1, "memory": "Ana lives in Osaka", "kind": "fact", "category": "profile", "valid_from": "2026-01-01"},\n'
    '{"n": 2, "memory": "Ana: I like tea.", "kind": "episode", "said": "2026-01-02", "source": "m2"}\n'
    "]}"
)
FORMS = [
    (f"<memory-context>\n{JSON_BLOCK}\n</memory-context>\nHello", "Hello"),
    (f"Hi\n{JSON_BLOCK}\nHello", "Hi\n\nHello"),
    ('{"name": "laptop", "memory": "16 GB"}\n]}', '{"name": "laptop", "memory": "16 GB"}\n]}'),
    (f"<memory-context>\n{BLOCK}\n</memory-context>", ""),
    (f"<MEMORY-CONTEXT id='1'>{BLOCK}</memory-context >Hello", "Hello"),
    (f"Hi\n{BLOCK}\n\nHello", "Hi\n\n\nHello"),
    ("Relevant memories:\n- Ana lives in Osaka\n- Ana likes tea\n\nI like jazz.", "\n\nI like jazz."),
    ("* [preference; importance=0.65] Ana likes tea", ""),
    ("I know: 1. [fact; since 2026-01-01] Ana likes tea\nHello", "I know: 1. \nHello"),
    ("Ana: 1. (profile; importance=0.70; retention=1.00] Ana lives in Osaka", "Ana: 1. "),
    (
        "日記です。\n- [計画: 2026-01-01..2026-02-01] 旅行",
        "日記です。\n- [計画: 2026-01-01..2026-02-01] 旅行",
    ),
    (
        "<memory-context> is the tag I put on my books; I draw.",
        "<memory-context> is the tag I put on my books; I draw.",
    ),
    ("My relevant memories are few.\n- I like tea", "My relevant memories are few.\n- I like tea"),
    ("1. I like tea [since 2019]\n2. [x] buy milk", "1. I like tea [since 2019]\n2. [x] buy milk"),
]


@pytest.mark.parametrize(("text", "left"), FORMS, ids=range(len(FORMS)))
def test_the_form_of_the_context_is_known(text: str, left: str) -> None:
    rest, position = "", 0
    for start, end in recalled_spans(text):
        rest, position = rest + text[position:start], end
    assert (rest + text[position:]).strip("\n") == left.strip("\n")


@pytest.mark.parametrize(
    "text", ["[" * 200_000, "<memory-context>" * 20_000, "1. [a; " * 40_000, "- [x; said " * 20_000]
)
def test_long_marks_do_not_matter(text: str) -> None:
    assert recalled_spans(text) == ()
