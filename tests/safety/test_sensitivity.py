"""Kinds of personal data."""

from __future__ import annotations

import pytest

from graphmem.safety.sensitivity import KINDS, kinds_of, sensitivity_of

TAGGED = {
    "email": ["mio's email is mio@example.com", "メールはmio@example.comです"],
    "phone": ["弟の電話は090-1234-5678です", "call +1 415 555 2671", "電話は０３－３２１１－１２３４"],
    "address": [
        "住所は東京都千代田区千代田1-1です",
        "I live at 221B Baker Street",
        "横浜市西区みなとみらい2-3-1",
        "〒100-0001",
    ],
    "card": ["カード番号は[redacted: card number]です", "my credit card ends in 4242"],
    "national_id": ["SSN 536-90-4399", "マイナンバーは[redacted: my number]です", "パスポート番号 TK1234567"],
    "bank_account": ["IBAN GB82 WEST 1234 5698 7654 32", "口座番号は1234567です"],
    "health": ["Haruka is allergic to peanuts", "健太は糖尿病です", "卵アレルギーがある", "she takes medication"],
    "date_of_birth": ["I was born on May 3", "誕生日は5月3日", "1990年5月3日生まれ"],
    "income": ["年収は800万円", "her salary is $90,000"],
    "religion": ["Omar is Muslim", "祖母は仏教徒です"],
    "secret": ["the password is [redacted: password]"],
}
PLAIN = [
    "Haruka lives in Osaka",
    "健は札幌に住んでいる",
    "order 2024-0612-1234",
    "the doctor is in",
    "port 8080, version 3.11.7",
    "がんばった",
    "Maya likes green tea",
    "会議は10月3日",
]


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in TAGGED.items() for text in texts])
def test_personal_data_is_tagged_by_kind(kind: str, text: str) -> None:
    assert kind in kinds_of(sensitivity_of(text))


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_not_personal_has_no_tag(text: str) -> None:
    assert sensitivity_of(text) is None


def test_the_most_sensitive_kind_comes_first() -> None:
    assert sensitivity_of("Write to mio@example.com about her diabetes") == "health,email"


def test_a_relation_tells_what_its_object_is() -> None:
    assert sensitivity_of("Mio: eggs", "allergic_to") == "health"


def test_kinds_are_listed_once() -> None:
    assert len(set(KINDS)) == len(KINDS)
