"""Japanese verbs that give something a new value: 家賃が8万円に上がった, 部長になった."""

from __future__ import annotations

from collections.abc import Iterator

from .draft import Draft, Name
from .japanese_attribute import AGE, attribute, attribute_of, is_attribute
from .japanese_copula import about, is_job
from .japanese_make import make, subject
from .japanese_morphs import Arg, Clause, Part
from .japanese_names import Scene, entity, holder, is_agent, kin_of


def name_of(arg: Arg | None, scene: Scene, kind: str | None = None) -> Name | None:
    """Whom or what the argument names, of the given kind where one is given."""
    found = entity(arg.parts, scene) if arg else None
    return Name(found.text, kind or found.type, found.is_speaker, found.aliases) if found else None


def one(draft: Draft | None) -> Iterator[Draft]:
    """The draft, if there is one."""
    if draft:
        yield draft


def become_post(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """部長に昇進した, 90歳になった."""
    value = clause.arg("に")
    if value is None or clause.negated or not (clause.past or clause.dates):
        return
    changed = Clause(
        kind="noun", noun=value.parts, lemma=value.text, dates=clause.dates, start=clause.start, end=clause.end
    )
    if clause.lemma != "なる":
        yield from one(
            make(changed, scene, "job_title", Name(value.text), who=subject(clause, scene, value), state=False)
        )
    elif AGE.search(value.text) or is_job(value.head.text, scene) or value.text in scene.words.lists["diets_ja"]:
        yield from about(changed, scene, subject(clause, scene, value), silent=False)


_RESET = frozenset({"ずらす", "動かす", "繰り下げる", "繰り上げる", "前倒しする", "先延ばしする", "振り替える",
                    "リスケする",
                    "延ばす", "早める", "遅らせる", "移す"})  # fmt: skip
_CHANGED_BY_ONE = _RESET | frozenset(
    {
        "変える",
        "替える",
        "換える",
        "変更する",
        "更新する",
        "切り替える",
        "切り換える",
        "機種変更する",
        "買い替える",
        "買い換える",
    }
    | {"減らす", "増やす", "上げる", "下げる", "引き上げる", "引き下げる", "延ばす", "伸ばす", "早める", "遅らせる"}
    | {"乗り換える", "乗り替える", "移す", "アップグレードする", "取り替える", "入れ替える", "差し替える"}
)


def _new_date(clause: Clause, scene: Scene) -> Arg | None:
    """発売日が6月18日に延期された: the day is the new value, not the time of the change."""
    span = next((s for s in reversed(clause.dates) if s.kind == "point"), None)
    if span is None or clause.lemma not in (
        "延期する",
        "変更する",
        "変わる",
        "延びる",
        "早まる",
        "ずれる",
        "決まる",
        "移る",
        *_RESET,
    ):
        return None
    clause.dates = [s for s in clause.dates if s is not span and s.kind != "since"]  # 5日から8日に延びた
    text = scene.read(span.start, span.end).removesuffix("に")
    return Arg((Part(text, span.start, span.start + len(text), number=True),), "に")


def replace_value(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """SpotifyからTidalに乗り換えた: the one is used in place of the other."""
    target, origin = clause.arg("に", "へ"), clause.arg("から")
    if target is None or origin is None or clause.negated or not clause.past:
        yield from change(clause, scene)
        return
    who = subject(clause, scene, target, origin)
    for arg, over in ((target, None), (origin, True)):
        if name := name_of(arg, scene):
            yield from one(make(clause, scene, "uses", name, who=who, state=False, over=over, confidence=0.7))


def change(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """家賃が8万円に上がった: a new value of an attribute."""
    if clause.lemma == "なる" and (became := list(become_post(clause, scene))):
        yield from became
        return
    value = (
        clause.arg("に")
        or _new_date(clause, scene)
        or (clause.arg("まで") if clause.lemma in _CHANGED_BY_ONE else None)
    )
    arg = clause.arg("を") if clause.lemma in _CHANGED_BY_ONE else None
    arg = arg or clause.arg("が") or next((a for a in clause.args if a.topic), None)
    arg = arg or next((a for a in clause.args if a.role == "、" and is_attribute(a.head.text, scene)), None)
    if value is None or arg is None or clause.negated or not (clause.past or clause.dates):
        return
    if len(arg.parts) == 1 and (role := kin_of(arg.head, scene)) and (person := name_of(value, scene, "person")):
        owner = holder(scene)
        text = f"{owner.text}の{arg.text}は{person.text}"
        yield from one(make(clause, scene, role, person, who=(owner, False), state=False, text=text))
        return
    topic = next((a for a in clause.args if a.topic and a is not arg and is_agent(a, scene)), None)
    if topic is not None and arg.role == "が" and len(arg.parts) == 1 and not is_agent(arg, scene):
        yield from attribute(_as_change(clause), scene, entity(topic.parts, scene), arg.head, value.parts)
    elif len(arg.parts) == 1 and not is_agent(arg, scene) and not is_attribute(arg.head.text, scene):
        yield from _thing_changed(clause, scene, arg, value)
    else:
        yield from _attribute_changed(clause, scene, arg, value)


def _as_change(clause: Clause) -> Clause:
    return Clause(args=clause.args, kind="verb", dates=clause.dates, start=clause.start, end=clause.end)


def _thing_changed(clause: Clause, scene: Scene, arg: Arg, value: Arg) -> Iterator[Draft]:
    """会議が水曜になった; of 口座をみなと銀行に移した the value tells the relation."""
    if arg.role == "を" and (of := scene.words.kind_ja(value.text)):
        yield from one(make(clause, scene, of, Name(value.text), who=subject(clause, scene, arg, value), state=False))
    elif (thing := entity(arg.parts, scene)) and (new := name_of(value, scene)):
        yield from one(make(clause, scene, "is", new, who=(thing, False), state=False, canonical=False, confidence=0.7))


def _attribute_changed(clause: Clause, scene: Scene, arg: Arg, value: Arg) -> Iterator[Draft]:
    owners, attr = attribute_of(arg.parts, scene)
    if owners:
        owner = entity(owners, scene)
    elif arg.role == "を":
        owner = subject(clause, scene, arg, value)[0]
    else:
        owner = subject(Clause(), scene)[0] if not is_agent(arg, scene) else None
    if owner is not None and not attr.honorific:
        yield from attribute(_as_change(clause), scene, owner, attr, value.parts)
