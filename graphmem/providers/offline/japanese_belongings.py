"""Japanese verbs of what one has and does: cars, insurers, doctors, projects, prizes, pastimes, diets, illnesses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .draft import Draft, Name
from .japanese_make import make, subject
from .japanese_morphs import Arg, Clause, Part
from .japanese_names import Scene, entity, is_agent
from .japanese_values import name_of, one
from .japanese_verbs import Rule

_GROUP = re.compile(
    r".(?:合唱団|楽団|劇団|サークル|クラブ|バンド|チーム|協会|組合|同好会|商店会|町内会|自治会|研究会|の会)$"
)


_TRAVEL = re.compile(r"(?:電車|バス|地下鉄|新幹線|飛行機|タクシー|船|フェリー|列車|馬|モノレール|路面電車|私鉄|JR)$")


_PRIZE = re.compile(r"(?:賞|メダル|褒章|勲章|大賞|優勝|グランプリ|栄冠|最優秀\S{0,6})$")


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


BELONGINGS: dict[str, Rule] = {
    "入党する": _party, "離党する": _party, "患う": _ill, "診断する": _diagnosed, "治る": _healed, "乗る": _ride,
    **dict.fromkeys(("通勤する", "通学する", "出社する", "出勤する"), _commute),
    **dict.fromkeys(("入る", "加入する", "入会する", "入部する"), _insured),
    **dict.fromkeys(("診る", "診察する", "治療する"), _treated),
    **dict.fromkeys(("担当する", "取り組む", "手がける", "手掛ける", "携わる", "従事する", *_LEAVES), _project),
    **dict.fromkeys(("受賞する", "受章する", "輝く", "獲得する", "取る", "とる", "選ぶ", "獲る", "もらう", "授与する"),
                    _won),
    **dict.fromkeys(("はまる", "ハマる", "凝る", "熱中する", "打ち込む"), _hobby),
    "始める": _begin,
    **dict.fromkeys(("守る", "続ける", "実践する", "徹底する"), _diet),
}  # fmt: skip
"""Dictionary form to rule."""
