"""What counts as stated by a message, in both languages."""

from __future__ import annotations

import time
from typing import Any

import pytest

from graphmem.ports import Candidate, EntityMention, Rejection
from graphmem.providers.grounding import ground
from graphmem.providers.numerals import spoken_numbers


def candidate(subject: str, predicate: str, target: str, quote: str = "", **changes: Any) -> Candidate:
    """A candidate; the subject `me` is the speaker, Haruka."""
    mention = EntityMention("Haruka", is_speaker=True) if subject == "me" else EntityMention(subject)
    return Candidate(0, "text", mention, predicate, EntityMention(target), quote, 0, 0, **changes)


GROUNDED = [
    ("I moved to Osaka.", candidate("me", "lives_in", "Osaka", "I moved to Osaka")),
    ("I live in\n  New   York", candidate("me", "lives_in", "New York", "i live in new york")),
    (
        "It’s a deal with O’Brien & Co.",
        candidate("me", "deal_with", "O'Brien & Co.", "a deal with O'Brien & Co"),
    ),
    ("KBZ商事は金沢に移転した。", candidate("ＫＢＺ商事", "所在地", "金沢", "ＫＢＺ商事は金沢")),
    (
        "カ\u3099フ\u3099リエラは京都に住んでいる。",
        candidate("ガブリエラ", "lives_in", "京都", "ガブリエラは京都に"),
    ),
    ("I moved last month, finally, to Osaka.", candidate("me", "lives_in", "Osaka", "I moved ... to Osaka")),
    ("My rent is 85,000 yen.", candidate("me", "rent", "85000 yen")),
    ("家賃は八万五千円です。", candidate("me", "家賃", "85,000円")),
    ("家賃は8万5千円です。", candidate("me", "家賃", "８５０００円")),
    ("My birthday is May 3, 1990.", candidate("me", "birthday", "1990-05-03")),
    ("誕生日は平成2年5月3日です。", candidate("me", "birthday", "1990-05-03")),
    ("I turned thirty last week.", candidate("me", "age", "30")),
    ("岩倉さんは蕎麦を打つ。", candidate("岩倉", "打つ", "蕎麦")),
    ("甥のバイオリンは駒が割れている。", candidate("甥のバイオリン", "故障", "駒の割れ")),
    ("I don't eat meat.", candidate("me", "eats", "meat", polarity=False)),
    ("肉は食べない。", candidate("me", "食べる", "肉", polarity=False)),
    ("肉しか食べない。", candidate("me", "食べる", "肉")),
    ("I can't stand loud music.", candidate("me", "dislikes", "loud music")),
    ("Don't forget, my cat is called Momo.", candidate("me", "has_pet", "Momo")),
    ("I take the green line, not the blue one.", candidate("me", "takes", "green line")),
    ("I no longer work at Acme.", candidate("me", "works_at", "Acme", event="retract")),
    ("もう煙草は吸っていません。", candidate("me", "吸う", "煙草", event="retract")),
]
REFUSED = [
    ("I moved to Osaka.", candidate("me", "lives_in", "Kyoto")),
    ("I moved to Osaka.", candidate("me", "lives_in", "Osaka", "I have moved to the city of Osaka")),
    ("大阪に引っ越した。", candidate("me", "lives_in", "Osaka")),
    ("I moved to Osaka.", candidate("me", "lives_in", "大阪")),
    ("岩倉さんは蕎麦を打つ。", candidate("Iwakura", "打つ", "蕎麦")),
    ("岩倉さんは蕎麦を打つ。", candidate("岩倉さん", "打つ", "饂飩")),
    ("うちの猫はかわいい。", candidate("猫", "好き", "たべもの")),
    ("I like tea.", candidate("me", "likes", "pizza", "I like tea")),
    ("My rent is 900 euros.", candidate("me", "rent", "950 euros")),
    ("I sit at desk 120.", candidate("me", "sits_at", "desk 12")),
    ("家賃は8万円です。", candidate("me", "家賃", "85,000円")),
    ("She moved to Kyoto.", candidate("Anna", "lives_in", "Kyoto")),
    ("I don't eat meat.", candidate("me", "eats", "meat")),
    ("I eat meat.", candidate("me", "eats", "meat", polarity=False)),
    ("肉は食べない。", candidate("me", "食べる", "肉")),
    ("I take the green line, not the blue one.", candidate("me", "takes", "blue one")),
]


@pytest.mark.parametrize(("content", "proposed"), GROUNDED, ids=lambda v: v if isinstance(v, str) else "")
def test_stated(content: str, proposed: Candidate) -> None:
    found = ground(content, proposed)
    assert isinstance(found, Candidate)
    assert found.quote
    assert content[found.start : found.end] == found.quote


@pytest.mark.parametrize(("content", "proposed"), REFUSED, ids=lambda v: v if isinstance(v, str) else "")
def test_not_stated(content: str, proposed: Candidate) -> None:
    assert ground(content, proposed) == Rejection(0, "text", "not_grounded")


def test_a_pronoun_may_be_named_nearby_but_not_the_object() -> None:
    moved = candidate("Anna", "lives_in", "Kyoto")
    assert isinstance(ground("She moved to Kyoto.", moved, nearby="My sister is Anna."), Candidate)
    assert isinstance(ground("She moved there.", moved, nearby="Anna loves Kyoto."), Rejection)
    married = candidate("me", "married_to", "健太")
    assert isinstance(ground("昨日、彼と結婚しました。", married, names=["健太"]), Candidate)
    assert isinstance(ground("昨日、彼と結婚しました。", married), Rejection)


def test_a_missing_quote_becomes_the_sentence_with_the_object() -> None:
    text = "今日は雨。遥は大阪に住んでいる。元気です。"
    found = ground(text, candidate("遥", "lives_in", "大阪"))
    assert isinstance(found, Candidate)
    assert found.quote == "遥は大阪に住んでいる。"
    english = ground("It rains. I pay 3.50 for tea at Mo's. Bye.", candidate("me", "pays", "3.50"))
    assert isinstance(english, Candidate)
    assert english.quote == "I pay 3.50 for tea at Mo's."


def test_numbers_in_every_notation() -> None:
    assert {"85000"} <= spoken_numbers("八万五千")
    assert {"2024", "3"} <= spoken_numbers("令和6年3月")
    assert {"12", "7"} <= spoken_numbers("a dozen eggs in July")
    assert {"1234567"} <= spoken_numbers("1,234,567")
    assert {"2024"} <= spoken_numbers("二〇二四年")


def test_a_long_message_is_checked_quickly() -> None:
    content = "何もない一日でした。" * 4_000 + "遥は大阪に住んでいる。"
    began = time.process_time()
    for _ in range(50):
        assert isinstance(ground(content, candidate("遥", "lives_in", "大阪", "遥は大阪に住んでいる")), Candidate)
    assert time.process_time() - began < 5
