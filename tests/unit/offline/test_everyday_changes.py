"""Changes as people tell them in passing: who is moved where, what is set anew, whose it is."""

from __future__ import annotations

import pytest

from graphmem.ports import Candidate

from .conftest import Extract, Facts


def said(candidates: list[Candidate]) -> set[tuple[str, str, str, str]]:
    """Subject, predicate, object, and + for what holds, x for what has ended."""
    return {(c.subject.name, c.predicate, c.object.name, "x" if c.event == "retract" else "+") for c in candidates}


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("I got reassigned to the fraud team this week.", ("Haruka", "team", "fraud team", "+")),
        ("I've been bumped up to senior analyst!", ("Haruka", "job_title", "senior analyst", "+")),
        ("The doctor put me on ezetimibe.", ("Haruka", "takes", "ezetimibe", "+")),
        ("We had to raise the kitchen budget to 9,500 euros.", ("kitchen budget", "is", "9,500 euros", "+")),
        (
            "They pushed my physio appointment back to Thursday at 2.",
            ("Haruka", "physio_appointment", "Thursday at 2", "+"),
        ),
        ("My physio appointment is on Tuesday at 10.", ("Haruka", "physio_appointment", "Tuesday at 10", "+")),
        ("Please update my address: it's 40 Mill Lane from now on.", ("Haruka", "address", "40 Mill Lane", "+")),
        ("Joan rang tonight. She's left Wells Chemist.", ("Joan", "works_at", "Wells Chemist", "x")),
        ("I teach maths at Lund College.", ("Haruka", "works_at", "Lund College", "+")),
        ("My son Leo is in year 3 at Oakfield Primary.", ("Leo", "attends", "Oakfield Primary", "+")),
        ("I've been vegetarian for ten years.", ("Haruka", "diet", "vegetarian", "+")),
        ("I play squash with Ben on Wednesdays.", ("Haruka", "plays", "squash", "+")),
        ("由香が北都薬局を辞めて、四月から県立病院で働いてる。", ("由香", "works_at", "県立病院", "+")),
        ("石川さんが上司になりました。", ("Haruka", "manager", "石川", "+")),
        ("北斗エナジーの社員です。", ("Haruka", "works_at", "北斗エナジー", "+")),
        ("妹の由香は北都薬局で薬剤師をしています。", ("由香", "works_at", "北都薬局", "+")),
        ("ボレアスの担当に回された。", ("Haruka", "works_on", "ボレアス", "+")),
        ("自転車通勤に切り替えた。", ("Haruka", "commute", "自転車", "+")),
        ("今は24センチを履いてる。", ("Haruka", "shoe_size", "24センチ", "+")),
        ("整体の予約、木曜の14時にずらしてもらった。", ("整体", "予約", "木曜の14時", "+")),
        ("台所の予算を95万円まで増やした。", ("台所", "予算", "95万円", "+")),
        ("住所が変わりました。これからは本町1-20です。", ("Haruka", "address", "本町1-20", "+")),
        ("坂本遼は登山も楽しむ。", ("坂本遼", "楽しむ", "登山", "+")),
        ("スマホはぼろぼろのiPhone 11。", ("Haruka", "phone_model", "iPhone 11", "+")),
    ],
)
async def test_a_change_is_read(facts: Facts, text: str, fact: tuple[str, str, str, str]) -> None:
    assert fact in said(await facts(text))


@pytest.mark.parametrize(
    "text",
    [
        "My daughter moved to 5 March Street.",
        "The kids went to 3 parties.",
        "They moved the sofa to 3 Elm Road.",
    ],
)
async def test_not_every_number_is_a_new_value(facts: Facts, text: str) -> None:
    assert not [c for c in await facts(text) if c.predicate in ("is", "daughter", "kids", "sofa")]


@pytest.mark.parametrize(
    ("text", "way", "value"),
    [
        ("I've dropped Netflix because nobody watches it.", "habit", "Netflix"),
        ("Bluefin went under last month.", "closed", "Bluefin"),
        ("We had to say goodbye to Biscuit.", "pet", "Biscuit"),
        ("I broke up with Maja.", "person", "Maja"),
        ("先週、ビスケットが虹の橋を渡りました。", "pet", "ビスケット"),
        ("アトラスが中止になった。", "closed", "アトラス"),
        ("コーヒーをやめて三週間、頭痛がなくなった。", "habit", "コーヒー"),
    ],
)
async def test_what_is_over_is_left_to_what_is_known(extract: Extract, text: str, way: str, value: str) -> None:
    guesses = [guess for one in (await extract(text)).open for guess in one.guesses]
    assert (way, value) in {(guess.way, guess.object.name) for guess in guesses if guess.relation == "ends"}


@pytest.mark.parametrize(
    "text",
    ["I might drop Netflix.", "Should I drop Netflix?", "Drop Netflix!", "I said goodbye to Biscuit at the door.",
     "コーヒーをやめようかな。", "コーヒーをやめたい。", "アトラスが中止になったら困る。"],
)  # fmt: skip
async def test_what_did_not_happen_ends_nothing(extract: Extract, text: str) -> None:
    assert not [guess for one in (await extract(text)).open for guess in one.guesses if guess.way]
