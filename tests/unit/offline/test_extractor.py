"""What the offline extractor takes from single messages."""

from __future__ import annotations

import asyncio

import pytest

from graphmem.ports import Candidate, Extractor
from graphmem.providers.offline import OfflineExtractor

from .conftest import Extract, Facts


def told(candidates: list[Candidate]) -> list[tuple[str, str, str]]:
    return [(c.subject.name, c.predicate, c.object.name) for c in candidates]


async def test_move_of_the_speaker(facts: Facts) -> None:
    [fact] = await facts("I moved to Osaka last month.")
    assert told([fact]) == [("Haruka", "lives_in", "Osaka")]
    assert fact.text == "Haruka lives in Osaka"
    assert fact.quote == "I moved to Osaka last month."
    assert fact.subject.is_speaker
    assert fact.valid_at is not None
    assert (fact.valid_at.at.isoformat(), fact.valid_at.precision) == ("2026-01-01T00:00:00+00:00", "month")
    assert (fact.cardinality, fact.category, fact.importance) == ("one", "profile", 0.7)


async def test_move_in_japanese(facts: Facts) -> None:
    [fact] = await facts("先月、大阪に引っ越しました。", speaker="春香")
    assert told([fact]) == [("春香", "lives_in", "大阪")]
    assert fact.text == "春香は大阪に住んでいる"
    assert fact.valid_at is not None
    assert fact.valid_at.precision == "month"


@pytest.mark.parametrize("text", ["We moved from Tokyo to Osaka.", "東京から大阪に引っ越しました。"])
async def test_move_ends_the_old_home(facts: Facts, text: str) -> None:
    new, old = await facts(text)
    assert (new.event, old.event) == ("assert", "retract")
    assert old.predicate == "lives_in"
    assert old.object.name in ("Tokyo", "東京")


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        ("I no longer like chicory coffee.", "likes"),
        ("I used to live in Tokyo.", "lives_in"),
        ("I don't work at Acme anymore.", "works_at"),
        ("I stopped eating meat.", "eats"),
        ("I quit my job at Norvane Systems.", "works_at"),
        ("もう東京に住んでいません。", "lives_in"),
        ("以前は名古屋で働いていました。", "works_at"),
        ("タバコをやめました。", "smokes"),
        ("青葉物産を退職しました。", "works_at"),
    ],
)
async def test_endings_invent_no_new_value(facts: Facts, text: str, predicate: str) -> None:
    [fact] = await facts(text)
    assert (fact.predicate, fact.event) == (predicate, "retract")


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        ("Sven does not eat shellfish.", "eats"),
        ("I don't like horror films.", "likes"),
        ("It is not that Maud dislikes opera.", "dislikes"),
        ("コーヒーは好きじゃない。", "likes"),
        ("納豆は食べられません。", "eats"),
        ("柏木さんは船の免許を持っていません。", "owns"),
    ],
)
async def test_negation_is_kept(facts: Facts, text: str, predicate: str) -> None:
    [fact] = await facts(text)
    assert (fact.predicate, fact.polarity, fact.event) == (predicate, False, "assert")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Actually, my passport expires in 2030.", "2030"),
        ("I misread it: my passport expires in 2030.", "2030"),
        ("My tutor is Hedda, no wait, Joost.", "Joost"),
        ("実は、好きな色は藍色です。", "藍色"),
        ("さっきのは間違いで、家賃は8万円です。", "8万円"),
        ("定例会議は毎週火曜、いや水曜の10時です。", "水曜の10時"),
    ],
)
async def test_corrections_keep_the_last_value(facts: Facts, text: str, value: str) -> None:
    [fact] = await facts(text)
    assert fact.correction
    assert fact.object.name == value


async def test_a_slip_of_the_tongue_leaves_no_trace(facts: Facts) -> None:
    found = await facts("In May I'm flying to Oslo, no wait, to Bergen.")
    assert [(c.predicate, c.object.name) for c in found] == [("plans_to", "fly to Bergen")]
    assert found[0].text == "Haruka is flying to Bergen in May (2026-05)"


async def test_a_correction_names_the_wrong_value(facts: Facts) -> None:
    right, wrong = await facts("Actually I take the green line to work, not the blue one.")
    assert (right.object.name, right.event, right.correction) == ("green line", "assert", True)
    assert (wrong.predicate, wrong.object.name, wrong.event) == (right.predicate, "blue line", "retract")


async def test_an_amount_has_one_value(facts: Facts) -> None:
    [fact] = await facts("I take 20 drops of the valerian tincture nightly.")
    assert (fact.predicate, fact.object.name, fact.cardinality) == ("takes_valerian_tincture", "20 drops", "one")


@pytest.mark.parametrize(
    "text",
    [
        "Where does Anna live?",
        "Do you know whether Bob works at Acme",
        "Please book a table in Osaka.",
        "I wish I lived in Paris.",
        "If I moved to Oslo, I would need a coat.",
        "Write a poem about a fox who lives in Paris.",
        "Hello there!",
        "Thanks, that helps a lot.",
        "アンナはどこに住んでいますか。",
        "大阪のホテルを予約してください。",
        "もしパリに引っ越したら、絵を習う。",
        "京都に住めたらいいのに。",
        "おはようございます。",
        "ありがとう、助かりました!",
    ],
)
async def test_no_fact(facts: Facts, text: str) -> None:
    assert [c for c in await facts(text) if c.learning_state != "candidate"] == []


@pytest.mark.parametrize("text", ["I want to learn the cello.", "京都に住みたい。"])
async def test_wishes_are_candidates(facts: Facts, text: str) -> None:
    [fact] = await facts(text)
    assert (fact.predicate, fact.category, fact.learning_state) == ("wants_to", "plan", "candidate")


@pytest.mark.parametrize("role", ["assistant", "system", "tool"])
async def test_only_the_user_is_read(extract: Extract, role: str) -> None:
    assert (await extract("I live in Osaka.", role=role)).candidates == ()


DEEDS = [
    ("I have booked table 4 at Trattoria Rossa.", ["booked"]),
    ("Got it, I've added milk to your shopping list.", ["added"]),
    ("I will send the report on Friday.", ["plans_to"]),
    ("4番テーブルを予約しました。", ["予約する"]),
    ("金曜日に報告書をお送りします。", ["plans_to"]),
    ("レストランを予約しておきますね。", ["予約する"]),
    ("I have noted that you live in Osaka.", []),
    ("As you told me, you live in Osaka.", []),
    ("You could try a barley-only diet.", []),
    ("I think you prefer tea.", []),
    ("Remember that I live in Osaka.", []),
    ("I can book a table.", []),
    ("大阪に住んでいることを覚えました。", []),
    ("先月自転車を購入しましたね。", []),
    ("以前は大阪に住んでいたとのことでした。", []),
    ("予約しましょうか。", []),
]


@pytest.mark.parametrize(("text", "predicates"), DEEDS, ids=[text for text, _ in DEEDS])
async def test_an_assistant_tells_only_what_it_does(extract: Extract, text: str, predicates: list[str]) -> None:
    found = (await extract(text, role="assistant", speaker="helper")).candidates
    assert [(c.subject.name, c.subject.is_speaker, c.predicate) for c in found] == [
        ("helper", False, predicate) for predicate in predicates
    ]


async def test_words_of_others_are_candidates(facts: Facts) -> None:
    [quoted] = await facts("Bob says that Anna works at Globex.")
    assert quoted.learning_state == "candidate"
    [own] = await facts("Jocasta told me that she breeds newts.")
    assert told([own]) == [("Jocasta", "breeds", "newts")]
    assert own.learning_state == "stated"


async def test_pronouns_are_resolved_or_dropped(facts: Facts) -> None:
    found = await facts("My sister is called Noor. She works as a glassblower.")
    assert told(found) == [("Haruka", "sister", "Noor"), ("Noor", "job_title", "glassblower")]
    found = await facts("母は仙台に住んでいます。彼女は毎朝、広瀬川を散歩します。", speaker="春香")
    assert {c.subject.name for c in found} == {"春香の母"}
    assert await facts("She likes opera.") == []
    assert await facts("彼はオペラが好きです。") == []


async def test_kin_with_a_name_gives_two_facts(facts: Facts) -> None:
    found = await facts("My sister Anna moved to Kyoto.")
    assert told(found) == [("Haruka", "sister", "Anna"), ("Anna", "lives_in", "Kyoto")]
    found = await facts("妹のアンナは京都に住んでいます。", speaker="春香")
    assert told(found) == [("春香", "sister", "アンナ"), ("アンナ", "lives_in", "京都")]


async def test_dislike_of_another_is_not_the_speakers(facts: Facts) -> None:
    found = await facts("My colleague Ulf can't stand mushrooms, although his mother cooks them daily.")
    assert told(found) == [("Haruka", "colleague", "Ulf"), ("Ulf", "dislikes", "mushrooms")]


async def test_lists_give_one_fact_each(facts: Facts) -> None:
    assert {c.object.name for c in await facts("I'm allergic to walnuts and latex.")} == {"walnuts", "latex"}
    assert {c.object.name for c in await facts("りんごとバナナが好きです。")} == {"りんご", "バナナ"}
    assert {c.object.name for c in await facts("I have two cats, Miso and Pixel.")} == {"Miso", "Pixel"}


async def test_honorifics_and_articles_are_no_part_of_names(facts: Facts) -> None:
    assert told(await facts("古賀さんは網を直し、餌を売る。")) == [("古賀", "repairs", "網"), ("古賀", "sells", "餌")]
    [fact] = await facts("Otto Brandvold drives a tram.")
    assert fact.object.name == "tram"
    assert fact.text == "Otto Brandvold drives a tram"


async def test_signs_belong_to_names(facts: Facts) -> None:
    objects = [
        (await facts(text))[0].object.name for text in ("Ravi teaches C.", "Ravi dislikes C++.", "Ravi uses C#.")
    ]
    assert objects == ["C", "C++", "C#"]
    [fact] = await facts("My email is sam+notes@mail.example.org.")
    assert (fact.predicate, fact.object.name) == ("email", "sam+notes@mail.example.org")


async def test_today_is_the_speakers_day(facts: Facts) -> None:
    [fact] = await facts("I started my new job today.", at="2026-04-11T01:30:00+09:00")
    assert fact.valid_at is not None
    assert fact.valid_at.at.isoformat() == "2026-04-10T15:00:00+00:00"
    assert "2026-04-11" in fact.text


@pytest.mark.parametrize(
    ("text", "at", "start", "end"),
    [
        ("I have a cold this week.", "2026-01-12T09:00:00+00:00", "2026-01-12", "2026-01-19"),
        (
            "From today the garage is let to Mr Tallis for one year.",
            "2024-02-29T09:00:00+00:00",
            "2024-02-29",
            "2025-02-28",
        ),
        ("In 2015 Tom was working at Nordbank.", "2026-01-12T09:00:00+00:00", "2015-01-01", "2016-01-01"),
        ("I worked at Acme from 2015 to 2018.", "2026-01-12T09:00:00+00:00", "2015-01-01", "2018-01-01"),
        ("2015年から2018年まで東都銀行で働いていました。", "2026-01-12T09:00:00+00:00", "2015-01-01", "2018-01-01"),
        ("今週は風邪をひいています。", "2026-01-12T09:00:00+00:00", "2026-01-12", "2026-01-19"),
    ],
)
async def test_bounded_facts(facts: Facts, text: str, at: str, start: str, end: str) -> None:
    [fact] = await facts(text, at=at)
    assert fact.valid_at is not None
    assert fact.invalid_at is not None
    assert fact.event == "assert"
    assert (f"{fact.valid_at.at:%Y-%m-%d}", f"{fact.invalid_at.at:%Y-%m-%d}") == (start, end)


async def test_future_job_is_dated(facts: Facts) -> None:
    [fact] = await facts("From 1 September 2026 I will work at Halcyon Freight.", at="2026-02-01T10:00:00+00:00")
    assert told([fact]) == [("Haruka", "works_at", "Halcyon Freight")]
    assert fact.valid_at is not None
    assert f"{fact.valid_at.at:%Y-%m-%d}" == "2026-09-01"
    now, later = await facts("今は広島支社ですが、2026年4月1日から福岡支社に異動します。", speaker="春香")
    assert (now.object.name, now.valid_at) == ("広島支社", None)
    assert later.object.name == "福岡支社"
    assert later.valid_at is not None


async def test_one_predicate_in_both_languages(facts: Facts) -> None:
    pairs = [
        ("I live in Osaka.", "大阪に住んでいます。"),
        ("I work at Larkfield Clinic.", "青葉病院で働いています。"),
        ("My birthday is May 3.", "誕生日は5月3日です。"),
        ("My favourite color is teal.", "好きな色は藍色です。"),
        ("I'm allergic to latex.", "ラテックスアレルギーがあります。"),
        ("I speak Basque.", "バスク語が話せます。"),
        ("My manager is Bob Ames.", "上司は黒田さんです。"),
    ]
    for english, japanese in pairs:
        assert [c.predicate for c in await facts(english)] == [c.predicate for c in await facts(japanese)]


async def test_it_is_an_extractor_and_runs_in_parallel(extractor: OfflineExtractor, extract: Extract) -> None:
    port: Extractor = extractor
    assert port.name == "offline"
    texts = [f"I live in Town{i}. 私は青森{i}丁目に住んでいます。" for i in range(8)]
    alone = [(await extract(text)).candidates for text in texts]
    together = [e.candidates for e in await asyncio.gather(*(extract(text) for text in texts))]
    assert together == alone
    assert all(len(candidates) == 2 for candidates in together)
    await port.close()


@pytest.mark.parametrize(
    ("text", "affirmed"),
    [
        ("I no longer work at Brightline Studio.", "Haruka works at Brightline Studio"),
        ("I stopped drinking coffee.", "Haruka drinks coffee"),
        ("もう青空出版では働いていません。", "Harukaは青空出版で働いている"),
        ("タバコをやめました。", "Harukaはタバコを吸う"),
        ("ジムに通わなくなった。", "Harukaはジムに通う"),
    ],
)
async def test_the_text_of_an_end_is_what_was_so(facts: Facts, text: str, affirmed: str) -> None:
    [fact] = await facts(text)
    assert (fact.event, fact.text) == ("retract", affirmed)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hi, I'm Haruka.", []),
        ("I'm Haruka Lindqvist, a nurse.", [("name", "Haruka Lindqvist"), ("job_title", "nurse")]),
        ("I'm Sofia and I work at Brightline.", [("name", "Sofia"), ("works_at", "Brightline")]),
        ("出身はカナダで、今は東京に住んでいます。", [("comes_from", "カナダ"), ("lives_in", "東京")]),
        ("青空出版では編集長です。", [("job_title", "編集長"), ("works_at", "青空出版")]),
        ("青空出版では上司が厳しい。", []),
    ],
)
async def test_who_introduces_themselves(facts: Facts, text: str, expected: list[tuple[str, str]]) -> None:
    found = await facts(text)
    assert all(fact.subject.is_speaker for fact in found)
    assert [(fact.predicate, fact.object.name) for fact in found] == expected


async def test_what_a_named_relative_has_is_theirs(facts: Facts) -> None:
    sister, birthday = await facts("My sister Lucy's birthday is on May 12.")
    assert (sister.predicate, sister.object.name) == ("sister", "Lucy")
    assert told([birthday]) == [("Lucy", "birthday", "May 12")]
