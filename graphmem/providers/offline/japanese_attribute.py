"""Japanese attributes: whose, which, and what the value tells of them: 倉庫の郵便番号は…, 靴のサイズは…."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .draft import Draft, Name
from .japanese_make import make, subject
from .japanese_morphs import Arg, Clause, Part
from .japanese_names import Scene, entity, kin_of

AGE = re.compile(r"([0-9０-９〇一二三四五六七八九十百]+)(?:歳|才)$")


WORK_MODES = frozenset(
    {"在宅", "在宅勤務", "リモート", "リモートワーク", "フルリモート", "テレワーク", "出社", "フル出社",
     "ハイブリッド", "時短", "時短勤務",
     "フルタイム", "夜勤", "日勤", "フレックス", "週休三日", "週休3日", "オフィス勤務"}
)  # fmt: skip
_SIZED = frozenset({"靴", "足", "服", "シャツ", "ズボン", "スカート", "ジーンズ", "指輪", "帽子"})
_CLOTHES = re.compile(r"(?:[XxSsMmLl]{1,3}|[0-9]{1,2}[A-Z]?)(?:サイズ|号)?|[0-9.]+(?:センチ|cm|㎝|号|インチ)")


def some(draft: Draft | None) -> Iterator[Draft]:
    """The draft, if there is one."""
    if draft:
        yield draft


def owner_and_attribute(arg: Arg, scene: Scene) -> tuple[Name | None, Part] | None:
    """(owner, attribute) of 倉庫の郵便番号, 家賃, 上司, 好きな色; None where the phrase is a thing of its own."""
    head = arg.head
    if head.honorific or head.proper == "人名" or scene.known(head.text, "first_person", "third_person"):
        return None
    owners, attr = attribute_of(arg.parts, scene)
    own = is_attribute(attr.text, scene)
    if owners:
        if kin_of(head, scene) and not own:
            return None
        owner = entity(owners, scene)
        return (owner, attr) if owner else None
    if own or attr.text in _SIZED:
        return subject(Clause(), scene)[0], attr
    return None


_MODIFIERS = frozenset(
    {"愛用", "行きつけ", "お気に入り", "長年", "現在", "普段", "今", "最新", "自慢", "専用", "新", "旧"}
)


def attribute_of(parts: tuple[Part, ...], scene: Scene) -> tuple[tuple[Part, ...], Part]:
    """Whose, and what: the attribute may be several words (靴のサイズ, 取引先の銀行); 今後の is no owner."""
    known = {**scene.words.attribute, **scene.words.kin}
    count = next((n for n in (3, 2) if "の".join(p.text for p in parts[-n:]) in known), 1)
    count = min(count, len(parts))
    attr = parts[-1]
    if count > 1:
        attr = Part("の".join(p.text for p in parts[-count:]), parts[-count].start, parts[-1].end)
    owners = parts[:-count]
    return (() if len(owners) == 1 and (owners[0].temporal or owners[0].text in _MODIFIERS) else owners), attr


_AMOUNT = re.compile(r"[0-9０-９〇一二三四五六七八九十百千万.,]+[^0-9A-Za-z]{0,4}")


_NAMED = re.compile(
    r"[ァ-ヶー]{2}|[A-Za-z]{2}|.(?:大学|高校|中学校?|小学校|学園|学院|専門学校|オフィス|支社|支店|本社|ビル|コース|プラン)$"
)


def _number_like(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None or _MAIL.fullmatch(text) is not None


def of_the_thing(arg: Arg, attr: Part, value: tuple[Part, ...], scene: Scene) -> bool:
    """車は赤だ, 銀行は三時までだ: said of the thing, not which one it is."""
    if attr.text not in scene.words.lists_ja["owned_things"]:
        return False
    text = value[-1].text
    if arg.text == attr.text and scene.words.kind_ja(entity_text(value)) != scene.words.attribute_predicate(attr.text):
        return True
    predicate = scene.words.attribute_predicate(attr.text)
    named = _NAMED.search(entity_text(value)) is not None or scene.words.kind_ja(text) == predicate
    if not named and not (predicate == "team" and is_team(text, scene)) and not _number_like(text):
        return True
    known = text in scene.words.lists["colors_ja"] or text in scene.words.lists_ja["not_names"]
    place = value[-1].proper == "地名" or text.endswith(("前", "横", "近く", "隣", "中"))
    return known or value[-1].temporal or place or _AMOUNT.fullmatch(text) is not None


def sized(attr: Part, value: tuple[Part, ...]) -> bool:
    """Whether the words are of a thing worn, and not of its size: 靴は赤だ."""
    return attr.text in _SIZED and not _CLOTHES.fullmatch(entity_text(value))


def entity_text(parts: tuple[Part, ...]) -> str:
    """The words of a phrase, joined by の."""
    return "の".join(p.text for p in parts)


def is_attribute(text: str, scene: Scene) -> bool:
    """Whether a word names what has a value: 家賃, 上司, 好きな色."""
    words = scene.words
    return (
        text in words.attribute
        or text in words.lists["attributes_ja"]
        or text.startswith(("好きな", "嫌いな", "一番好きな"))
    )


def attribute(clause: Clause, scene: Scene, owner: Name | None, attr: Part, value: tuple[Part, ...]) -> Iterator[Draft]:
    """XのYはZ: predicate Y of X, with one value at a time."""
    if owner is None:
        return
    if clause.negated:
        scene.context.changed = (owner, attr.text)
    target = entity(value, scene)
    if target is None:
        return
    predicate, target = _by_value(attr, target, scene)
    person = owner.is_speaker or owner.type == "person"
    if predicate in ("works_at", "job_title", "comes_from") and not person:
        predicate = attr.text
    if predicate == "name":
        yield from named(clause, scene, owner, target)
        return
    if predicate == "comes_from":
        target = Name(target.text, "place")
    if predicate == "age" and (match := AGE.search(target.text)):
        target = Name(match[1])
    known = predicate in scene.words.predicates or predicate.startswith("favourite_")
    many = attr.text in scene.words.lists_ja["many_valued"] or scene.words.attribute_predicate(attr.text) == "works_on"
    text = None
    if not scene.words.predicate(predicate).templates and not clause.negated:
        text = f"{owner.text}の{attr.text}は{target.text}"
    yield from some(
        make(
            clause,
            scene,
            predicate,
            target,
            who=(owner, False),
            cardinality="many" if many else None if known else "one",
            text=text,
        )
    )


_NUMBER = re.compile(r"[+(]?[0-9０-９][0-9０-９()\s-]{6,}[0-9０-９]")


_MAIL = re.compile(r"[^\s@]+@[^\s@]+")


_LANGUAGE = re.compile(r"(?P<language>[^、。の]{1,8}語)(?:を?希望|が?希望)?")


_REACHED = frozenset(
    {"連絡先", "連絡", "携帯", "ケータイ", "携帯電話", "スマホ", "番号", "メール", "電話", "問い合わせ先"}
)


def _by_value(attr: Part, target: Name, scene: Scene) -> tuple[str, Name]:
    """The predicate and value, where the value tells more than the word: 連絡先は a number, 食事はハラール食."""
    text, word = target.text, attr.text
    if word in _REACHED and (_NUMBER.fullmatch(text) or _MAIL.fullmatch(text)):
        return ("email" if "@" in text else "phone"), target
    if word in ("連絡", "案内", "やりとり", "対応言語") and (match := _LANGUAGE.fullmatch(text)):
        return "preferred_language", Name(match["language"])
    if word in ("食事", "食生活", "食べ物") and text in scene.words.lists["diets_ja"]:
        return "diet", target
    if word in _SIZED - {"靴", "足"} and _CLOTHES.fullmatch(text):
        return f"{word}のサイズ", target
    if word in ("靴", "足") and re.fullmatch(r"[0-9.]+(?:センチ|cm|㎝|号)", text):
        return "shoe_size", target
    if word in ("仕事", "勤務", "勤務形態", "働き方") and text in WORK_MODES:
        return "work_mode", target
    if word == "所属" and is_team(text, scene):
        return "team", target
    return scene.words.attribute_predicate(word), target


def is_team(text: str, scene: Scene) -> bool:
    """Whether a word names a part of a firm: 広報チーム, 営業部; no club, and no firm."""
    return re.search(r".(?:チーム|[^楽]部|課|室|係|班|グループ|事業部|本部|局)$", text) is not None and not any(
        sport in text for sport in scene.words.lists_ja["sports"]
    )


def named(clause: Clause, scene: Scene, owner: Name, target: Name) -> Iterator[Draft]:
    """What something or somebody is called; of kin and pets also whose they are."""
    speaker = scene.context.speaker
    word = owner.text.removeprefix(f"{speaker}の")
    kin = scene.words.kin.get(word)
    holder, _, role = owner.text.rpartition("の")
    if holder and holder != speaker and role in scene.words.kin:
        person, text = Name(target.text, "person"), f"{owner.text}は{target.text}"
        yield from some(
            make(clause, scene, scene.words.kin[role], person, who=(Name(holder, "person"), False), text=text)
        )
        return
    if kin:
        person = Name(target.text, "person")
        scene.context.meet(person)
        text = f"{speaker}の{word}は{target.text}"
        yield from some(make(clause, scene, kin, person, who=(scene.context.me, False), text=text))
    elif word in scene.words.lists["pets_ja"]:
        scene.context.meet(target)
        text = f"{speaker}は{target.text}という{word}を飼っている"
        yield from some(make(clause, scene, "has_pet", target, who=(scene.context.me, False), text=text))
    else:
        yield from some(make(clause, scene, "name", target, who=(owner, False)))
