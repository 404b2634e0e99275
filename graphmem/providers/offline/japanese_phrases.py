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
    r"^(?P<owner>[^、。]{1,30})の(?P<attr>電話番号|携帯番号|番号|内線番号|内線|メールアドレス|メール|アドレス|住所)[「(]?(?P<value>[^\s、。はがもを]{3,60}?)[」)]?[はがも]、?"
    r"(?:もう|現在)?(?:使われていな|使っていな|使えな|つながらな|繋がらな|無効|解約|廃止|古い)"
)


def _gone(scene: Scene) -> Iterator[Draft]:
    """田中さんの番号555-0101は使われていない: the value is one no more."""
    match = _GONE.match(scene.sentence.text)
    if match is None or not re.search(r"[0-9@]", scene.read(*match.span("value"))):
        return
    words = re.sub(r"(?:さん|様|氏)$", "", scene.read(*match.span("owner")))
    me = words in scene.words.lists_ja["first_person"]
    owner = scene.context.me if me else Name(words)
    predicate = scene.words.attribute_predicate("電話番号" if match["attr"] in ("番号", "内線") else match["attr"])
    value = Name(scene.read(*match.span("value")))
    text = scene.words.predicate(predicate).sentence("ja", owner.text, value.text, polarity=True)
    yield Draft(owner, predicate, value, 0, len(scene.sentence.text), text, event="retract", confidence=0.7)


def whole(scene: Scene) -> list[Draft] | None:
    """The drafts of a sentence that is read as a whole; None where it is to be read clause by clause."""
    found = [*_called(scene), *_procedure(scene), *_gone(scene)]
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
