"""Japanese verbs of belonging: posts, teams, schools, clubs, homes, insurers, doctors, partners, pastimes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from .draft import Draft, Name
from .japanese_copula import attribute, attribute_of, entity_text, is_attribute, is_job, is_organisation, is_team
from .japanese_make import make, subject
from .japanese_morphs import Arg, Clause, Part
from .japanese_names import Scene, entity, is_agent, kin_of
from .japanese_verbs import VERBS, Rule, name_of, one

_SCHOOL = re.compile(r"(?:大学院?|高校|高等学校|中学校?|小学校|学園|学院|専門学校|短大|高専|大学校|学校)$")
_CLUB = re.compile(r"ジム|フィットネス|スポーツクラブ|道場|教室|スクール|サロン|スタジオ|クラブ|塾")
_GROUP = re.compile(
    r".(?:合唱団|楽団|劇団|サークル|クラブ|バンド|チーム|協会|組合|同好会|商店会|町内会|自治会|研究会|の会)$"
)
_HOUSING = re.compile(r"(?:アパート|マンション|一軒家|借家|社宅|寮|団地|下宿|部屋|家|戸建て|シェアハウス)$")
_STUDENTS = frozenset({"学生", "大学生", "院生", "大学院生", "生徒", "高校生", "中学生", "小学生", "1年生", "一年生"})
_POSTS = frozenset({"職", "座", "地位", "ポスト", "役", "任", "立場", "役職"})
_TRAVEL = re.compile(r"(?:電車|バス|地下鉄|新幹線|飛行機|タクシー|船|フェリー|列車|馬|モノレール|路面電車|私鉄|JR)$")
_PRIZE = re.compile(r"(?:賞|メダル|褒章|勲章|大賞|優勝|グランプリ|栄冠|最優秀\S{0,6})$")


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
    what = clause.arg("を")
    lives = what is not None and what.head.text.endswith("暮らし")
    yield from _dwell(clause, scene) if lives else VERBS["する"](clause, scene)


def _ride(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ジムニーに乗っている: the car one has, not the train one sits in."""
    what = clause.arg("に")
    if what is None or _TRAVEL.search(what.text) or not ((clause.lasting and not clause.dates) or clause.has("なる")):
        return
    known = scene.words.kind_ja(what.text) == "car" or what.head.unknown or re.search(r"[ァ-ヶA-Z]{2}", what.text)
    if known and (name := name_of(what, scene)):
        yield from one(make(clause, scene, "car", name, who=subject(clause, scene, what)))


def _commute(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """地下鉄で通勤している, 梅田オフィスに出社している."""
    means, where = clause.arg("で"), clause.arg("に", "へ")
    if clause.negated and not clause.has("なる"):
        return
    if means and clause.lemma in ("通勤する", "通学する") and (name := name_of(means, scene)):
        yield from one(make(clause, scene, "commute", name, who=subject(clause, scene, means, where)))
    goes = clause.lemma in ("出社する", "出勤する", "通勤する") and clause.lasting
    place = name_of(where, scene) if goes else None
    if place and not scene.known(place.text, "things") and place.text not in ("会社", "職場", "オフィス"):
        yield from one(make(clause, scene, "office", place, who=subject(clause, scene, means, where)))


def _insured(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """山手生命の保険に入っている, 共済に加入した; any other thing joined is a club or service."""
    what = clause.arg("に")
    firm = insurer(what)
    held = not clause.negated and (clause.lasting or clause.past)
    if what is None or not held:
        return
    who = subject(clause, scene, what)
    if firm and (name := entity(firm, scene)):
        company = Name(name.text, "organisation")
        yield from one(make(clause, scene, "insured_with", company, who=who, state=clause.lasting))
    elif (clause.lemma != "入る" or _GROUP.search(what.text)) and (name := name_of(what, scene, "organisation")):
        yield from one(make(clause, scene, "member_of", name, who=who, state=clause.lasting))


_NO_INSURER = frozenset(
    {
        "子ども",
        "子供",
        "息子",
        "娘",
        "母",
        "父",
        "両親",
        "祖母",
        "祖父",
        "私",
        "自分",
        "会社",
        "勤務先",
        "職場",
        "国",
        "民間",
        "家族",
        "夫",
        "妻",
        "親",
        "車",
        "自動車",
        "火災",
        "医療",
        "掛け捨て",
    }
)


def insurer(arg: Arg | None) -> tuple[Part, ...]:
    """The firm in 山手生命の保険, 東西共済; nothing where no insurance is meant."""
    if arg is None:
        return ()
    if arg.head.text.endswith("保険") and len(arg.parts) > 1:
        owner = arg.parts[-2]
        person = owner.honorific or owner.proper == "人名" or owner.text in _NO_INSURER
        return () if person else arg.parts[:-1]
    kind = re.search(r".(?:生命|損保|海上|共済)$", arg.head.text)
    return arg.parts if kind else ()


def _treated(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """有馬先生に診てもらっている."""
    by = clause.arg("に")
    doctor = by is not None and (by.head.honorific or scene.words.kind_ja(by.text) == "doctor")
    cared = clause.has("もらう", "いただく", "頂く", "られる", "れる") and (clause.lasting or clause.has("なる"))
    if by and doctor and cared and (name := name_of(by, scene, "person")):
        yield from one(make(clause, scene, "doctor", name, who=subject(clause, scene, by), cardinality="one"))


_PROJECT = re.compile(r"(?:計画|案件|プロジェクト|開発|事業|企画|改修|設計|移行|工事|構築|研究|業務|刷新|導入)$")


def _project(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """新駅計画を担当している, 港湾再開発に取り組んでいる, 新駅計画を離れた."""
    what = (
        clause.arg("を", "から") if clause.lemma in (*_LEAVES, "担当する", "手がける", "手掛ける") else clause.arg("に")
    )
    leaves = clause.lemma in _LEAVES
    if leaves and what and clause.past and _GROUP.search(what.text) and (name := name_of(what, scene, "organisation")):
        who = subject(clause, scene, what)
        yield from one(make(clause, scene, "member_of", name, who=who, state=False, over=True))
        return
    if what is None or clause.negated or is_agent(what, scene) or what.head.proper == "地名":
        return
    project = re.search(
        r"(?:計画|案件|プロジェクト|開発|事業|企画|改修|設計|移行|工事|構築|研究|業務|刷新|導入)$", what.text
    )
    if leaves and not (clause.past and project):
        return
    if not leaves and not clause.lasting and not clause.past:
        return
    if name := name_of(what, scene):
        over = True if leaves else None
        yield from one(
            make(
                clause,
                scene,
                "works_on",
                name,
                who=subject(clause, scene, what),
                state=not leaves,
                over=over,
                confidence=0.7,
            )
        )


_LEAVES = frozenset({"離れる", "外れる", "降りる", "抜ける"})


def _won(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """文学賞を受賞した, 大賞に輝いた, 金メダルを取った."""
    what = clause.arg("を", "に")
    if what is None or not clause.past or clause.negated or not _PRIZE.search(what.text):
        return
    joined = [a for a in clause.args if a.role in ("と", "や", "、") and not a.topic and _PRIZE.search(a.text)]
    for name in filter(None, (name_of(a, scene) for a in (*joined, what))):
        yield from one(
            make(
                clause,
                scene,
                "won",
                name,
                who=subject(clause, scene, what),
                state=False,
                canonical=False,
                confidence=0.8,
            )
        )


def _hobby(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """編み物にはまっている."""
    what = clause.arg("に")
    if what and not is_agent(what, scene) and (clause.lasting or clause.past) and (name := name_of(what, scene)):
        who = subject(clause, scene, what)
        yield from one(make(clause, scene, "趣味", name, who=who, canonical=False, confidence=0.7, cardinality="many"))


def _begin(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ウクレレを始めた: one plays it from now on."""
    what = clause.arg("を") or next((a for a in reversed(clause.args) if a.topic and not is_agent(a, scene)), None)
    plays = what is not None and what.head.text in scene.words.lists_ja["instruments"] | scene.words.lists_ja["sports"]
    if what and plays and clause.past and not clause.negated and (name := name_of(what, scene)):
        yield from one(
            make(
                clause,
                scene,
                "plays",
                name,
                who=subject(clause, scene, what),
                state=False,
                canonical=False,
                confidence=0.7,
            )
        )


def _diet(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ハラール食を守っている."""
    what = clause.arg("を")
    if what and what.text in scene.words.lists["diets_ja"] and (clause.lasting or clause.past) and not clause.negated:
        yield from one(make(clause, scene, "diet", Name(what.text), who=subject(clause, scene, what), text=None))


def _diagnosed(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """小麦アレルギーと診断された."""
    what = clause.arg("と")
    if what and what.text.endswith("アレルギー") and clause.past and not clause.negated:
        food = what.text.removesuffix("アレルギー").rstrip("の")
        if food:
            yield from one(make(clause, scene, "allergic_to", Name(food), who=subject(clause, scene, what)))


def _healed(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """彼の小麦アレルギーは治った."""
    what = clause.arg("が") or next((a for a in clause.args if a.topic and a.head.text.endswith("アレルギー")), None)
    if what is None or not clause.past or clause.negated:
        return
    if what.head.text.endswith(scene.words.suffixes["illness_suffixes_ja"]):
        ill = (entity(what.parts[:-1], scene), False) if len(what.parts) > 1 else subject(clause, scene, what)
        held = f"{ill[0].text}は{what.head.text}である" if ill[0] else None
        yield from one(make(clause, scene, "has", Name(what.head.text), who=ill, state=False, over=True, text=held))
    if not what.head.text.endswith("アレルギー"):
        return
    food = what.head.text.removesuffix("アレルギー")
    who = (entity(what.parts[:-1], scene), False) if len(what.parts) > 1 else subject(clause, scene, what)
    if food:
        yield from one(make(clause, scene, "allergic_to", Name(food), who=who, state=False, over=True))


def _settle_down(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """大田区に居を移した."""
    what, where = clause.arg("を"), clause.arg("に", "へ")
    if what and what.text in ("居", "住まい", "住居", "住所", "拠点", "生活の拠点") and where and clause.past:
        if (place := name_of(where, scene, "place")) and where.head.proper == "地名":
            who = subject(clause, scene, what, where)
            yield from one(make(clause, scene, "lives_in", place, who=who, state=False))
    else:
        yield from VERBS["移す"](clause, scene)


def _party(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """緑風党に入党した, 緑風党を離党した."""
    where, left = clause.arg("に", "へ"), clause.arg("を", "から")
    leaves = clause.lemma == "離党する"
    what = left if leaves else where
    if clause.past and not clause.negated and (party := name_of(what, scene, "organisation")):
        who, over = subject(clause, scene, what), True if leaves else None
        yield from one(make(clause, scene, "political_party", party, who=who, state=False, over=over))


def _ill(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """糖尿病を患っている."""
    what = clause.arg("を")
    if what and clause.lasting and not clause.negated and (name := name_of(what, scene)):
        who = subject(clause, scene, what)
        yield from one(make(clause, scene, "has", name, who=who, canonical=False, confidence=0.7))


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


POSTS: dict[str, Rule] = {
    **dict.fromkeys(("任す", "任せる", "務める", "就く", "昇進する", "昇格する", "就任する", "抜擢する", "昇任する",
                     "選出する", "当選する", "任命する", "格上げする", "降格する"), _post),
    "入党する": _party, "離党する": _party, "患う": _ill,
    "診断する": _diagnosed, "治る": _healed, "移す": _settle_down,
    **dict.fromkeys(("退く", "辞任する", "退任する", "引退する"), _stepped_down),
    **dict.fromkeys(("所属する", "異動する", "配属する", "転属する", "勤務する", "働く"), _member),
    **dict.fromkeys(("移籍する", "プレーする", "入団する", "在籍する"), _transfer),
    "退団する": _left_club,
    "通う": _go_regularly,
    **dict.fromkeys(("入学する", "進学する", "編入する", "転校する", "転入する", "在学する", *_LEAVES_SCHOOL), _enrol),
    "なる": become, "置く": _registered, "越す": _move_over,
    **dict.fromkeys(("借りる", "構える", "下宿する", "同居する"), _dwell),
    "住む": _live, "暮らす": _live, "する": _do,
    "乗る": _ride,
    **dict.fromkeys(("通勤する", "通学する", "出社する", "出勤する"), _commute),
    **dict.fromkeys(("入る", "加入する", "入会する", "入部する"), _insured),
    **dict.fromkeys(("診る", "診察する", "治療する"), _treated),
    **dict.fromkeys(("担当する", "取り組む", "手がける", "手掛ける", "携わる", "従事する", *_LEAVES), _project),
    **dict.fromkeys(("受賞する", "受章する", "輝く", "獲得する", "取る", "とる", "選ぶ", "獲る", "もらう", "授与する"), _won),
    **dict.fromkeys(("はまる", "ハマる", "凝る", "熱中する", "打ち込む"), _hobby),
    "始める": _begin,
    **dict.fromkeys(("守る", "続ける", "実践する", "徹底する"), _diet),
    "ある": _at_post, "いる": _with_kin,
}  # fmt: skip
"""Dictionary form to rule; each falls back to the plain rule of the verb."""
