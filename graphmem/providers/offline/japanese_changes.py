"""Japanese verbs of change: one thing in place of another, and things that are had no more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from .draft import Draft, Name
from .japanese_attribute import attribute_of, is_attribute, is_team
from .japanese_belongings import insurer
from .japanese_copula import is_organisation
from .japanese_make import make, subject
from .japanese_morphs import Arg, Clause
from .japanese_names import Scene, entity, is_agent
from .japanese_posts import POSTS
from .japanese_values import name_of, one
from .japanese_verbs import VERBS, Rule

_DONE = re.compile(r"^ご?(?P<verb>[^ぁ-ん]{2,8}?)(?:の?手続き?)?(?P<state>中|済み?|完了)$")
_SPOKEN = re.compile(r"^ご?(?P<verb>[^ぁ-んァ-ヶ]{2,4})$")


def _switch(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ジムニーからデミオに乗り換えた, スマホをPixelに替えた: in the relation that the old one had."""
    target, origin, what = clause.arg("に", "へ"), clause.arg("から"), clause.arg("を")
    predicate = _relation(target, origin, what, scene) if target else None
    if target is None or predicate is None or clause.negated or not clause.past:
        yield from _plain(clause, scene)
        return
    who = subject(clause, scene, target, origin, what)
    owners = attribute_of(what.parts, scene)[0] if what else ()
    if owners:
        who = entity(owners, scene), False
    for arg, over in ((target, None), (origin, True)):
        if arg and (name := name_of(arg, scene)):
            yield from one(
                make(
                    clause,
                    scene,
                    predicate,
                    name,
                    who=who,
                    state=False,
                    over=over,
                    canonical=over is True,
                    confidence=0.75,
                )
            )


def _plain(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """Each verb's own rule; 〜から〜に with any verb of change where the relation is told by nothing is `uses`."""
    lemma = clause.lemma if clause.lemma in VERBS else "乗り換える"
    yield from VERBS[lemma](replace(clause, lemma=lemma), scene)


def _relation(target: Arg, origin: Arg | None, what: Arg | None, scene: Scene) -> str | None:
    """By what changed (スマホを), else by what the new or the old one is; None where neither tells."""
    if what is not None:
        _, attr = attribute_of(what.parts, scene)
        known = is_attribute(attr.text, scene) or attr.text in scene.words.kin
        if known and origin is None:
            return None  # the rule of attributes does it
        return scene.words.attribute_predicate(attr.text) if known else scene.words.kind_ja(target.text)
    if origin is not None and is_team(target.text, scene) and is_team(origin.text, scene):
        return "team"
    kind = scene.words.kind_ja(target.text) or (scene.words.kind_ja(origin.text) if origin else None)
    return kind if origin is not None or kind in ("car", "phone_model", "subscription_plan", "bank") else None


_CONTRACTS = frozenset({"契約", "会員", "購読", "定期購読", "サブスク", "会員登録"})


def _kind(what: Arg, scene: Scene) -> str | None:
    """What the name tells; 〜の保険 that names no insurer tells nothing."""
    return None if len(what.parts) > 1 and what.head.text.endswith("保険") else scene.words.kind_ja(what.text)


def _cancel(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """保険を解約した, ジムを退会した, Netflixの契約をやめた."""
    topics = (a for a in clause.args if a.topic and a.role == "は" and not is_agent(a, scene))
    what = clause.arg("を") or next(topics, None)
    if what is None or clause.negated or not clause.past:
        return
    if what.head.text in _CONTRACTS and (partner := clause.arg("と")):
        what = partner  # 東京海上との契約を打ち切った
    parts = what.parts[:-1] if what.head.text in _CONTRACTS else what.parts
    parts = insurer(what) or parts
    predicate = "insured_with" if insurer(what) else _kind(what, scene) or "subscribes_to"
    if predicate == "subscribes_to" and what.head.text.endswith("保険"):
        return  # 子どもの保険 names no insurer
    who = subject(clause, scene, what)
    name = entity(parts, scene) if parts else None
    if name is None or scene.known(name.text, "things"):
        return
    both = ("subscribes_to", "uses") if predicate == "subscribes_to" else (predicate,)
    for relation in both:
        yield from one(
            make(
                clause,
                scene,
                relation,
                name,
                who=who,
                state=False,
                over=True,
                canonical=True,
                confidence=0.75,
            )
        )


def _subscribe(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """ライトプランを契約している."""
    what = clause.arg("を", "と", "に")
    if what is None or clause.negated or not (clause.lasting or clause.past):
        return
    firm = insurer(what)
    predicate = "insured_with" if firm else _kind(what, scene) or "subscribes_to"
    if name := entity(firm or what.parts, scene):
        yield from one(make(clause, scene, predicate, name, who=subject(clause, scene, what), state=clause.lasting))


_NOT_OWNED = frozenset(
    {"席", "座席", "道", "順番", "場所", "話", "役", "権利", "主導権", "座", "ゴミ", "ごみ", "仕事", "案件"}
)


def _give_away(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """車を手放した, ギターを譲った: owned no more."""
    what = clause.arg("を")
    if what is None or clause.negated or not clause.past or clause.lasting or (name := name_of(what, scene)) is None:
        return
    if what.head.text in _NOT_OWNED:
        return
    lists, who = scene.words.lists, subject(clause, scene, what)
    predicate = "has_pet" if what.head.text in lists["pets_ja"] else scene.words.kind_ja(what.text) or "owns"
    both = ("owns", predicate) if predicate == "car" else (predicate,)
    for relation in both:
        yield from one(
            make(clause, scene, relation, name, who=who, state=False, over=True, canonical=True, confidence=0.75)
        )


def _quit(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """三味線をやめた: played no more; a club is left."""
    what = clause.arg("を", "から")
    lists = scene.words.lists_ja
    if what is not None and (what.head.text in _CONTRACTS or scene.words.kind_ja(what.text) == "subscription_plan"):
        yield from _cancel(clause, scene)
        return
    if what is not None and clause.past and not clause.negated and (name := name_of(what, scene)):
        who = subject(clause, scene, what)
        ended = "plays" if what.head.text in lists["instruments"] else None
        ended = "diet" if what.text in scene.words.lists["diets_ja"] else ended
        if ended:
            yield from one(make(clause, scene, ended, name, who=who, state=False, over=True, confidence=0.7))
            return
        club = re.search(r"(?:ジム|フィットネス|スポーツクラブ|教室|スクール|サークル|クラブ|部)", what.text)
        if (
            clause.lemma in ("やめる", "辞める")
            and club
            and not is_organisation(what.text, scene)
            and len(what.text) > 3
        ):
            yield from one(make(clause, scene, "member_of", name, who=who, state=False, over=True, confidence=0.7))
            return
    yield from VERBS["やめる"](clause, scene)


_CONTACTS = frozenset({"連絡", "案内", "メール", "電話", "やりとり"})


def _prefer_language(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """連絡はフランス語を希望している."""
    what = clause.arg("を", "が")
    topic = next((a for a in clause.args if a.topic and a.head.text in _CONTACTS), None)
    means = clause.arg("で")
    if what and means and what.head.text in _CONTACTS and means.text.endswith("語") and not clause.negated:
        who = subject(clause, scene, what, means)  # 中国語での連絡を希望
        yield from one(make(clause, scene, "preferred_language", Name(means.text), who=who))
        return
    if what is None or not what.text.endswith("語") or topic is None or clause.negated:
        return
    owners, _ = attribute_of(topic.parts, scene)
    owner = entity(owners, scene) if owners else subject(clause, scene, topic, what)[0]
    yield from one(make(clause, scene, "preferred_language", Name(what.text), who=(owner, not owners)))


def prefers_language(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """今後の連絡は英語がいい."""
    if clause.lemma in ("いい", "よい", "良い") and not clause.past:
        yield from _prefer_language(clause, scene)


def told_in_short(clause: Clause) -> Clause:
    """The clause with the verb that its noun stands for: ライトプランを契約中, 大阪支社へ異動, 解約済み."""
    if clause.kind != "noun" or len(clause.noun) != 1 or clause.endings[:1] not in ([], ["だ"], ["です"]):
        return clause
    word = clause.noun[0].text
    beside = any(a.role in ("を", "に", "へ", "から", "と") and not a.topic for a in clause.args)
    if not beside:
        return clause
    if match := _DONE.match(word):
        state = "いる" if match["state"] == "中" else "た"
    elif (match := _SPOKEN.match(word)) and match["verb"] + "する" in RULES:
        state = "いる" if match["verb"] in _STATES else "た"
    else:
        return clause
    verb = match["verb"] + "する"
    if verb not in RULES:
        return clause
    return replace(clause, kind="verb", lemma=verb, noun=(), endings=[state])


_STATES = frozenset({"所属", "勤務", "在籍", "担当", "契約", "加入", "通勤", "希望", "在住", "利用", "使用", "所有"})


RULES: dict[str, Rule] = {
    **VERBS, **POSTS,
    **dict.fromkeys(("乗り換える", "乗り替える", "切り替える", "切り換える", "替える", "換える", "変える", "変更する",
                     "機種変更する", "買い替える", "買い換える", "移行する", "アップグレードする",
                     "取り替える"),
                    _switch),
    **dict.fromkeys(("解約する", "キャンセルする", "失効する", "打ち切る"), _cancel),
    **dict.fromkeys(("契約する", "購読する"), _subscribe),
    **dict.fromkeys(("手放す", "売却する", "譲る", "処分する", "売り払う", "廃車にする"), _give_away),
    **dict.fromkeys(("やめる", "辞める"), _quit),
    "希望する": _prefer_language,
}  # fmt: skip
"""Dictionary form to rule, those of posts and changes before the plain ones."""
