"""Japanese sentences that rules cannot place: whom and what they may be about, for the model of `wordings`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .draft import Draft, Name
from .japanese_frame import claims, conditional
from .japanese_make import make
from .japanese_morphs import Arg, Clause, Part
from .japanese_names import Scene, entity
from .wordings import SOMEBODY, Question
from .wordings.asking import Ask, needed
from .wordings.shapes import Look

_MOST = 6
_BESIDE = re.compile(r"さらに|他に|ほかに|加えて|もう一|もうひと|時々|たまに|両方|ときどき|および|一度")
_ADVERBS = re.compile(r"(?:今は|今では|今や|現在は|現在|最近は|最近|今後は|今後|これからは|いまは|もう)、?")
_FOREIGN = re.compile(r"[ァ-ヴー]{2,}|[A-Za-z]{2,}|\d")
_LONG = 4
"""Signs of a compound that may be a firm's or a school's name."""
_PLANS = ("たい", "予定", "つもり", "計画", "ほしい", "欲しい")


def asks(scene: Scene, found: Sequence[Draft]) -> list[Ask]:
    """What the model is asked about a sentence in which rules have found nothing that they know."""
    text = scene.sentence.text
    if not needed(found, text) or scene.needed or not scene.clauses or _BESIDE.search(text):
        return []
    clause = scene.clauses[-1]
    if "以前" in clause.adverbs or clause.lemma in ("考える", "思う", "言う", "聞く"):
        return []
    if not claims(clause) or conditional(clause) or clause.has(*_PLANS) or any(c.negated for c in scene.clauses):
        return []
    if any(arg.role == "も" for c in scene.clauses for arg in c.args):
        return []
    side = list(scene.side)
    made = list(_pairs(scene, clause))[:_MOST]
    scene.side = side
    return made


def _pairs(scene: Scene, clause: Clause) -> Iterator[Ask]:
    args = [arg for c in scene.clauses for arg in c.args]
    people = [arg for arg in args if (arg.topic and arg.role == "は") or arg.role == "が"]
    somebodies = list(dict.fromkeys(n for arg in people for n in _owners(arg, scene)))[:3]
    values = list(_values(args, scene))
    silent = not somebodies
    if silent:
        somebodies = [scene.topic or scene.context.topic or scene.context.me]
    own = (scene.context.speaker, scene.context.me.text)
    named_parts = {arg.text for arg in people if _named(arg.parts[:1])}
    for rank, somebody in enumerate(somebodies):
        has_name = not somebody.text.startswith(own) and any(somebody.text.startswith(t[:2]) for t in named_parts)
        for value, named, dated in values:
            if value not in somebody.text and somebody.text not in value:
                person = True if somebody.is_speaker or somebody.type == "person" else None
                question = Question("ja", _sentence(scene, somebody, value), value, Look(person, named, dated))
                draft = _draft(scene, clause, somebody, value)
                if value in question.text and not draft.candidate:
                    yield Ask(question, draft, rank, has_name, silent)


def _owners(arg: Arg, scene: Scene) -> list[Name]:
    """中村さんの給料 speaks of 中村さん, and of that."""
    whole = entity(arg.parts, scene)
    owner = entity(arg.parts[:1], scene) if len(arg.parts) > 1 and _is_person(arg.parts[0]) else None
    return [n for n in (owner, whole) if n is not None]


def _is_person(part: Part) -> bool:
    return part.honorific or part.proper == "人名"


def _named(parts: Sequence[Part]) -> bool:
    """Whether the words are a name: known as one, unknown to the dictionary, in katakana or Latin, or of many signs."""
    return any(p.proper or p.unknown or p.honorific or _FOREIGN.search(p.text) for p in parts) or (
        len(parts) == 1 and len(parts[0].text) >= _LONG and not parts[0].temporal
    )


def _values(args: Sequence[Arg], scene: Scene) -> Iterator[tuple[str, bool, bool]]:
    """Words, whether they are a name, and whether they are a time."""
    for span in scene.dates:
        if not span.length:
            yield re.sub(r"(?:から|以降|まで|に|、|頃|ごろ)+$", "", scene.read(span.start, span.end)), False, True
    for clause in reversed(scene.clauses):
        if clause.noun:
            yield scene.read(clause.noun[0].start, clause.noun[-1].end), _named(clause.noun), False
    for arg in args:
        yield scene.read(arg.parts[0].start, arg.parts[-1].end), _named(arg.parts), False
        if len(arg.parts) > 1:
            yield scene.read(arg.parts[0].start, arg.parts[0].end), _named(arg.parts[:1]), False


def _sentence(scene: Scene, somebody: Name, value: str) -> str:
    text = scene.read(0, len(scene.sentence.text))
    for span in sorted(scene.dates, key=lambda s: -s.start):
        if value not in (words := scene.read(span.start, span.end)):
            text = text.replace(words, "", 1)
    named = re.sub(rf"{re.escape(somebody.text)}(?:さん|様|氏)?", SOMEBODY["ja"], text)
    if named == text:
        named = re.sub(r"^(?:私|僕|俺|わたし)(?=[はのがも])", SOMEBODY["ja"], text)
    if SOMEBODY["ja"] not in named:
        named = f"{SOMEBODY['ja']}は{named}"
    named = _ADVERBS.sub("", named).strip("、 ")
    return named if named.endswith(("。", "!")) else named + "。"


def _draft(scene: Scene, clause: Clause, somebody: Name, value: str) -> Draft:
    dates = list(clause.dates)
    clause.dates[:] = [s for s in dates if value not in scene.read(s.start, s.end)]
    draft = make(clause, scene, "", Name(value), who=(somebody, False), state=False, canonical=False, over=False)
    clause.dates[:] = dates
    assert draft is not None  # noqa: S101  there is a subject
    return draft
