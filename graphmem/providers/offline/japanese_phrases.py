"""Japanese sentences whose whole form tells what they say: names to be called by, procedures."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .draft import Draft, Name
from .japanese_names import Scene

_CALL_ME = re.compile(
    r"(?:^|[、はも])(?:私のことは|僕のことは)?[「『]?(?P<name>[^\s、。「」『』はをがに]{1,12})[」』]?(?:と|って)(?:呼んで|お呼び)"
    r"(?:ください|下さい|くだされば|くれ|もらえ|ね|。|!|$)"
)
_HOW = re.compile(
    r"^(?P<thing>[^、。はがを]{1,20})を(?P<verb>[^、。を]{1,10}?)(?:には|ためには|時は|ときは|際は|場合は)、?(?P<steps>[^。]{4,80})[。]?$"
)


_GONE = re.compile(
    r"^(?P<owner>[^、。]{1,30})の(?:旧|古い|以前の|前の)?(?:(?P<attr>電話番号|携帯番号|番号|内線番号|内線|メールアドレス|メール|アドレス|住所)[「(]?)?"
    r"(?P<value>[^\s、。はがもを]{3,60}?)[」)]?[はがも]、?(?:もう|現在|今は)?"
    r"(?:使われていな|使っていな|使えな|つながらな|繋がらな|届かな|無効|解約|廃止|古い)"
)
_ADDRESS = re.compile(r"[!-?A-~]+@[!-?A-~]+|[+(]?[0-9][0-9()-]{6,}[0-9]")


def _gone(scene: Scene) -> Iterator[Draft]:
    """田中さんの番号555-0101は使われていない: the value is one no more."""
    match = _GONE.match(scene.sentence.text)
    written = scene.read(*match.span("value")) if match else ""
    if match is None or not (re.search(r"[0-9@]", written) if match["attr"] else _ADDRESS.fullmatch(written)):
        return
    words = re.sub(r"(?:さん|様|氏)$", "", scene.read(*match.span("owner")))
    me = words in scene.words.lists_ja["first_person"]
    owner = scene.context.me if me else Name(words)
    attr = match["attr"] or ("メール" if "@" in written else "電話番号")
    predicate = scene.words.attribute_predicate("電話番号" if attr in ("番号", "内線") else attr)
    value = Name(written)
    text = scene.words.predicate(predicate).sentence("ja", owner.text, value.text, polarity=True)
    yield Draft(owner, predicate, value, 0, len(scene.sentence.text), text, event="retract", confidence=0.7)


_REACH = re.compile(
    r"^(?:(?P<owner>[^、。はがを]{1,30}?)(?:への|の)?)?(?:ご?連絡先?|メール|電話|お?問い合わせ)は、?(?P<value>[^\s、。]{5,60}?)(?:まで|へ|に|宛)"
    r"(?:ご連絡|お願いします|ください|どうぞ)*[。]?$"
)
_SYMPTOM = re.compile(
    r"^(?:(?P<who>[^、。はがを]{1,20})は、?)?(?P<food>[^、。はがを]{1,15})を(?:食べ|飲|口に|摂|とる)[^、。]{0,4}(?:と|たら|ば)、?[^、。]{0,12}"
    r"(?:蕁麻疹|じんましん|湿疹|発疹|かゆ|痒|呼吸困難|アナフィラキシー|腫れ|アレルギー)[^、。ない]{0,12}[。!]*$"
)


def _person(words: str | None, scene: Scene) -> Name:
    """The speaker, kin of theirs, or the one named."""
    plain = re.sub(r"(?:さん|様|氏|くん|ちゃん)$", "", words or "")
    if not plain or plain in scene.words.lists_ja["first_person"]:
        return scene.context.me
    return Name(f"{scene.context.speaker}の{words}" if words in scene.words.kin else plain, "person")


def _reach(scene: Scene) -> Iterator[Draft]:
    """木村さんへのメールはkimura@example.comまで."""
    match = _REACH.match(scene.sentence.text)
    value = Name(scene.read(*match.span("value"))) if match else None
    if match is None or value is None or not _ADDRESS.fullmatch(value.text):
        return
    owner = _person(scene.read(*match.span("owner")) if match["owner"] else None, scene)
    predicate = "email" if "@" in value.text else "phone"
    text = scene.words.predicate(predicate).sentence("ja", owner.text, value.text, polarity=True)
    yield Draft(owner, predicate, value, 0, len(scene.sentence.text), text, confidence=0.85)


def _symptom(scene: Scene) -> Iterator[Draft]:
    """卵を食べると湿疹が出る: an allergy, not a meal."""
    match = _SYMPTOM.match(scene.sentence.text)
    if match is None:
        return
    who, food = _person(match["who"], scene), Name(scene.read(*match.span("food")))
    text = scene.words.predicate("allergic_to").sentence("ja", who.text, food.text, polarity=True)
    yield Draft(who, "allergic_to", food, 0, len(scene.sentence.text), text, confidence=0.75)


def whole(scene: Scene) -> list[Draft] | None:
    """The drafts of a sentence that is read as a whole; None where it is to be read clause by clause."""
    found = [*_called(scene), *_procedure(scene), *_gone(scene), *_reach(scene), *_symptom(scene)]
    return found or None


def _called(scene: Scene) -> Iterator[Draft]:
    if match := _CALL_ME.search(scene.sentence.text):
        name = Name(scene.read(*match.span("name")))
        text = f"{scene.context.speaker}の別名は{name.text}"
        yield Draft(scene.context.me, "alias", name, 0, len(scene.sentence.text), text, confidence=0.85)


def _procedure(scene: Scene) -> Iterator[Draft]:
    match = _HOW.match(scene.sentence.text)
    if match is None or not match["steps"].endswith(("ます", "る", "す", "く", "む", "ぶ", "う", "つ", "ぐ")):
        return
    yield Draft(
        subject=Name(scene.read(*match.span("thing"))),
        predicate=f"{scene.read(*match.span('verb'))}方法",
        target=Name(scene.read(*match.span("steps"))),
        start=0,
        end=len(scene.sentence.text),
        text=scene.read(0, len(scene.sentence.text)),
        cardinality="one",
        category="procedure",
        confidence=0.6,
    )
