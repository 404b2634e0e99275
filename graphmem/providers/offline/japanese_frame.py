"""What stands around Japanese statements: adverbs, neighbouring clauses, conditions, whom a note is about."""

from __future__ import annotations

import re
from dataclasses import replace

from .japanese_morphs import Clause
from .japanese_names import Scene

_TIMES = frozenset(
    {"今", "現在", "最近", "普段", "以前", "昔", "前", "今日", "毎日", "週末", "いつも", "今回", "実", "平日"}
)


_ONCE = re.compile(r"(?:ころ|頃|時代|当時|(?:結婚|入社|就職|引っ越し|引越し|卒業|退職|転職|出産|入学|戦|以)前)$")


_REPORT = re.compile(r"(?:とのこと(?:です)?|済み?|希望|中|予定|完了)[。!]*$")


def reported_topic(scene: Scene) -> None:
    """田中様、解約手続き済み: a note begins with whom it is about, where speech would call somebody."""
    first = scene.clauses[0] if scene.clauses else None
    if first is None or not first.args or not _REPORT.search(scene.sentence.text):
        return
    who = first.args[0]
    if who.role == "、" and who.head.honorific:
        first.args[0] = replace(who, role="は", topic=True)


_POLITE = re.compile(r"(?:です|ます|ました|でした|ません)[かねよ]*[。!]*$")


def tells_of_another(scene: Scene) -> bool:
    """A note on something of a named person (田中さんの家は…) that names no first person is not about the speaker."""
    if _POLITE.search(scene.sentence.text):
        return False
    phrases = [a.parts for c in scene.clauses for a in c.args]
    if any(scene.known(part.text, "first_person", "own_company") for parts in phrases for part in parts):
        return False
    args = [a for c in scene.clauses for a in c.args]
    topics = [a.parts for a in args if ((a.topic or a.role == "が") and len(a.parts) > 1) or a.role == "の"]
    return any(parts[0].honorific or parts[0].proper == "人名" for parts in topics)


def settle(clause: Clause) -> None:
    """今は and 以前は are adverbs, not topics."""
    for arg in list(clause.args):
        once = _ONCE.search(arg.head.text) is not None
        if arg.role == "に" and arg.text in ("週", "月", "年", "日", "一日", "一週間"):
            clause.args.remove(arg)  # 週に二回
            continue
        if arg.topic and arg.role == "から" and arg.text in ("これ", "今", "次", "今度"):
            clause.args.remove(arg)  # これからは
            clause.adverbs.append("これから")
            continue
        if (len(arg.parts) == 1 and arg.text in _TIMES) or (
            arg.topic and arg.role == "は" and (arg.head.temporal or once)
        ):
            clause.args.remove(arg)
            clause.adverbs.append("以前" if arg.text in ("以前", "昔", "前") or once else arg.text)
    if any(word in ("かつて", "昔") or _ONCE.search(word) for word in clause.adverbs):
        clause.adverbs.append("以前")


def inherit_dates(clauses: list[Clause], index: int) -> None:
    """A date in front of 直し、売る dates both; one after a contrast (が, けど) does not reach back."""
    if (
        index
        and not clauses[index].dates
        and clauses[index - 1].joiner in ("て", "で", "")
        and clauses[index].kind == "verb"
        and not clauses[index - 1].modifies
    ):
        clauses[index].dates = list(clauses[index - 1].dates)


_TURNS = frozenset(
    {
        "離れる",
        "外れる",
        "辞める",
        "やめる",
        "退職する",
        "退社する",
        "転職する",
        "引っ越す",
        "転居する",
        "移住する",
        "卒業する",
    }
    | {"離婚する", "結婚する", "再婚する", "手放す", "解約する", "退会する", "移る", "異動する", "移籍する", "独立する"}
)


def inherit_past(clauses: list[Clause], index: int) -> None:
    """水泳をやめて、ヨガを始めた: the て-form takes its time from the verb behind it."""
    clause = clauses[index]
    broken = clause.joiner == "" and not clause.modifies and clause.lemma in _TURNS  # 退職し、今は…
    joined = clause.kind == "verb" and (clause.joiner in ("て", "で") or broken) and not (clause.lasting or clause.past)
    if not joined or index + 1 >= len(clauses):
        return
    after = clauses[index + 1]
    since = after.lemma in ("なる", "経つ", "たつ") and any(
        a.text.endswith(("年", "月", "週間", "日")) for a in after.args
    )
    if after.past or since or ((after.lasting or after.kind == "noun") and clause.lemma in _TURNS):
        clause.endings.append("た")


_FRAMES = frozenset(
    {"いう", "言う", "よる", "比べる", "考える", "見る", "みる", "する", "なる", "合わせる", "含める", "思う", "話す"}
)


def conditional(clause: Clause) -> bool:
    """Whether the clause is a condition: 〜ば, 〜なら, 〜すると."""
    return (
        clause.joiner in ("ば", "なら", "たら")
        or (clause.joiner == "と" and clause.kind == "verb" and clause.lemma not in _FRAMES)
        or clause.has("仮定")
    )


def claims(clause: Clause) -> bool:
    """Whether the clause says that something is so."""
    if clause.imperative or clause.joiner == "nominal":
        return False
    if clause.has("かも", "か", "かな", "べし", "ほしい", "欲しい", "みる", "ところ", "ほう"):
        return False
    return clause.kind != "none"
