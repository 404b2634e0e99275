"""Japanese verbs whose meaning is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .draft import Draft, Name
from .japanese_attribute import attribute, is_attribute, is_team
from .japanese_copula import is_organisation
from .japanese_make import ended, make, subject
from .japanese_morphs import Arg, Clause, Part
from .japanese_names import Scene, entity, is_agent, kin_of
from .japanese_values import become_post, change, name_of, one, replace_value

Rule = Callable[[Clause, Scene], Iterator[Draft]]


def has_allergy(text: str) -> bool:
    """Whether a noun is an allergy."""
    return text.endswith("アレルギー")


def _future(clause: Clause) -> bool:
    return not clause.past and not clause.lasting and not clause.negated


def _live(clause: Clause, scene: Scene) -> Iterator[Draft]:
    where = clause.arg("に", "で", "へ")
    if clause.negated and not clause.lasting and not ended(clause):
        return  # 東京には住まない: a resolve, not a state
    if name := name_of(where, scene, "place"):
        yield from one(make(clause, scene, "lives_in", name, who=subject(clause, scene, where)))


def _move(clause: Clause, scene: Scene) -> Iterator[Draft]:
    target, origin = clause.arg("に", "へ"), clause.arg("から")
    who = subject(clause, scene, target, origin)
    if _future(clause) and not clause.dates:
        if target:
            words = scene.read(target.parts[0].start, clause.start) + clause.lemma
            draft = make(clause, scene, "plans_to", Name(words), who=who, state=False, canonical=False, confidence=0.6)
            yield from one(draft)
        return
    part_of_firm = who[0] is not None and (is_team(who[0].text, scene) or is_organisation(who[0].text, scene))
    person = who[0] is not None and (
        who[0].is_speaker or who[0].type == "person" or not (part_of_firm or clause.lemma in ("移る", "移転する"))
    )
    moved = clause.arg("が") or next((a for a in clause.args if a.topic), None)
    part = moved is not None and len(moved.parts) > 1 and is_attribute(moved.head.text, scene)
    if not person and (part or (clause.dates and target is None)):
        yield from change(clause, scene)  # 会議は水曜に移った
        return
    predicate = "lives_in" if person else "located_in"
    if clause.lemma == "移る" and person and target and target.head.proper != "地名":
        if (
            clause.past
            and is_organisation(target.head.text, scene)
            and (firm := name_of(target, scene, "organisation"))
        ):
            yield from one(make(clause, scene, "works_at", firm, who=who, state=False, confidence=0.7))
        return
    if (name := name_of(target, scene, "place")) and not clause.negated:
        yield from one(make(clause, scene, predicate, name, who=who, state=False, canonical=person, confidence=0.8))
    if (name := name_of(origin, scene, "place")) and not clause.negated:
        yield from one(
            make(clause, scene, predicate, name, who=who, state=False, over=True, canonical=person, confidence=0.8)
        )


def _work(clause: Clause, scene: Scene) -> Iterator[Draft]:
    where, title, origin = clause.arg("で", "に", "へ"), clause.arg("として"), clause.arg("から")
    who = subject(clause, scene, where, title)
    if origin and where and clause.past and not clause.negated and (left := name_of(origin, scene, "organisation")):
        yield from one(make(clause, scene, "works_at", left, who=who, state=False, over=True))
    state = clause.lemma in ("働く", "勤める", "勤務する", "所属する")
    if where and (name := name_of(where, scene, "organisation")):
        team = clause.lemma == "所属する" and not is_organisation(name.text, scene)
        yield from one(make(clause, scene, "member_of" if team else "works_at", name, who=who, state=state))
    if title and (name := name_of(title, scene)):
        yield from one(make(clause, scene, "job_title", name, who=who, state=state))


def _quit(clause: Clause, scene: Scene) -> Iterator[Draft]:
    what = clause.arg("を", "から", "は") or clause.arg("も")
    if what is None or clause.negated or not clause.past:
        return
    who = subject(clause, scene, what)
    name = name_of(what, scene)
    if name is None or name.text in ("仕事", "会社", "職場"):
        return
    lists = scene.words.lists_ja
    if clause.lemma in ("退会する", "脱退する", "抜ける"):
        predicate = "member_of"
    elif (
        is_organisation(name.text, scene) or clause.lemma in ("退職する", "退社する") or what.head.proper == "固有名詞"
    ):
        predicate = "works_at"
    elif name.text in ("タバコ", "煙草", "たばこ"):
        predicate = "smokes"
    elif name.text in lists["drinks"]:
        predicate = "drinks"
    else:
        predicate = "plays" if name.text in lists["sports"] else "works_at" if clause.lemma == "辞める" else "does"
    known = predicate in ("works_at", "member_of", "plays")
    yield from one(
        make(clause, scene, predicate, name, who=who, state=False, over=True, canonical=known, confidence=0.7)
    )


def _group(args: list[Arg], scene: Scene) -> bool:
    """会社は…を使っている: people act through it."""
    return any(a.head.text.endswith(("会社", *scene.words.suffixes["groups_ja"])) for a in args)


def _keep(predicate: str, *roles: str, canonical: bool = True) -> Rule:
    def rule(clause: Clause, scene: Scene) -> Iterator[Draft]:
        arg = clause.arg(*roles) or next((a for a in reversed(clause.args) if a.topic and not is_agent(a, scene)), None)
        passive = clause.has("れる") and not clause.arg("を")
        if arg is None or passive or (clause.past and not clause.lasting and not clause.has("なる", "始める")):
            return
        tools = [
            a for a in clause.args if a.topic and not is_agent(a, scene) and not is_organisation(a.head.text, scene)
        ]
        tools = tools if predicate == "uses" and arg not in tools and not _group(tools, scene) else []
        if (called := clause.arg("という")) and (name := name_of(called, scene)):
            who = subject(clause, scene, arg, called)
            text = (
                f"{who[0].text}は{name.text}という{arg.text}を飼っている" if who[0] and predicate == "has_pet" else None
            )
            yield from one(make(clause, scene, predicate, name, who=who, text=text, confidence=0.8))
            return
        for other in [a for a in clause.args if a.role in ("と", "や", "、", "とか") and not a.topic] + [arg]:
            if (name := name_of(other, scene)) and not scene.known(name.text, "things"):
                who = subject(clause, scene, arg, other, *tools)
                yield from one(make(clause, scene, predicate, name, who=who, canonical=canonical, confidence=0.8))

    return rule


def _speak(clause: Clause, scene: Scene) -> Iterator[Draft]:
    arg = clause.arg("が", "を") or next((a for a in reversed(clause.args) if a.topic and not is_agent(a, scene)), None)
    if arg is None or not arg.text.endswith("語"):
        return
    for other in [a for a in clause.args if a.role in ("と", "や", "、") and a.text.endswith("語")] + [arg]:
        if name := name_of(other, scene):
            yield from one(make(clause, scene, "speaks", name, who=subject(clause, scene, arg, other), state=False))


def _play(clause: Clause, scene: Scene) -> Iterator[Draft]:
    arg = clause.arg("を") or next((a for a in reversed(clause.args) if a.topic and not is_agent(a, scene)), None)
    if (
        arg
        and arg.text in scene.words.lists_ja["sports"]
        and (not clause.past or clause.lasting)
        and (name := name_of(arg, scene))
    ):
        yield from one(make(clause, scene, "plays", name, who=subject(clause, scene, arg)))


def _visit(clause: Clause, scene: Scene) -> Iterator[Draft]:
    where = clause.arg("に", "へ", "を")
    never = clause.has("こと") and clause.negated
    place = where is not None and (
        never or where.head.proper == "地名" or clause.lemma in ("訪れる", "訪問する", "旅行する")
    )
    if place and clause.past and (not clause.negated or clause.has("こと")) and (name := name_of(where, scene)):
        yield from one(
            make(
                clause,
                scene,
                "visited",
                name,
                who=subject(clause, scene, where),
                state=False,
                canonical=False,
                confidence=0.7,
            )
        )


def _born(clause: Clause, scene: Scene) -> Iterator[Draft]:
    where = clause.arg("で", "に")
    who = subject(clause, scene, where)
    if where is not None and where.role == "に" and where.head.proper != "地名":
        return  # 妹に子どもが生まれた
    if name := name_of(where, scene, "place"):
        yield from one(make(clause, scene, "born_in", name, who=who, state=False))
    for span in [s for s in clause.dates if not s.relative]:
        text = scene.read(span.start, span.end).removesuffix("に")
        day = span.value.precision == "day"
        draft = make(
            clause,
            scene,
            "birthday" if day else "birth_year",
            Name(text),
            who=who,
            state=False,
            canonical=day,
            cardinality="one",
        )
        yield from one(draft)


def _marry(clause: Clause, scene: Scene) -> Iterator[Draft]:
    partner = clause.arg("と")
    over = clause.lemma in ("離婚する", "別れる", "死別する") or None
    if clause.lemma == "別れる" and clause.arg("で") is not None:
        return  # 駅で莉奈と別れた
    bare = partner is not None and len(partner.parts) == 1 and kin_of(partner.head, scene) is not None
    if bare and over:
        return  # 夫と離婚した names nobody
    if (name := name_of(partner, scene, "person")) and (clause.past or clause.lasting):
        yield from one(
            make(clause, scene, "married_to", name, who=subject(clause, scene, partner), state=False, over=over)
        )


def _exist(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """がある and がいる: allergies, pets, kin, and where a thing is."""
    thing, where = clause.arg("が"), clause.arg("に")
    topics = [a for a in clause.args if a.topic and a.role != "に"]
    thing = thing or next((a for a in topics if has_allergy(a.text)), None)
    if thing is None and where is not None and len(where.parts) > 1 and clause.lemma in ("いる", "おる"):
        thing = next((a for a in topics if a.text in scene.words.lists["pets_ja"]), None)
    if thing is None and clause.negated and clause.lemma in ("いる", "おる"):
        thing = next(
            (a for a in reversed(topics) if kin_of(a.head, scene) or a.text in scene.words.lists["pets_ja"]), None
        )
    if thing is not None and has_allergy(thing.text):
        what = thing.text.removesuffix("アレルギー").rstrip("の") or (where.text if where else "")
        others = [a.text for a in clause.args if a.role in ("と", "や") and not a.topic]
        for item in [*others, *([what] if what else [])]:
            who = subject(clause, scene, thing, where)
            yield from one(make(clause, scene, "allergic_to", Name(item), who=who))
    elif (
        thing is not None
        and thing.text.endswith(scene.words.suffixes["illness_suffixes_ja"])
        and (name := name_of(thing, scene))
    ):
        who = subject(clause, scene, thing, where)
        yield from one(make(clause, scene, "has", name, who=who, canonical=False, confidence=0.6))
    elif thing is not None and clause.lemma in ("いる", "おる"):
        yield from _company(clause, scene, thing, where)
    elif where is not None and topics and thing is None and not clause.past and (place := name_of(where, scene)):
        name = entity(topics[0].parts, scene)
        if name and not name.is_speaker:
            yield from one(make(clause, scene, "located_in", place, who=(name, False), canonical=False, confidence=0.7))


def _company(clause: Clause, scene: Scene, thing: Arg, where: Arg | None) -> Iterator[Draft]:
    who = (scene.context.me, True) if thing.topic else subject(clause, scene, thing, where)
    if where is not None and len(where.parts) > 1 and where.head.text in ("ところ", "家", "うち", "所"):
        who = (entity(where.parts[:-1], scene), False)
    if where is not None and (role := kin_of(where.head, scene)) and (person := name_of(thing, scene, "person")):
        text = f"{who[0].text}の{where.text}は{person.text}" if who[0] else None
        yield from one(make(clause, scene, role, person, who=who, text=text))
    elif thing.head.text in scene.words.lists["pets_ja"] and (name := name_of(thing, scene)):
        yield from one(make(clause, scene, "has_pet", name, who=who, confidence=0.7))
    elif kin_of(thing.head, scene) and not thing.head.honorific and len(thing.parts) == 1:
        yield from one(make(clause, scene, "has", Name(thing.text), who=who, canonical=False, confidence=0.6))


def _placed(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """〜に置いてある: where a thing was put."""
    where = clause.arg("に")
    topic = next((a for a in clause.args if a.topic or a.role == "が"), None)
    if (
        clause.has("ある")
        and where
        and topic
        and (place := name_of(where, scene))
        and (name := entity(topic.parts, scene))
    ):
        yield from one(make(clause, scene, "located_in", place, who=(name, False), canonical=False, confidence=0.7))


def _named(clause: Clause, scene: Scene) -> Iterator[Draft]:
    called = clause.arg("という")
    if called is None or not (name := name_of(called, scene)):
        return
    topic = next((a for a in clause.args if a.topic or a.role == "が"), None)
    kin = kin_of(topic.head, scene) if topic else None
    who = subject(clause, scene, called)
    if kin and topic and len(topic.parts) > 1 and who[0]:
        yield from attribute(Clause(), scene, who[0], Part("名前", 0, 0), called.parts)
    elif kin:
        text = f"{scene.context.speaker}の{topic.text}は{name.text}" if topic else None
        person = Name(name.text, "person")
        scene.context.meet(person)
        yield from one(make(clause, scene, kin, person, who=(scene.context.me, False), text=text))
    elif clause.lemma in ("申す", "呼ぶ", "いう"):
        yield from one(make(clause, scene, "alias" if clause.lemma == "呼ぶ" else "name", name, who=who))


def _dismissed(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """会社を解雇された."""
    what = clause.arg("を", "から")
    if clause.past and not clause.negated and (name := name_of(what, scene, "organisation")):
        who = subject(clause, scene, what)
        yield from one(make(clause, scene, "works_at", name, who=who, state=False, over=True))


VERBS: dict[str, Rule] = {
    "住む": _live, "暮らす": _live, "居住する": _live, "在住する": _live,
    "引っ越す": _move, "引越す": _move, "引っ越しする": _move, "引越しする": _move, "転居する": _move,
    "移住する": _move, "移り住む": _move, "移る": _move, "移転する": _move,
    "働く": _work, "勤める": _work, "勤務する": _work, "就職する": _work, "転職する": _work, "入社する": _work,
    "所属する": _work, "配属する": _work, "異動する": _work, "転勤する": _work,
    "辞める": _quit, "やめる": _quit, "退職する": _quit, "退社する": _quit, "退会する": _quit, "脱退する": _quit,
    "飼う": _keep("has_pet", "を"), "持つ": _keep("owns", "を"), "所有する": _keep("owns", "を"),
    "使う": _keep("uses", "を"), "使用する": _keep("uses", "を"),
    "利用する": _keep("uses", "を"), "愛用する": _keep("uses", "を"),
    "学ぶ": _keep("studies", "を"), "習う": _keep("studies", "を"),
    "勉強する": _keep("studies", "を", "の"), "専攻する": _keep("studies", "を"),
    "弾く": _keep("plays", "を", canonical=False),
    "弾ける": _keep("plays", "が", "を", canonical=False),
    "吹く": _keep("plays", "を", "が", canonical=False), "奏でる": _keep("plays", "を", canonical=False),
    "演奏する": _keep("plays", "を", canonical=False),
    "愛する": _keep("likes", "を"), "嫌う": _keep("dislikes", "を"), "好む": _keep("likes", "を"),
    "話す": _speak, "話せる": _speak, "できる": _speak, "しゃべれる": _speak, "喋れる": _speak,
    "する": _play,
    "行く": _visit, "訪れる": _visit, "訪問する": _visit, "旅行する": _visit,
    "昇進する": become_post, "昇格する": become_post, "就任する": become_post,
    "生まれる": _born, "結婚する": _marry, "離婚する": _marry,
    "再婚する": _marry, "入籍する": _marry, "連れ添う": _marry, "死別する": _marry, "別れる": _marry,
    "解雇する": _dismissed,
    "変える": change, "替える": change, "換える": change, "機種変更する": change, "買い替える": change,
    "買い換える": change, "移す": change, "アップグレードする": change, "取り替える": change,
    "乗り替える": replace_value, "交代する": change, "交替する": change,
    "切り替える": replace_value, "乗り換える": replace_value, "切り換える": replace_value,
    "ある": _exist, "いる": _exist, "おる": _exist,
    "置く": _placed, "しまう": _placed, "つなぐ": _placed, "貼る": _placed,
    "掛ける": _placed, "止める": _placed, "保管する": _placed, "入れる": _placed,
    "いう": _named, "言う": _named, "申す": _named, "呼ぶ": _named,
    "上がる": change, "下がる": change, "なる": change, "変わる": change, "変更する": change,
    "上げる": change, "下げる": change, "減らす": change, "増やす": change, "引き上げる": change,
    "引き下げる": change, "延ばす": change, "早める": change, "遅らせる": change,
    "決まる": change, "延期する": change, "延びる": change, "伸びる": change, "早まる": change, "ずれる": change,
    **dict.fromkeys(("ずらす", "動かす", "繰り下げる", "繰り上げる", "前倒しする", "先延ばしする", "振り替える",
                     "リスケする"), change),
    "再就職する": _work, "転籍する": _work, "出向する": _work,
    "代わる": change, "替わる": change, "繰り上がる": change, "決定する": change,
}  # fmt: skip
"""Dictionary form to rule; a rule that yields nothing leaves the clause to the general one."""
