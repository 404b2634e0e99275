"""Japanese verbs of belonging: posts, teams, schools, clubs, homes, insurers, doctors, partners, pastimes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from .draft import Draft, Name
from .japanese_attribute import attribute, attribute_of, entity_text, is_attribute, is_team
from .japanese_belongings import BELONGINGS
from .japanese_copula import is_job, is_organisation
from .japanese_make import make, subject
from .japanese_morphs import Arg, Clause
from .japanese_names import Scene, entity, is_agent, kin_of
from .japanese_values import name_of, one
from .japanese_verbs import VERBS, Rule

_SCHOOL = re.compile(r"(?:大学院?|高校|高等学校|中学校?|小学校|学園|学院|専門学校|短大|高専|大学校|学校)$")
_CLUB = re.compile(r"ジム|フィットネス|スポーツクラブ|道場|教室|スクール|サロン|スタジオ|クラブ|塾")
_HOUSING = re.compile(r"(?:アパート|マンション|一軒家|借家|社宅|寮|団地|下宿|部屋|家|戸建て|シェアハウス)$")
_STUDENTS = frozenset({"学生", "大学生", "院生", "大学院生", "生徒", "高校生", "中学生", "小学生", "1年生", "一年生"})
_POSTS = frozenset({"職", "座", "地位", "ポスト", "役", "任", "立場", "役職"})


def _post(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """課長を任されている, 町長を務めた, 店長に就いている."""
    value = clause.arg("を", "に", "へ", "として")
    if value is None or clause.negated:
        return
    parts = value.parts[:-1] if value.head.text in _POSTS and len(value.parts) > 1 else value.parts
    if is_job(parts[-1].text, scene):
        post, state = Name(entity_text(parts)), clause.lemma not in _STEPS_UP
        yield from one(make(clause, scene, "job_title", post, who=subject(clause, scene, value), state=state))


_STEPS_UP = frozenset(
    {
        "格上げする",
        "降格する",
        "就く",
        "昇進する",
        "昇格する",
        "就任する",
        "抜擢する",
        "昇任する",
        "選出する",
        "当選する",
        "任命する",
    }
)


def _stepped_down(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """部長を退いた, 監督を辞任した, 選手を引退した."""
    value = clause.arg("を", "から")
    if value is None or not clause.past or clause.negated:
        return
    parts = value.parts[:-1] if value.head.text in _POSTS and len(value.parts) > 1 else value.parts
    if is_job(parts[-1].text, scene):
        post, who = Name(entity_text(parts)), subject(clause, scene, value)
        yield from one(make(clause, scene, "job_title", post, who=who, state=False, over=True))


def _at_post(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """大臣の職にあった, アレルギーもある人: what ある says beside where a thing is."""
    where = clause.arg("に")
    if where and where.head.text in _POSTS and len(where.parts) > 1:
        yield from _post(clause, scene)
        return
    account = clause.arg("が")
    if where and account and account.head.text == "口座" and scene.words.kind_ja(where.text) == "bank":
        bank = Name(where.text, "organisation")
        yield from one(make(clause, scene, "bank", bank, who=subject(clause, scene, where, account)))
        return
    homes = [a for a in clause.args if a.topic and a.role == "は" and _home(a, scene)]
    placed = where is not None and (where.head.proper == "地名" or re.search(r"[市区町村県府都]$", where.text))
    if where and placed and homes and len(homes[0].parts) > 1 and not clause.past:
        owner = entity(homes[0].parts[:-1], scene)
        home = replace(homes[0].head, text="自宅")
        yield from attribute(replace(clause, kind="noun"), scene, owner, home, where.parts)
        return
    yield from VERBS["ある"](_with_person(clause, scene), scene)


def _home(arg: Arg, scene: Scene) -> bool:
    return arg.head.text in ("家", "住居") or scene.words.attribute.get(arg.head.text) == "lives_in"


def _with_person(clause: Clause, scene: Scene) -> Clause:
    """田中さんには…がある: the person has it."""
    person = next((a for a in clause.args if a.topic and a.role == "に" and is_agent(a, scene)), None)
    if person is None or any(a.topic and a.role == "は" and is_agent(a, scene) for a in clause.args):
        return clause
    return replace(clause, args=[replace(person, role="は"), *[a for a in clause.args if a is not person]])


def _with_kin(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """由美を妻としている."""
    role, person = clause.arg("として"), clause.arg("を")
    kin = kin_of(role.head, scene) if role else None
    if kin and person and (name := name_of(person, scene, "person")):
        yield from one(make(clause, scene, kin, name, who=subject(clause, scene, person, role)))
    else:
        yield from VERBS["いる"](_with_person(clause, scene), scene)


def _member(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """営業部に異動した, 広報チームに所属している: a part of a firm is no firm."""
    where = clause.arg("に", "へ", "で")
    if where is None or not is_team(where.text, scene) or not (name := name_of(where, scene, "organisation")):
        yield from VERBS["所属する" if clause.lemma not in VERBS else clause.lemma](clause, scene)
        return
    state = clause.lemma in ("所属する", "在籍する", "勤務する", "働く")
    yield from one(make(clause, scene, "team", name, who=subject(clause, scene, where), state=state))


def _transfer(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """東海に移籍した, 広島でプレーした: the club one plays for."""
    where, origin = clause.arg("に", "へ", "で"), clause.arg("から")
    if where is None or clause.negated or where.head.temporal:
        return
    who = subject(clause, scene, where, origin)
    predicate = "works_at" if is_organisation(where.text, scene) else "plays_for"
    state = clause.lemma in ("プレーする", "在籍する")
    if name := name_of(where, scene, "organisation"):
        yield from one(make(clause, scene, predicate, name, who=who, state=state, canonical=predicate == "works_at"))
    if clause.past and (left := name_of(origin, scene, "organisation")):
        yield from one(make(clause, scene, predicate, left, who=who, state=False, over=True))


def _left_club(clause: Clause, scene: Scene) -> Iterator[Draft]:
    what = clause.arg("を", "から")
    if clause.past and (name := name_of(what, scene, "organisation")):
        who = subject(clause, scene, what)
        for relation in ("plays_for", "member_of"):
            yield from one(make(clause, scene, relation, name, who=who, state=False, over=True))


def _go_regularly(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """高校に通っている, ジムに週三回通っている."""
    where = clause.arg("に", "へ")
    if where is None or not (name := name_of(where, scene, "organisation")):
        return
    who, predicate = subject(clause, scene, where), None
    if _SCHOOL.fullmatch(where.text):
        return  # which one is not told
    if _SCHOOL.search(where.text):
        predicate = "attends"
    elif _CLUB.search(where.text) and not scene.known(where.text, "things") and len(where.text) > 3:
        predicate = "member_of"
    if predicate and (clause.lasting or clause.past or clause.negated):
        yield from one(make(clause, scene, predicate, name, who=who, canonical=predicate == "attends"))


def _enrol(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """美術大学に進学した, 大学を卒業した."""
    where, left = clause.arg("に", "へ"), clause.arg("を", "から")
    if clause.negated or not (clause.past or clause.lemma == "在学する"):
        return
    if where and _SCHOOL.search(where.text) and (name := name_of(where, scene, "organisation")):
        yield from one(make(clause, scene, "attends", name, who=subject(clause, scene, where, left), state=False))
    elif left and _SCHOOL.search(left.text) and (name := name_of(left, scene, "organisation")):
        over = clause.lemma in (*_LEAVES_SCHOOL, "転校する") or None
        if over:
            who = subject(clause, scene, left)
            yield from one(make(clause, scene, "attends", name, who=who, state=False, over=True))


_LEAVES_SCHOOL = frozenset({"中退する", "退学する"})


_FEELINGS = {"好き": "likes", "大好き": "likes", "嫌い": "dislikes", "大嫌い": "dislikes", "苦手": "dislikes"}


def become(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """大学の学生になった, うなぎが好物になった; else a new value of an attribute."""
    value, ga = clause.arg("に"), clause.arg("が")
    if value and ga and (liking := _FEELINGS.get(value.text)) and clause.past and (name := name_of(ga, scene)):
        who = subject(clause, scene, value, ga)
        if not clause.negated:
            yield from one(make(clause, scene, liking, name, who=who, state=False))
        return
    if value and scene.words.kind_ja(value.text) == "subscription_plan" and clause.past and not clause.negated:
        who = subject(clause, scene, value)
        yield from one(make(clause, scene, "subscription_plan", Name(value.text), who=who, state=False))
        return
    past = clause.past and not clause.negated
    thing = ga or next((a for a in clause.args if a.topic and not is_agent(a, scene)), None)
    owners, attr = attribute_of(thing.parts, scene) if thing else ((), None)
    if past and value and owners and attr and is_attribute(attr.text, scene) and is_job(value.head.text, scene):
        changed = Clause(args=clause.args, kind="verb", dates=clause.dates, start=clause.start, end=clause.end)
        yield from attribute(changed, scene, entity(owners, scene), attr, value.parts)
        return
    if past and value and value.head.text in _STUDENTS and len(value.parts) > 1:
        school = Arg(value.parts[:-1], "に")
        if _SCHOOL.search(school.text) and (name := name_of(school, scene, "organisation")):
            yield from one(make(clause, scene, "attends", name, who=subject(clause, scene, value), state=False))
            return
    topic = next((a for a in clause.args if a.topic and a.role == "は" and is_agent(a, scene)), None)
    word = value.head.text if value else ""
    if past and topic and ga and value and not is_agent(ga, scene) and word in scene.words.attribute:
        changed = Clause(args=clause.args, kind="verb", dates=clause.dates, start=clause.start, end=clause.end)
        yield from attribute(changed, scene, entity(topic.parts, scene), value.head, ga.parts)
        return
    yield from VERBS["なる"](clause, scene)


def _dwell(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """鎌倉のアパートで一人暮らしをしている, 松本に部屋を借りている, 蕨に居を構えた."""
    where, what = clause.arg("に", "で"), clause.arg("を")
    home = what is None or re.search(
        r"(?:暮らし|部屋|家|アパート|マンション|一軒家|居|住まい|新居|下宿|戸建て)$", what.text
    )
    holds = clause.lasting or clause.past or clause.joiner in ("て", "で")
    if where is None or not home or clause.negated or not holds:
        return
    parts = where.parts[:-1] if len(where.parts) > 1 and _HOUSING.search(where.head.text) else where.parts
    named = parts[-1].proper == "地名" or re.search(r"(?:市|区|町|村|県|府|都)$", parts[-1].text)
    if named and (place := entity(parts, scene)):
        who = subject(clause, scene, where, what)
        canonical = parts == where.parts and clause.lemma not in ("借りる",)
        yield from one(
            make(clause, scene, "lives_in", Name(place.text, "place"), who=who, canonical=canonical, confidence=0.75)
        )


def _live(clause: Clause, scene: Scene) -> Iterator[Draft]:
    where = clause.arg("に", "で")
    if where and len(where.parts) > 1 and _HOUSING.search(where.head.text) and where.parts[-2].proper == "地名":
        yield from _dwell(clause, scene)
    else:
        yield from VERBS["住む"](clause, scene)


def _do(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """一人暮らしをする is living somewhere."""
    what, where = clause.arg("を"), clause.arg("で")
    if what is not None and where is not None and clause.lasting and is_job(what.head.text, scene):
        who = subject(clause, scene, what, where)
        vague = where.head.proper == "地名" or where.head.temporal or scene.known(where.text, "things")
        if not vague and (firm := name_of(where, scene, "organisation")):
            yield from one(make(clause, scene, "works_at", firm, who=who))
        yield from one(make(clause, scene, "job_title", Name(entity_text(what.parts)), who=who))
        return
    lives = what is not None and what.head.text.endswith("暮らし")
    yield from _dwell(clause, scene) if lives else VERBS["する"](clause, scene)


def _settle_down(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """大田区に居を移した."""
    what, where = clause.arg("を"), clause.arg("に", "へ")
    if what and what.text in ("居", "住まい", "住居", "住所", "拠点", "生活の拠点") and where and clause.past:
        if (place := name_of(where, scene, "place")) and where.head.proper == "地名":
            who = subject(clause, scene, what, where)
            yield from one(make(clause, scene, "lives_in", place, who=who, state=False))
    else:
        yield from VERBS["移す"](clause, scene)


def _registered(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """青葉物流に籍を置いている."""
    what, where = clause.arg("を"), clause.arg("に")
    if what is None or what.text != "籍":
        yield from VERBS["置く"](clause, scene)
    elif clause.lasting and not clause.negated and (firm := name_of(where, scene, "organisation")):
        yield from one(make(clause, scene, "works_at", firm, who=subject(clause, scene, what, where)))


def _move_over(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """川越へ越した."""
    where = clause.arg("に", "へ")
    if where and where.head.proper == "地名":
        yield from VERBS["引っ越す"](clause, scene)


def _teach(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """城北高校で数学を教えている: the employer, beside what is taught."""
    where, what = clause.arg("で"), clause.arg("を")
    if where is not None and clause.lasting and (_SCHOOL.search(where.text) or is_organisation(where.text, scene)):
        who = subject(clause, scene, where, what)
        if not _SCHOOL.fullmatch(where.text) and (firm := name_of(where, scene, "organisation")):
            yield from one(make(clause, scene, "works_at", firm, who=who))
        if what is not None and (name := name_of(what, scene)):
            yield from one(make(clause, scene, "teaches", name, who=who, canonical=False, confidence=0.6))


POSTS: dict[str, Rule] = {
    **BELONGINGS,
    **dict.fromkeys(("任す", "任せる", "務める", "就く", "昇進する", "昇格する", "就任する", "抜擢する", "昇任する",
                     "選出する", "当選する", "任命する", "格上げする", "降格する"), _post),
    "移す": _settle_down,
    **dict.fromkeys(("退く", "辞任する", "退任する", "引退する"), _stepped_down),
    **dict.fromkeys(("所属する", "異動する", "配属する", "転属する", "勤務する", "働く"), _member),
    **dict.fromkeys(("移籍する", "プレーする", "入団する", "在籍する"), _transfer),
    "退団する": _left_club, "通う": _go_regularly,
    **dict.fromkeys(("入学する", "進学する", "編入する", "転校する", "転入する", "在学する", *_LEAVES_SCHOOL), _enrol),
    "教える": _teach, "なる": become, "置く": _registered, "越す": _move_over,
    **dict.fromkeys(("借りる", "構える", "下宿する", "同居する"), _dwell),
    "住む": _live, "暮らす": _live, "する": _do, "ある": _at_post, "いる": _with_kin,
}  # fmt: skip
"""Dictionary form to rule; each falls back to the plain rule of the verb."""
