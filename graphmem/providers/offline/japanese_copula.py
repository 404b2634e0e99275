"""Japanese clauses of the form XはYだ: attributes, jobs, ages, kin, and what things are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from .draft import Draft, Name
from .japanese_attribute import AGE, attribute, is_attribute, named, of_the_thing, owner_and_attribute, sized, some
from .japanese_make import make, subject
from .japanese_morphs import Arg, Clause, Part
from .japanese_names import Scene, entity, is_agent, kin_of

_OF_A_PERSON = frozenset({"comes_from", "born_in", "name", "birthday", "native_language", "job_title", "works_at"})
_PASTIMES = frozenset({"趣味", "特技", "日課", "専門", "好物", "専攻"})


_STAFF = frozenset({"社員", "正社員", "職員", "従業員", "スタッフ", "行員", "所員", "局員"})
"""Who works somewhere, whatever they do there."""
_WAYS = frozenset(
    {
        "在宅",
        "時短",
        "夜間",
        "深夜",
        "日中",
        "交代",
        "交替",
        "シフト",
        "フルタイム",
        "リモート",
        "会社",
        "工場",
        "役所",
        "短時間",
        "通し",
        "土日",
    }
    | {"週休", "平日", "休日", "フレックス", "変則", "出張", "単身", "長時間", "時間外", "早朝"}
)


def copula(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """What a clause with a noun predicate says."""
    value = clause.noun
    if clause.arg("という") and value[-1].text == "名前":
        yield from _by_name(clause, scene)
        return
    if value[-1].text in scene.words.lists_ja["not_names"]:
        return
    if value[-1].text.endswith("在住"):
        yield from _resident(clause, scene)
        return
    if (firm := re.fullmatch(r"(?P<firm>.{2,})(?:勤め|勤務)", value[-1].text)) and firm["firm"] not in _WAYS:
        employer = Name(firm["firm"], "organisation")
        yield from some(make(clause, scene, "works_at", employer, who=subject(clause, scene)))
        return
    if (firm := re.fullmatch(r"(?P<place>.{2,})暮らし", value[-1].text)) and value[-1].proper == "地名":
        home = Name(firm["place"], "place")
        yield from some(make(clause, scene, "lives_in", home, who=subject(clause, scene)))
        return
    if (of := clause.arg("が")) and not of.topic and len(value) == 1 and any(a.topic for a in clause.args):
        yield from _of_the_second(clause, scene, of)
        return
    arg = next((a for a in clause.args if a.topic and a.role == "は"), None) or clause.arg("が")
    before = scene.renewed or scene.denied
    if arg is None and before and not is_job(value[-1].text, scene):
        owner, word = before
        drafts = list(attribute(clause, scene, owner, Part(word, value[0].start, value[0].start), value))
        yield from (draft.but(correction=scene.renewed is None) for draft in drafts)
        return
    if arg is None:
        who = subject(clause, scene)
        yield from about(clause, scene, who, silent=True)
        yield from _job_there(clause, scene, who)
    elif not _says_nothing(clause, arg, scene):
        yield from _of_subject(clause, scene, arg)


def _of_the_second(clause: Clause, scene: Scene, of: Arg) -> Iterator[Draft]:
    """彼は将棋が趣味だ, 英語が堪能だ: the noun is said of what が marks."""
    word, who = clause.noun[0], subject(clause, scene, of)
    if word.text in ("堪能", "流暢", "ペラペラ", "ぺらぺら") and of.text.endswith("語"):
        others = [a for a in clause.args if a.role in ("と", "や", "、") and a.text.endswith("語")]
        for arg in [*others, of]:
            yield from some(make(clause, scene, "speaks", Name(arg.text), who=who))
    elif is_attribute(word.text, scene) or word.text in _PASTIMES:
        yield from attribute(clause, scene, who[0], word, of.parts)
    elif word.text in scene.words.kin and of.head.honorific and who[0]:
        person = Name(of.text, "person")
        said = f"{who[0].text}の{word.text}は{person.text}"
        yield from some(make(clause, scene, scene.words.kin[word.text], person, who=who, text=said))


def _says_nothing(clause: Clause, arg: Arg, scene: Scene) -> bool:
    """猫は夜行性です is said of all cats; 住んでいるのは宇都宮です is told by the verb inside."""
    generic = arg.topic and arg.text in scene.words.lists["pets_ja"] and not clause.past
    return generic or arg.clause is not None


def _of_subject(clause: Clause, scene: Scene, arg: Arg) -> Iterator[Draft]:
    value = clause.noun
    if len(arg.parts) == 3 and arg.parts[1].text == "直属" and _person_value(value, scene):
        yield from attribute(clause, scene, entity(arg.parts[:1], scene), arg.head, value)
    elif len(arg.parts) > 1 and (role := kin_of(arg.head, scene)) and _person_value(value, scene):
        yield from _role_of(clause, scene, arg, role)
    elif _named_relative(arg, scene):
        yield from about(clause, scene, (entity(arg.parts, scene), False), silent=False)
    elif arg.role == "が" and not arg.topic and len(value) == 1 and value[0].text in _PASTIMES:
        yield from attribute(clause, scene, subject(clause, scene, arg)[0], value[0], arg.parts)
    elif (
        (found := owner_and_attribute(arg, scene))
        and not sized(found[1], value)
        and not of_the_thing(arg, found[1], value, scene)
    ):
        yield from _joined_attributes(clause, scene, *found)
    elif len(arg.parts) == 1 and (role := kin_of(arg.head, scene)) and _person_value(value, scene):
        person = Name(value[-1].text, "person")
        text = f"{scene.context.speaker}の{arg.head.text}は{person.text}"
        yield from some(make(clause, scene, role, person, who=(scene.context.me, False), text=text))
    elif is_agent(arg, scene):
        yield from about(clause, scene, (entity(arg.parts, scene), False), silent=False)
    else:
        yield from _thing(clause, scene, arg)


def _named_relative(arg: Arg, scene: Scene) -> bool:
    """娘の彩は, うちの猫のジュノは, where only a person or an animal fits."""
    if len(arg.parts) < 2 or not scene.personal or is_attribute(arg.head.text, scene):
        return False
    before = arg.parts[-2]
    return kin_of(before, scene) is not None or before.text in scene.words.lists["pets_ja"]


def _role_of(clause: Clause, scene: Scene, arg: Arg, role: str) -> Iterator[Draft]:
    """娘の担任は小西先生です is the daughter's; ピアノの先生は榎本さんです is the speaker's."""
    owner = entity(arg.parts[:-1], scene)
    named = arg.parts[-2].unknown or "・" in arg.parts[-2].text
    holder = owner if owner and (owner.is_speaker or owner.type == "person" or named) else scene.context.me
    person = Name(clause.noun[-1].text, "person")
    word = arg.head.text + ("さん" if arg.head.honorific else "")
    said = f"{holder.text}の{word if holder is owner else arg.text}は{person.text}"
    yield from some(make(clause, scene, role, person, who=(holder, False), text=said))


def _resident(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """名古屋在住です, 名古屋の在住です."""
    value = clause.noun
    place = value[-1].text.removesuffix("在住") or (value[-2].text if len(value) > 1 else "")
    if place:
        yield from some(make(clause, scene, "lives_in", Name(place, "place"), who=subject(clause, scene)))


def _job_there(clause: Clause, scene: Scene, who: tuple[Name | None, bool]) -> Iterator[Draft]:
    """青空出版では編集長です: the job is at that firm."""
    where = clause.arg("で")
    if where is None or not is_job(clause.noun[-1].text, scene) or not is_organisation(where.head.text, scene):
        return
    if place := entity(where.parts, scene):
        yield from some(make(clause, scene, "works_at", Name(place.text, "organisation"), who=who))


def leading_attribute(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """出身はカナダで、今は東京に住んでいる: で ends a first statement; what it was made of leaves the clause."""
    for topic, value in pairwise(clause.args):
        if value.role != "で" or value.topic or not topic.topic or clause.kind == "noun":
            continue
        found = owner_and_attribute(topic, scene)
        if found and scene.words.attribute_predicate(found[1].text) in _OF_A_PERSON:
            clause.args.remove(topic)
            clause.args.remove(value)
            scene.topic = found[0]
            if clause.lemma in ("話す", "話せる") and not clause.arg("を", "が"):
                clause.args.append(Arg(value.parts, "を"))  # 母語はタイ語で、もちろん話せる
            yield from attribute(Clause(), scene, *found, value.parts)
            return


def _thing(clause: Clause, scene: Scene, arg: Arg) -> Iterator[Draft]:
    name, target = entity(arg.parts, scene), entity(clause.noun, scene)
    if name and target:
        scene.context.thing = name
        predicate = "color" if clause.noun[-1].text in scene.words.lists["colors_ja"] else "is"
        draft = make(clause, scene, predicate, target, who=(name, False), canonical=False, confidence=0.7)
        yield from some(draft)


def _by_name(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """うちの猫はモチという名前です."""
    called, topic = clause.arg("という"), next((a for a in clause.args if a.topic), None)
    name = entity(called.parts, scene) if called else None
    owner = entity(topic.parts, scene) if topic else scene.context.me
    if owner and name:
        yield from named(clause, scene, owner, name)


def _joined_attributes(clause: Clause, scene: Scene, owner: Name | None, attr: Part) -> Iterator[Draft]:
    """趣味は登山と写真です: each value, the last one included."""
    for other in clause.args:
        if other.role in ("と", "や") and not other.topic:
            yield from attribute(clause, scene, owner, attr, other.parts)
    yield from attribute(clause, scene, owner, attr, clause.noun)


def _person_value(value: tuple[Part, ...], scene: Scene) -> bool:
    if len(value) != 1:
        return False
    text = value[0].text
    titled = any(text.endswith(title) and text != title for title in scene.words.lists_ja["called"])
    return value[0].honorific or value[0].proper == "人名" or titled


def about(clause: Clause, scene: Scene, who: tuple[Name | None, bool], *, silent: bool) -> Iterator[Draft]:
    """A person is something: age, origin, job, place of work, kin, diet; other nouns only for a named subject."""
    value, lists = clause.noun, scene.words.lists
    head = value[-1]
    text = "の".join(p.text for p in value)
    if match := AGE.search(text):
        yield from some(make(clause, scene, "age", Name(match[1]), who=who))
    elif head.text.endswith("出身"):
        origin = head.text.removesuffix("出身") or (value[-2].text if len(value) > 1 else "")
        if origin:
            yield from some(make(clause, scene, "comes_from", Name(origin, "place"), who=who))
    elif head.text.endswith("生まれ"):
        yield from _birth(clause, scene, who)
    elif head.text.endswith("アレルギー"):
        what = head.text.removesuffix("アレルギー") or (value[-2].text if len(value) > 1 else "")
        if what:
            yield from some(make(clause, scene, "allergic_to", Name(what), who=who))
    elif head.text.endswith(lists_suffix(scene)) and len(head.text) > 1:
        yield from some(make(clause, scene, "has", Name(text), who=who, canonical=False, confidence=0.6))
    elif head.text in lists["diets_ja"]:
        yield from some(make(clause, scene, "diet", Name(head.text), who=who))
    elif (kin := kin_of(head, scene)) and who[0] is not None and _is_kin(clause, scene, who[0], silent=silent):
        yield from _kin_of_owner(clause, scene, kin, who[0])
    else:
        yield from _job_or_kind(clause, scene, who, silent=silent)


def _is_kin(clause: Clause, scene: Scene, who: Name, *, silent: bool) -> bool:
    """Whether somebody is told to be the owner's or the speaker's: 田中さんの妹です, 上司です."""
    value = clause.noun
    if len(value) > 1:
        return not value[-2].number and not _workplace(value[-2].text, scene)
    return not silent and not who.is_speaker and not is_job(value[-1].text, scene)


def _kin_of_owner(clause: Clause, scene: Scene, kin: str, who: Name) -> Iterator[Draft]:
    value = clause.noun
    owner = entity(value[:-1], scene) if len(value) > 1 else scene.context.me
    if owner and (owner.is_speaker or owner.type == "person" or value[-2].unknown):
        said = None if clause.negated else f"{owner.text}の{value[-1].text}は{who.text}"
        yield from some(make(clause, scene, kin, Name(who.text, "person"), who=(owner, False), text=said))


def lists_suffix(scene: Scene) -> tuple[str, ...]:
    """How words for illnesses end."""
    return scene.words.suffixes["illness_suffixes_ja"]


def _birth(clause: Clause, scene: Scene, who: tuple[Name | None, bool]) -> Iterator[Draft]:
    """1990年4月12日生まれ, 長野生まれ."""
    value = clause.noun
    place = value[-1].text.removesuffix("生まれ") or (value[-2].text if len(value) > 1 else "")
    if place:
        yield from some(make(clause, scene, "born_in", Name(place, "place"), who=who, state=False))
    for span in [s for s in clause.dates if not s.relative]:
        day = span.value.precision == "day"
        text = scene.read(span.start, span.end).removesuffix("の")
        predicate = "birthday" if day else "birth_year"
        yield from some(
            make(clause, scene, predicate, Name(text), who=who, canonical=day, state=False, cardinality="one")
        )


def _workplace(text: str, scene: Scene) -> bool:
    """An organisation, named or not: 小学校, 市立病院."""
    return text.endswith(scene.words.suffixes["organisation_suffixes_ja"])


def _job_or_kind(clause: Clause, scene: Scene, who: tuple[Name | None, bool], *, silent: bool) -> Iterator[Draft]:
    value, head = clause.noun, clause.noun[-1]
    if head.text in ("人", "者", "方") and len(value) > 1:
        if value[-2].proper == "地名":
            yield from some(make(clause, scene, "comes_from", Name(value[-2].text, "place"), who=who, confidence=0.6))
        return
    if head.text.startswith("元") and is_job(head.text[1:], scene):
        yield from some(make(clause, scene, "job_title", Name(head.text[1:]), who=who, over=True))
    elif silent and len(head.text) > 2 and head.text.endswith(("部", "クラブ", "サークル", "チーム")):
        yield from some(make(clause, scene, "member_of", Name(head.text, "organisation"), who=who))
    elif is_job(head.text, scene):
        yield from _job_of(clause, scene, who)
    elif is_organisation(head.text, scene) and not head.honorific:
        place = entity(value, scene)
        if place:
            yield from some(make(clause, scene, "works_at", Name(place.text, "organisation"), who=who))
    elif not silent and not head.number and not clause.past:
        yield from _member_or_kind(clause, scene, who)


def _job_of(clause: Clause, scene: Scene, who: tuple[Name | None, bool]) -> Iterator[Draft]:
    """北斗エナジーの社員です tells where, 青空出版の編集長です where and as what."""
    value, head = clause.noun, clause.noun[-1]
    firm = entity(value[:-1], scene) if len(value) > 1 and not value[-2].temporal else None
    staff = head.text in _STAFF and firm is not None
    if not staff:
        yield from some(make(clause, scene, "job_title", Name(head.text), who=who))
    if firm is not None and (staff or is_organisation(value[-2].text, scene)):
        yield from some(make(clause, scene, "works_at", Name(firm.text, "organisation"), who=who))


def _member_or_kind(clause: Clause, scene: Scene, who: tuple[Name | None, bool]) -> Iterator[Draft]:
    value, head = clause.noun, clause.noun[-1]
    if head.text in ("会員", "メンバー", "一員", "部員", "団員") and len(value) > 1 and not value[-2].number:
        if group := entity(value[:-1], scene):
            yield from some(make(clause, scene, "member_of", Name(group.text, "organisation"), who=who))
    elif (
        kin_of(head, scene) is None
        and not re.search(r"(?:中|済み?|予定|見込み|方針|模様)$", head.text)
        and (kind := entity(value, scene))
    ):
        yield from some(make(clause, scene, "is_a", kind, who=who, canonical=False))


def is_job(text: str, scene: Scene) -> bool:
    """Whether a word names an occupation."""
    jobs = scene.words.lists["jobs_ja"]
    longer = any(len(job) > 2 and text.endswith(job) for job in jobs)
    if text.endswith(("会員", "党員", "組合員", "部員")):
        return False
    return (
        text in jobs
        or longer
        or text.endswith(tuple(scene.words.lists_ja["titles"]))
        or (len(text) > 1 and text.endswith((*scene.words.suffixes["job_suffixes_ja"], "記者", "教師")))
    )


def is_organisation(text: str, scene: Scene) -> bool:
    """Whether a word ends like the name of a firm, school or office."""
    suffixes = scene.words.suffixes["organisation_suffixes_ja"]
    return any(text.endswith(s) and len(text) > len(s) for s in suffixes)
