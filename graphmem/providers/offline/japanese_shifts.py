"""Japanese talk of new posts, duties, companions, sizes and ways of working, in everyday verbs.

上司になる, 課長に上がる, 担当に回される, 拾ってもらう, 付き合う, 24センチを履く, 出社になる.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from .draft import Draft, Loose, Name
from .japanese_attribute import WORK_MODES, is_attribute, is_team
from .japanese_copula import is_job
from .japanese_make import make, subject
from .japanese_morphs import Arg, Clause
from .japanese_names import Scene, entity, is_agent, kin_of
from .japanese_values import name_of, one

_MOVED = frozenset({"回す", "移す", "移る", "上がる", "昇る", "下がる", "付く", "つく", "就く", "飛ばす", "なる",
                    "異動する",
                    "配置する", "抜擢する", "起用する", "替わる", "変わる", "加わる", "入る"})  # fmt: skip
_TO_TEAM = frozenset({"移る", "回す", "移す", "入る", "加わる"})
_HIRED = frozenset({"拾う", "採用する", "雇う", "引き抜く", "スカウトする", "再就職する", "転籍する", "出向する",
                    "内定する",
                    "移籍する", "就職する", "呼ぶ"})  # fmt: skip
_WITH = frozenset({"付き合う", "つきあう", "交際する", "同棲する"})
_WORN = {"履く": "shoe_size", "はく": "shoe_size", "着る": "服のサイズ"}
_SIZE = re.compile(r"[0-9.]+(?:センチ|cm|㎝|号)|(?:[XxSsMmLl]{1,3}|[0-9]{1,2}[A-Z]?)サイズ")
_SWITCHED = frozenset({"乗り換える", "乗り替える", "切り替える", "切り換える", "替える", "換える", "変える",
                       "買い替える", "買い換える",
                       "移行する", "鞍替えする", "シフトする", "始める", "転向する", "乗り移る"})  # fmt: skip
_CARRIED = frozenset({"移す", "運ぶ", "動かす", "置き直す", "戻す", "移動する", "移設する"})
_COMMUTE = re.compile(r"(?P<means>[^の]{1,8}?)(?:通勤|通学)")
_OWN_CAUSE = ("せる", "させる")


def shifts(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """What the clause states; nothing where another rule has to read it."""
    if clause.negated or clause.kind not in ("verb", "noun"):
        return
    if clause.lemma in _WITH and clause.lasting:
        yield from _companion(clause, scene)
    elif clause.lemma in _WORN:
        yield from _worn(clause, scene)
    elif clause.kind == "verb" and clause.lemma in _MOVED | _CARRIED:
        found = list(_moved(clause, scene)) if clause.lemma in _MOVED else []
        yield from found or (_carried(clause, scene) if clause.lemma in _CARRIED and clause.past else ())
    elif clause.kind == "verb" and clause.lemma in _SWITCHED and clause.past:
        yield from _switched(clause, scene)
    elif clause.kind == "verb" and clause.lemma in _HIRED and clause.past:
        yield from _hired(clause, scene)
    elif clause.lemma in ("いる", "おる"):
        yield from _in_team(clause, scene)
    elif clause.lemma in ("作る", "開く", "開設する", "持つ"):
        yield from _account(clause, scene)


def caused(clause: Clause, scene: Scene) -> Clause:
    """華を転校させた as 華が転校した: whoever had it done."""
    what = clause.arg("を")
    if what is None or not clause.has(*_OWN_CAUSE) or not (is_agent(what, scene) or _known(what, scene)):
        return clause
    rest = [a for a in clause.args if a is not what and not (a.topic and is_agent(a, scene))]
    return replace(clause, args=[Arg(what.parts, "は", True), *rest])


def _known(arg: Arg, scene: Scene) -> bool:
    return len(arg.parts) == 1 and scene.context.person is not None and arg.text == scene.context.person.text


def _companion(clause: Clause, scene: Scene) -> Iterator[Draft]:
    partner = clause.arg("と")
    if name := name_of(partner, scene, "person"):
        who = subject(clause, scene, partner)
        said = f"{who[0].text}は{name.text}と付き合っている" if who[0] else None
        yield from one(make(clause, scene, "dates", name, who=who, canonical=False, confidence=0.75, text=said))


def _worn(clause: Clause, scene: Scene) -> Iterator[Draft]:
    what = clause.arg("を") or next((a for a in clause.args if a.topic and _SIZE.fullmatch(a.head.text)), None)
    if what is None or not _SIZE.fullmatch(what.head.text) or not clause.lasting:
        return
    who = scene.topic or scene.context.topic or scene.context.me
    predicate = _WORN[clause.lemma]
    value = Name(what.head.text)
    yield from one(make(clause, scene, predicate, value, who=(who, True), cardinality="one", confidence=0.75))


def _moved(clause: Clause, scene: Scene) -> Iterator[Draft]:
    value = clause.arg("に", "へ")
    done = clause.past or clause.lasting or clause.dates or "これから" in clause.adverbs
    if value is None or not done:
        return
    beside = clause.arg("が", "を")
    if beside is not None and kin_of(beside.head, scene):
        return  # 上司が津田部長に変わった
    topic = next((a for a in clause.args if a.topic and a.role == "は"), None)
    thing = next((a for a in (beside, topic) if a is not None and not is_agent(a, scene)), None)
    who = subject(clause, scene, value)
    if clause.lemma == "なる" and (found := list(_became_mine(clause, scene, value))):
        yield from found
    elif value.head.text in WORK_MODES and thing is None:
        yield from one(make(clause, scene, "work_mode", Name(value.head.text), who=who, state=False))
    elif value.head.text == "担当" and len(value.parts) > 1 and (name := entity(value.parts[:-1], scene)):
        yield from one(make(clause, scene, "works_on", name, who=who, state=False, confidence=0.7))
    elif thing is None and clause.lemma not in ("なる", "入る") and is_job(value.head.text, scene):
        yield from one(make(clause, scene, "job_title", Name(value.text), who=who, state=False))
    elif thing is None and clause.lemma in _TO_TEAM and is_team(value.text, scene):
        team = entity(value.parts, scene)
        yield from one(make(clause, scene, "team", team, who=who, state=False)) if team else ()


def _became_mine(clause: Clause, scene: Scene, value: Arg) -> Iterator[Draft]:
    """石川さんが上司になった, 大森さんがうちの課長になった: whom the speaker has in that role."""
    person = clause.arg("が") or next((a for a in clause.args if a.topic and a.role == "は"), None)
    if person is None or not is_agent(person, scene) or kin_of(person.head, scene):
        return
    mine = len(value.parts) > 1 and scene.known(value.parts[0].text, "first_person", "own_company")
    role = kin_of(value.head, scene)
    title = value.head.text in scene.words.lists_ja["titles"]
    others = [a for a in clause.args if a.topic and a is not person and is_agent(a, scene)]
    owner = entity(others[0].parts, scene) if others else scene.context.me
    role = role if len(value.parts) == 1 or mine else None
    role = "manager" if role is None and mine and title else role
    if role and (name := name_of(person, scene, "person")) and owner is not None and name.text != owner.text:
        word = "上司" if role == "manager" else value.head.text
        said = f"{owner.text}の{word}は{name.text}"
        yield from one(make(clause, scene, role, name, who=(owner, False), state=False, text=said))


def _hired(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ハーバーテックに拾ってもらった, みどり工業に再就職できた."""
    where = clause.arg("に", "へ", "で")
    got = clause.has("もらう", "れる", "られる") or clause.lemma.endswith("する")
    if where is None or not got or where.head.temporal or is_agent(where, scene):
        return
    firm = name_of(where, scene, "organisation")
    if firm is None:
        return
    draft = make(clause, scene, "works_at", firm, who=subject(clause, scene, where), state=False, confidence=0.75)
    if draft is not None and clause.lemma in ("拾う", "呼ぶ", "移籍する"):
        scene.loose.append(Loose(draft, ("works_at", "plays_for"), "told"))
    else:
        yield from one(draft)


def _switched(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """自転車通勤に切り替えた; else what is new stands in the place of something that the sentence names."""
    value = clause.arg("に", "へ") or (clause.arg("を") if clause.lemma == "始める" else None)
    if value is None:
        return
    who = subject(clause, scene, value)
    if match := _COMMUTE.fullmatch(value.head.text):
        yield from one(make(clause, scene, "commute", Name(match["means"]), who=who, state=False))
    elif value.head.text in WORK_MODES:
        yield from one(make(clause, scene, "work_mode", Name(value.head.text), who=who, state=False))
    elif name := name_of(value, scene):
        draft = make(clause, scene, "uses", name, who=who, state=False, canonical=False)
        scene.loose += [Loose(draft, ("uses",), "instead")] if draft else []


def _carried(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """予備の鍵は金庫に移した: where a thing is now."""
    where = clause.arg("に", "へ")
    thing = clause.arg("を") or next((a for a in clause.args if a.topic and not is_agent(a, scene)), None)
    if where is None or thing is None or (thing.topic and thing.role not in ("は", "も", "を")):
        return
    if is_attribute(thing.head.text, scene) or where.head.number or scene.words.kind_ja(where.text):
        return
    if thing.head.text in ("居", "籍", "拠点", "口座", "席", "気", "目", "手", "身"):
        return
    if (name := entity(thing.parts, scene)) and not name.is_speaker and (place := name_of(where, scene)):
        yield from one(
            make(clause, scene, "located_in", place, who=(name, False), state=False, canonical=False, confidence=0.7)
        )


def _in_team(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """決済チームにいます."""
    where = clause.arg("に")
    if where is not None and is_team(where.text, scene) and not clause.past and clause.arg("が") is None:
        who = subject(clause, scene, where)
        if (
            (name := name_of(where, scene, "organisation"))
            and who[0]
            and (who[0].is_speaker or who[0].type == "person")
        ):
            yield from one(make(clause, scene, "team", name, who=who, confidence=0.75))


def _account(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """さくら銀行に口座を作った."""
    what, where = clause.arg("を"), clause.arg("に", "で")
    bank = where
    if what is not None and what.head.text == "口座" and len(what.parts) > 1:
        bank = Arg(what.parts[:-1], "に")
    if (
        what is None
        or what.head.text not in ("口座", "給与口座")
        or bank is None
        or scene.words.kind_ja(bank.text) != "bank"
    ):
        return
    if clause.past or clause.lasting:
        who = subject(clause, scene, what, where)
        yield from one(
            make(clause, scene, "bank", Name(bank.text, "organisation"), who=who, state=False, confidence=0.75)
        )
