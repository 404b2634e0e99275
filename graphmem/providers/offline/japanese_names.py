"""Japanese noun phrases: whom and what they name."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .dates import DateSpan
from .draft import Context, Draft, Loose, Name
from .japanese_morphs import Arg, Clause, Part
from .lexicon import Lexicon
from .sentences import Sentence

_KATAKANA = re.compile(r"[ァ-ヶー・=]+|[A-Z][A-Za-z'.-]*(?: [A-Z][A-Za-z'.-]*)*")


@dataclass(slots=True)
class Scene:
    """One analysed sentence with everything needed to name its parts."""

    sentence: Sentence
    content: str
    context: Context
    words: Lexicon
    clauses: list[Clause]
    aliases: list[tuple[int, str]]
    dates: list[DateSpan]
    side: list[Draft] = field(default_factory=list)
    loose: list[Loose] = field(default_factory=list)
    topic: Name | None = None
    denied: tuple[Name, str] | None = None
    """Whose attribute the sentence before denied or called wrong, and which: 茨城だ tells its value."""
    renewed: tuple[Name, str] | None = None
    """Whose attribute the sentence before said has changed, and which."""
    needed: bool = False
    """The sentence tells what has to be done: 〜ないといけない, 〜なきゃ."""
    personal: bool = False
    """The clause at hand says what only a person does or is."""

    def read(self, start: int, end: int) -> str:
        """Characters of the sentence as they were written."""
        return self.sentence.words(self.content, start, end)

    def known(self, text: str, *lists: str) -> bool:
        """Whether a word is in one of the Japanese lists."""
        return any(text in self.words.lists_ja[name] for name in lists)


def kin_of(part: Part, scene: Scene) -> str | None:
    """The relation that a kin word names."""
    return scene.words.kin.get(part.text) or (scene.words.kin.get(part.text + "さん") if part.honorific else None)


def is_agent(arg: Arg, scene: Scene) -> bool:
    """Whether the phrase names a person: a pronoun, kin, a name with さん, or a name of the dictionary."""
    head = arg.head
    if head.honorific or head.proper == "人名" or scene.known(head.text, "first_person", "third_person"):
        return True
    return kin_of(head, scene) is not None or (
        scene.context.person is not None and head.text == scene.context.person.text
    )


def entity(parts: tuple[Part, ...], scene: Scene) -> Name | None:
    """Whom a phrase names; None for words that name nobody. Files "妹のアンナ" as a fact of its own."""
    head = parts[-1]
    if len(parts) == 1 and scene.known(head.text, "first_person", "third_person", "things"):
        return _pronoun(head, scene)
    if head.text in scene.words.lists_ja["own_company"]:
        return Name(f"{scene.context.speaker}の会社")
    kin = kin_of(head, scene)
    if kin and head.proper != "人名":
        return _relative(parts, scene)
    if len(parts) > 1 and (role := kin_of(parts[-2], scene)) and (_name_like(head) or _given_name(head, scene)):
        person = Name(_text(head, scene), "person", aliases=_aliases(head, scene))
        _file_kin(parts, role, person, scene)
        return person
    if (
        len(parts) > 1
        and parts[-2].text in scene.words.lists["pets_ja"]
        and (_name_like(head) or _KATAKANA.fullmatch(head.text))
    ):
        return _pet(parts, scene)
    if len(parts) > 1 and (head.honorific or head.proper == "人名"):
        return Name(_text(head, scene), "person", aliases=_aliases(head, scene))
    return _plain(parts, scene)


def _pet(parts: tuple[Part, ...], scene: Scene) -> Name:
    """うちの猫のジュノ is Juno, and the speaker's."""
    name = Name(_text(parts[-1], scene))
    owner = entity(parts[:-2], scene) if len(parts) > 2 else holder(scene)
    if owner is not None and owner.text != name.text:
        text = f"{owner.text}は{name.text}という{parts[-2].text}を飼っている"
        scene.side.append(Draft(owner, "has_pet", name, 0, len(scene.sentence.text), text, confidence=0.8))
    return name


def _pronoun(part: Part, scene: Scene) -> Name | None:
    if scene.known(part.text, "first_person"):
        return scene.context.me
    if scene.known(part.text, "third_person"):
        return scene.context.person
    if part.text in ("これ", "それ", "あれ"):
        return scene.context.thing
    return None


def _text(part: Part, scene: Scene) -> str:
    return (
        scene.read(part.start, part.end)
        if part.end - part.start >= len(part.text) and "「" not in part.text
        else part.text
    )


def _aliases(part: Part, scene: Scene) -> tuple[str, ...]:
    return tuple(alias for at, alias in scene.aliases if part.start <= at <= part.end + 2)


def _name_like(part: Part) -> bool:
    return part.honorific or part.proper == "人名" or (part.unknown and _KATAKANA.fullmatch(part.text) is not None)


def _given_name(part: Part, scene: Scene) -> bool:
    """娘の彩は…働いている: a short word behind a kin word is a name where only a person fits."""
    return (
        scene.personal
        and re.fullmatch(r"[一-龠々ぁ-ん]{1,3}", part.text) is not None
        and part.text not in scene.words.attribute
    )


def holder(scene: Scene) -> Name:
    """Whose kin or pet an unnamed one is: of the other person that the sentence is about, else the speaker's."""
    topic = scene.topic
    other = topic is not None and not topic.is_speaker and not topic.text.startswith(f"{scene.context.speaker}の")
    return topic if topic is not None and other else scene.context.me


def _relative(parts: tuple[Part, ...], scene: Scene) -> Name | None:
    """母 is the speaker's mother, 田中さんの妹 Tanaka's sister."""
    word = _text(parts[-1], scene) + ("さん" if parts[-1].honorific else "")
    if len(parts) == 1:
        return Name(f"{holder(scene).text}の{word}", "person")
    owner = entity(parts[:-1], scene)
    if owner is None:
        return None
    if not owner.is_speaker and owner.type != "person":
        return Name(f"{scene.context.speaker}の{owner.text}の{word}", "person")
    return Name(f"{owner.text}の{word}", "person")


def _file_kin(parts: tuple[Part, ...], role: str, person: Name, scene: Scene) -> None:
    owner = entity(parts[:-2], scene) if len(parts) > 2 else holder(scene)
    if owner is None or owner.text == person.text:
        return
    text = f"{owner.text}の{parts[-2].text}は{person.text}"
    scene.side.append(Draft(owner, role, person, 0, len(scene.sentence.text), text, confidence=0.85))


def _plain(parts: tuple[Part, ...], scene: Scene) -> Name | None:
    words = [_text(p, scene) for p in parts]
    first = parts[0]
    if scene.known(first.text, "first_person"):
        words[0] = scene.context.speaker
    elif scene.known(first.text, "own_company"):
        words[0] = f"{scene.context.speaker}の会社"
    elif scene.known(first.text, "third_person"):
        if scene.context.person is None:
            return None
        words[0] = scene.context.person.text
    elif len(parts) > 1 and kin_of(first, scene):
        words[0] = f"{scene.context.speaker}の{words[0]}"
    person = "person" if parts[-1].proper == "人名" or parts[-1].honorific else None
    name = "の".join(words)
    return Name(name, person, aliases=_aliases(parts[-1], scene)) if name else None
