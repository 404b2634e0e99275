"""What a Japanese sentence says is over: やめた, 手放した, 解約した, 別れた, 倒産した, もう〜ない.

Which relation that ends, only what is known can tell, so each is left open (`Loose`) with the way in which it ended.
"""

from __future__ import annotations

from collections.abc import Iterator

from .draft import Loose, Name
from .japanese_make import ended, make, subject
from .japanese_morphs import Arg, Clause
from .japanese_names import Scene, entity, is_agent
from .wordings import ENDS

_WAYS: dict[str, str] = {
    **dict.fromkeys(("やめる", "辞める", "止める", "断つ", "絶つ", "卒業する", "遠ざかる"),
                     "habit"),
    **dict.fromkeys(("手放す", "売る", "売却する", "譲る", "処分する", "捨てる", "売り払う", "下取りする",
                     "廃車する"), "thing"),
    **dict.fromkeys(("解約する", "退会する", "打ち切る", "キャンセルする", "解除する", "脱退する", "抜ける",
                     "閉じる"), "contract"),
    **dict.fromkeys(("退職する", "退社する", "辞任する", "退任する", "降りる", "外れる", "離れる", "引退する",
                     "中退する",
                     "退学する"), "post"),
    **dict.fromkeys(("別れる", "離婚する", "破局する", "破談する"), "person"),
    **dict.fromkeys(("治る", "完治する", "克服する", "治す"), "illness"),
    **dict.fromkeys(("引き払う",), "home"), "飽きる": "liking",
    **dict.fromkeys(("亡くなる", "死ぬ", "旅立つ", "息を引き取る"), "pet"),
    **dict.fromkeys(("倒産する", "潰れる", "つぶれる", "閉店する", "閉鎖する", "解散する", "廃止する", "頓挫する",
                     "閉業する",
                     "廃業する", "中止する", "破綻する"), "closed"),
}  # fmt: skip
"""Verbs of ending, by what can end so."""
_BY_ITSELF = frozenset({"pet", "closed", "illness"})
"""Ways in which the subject of the verb is what is over."""
_STOPS = frozenset({"中止", "廃止", "打ち切り", "凍結", "解散", "お蔵入り", "白紙", "閉店", "閉鎖", "倒産", "破綻"})
_LIKED = frozenset({"好き", "大好き", "好む", "愛する"})
_CASES = {"person": ("と", "に", "を"), "home": ("を",)}
_CONTAINERS = frozenset({"口座", "契約", "会員", "サブスク", "アレルギー", "家", "アパート", "マンション", "部屋",
                         "仕事", "担当",
                         "登録", "会員登録", "購読", "定期購読", "使用", "利用", "習慣", "服用", "薬", "犬",
                         "猫"})  # fmt: skip


def partings(clause: Clause, scene: Scene) -> None:
    """File what the clause says is over."""
    side = list(scene.side)
    found = list(_found(clause, scene))
    scene.side = side
    seen = {(one.draft.subject, one.draft.target, one.way) for one in scene.loose}
    scene.loose += [one for one in found if (one.draft.subject, one.draft.target, one.way) not in seen]


def _found(clause: Clause, scene: Scene) -> Iterator[Loose]:
    over = ended(clause) and clause.lemma not in _WAYS
    way = _way(clause)
    if over:
        liked = clause.lemma in _LIKED or (bool(clause.noun) and clause.noun[-1].text in _LIKED)
        yield from _each(clause, scene, "liking" if liked else "habit", ("を", "が"))
    elif way == "person" and clause.arg("で") is not None:
        return  # 駅で莉奈と別れた
    elif way and (clause.past or clause.joiner in ("て", "で")) and (not clause.negated):
        if way in _BY_ITSELF:
            yield from _gone(clause, scene, way)
        else:
            yield from _each(clause, scene, way, _CASES.get(way, ("を", "から", "に")))


def _way(clause: Clause) -> str:
    if clause.lemma == "なる" and (value := clause.arg("に")) and value.head.text in _STOPS:
        return "closed"
    if clause.lemma == "渡る" and (what := clause.arg("を")) and what.text == "虹の橋":
        return "pet"
    return _WAYS.get(clause.lemma, "")


def _each(clause: Clause, scene: Scene, way: str, roles: tuple[str, ...]) -> Iterator[Loose]:
    topics = [a for a in clause.args if a.topic and a.role == "は" and (way == "person" or not is_agent(a, scene))]
    used = [a for a in clause.args if a.role in roles and not (a.role == "が" and is_agent(a, scene))]
    for arg in dict.fromkeys(map(id, [*used, *topics])):
        one = next(a for a in clause.args if id(a) == arg)
        who = subject(clause, scene, *used, *topics)[0]
        yield from _over(clause, scene, way, one, who)


def _gone(clause: Clause, scene: Scene, way: str) -> Iterator[Loose]:
    """ビスケットが亡くなった, ブルーフィンが倒産して: of whomever it was."""
    for arg in clause.args:
        if (arg.topic and arg.role == "は") or arg.role in ("が", "の"):
            owner = entity(arg.parts[:-1], scene) if len(arg.parts) > 1 else None
            who = owner if owner is not None and (owner.is_speaker or owner.type == "person") else scene.context.me
            yield from _over(clause, scene, way, arg, who)


def _over(clause: Clause, scene: Scene, way: str, arg: Arg, who: Name | None) -> Iterator[Loose]:
    named: list[Name | None] = [entity(arg.parts, scene), *([Name(arg.head.text)] if len(arg.parts) > 1 else [])]
    if len(arg.parts) > 1 and arg.head.text in _CONTAINERS:
        named.insert(0, entity(arg.parts[:-1], scene))
    if arg.head.text.endswith("アレルギー") and arg.head.text != "アレルギー":
        named.insert(0, Name(arg.head.text.removesuffix("アレルギー")))
    for name in named:
        if name is None or name.is_speaker or scene.known(name.text, "things"):
            continue
        draft = make(clause, scene, ENDS, name, who=(who, False), state=False, canonical=False, over=True)
        if draft is not None:
            yield Loose(draft, (ENDS,), way)
