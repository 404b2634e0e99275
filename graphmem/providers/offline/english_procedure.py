"""How something is done: "To restart the boiler, hold the red button"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .draft import Draft, Name
from .english_scene import Scene

_HOW = re.compile(
    r"^(?:in order )?to (?P<verb>[a-z]{2,20}) (?:the |my |our |a |an )?(?P<thing>[^,]{2,50}), (?P<steps>[^.!?]{4,200})",
    re.I,
)


def procedure(scene: Scene) -> Iterator[Draft]:
    """The steps as the value of "how to …" of a thing; nothing where the sentence gives no instruction."""
    match = _HOW.match(scene.sentence.text)
    if match is None or match["thing"].lower() in scene.words.lists["pronouns"]:
        return
    first = next((t for t in scene.doc if t.idx >= match.start("steps")), None)
    if first is None or first.tag_ not in ("VB", "VBP") or any(c.dep_ == "nsubj" for c in first.children):
        return
    thing, steps = scene.read(*match.span("thing")), scene.read(*match.span("steps"))
    yield Draft(
        subject=Name(thing),
        predicate=f"how_to_{match['verb'].lower()}",
        target=Name(steps),
        start=0,
        end=len(scene.sentence.text),
        text=scene.read(0, len(scene.sentence.text)),
        cardinality="one",
        category="procedure",
        confidence=0.6,
    )
