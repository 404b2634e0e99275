"""Japanese phrasings by class: corrections, names of one relation, changes, ends, whose attribute it is."""

from __future__ import annotations

import pytest

from graphmem.ports import Candidate

from .conftest import Facts


def said(candidates: list[Candidate]) -> list[tuple[str, str, str, str]]:
    """Subject, predicate, object, and + for what holds, - for what does not, x for what has ended."""
    return [
        (c.subject.name, c.predicate, c.object.name, "x" if c.event == "retract" else "+" if c.polarity else "-")
        for c in candidates
    ]


@pytest.mark.parametrize(
    ("text", "predicate", "right", "wrong"),
    [
        ("北川葉子の勤め先は青葉印刷ではなく若葉印刷です。", "works_at", "若葉印刷", "青葉印刷"),
        ("田中さんの誕生日は3月5日ではなく、正しくは3月8日だった。", "birthday", "3月8日", "3月5日"),
        ("出身は長崎であって、福岡ではありません。", "comes_from", "長崎", "福岡"),
        ("訂正:三浦誠さんの住まいは川口じゃなくて蕨。", "lives_in", "蕨", "川口"),
        ("血液型は、再検査の結果O型ではなくA型だった。", "血液型", "A型", "O型"),
    ],
)
async def test_not_a_but_b_corrects_a(facts: Facts, text: str, predicate: str, right: str, wrong: str) -> None:
    new, old = await facts(text)
    assert (new.predicate, new.object.name, new.event, new.polarity, new.correction) == (
        predicate,
        right,
        "assert",
        True,
        True,
    )
    assert (old.predicate, old.object.name, old.event) == (predicate, wrong, "retract")
    assert wrong in old.text


async def test_not_only_takes_nothing_back(facts: Facts) -> None:
    assert all(c.event == "assert" for c in await facts("英語だけでなくフランス語も話せます。"))


@pytest.mark.parametrize(
    "text",
    [
        "会議前に確認、木村さんの勤め先は青葉印刷。",
        "顧客メモ:木村さんの勤め先は青葉印刷。",
        "念のため共有、木村さんの勤め先は青葉印刷。",
        "木村さんの勤め先は青葉印刷だと判明した。",
    ],
)
async def test_words_around_the_fact_are_no_part_of_it(facts: Facts, text: str) -> None:
    assert said(await facts(text)) == [("木村", "works_at", "青葉印刷", "+")]
