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


def whole(scene: Scene) -> list[Draft] | None:
    """The drafts of a sentence that is read as a whole; None where it is to be read clause by clause."""
    found = [*_called(scene), *_procedure(scene)]
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
