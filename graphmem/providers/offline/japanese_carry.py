"""Japanese statements across clauses and sentences: who goes on acting, what also is done, what a value is of."""

from __future__ import annotations

from dataclasses import replace

from .draft import Name
from .japanese_attribute import attribute_of, is_attribute
from .japanese_make import subject
from .japanese_morphs import Arg, Clause
from .japanese_names import Scene, entity, is_agent


def carried_on(clause: Clause, scene: Scene) -> Name | None:
    """由香が薬局を辞めて、病院で働いている: who acts in a clause that runs on acts in the next as well."""
    acts = clause.arg("が")
    on = clause.joiner in ("て", "で") or (clause.joiner == "" and not clause.past and not clause.modifies)
    if acts is None or not on or clause.kind != "verb" or not is_agent(acts, scene):
        return None
    return entity(acts.parts, scene)


_NO_OBJECT = frozenset({"いる", "ある", "おる", "なる", "来る", "行く", "入る", "出る", "住む", "働く", "できる",
                        "わかる", "見える", "終わる",
                        "始まる", "変わる", "増える", "減る", "上がる", "下がる", "通う", "勤める", "要る",
                        "話せる", "弾ける", "分かる", "かかる", "掛かる", "経つ", "過ぎる"})  # fmt: skip


def _marked(arg: Arg, particle: str, scene: Scene) -> bool:
    return scene.sentence.text[arg.parts[-1].end : arg.parts[-1].end + 1] == particle


def also_object(clause: Clause, scene: Scene) -> Clause:
    """亀の世話もしている: も stands where を would."""
    if (
        clause.arg("を", "が") is not None
        or clause.lemma in _NO_OBJECT
        or clause.negated
        or clause.has("れる", "られる")
    ):
        return clause
    also = next((a for a in clause.args if a.topic and a.role in ("は", "も") and _marked(a, "も", scene)), None)
    others = [a for a in clause.args if a is not also and a.topic and a.role == "は"]
    if also is None or also.head.number or also.head.temporal or scene.known(also.head.text, "things", "formal_nouns"):
        return clause
    if is_agent(also, scene) or (others and not is_agent(others[0], scene)):
        return clause
    return replace(clause, args=[replace(a, role="を", topic=False) if a is also else a for a in clause.args])


def note_change(clause: Clause, scene: Scene) -> None:
    """住所が変わりました: the new one is in what follows."""
    what = clause.arg("が", "を") or next((a for a in clause.args if a.topic and not is_agent(a, scene)), None)
    if what is not None:
        owners, attr = attribute_of(what.parts, scene)
        owner = entity(owners, scene) if owners else subject(clause, scene, what)[0]
        if owner and (is_attribute(attr.text, scene) or attr.text in scene.words.kin):
            scene.context.renewed = (owner, attr.text)


def note_mistake(clause: Clause, scene: Scene) -> None:
    """電話番号を間違えていた: the value is in what follows."""
    what = clause.arg("を", "が")
    if what is not None:
        owners, attr = attribute_of(what.parts, scene)
        owner = entity(owners, scene) if owners else subject(clause, scene, what)[0]
        if owner and is_attribute(attr.text, scene):
            scene.context.changed = (owner, attr.text)
