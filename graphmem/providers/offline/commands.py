"""Explicit commands: "remember that …", "forget that …", 覚えておいて, 忘れて."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from .draft import Draft
from .lexicon import lexicon
from .sentences import Sentence

_STATED = (
    r"(?=(?:i|i['’]m|i['’]ve|my|we|we['’]re|our|[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)? (?:is|has|was|likes|works|lives))\b)"
)
_POLITE = r"^\W*(?:(?:please|and|also|ok(?:ay)?|hey|can you|could you|i want you to|i['’]d like you to)[,\s]+)*"
_REMEMBER = re.compile(
    _POLITE
    + r"(?:remember|note|(?:make|take) (?:a )?note|write down|keep in mind|bear in mind|(?:do not|don['’]t) forget"
    r"|never forget|save (?:this|that)|store this|memori[sz]e)"
    rf"(?:\s+(?:this|the following|down))?(?:\s*[:,–—-]\s+|\s+(?:that|the fact that)\s+|\s+{_STATED})",
    re.I,
)
_FORGET = re.compile(
    _POLITE + r"(?:forget|(?:do not|don['’]t) remember|stop remembering|delete|erase)\s+"
    r"(?:(?:the fact |about the fact )?that\s+|" + _STATED.replace("|my", "").replace("|our", "") + ")",
    re.I,
)
_FORGET_THING = re.compile(
    _POLITE + r"forget\s+(?:about\s+|everything\s+)*(?P<what>(?!(?:about )?(?:it|that|this|him|her|them)\W*$"
    r"|it\b|that\b(?!\s+\w)|this\b(?!\s+\w)|to\b|how\b)\S.*)$",
    re.I,
)
_POLITE_JA = (
    r"(?:(?:おいて)?(?:くだ?さい|下さい|ください|くれる?|ほしい|欲しい|もらえますか|くれますか)?[ねよ]?|おいて[ねよ]?)"
)
_KEEP_JA = r"(?:覚えて|おぼえて|記憶して|記録して|メモして|保存して|(?:忘れ|わすれ)ないで|(?:忘れ|わすれ)ないように)"
_REMEMBER_FRONT_JA = re.compile(rf"^(?:これ(?:を|は))?{_KEEP_JA}(?:{_POLITE_JA})[、。,::\s]+")
_REMEMBER_END_JA = re.compile(
    rf"(?:という(?:こと|の)(?:を|は)?|(?:こと|の)(?:を|は)|って(?:こと)?(?:を|は)?|と|ので|から)、?{_KEEP_JA}{_POLITE_JA}[。!]*$"
)
_FORGET_JA = re.compile(
    rf"(?:という|って(?:いう)?)?(?P<link>こと|の|話|件)?(?:は|を|も)?、?(?:もう|全部|すべて|ぜんぶ|完全に)*(?:忘れて|わすれて|消して|削除して){_POLITE_JA}[。!]*$"
)
_TALK_JA = re.compile(
    r"(?:話した|言った|いった|教えた|伝えた|書いた|聞いた|頼んだ)(?:こと|話)?[はを]?(?:全部|すべて|ぜんぶ)?$"
)
_NOTHING_JA = re.compile(r"^(?:(?:今|さっき|先ほど)の(?:は|こと|話)?(?:は|を)?|それ(?:は|を)?|もう|全部|すべて|\W)*$")


@dataclass(frozen=True, slots=True)
class Command:
    """What the user told the memory to do with a statement; `rest` is the statement, empty where there is none."""

    kind: Literal["remember", "forget"]
    rest: Sentence


def read_command(sentence: Sentence) -> Command | None:
    """The command in a sentence, if it is one; "forget it" and "remember to call" are none."""
    return _japanese(sentence) if sentence.language == "ja" else _english(sentence)


def _english(sentence: Sentence) -> Command | None:
    text = sentence.text
    if match := _REMEMBER.match(text):
        return Command("remember", sentence.without(0, match.end()))
    if match := _FORGET.match(text):
        return Command("forget", sentence.without(0, match.end()))
    if match := _FORGET_THING.match(text):
        return Command("forget", sentence.without(0, len(text)))
    return None


def _japanese(sentence: Sentence) -> Command | None:
    text = sentence.text
    if match := _REMEMBER_FRONT_JA.match(text):
        return Command("remember", sentence.without(0, match.end()))
    if match := _REMEMBER_END_JA.search(text):
        return Command("remember", sentence.without(match.start(), len(text)))
    match = _FORGET_JA.search(text)
    if match is None or _NOTHING_JA.match(text[: match.start()]):
        return None
    stated = match["link"] in ("こと", "の") or match.start() != match.start("link")
    stated = stated and not _TALK_JA.search(text[: match.start()])
    return Command("forget", sentence.without(match.start() if stated else 0, len(text)))


def obey(command: Command, drafts: list[Draft]) -> list[Draft]:
    """The drafts of a command's statement: weightier where it is to be kept, ended where it is to be forgotten."""
    if command.kind == "remember":
        return [_weighty(d) for d in drafts]
    return [
        d.but(event="retract", valid_at=None, invalid_at=None) for d in drafts if d.event == "assert" and d.polarity
    ]


def _weighty(draft: Draft) -> Draft:
    importance = lexicon().importance(draft.predicate, draft.category)
    return draft.but(importance=min(1.0, round(importance + 0.2, 2)), confidence=max(draft.confidence, 0.8))
