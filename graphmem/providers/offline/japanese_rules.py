"""What Japanese clauses say: rules by predicate, then a general one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from .draft import Draft, Name
from .japanese_attribute import attribute, is_attribute
from .japanese_carry import also_object, carried_on, note_change, note_mistake
from .japanese_changes import RULES, prefers_language, told_in_short
from .japanese_copula import copula, is_job, leading_attribute
from .japanese_frame import claims, conditional, inherit_dates, inherit_past, reported_topic, settle, tells_of_another
from .japanese_make import ended, make, subject, with_dates
from .japanese_morphs import Arg, Clause
from .japanese_names import Scene, entity, is_agent
from .japanese_partings import partings
from .japanese_shifts import caused, shifts
from .japanese_verbs import has_allergy

__all__ = ["Scene", "statements"]

_LIKES = {"好き": ("likes", True), "大好き": ("likes", True), "嫌い": ("dislikes", True), "大嫌い": ("dislikes", True),
          "苦手": ("dislikes", True), "お気に入り": ("likes", True), "好み": ("likes", True),
          "得意": ("good_at", True)}  # fmt: skip


def statements(scene: Scene) -> list[Draft]:
    """The drafts of one sentence, side facts first."""
    found: list[Draft] = []
    unreal = False
    carried: Name | None = None
    scene.denied, scene.context.changed = scene.context.changed, None
    scene.renewed, scene.context.renewed = scene.context.renewed, None
    reported_topic(scene)
    for clause in scene.clauses:
        settle(clause)
    scene.clauses = [told_in_short(clause) for clause in scene.clauses]
    for index, clause in enumerate(scene.clauses):
        inherit_dates(scene.clauses, index)
        inherit_past(scene.clauses, index)
        scene.personal = _personal(clause, scene)
        _note_topic(clause, scene)
        if unreal and not clause.past:
            unreal = False
            continue
        unreal = conditional(clause)
        if unreal or not claims(clause):
            continue
        scene.topic = carried or scene.topic
        found.extend(_clause(clause, index, scene))
        carried = carried_on(clause, scene)
    _remember(scene)
    if tells_of_another(scene):
        found = [draft for draft in found if not draft.subject.is_speaker]
    return [*_alias_facts(scene), *scene.side, *found]


def _personal(clause: Clause, scene: Scene) -> bool:
    if clause.lemma in scene.words.lists_ja["personal_verbs"] or clause.lemma in _LIKES:
        return True
    if clause.lemma == "なる" and (value := clause.arg("に")) and is_job(value.head.text, scene):
        return True
    ends = ("歳", "才", "出身", "アレルギー", "年生", "在住", "生まれ", *scene.words.suffixes["illness_suffixes_ja"])
    return bool(clause.noun) and (is_job(clause.noun[-1].text, scene) or clause.noun[-1].text.endswith(ends))


def _note_topic(clause: Clause, scene: Scene) -> None:
    for arg in clause.args:
        if arg.topic and arg.role == "は" and is_agent(arg, scene) and (name := entity(arg.parts, scene)):
            scene.topic = name
            scene.context.topic = None if name.is_speaker else name
            scene.context.meet(Name(name.text, "person", name.is_speaker))


def _remember(scene: Scene) -> None:
    """Side facts filed twice by repeated look-ups are kept once."""
    scene.side = list(dict.fromkeys(scene.side))


def _alias_facts(scene: Scene) -> Iterator[Draft]:
    for clause in scene.clauses:
        for arg in clause.args:
            name = entity(arg.parts, scene) if scene.aliases else None
            for alias in name.aliases if name else ():
                text = f"{name.text}の別名は{alias}" if name else None
                yield Draft(name, "alias", Name(alias), 0, len(scene.sentence.text), text, confidence=0.8)  # type: ignore[arg-type]


def _clause(clause: Clause, index: int, scene: Scene) -> Iterator[Draft]:
    yield from leading_attribute(clause, scene)
    if clause.modifies:
        yield from _relative_clause(clause, index, scene)
        return
    if (
        clause.has("たい")
        or clause.has("予定", "つもり", "計画")
        or (clause.has("う", "よう") and clause.has("思う", "考える"))
        or (clause.has("こと") and clause.has("なる", "する", "決める") and not clause.negated)
    ):
        yield from _plan(clause, scene)
        return
    if scene.needed and index == len(scene.clauses) - 1:
        yield from _plan(clause, scene)
        return
    if clause.lemma in _LIKES or (clause.noun and clause.noun[-1].text in _LIKES):
        yield from _preference(clause, scene)
    elif clause.kind == "noun" and (changed := _changed_before(clause, index, scene)):
        yield from changed
    elif clause.kind == "noun":
        yield from _cleft(clause, scene) or copula(clause, scene)
    elif clause.kind == "adjective":
        yield from list(prefers_language(clause, scene)) or _adjective(clause, scene)
    else:
        yield from _verb(clause, scene)


def _changed_before(clause: Clause, index: int, scene: Scene) -> list[Draft]:
    """電話番号が変わって、今は…です: the value of what changed in the clause before."""
    before = scene.clauses[index - 1] if index else None
    if before is None or before.lemma not in scene.words.lists_ja["changes"] or clause.arg("が") or clause.negated:
        return []
    if any(a.topic for a in clause.args) or before.arg("に"):
        return []
    thing = before.arg("が", "を") or next((a for a in before.args if a.topic), None)
    if thing is None or not is_attribute(thing.head.text, scene):
        return []
    owner = entity(thing.parts[:-1], scene) if len(thing.parts) > 1 else subject(Clause(), scene)[0]
    return list(attribute(clause, scene, owner, thing.head, clause.noun))


def _cleft(clause: Clause, scene: Scene) -> list[Draft]:
    """住んでいるのは宇都宮です as 宇都宮に住んでいます."""
    topic = next((a for a in clause.args if a.topic and a.clause is not None), None)
    if topic is None or topic.clause is None or topic.clause.kind != "verb" or clause.negated:
        return []
    role = {"働く": "で", "生まれる": "で", "住む": "に", "勤める": "に", "暮らす": "で", "通う": "に"}.get(
        topic.clause.lemma, "を"
    )
    others = [a for a in clause.args if a is not topic]
    inner = replace(topic.clause, args=[*others, *topic.clause.args, Arg(clause.noun, role)], joiner="")
    inner.endings = [word for word in inner.endings if word not in ("の", "こと")]
    return list(_verb(inner, scene))


def _relative_clause(clause: Clause, index: int, scene: Scene) -> Iterator[Draft]:
    """東京に住んでいる鈴木さん: the noun behind the clause is its subject, where it is a person."""
    if index + 1 >= len(scene.clauses) or not scene.clauses[index + 1].args:
        return
    noun = scene.clauses[index + 1].args[0]
    if is_agent(noun, scene) and clause.arg("が") is None and clause.lemma in RULES:
        inner = replace(clause, args=[*[a for a in clause.args if not a.topic], Arg(noun.parts, "は", True)])
        yield from RULES[clause.lemma](inner, scene)


def _preference(clause: Clause, scene: Scene) -> Iterator[Draft]:
    key = clause.lemma if clause.lemma in _LIKES else clause.noun[-1].text
    predicate, positive = _LIKES[key]
    target, compared = clause.arg("が"), clause.arg("より")
    if target is None:
        topics = [a for a in clause.args if a.topic]
        target = next((a for a in reversed(topics) if not is_agent(a, scene)), topics[-1] if len(topics) > 1 else None)
    if target is None:
        return
    who = subject(clause, scene, target)
    parts = target.parts[:-1] if target.head.text in ("方", "ほう") and len(target.parts) > 1 else target.parts
    if parts != target.parts or compared:
        predicate = "prefers"
    elif {"一番", "最も", "もっとも", "いちばん"} & set(clause.adverbs) and re.search(r"[^\s]色$", target.text):
        predicate = "favourite_color"
    for name in _each(Arg(parts, "が"), clause, scene):
        draft = make(clause, scene, predicate, name, who=who, polarity=positive != clause.negated)
        if draft:
            yield draft


def _each(arg: Arg, clause: Clause, scene: Scene) -> Iterator[Name]:
    """The phrase and those joined to it by と, や or a comma right before it."""
    beside = is_agent(arg, scene)  # 友達と映画を見る: the friend is no film
    joined = [
        a
        for a in clause.args
        if (beside or not is_agent(a, scene))
        and a.role in ("と", "や", "、", "とか")
        and a.parts[-1].end < arg.parts[0].start
        and not a.topic
    ]
    for other in [*joined, arg]:
        adjective = other.clause is not None and other.clause.kind == "adjective"  # 辛いのは
        name = None if adjective else entity(other.parts, scene)
        if name and not scene.known(name.text, "things"):
            yield name


def _adjective(clause: Clause, scene: Scene) -> Iterator[Draft]:
    # では and には tell where, so that what is like this comes with が
    topic = next((a for a in clause.args if (a.topic and a.role == "は") or a.role == "が"), None)
    lists = scene.words.lists
    if topic is None or clause.past:
        return
    if clause.lemma == "ない" and has_allergy(topic.text):
        return
    if topic.text in lists["pets_ja"]:
        return  # 犬は忠実だ: of all dogs
    name = entity(topic.parts, scene)
    word = scene.read(clause.start, clause.start + len(clause.lemma))
    if name is None or (is_agent(topic, scene) and word not in lists["colors_ja"]):
        return
    predicate = "color" if clause.lemma in lists["colors_ja"] else "has_quality"
    if predicate == "has_quality" and (not topic.topic or scene.known(clause.lemma, "opinions")):
        return
    confidence = 0.7 if predicate == "color" else 0.5
    draft = make(
        clause, scene, predicate, Name(clause.lemma), who=(name, False), canonical=False, confidence=confidence
    )
    if draft:
        yield draft


def _dropped(clause: Clause) -> bool:
    """つもりだった, 予定はない: a plan that is none."""
    meant = [i for i, word in enumerate(clause.endings) if word in ("つもり", "予定", "計画")]
    return bool(meant) and (clause.negated or "た" in clause.endings[meant[-1] :])


def _plan(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """Plans and wishes: the object is what is to be done. A dated move or job is the fact itself."""
    if _dropped(clause) or clause.lemma in ("いる", "ある") or clause.has("伝聞"):
        return
    wish = clause.has("たい")
    if clause.dates and not wish and not scene.needed and clause.lemma in RULES and not clause.negated:
        found = list(RULES[clause.lemma](clause, scene))
        if found:
            yield from found
            return
    if clause.kind != "verb":
        return
    decided = clause.has("決める") and clause.past
    inner = [a for a in clause.args if not a.topic]
    starts = [a.parts[0].start for a in inner] + [clause.start]
    begin = min(starts)
    verb = clause.lemma
    words = scene.read(begin, clause.start) + verb
    dates = "、".join(scene.read(d.start, d.end).rstrip("、") for d in clause.dates if d.end <= begin)
    words = with_dates(dates, [d for d in clause.dates if d.end <= begin], scene) + words
    who = subject(clause, scene, *inner)
    draft = make(
        clause,
        scene,
        "needs_to" if scene.needed else "wants_to" if wish else "decided_to" if decided else "plans_to",
        Name(words),
        who=who,
        state=False,
        canonical=False,
        confidence=0.6,
        over=False,
    )
    if draft and (inner or (clause.dates and clause.lemma.endswith("する"))):
        category = "decision" if decided else "plan"
        yield draft.but(valid_at=None, invalid_at=None, category=category, candidate=wish)


def _undone(clause: Clause) -> bool:
    return not (clause.past or clause.lasting or clause.negated)


def _given_up(clause: Clause) -> Clause | None:
    """ジムに通うのをやめた as ジムに通わなくなった."""
    what = clause.arg("を", "は") if clause.lemma in ("やめる", "辞める", "止める") and clause.past else None
    if what is None or what.clause is None or clause.negated:
        return None
    topics = [a for a in clause.args if a is not what]
    return replace(what.clause, args=[*topics, *what.clause.args], endings=["ない", "なる", "た"], dates=clause.dates)


_DATED_MOVES = frozenset(
    {"働く", "勤める", "勤務する", "就職する", "転職する", "入社する", "所属する", "配属する", "異動する", "転勤する"}
    | {"引っ越す", "引越す", "引っ越しする", "引越しする", "転居する", "移住する", "移り住む", "移転する"}
)


def _verb(clause: Clause, scene: Scene) -> Iterator[Draft]:
    if clause.lemma in ("間違える", "言い間違える", "書き間違える"):
        note_mistake(clause, scene)
    if inner := _given_up(clause):
        yield from _verb(inner, scene)
        return
    today = scene.context.reference.replace(hour=0, minute=0, second=0, microsecond=0)
    ahead = any(d.value.at >= today and d.kind == "point" for d in clause.dates) and _undone(clause)
    dated = clause.lemma in ("なる", "変わる", "移る") or clause.lemma in _DATED_MOVES
    if ahead and not dated:
        yield from _plan(clause, scene)
        return
    if (
        clause.lemma in ("変わる", "変える", "変更する", "替わる", "新しい")
        and clause.past
        and clause.arg("に", "へ") is None
    ):
        note_change(clause, scene)
    clause = caused(also_object(clause, scene), scene)
    partings(clause, scene)
    found = list(shifts(clause, scene))
    found = found or (list(RULES[clause.lemma](clause, scene)) if clause.lemma in RULES else [])
    yield from found or _general(clause, scene)


def _general(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """A verb without a rule of its own: its object, else what に, で or へ marks."""
    lists = scene.words.lists_ja
    target = clause.arg("を")
    topics = [a for a in clause.args if a.topic]
    if target is None and clause.lemma in lists["through_object"]:
        can = clause.arg("が") if clause.has("られる") or clause.negated else None
        target = can or next((a for a in reversed(topics) if not is_agent(a, scene)), None)
    eaten = clause.lemma in ("食べる", "飲む") and clause.past and not clause.lasting and not clause.negated
    if (
        clause.lemma in lists["trivial"]
        or (eaten and not ended(clause))
        or (clause.lemma in lists["skip"] and target is None)
        or clause.lemma in ("思う", "言う", "なる")
        or (clause.has("られる") and not clause.negated and target is None)
    ):
        return
    if target is not None:
        if clause.lemma in ("する", "やる") and scene.known(target.head.text, "light"):
            return
        for name in _each(target, clause, scene):
            yield from _acts(clause, scene, name, target, _verb_name(clause, scene))
        return
    ga = clause.arg("が")
    if ga is not None and ga not in topics and (topics or scene.topic):
        if inner := entity(ga.parts, scene):
            yield from _acts(clause, scene, inner, ga, clause.lemma)
        return
    for role in ("に", "で", "へ"):
        place = clause.arg(role)
        if place is not None and not place.topic and (where := entity(place.parts, scene)):
            yield from _acts(clause, scene, where, place, f"{clause.lemma}_{role}")
            return


def _verb_name(clause: Clause, scene: Scene) -> str:
    if clause.lemma in ("する", "やる"):
        return "did" if clause.past and not clause.lasting else "does"
    known = scene.words.verbs_ja.get(clause.lemma)
    if known is None:
        return clause.lemma
    once = clause.past and not clause.lasting and not clause.negated
    if clause.negated and not clause.past and not clause.lasting and known in ("bought", "built", "founded"):
        return clause.lemma
    return clause.lemma if once and known not in ("bought", "built", "founded") else known


def _acts(clause: Clause, scene: Scene, name: Name, target: Arg, predicate: str) -> Iterator[Draft]:
    if scene.known(name.text, "things"):
        return
    who = subject(clause, scene, target)
    over = ended(clause) or (clause.past and clause.lasting and not clause.negated and "以前" in clause.adverbs)
    draft = make(clause, scene, predicate, name, who=who, state=clause.lasting, canonical=False, over=over)
    if draft is None:
        return
    if clause.negated and clause.has("られる") and predicate in ("eats", "drinks"):
        draft = draft.but(category="constraint")
    yield draft
