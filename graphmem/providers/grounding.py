"""Whether a candidate is stated by the message it claims to come from.

A language model may add what was never said. What can be checked without another model is checked: the
quote stands in the message, numbers and names of the object do too, the subject is someone the
conversation names, and the statement is not the opposite of its quote.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from graphmem.ports import Candidate, Rejection

from .folding import Folded, fold, fold_with_origin
from .numerals import numbers, spoken_numbers
from .polarity import denied, has_negation, is_negative

NOT_GROUNDED = "not_grounded"
_ELLIPSIS = re.compile(r"\s*(?:\.{3}|…)\s*")
_SENTENCE = re.compile(r"[^。！？!?\n]+?(?:[。！？!?\n]+|\.(?=\s)|\Z)")
_BRACKETS = re.compile(r"[(（][^()（）]*[)）]")
_TITLED = re.compile(r"[^\W\d_][\w'’&+#.-]*")
_KANJI = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff々]")
_KATAKANA = re.compile(r"[\u30a1-\u30fa\u30fc]{2,}")
_HIRAGANA = re.compile(r"[\u3041-\u3096]")
_ISO_DATE = re.compile(r"\d{4}(?:-\d{2}){1,2}(?:T[\d:+Z-]*)?")
_RELATIVE = re.compile(
    r"(?i)\b(?:yesterday|today|tonight|tomorrow|next|last|ago|this|in an?)\b|[昨明今来先翌]|おととい|あさって"
)
_SMALL_WORDS = re.compile(
    r"the|and|for|with|from|his|her|its|our|their|your|who|that|this|into|about|not"
    r"|one|two|three|four|five|six|seven|eight|nine|ten"
)


def ground(
    turn_content: str, candidate: Candidate, *, nearby: str = "", names: Sequence[str] = ()
) -> Candidate | Rejection:
    """The candidate with `quote`, `start` and `end` set to the real span, or why it is refused.

    `nearby` is the rest of the conversation: a pronoun's subject may be named there. `names` are speakers and
    known entities: the object may be one of them. An empty quote is replaced by the sentence that holds
    the object, else by the whole message when it names the subject.
    """
    content = fold_with_origin(turn_content)
    span = _span(turn_content, content, candidate)
    if span is None or not _names_subject(candidate, content.text, nearby, names):
        return _refused(candidate)
    if not _states_object(candidate.object.name, turn_content, content.text, names):
        return _refused(candidate)
    quote = turn_content[span[0] : span[1]]
    if not _polarity_fits(candidate, turn_content, quote):
        return _refused(candidate)
    return replace(candidate, quote=quote, start=span[0], end=span[1])


def _refused(candidate: Candidate) -> Rejection:
    return Rejection(turn=candidate.turn, text=candidate.text, reason=NOT_GROUNDED)


def _span(content: str, folded: Folded, candidate: Candidate) -> tuple[int, int] | None:
    quote = candidate.quote.strip()
    if not quote:
        return _sentence_with_object(content, folded, candidate)
    if (at := content.find(quote)) >= 0:
        return at, at + len(quote)
    return folded.find(quote) or folded.find(quote.strip("\"'「」『』“”.。 ")) or _elided(folded, quote)


def _elided(folded: Folded, quote: str) -> tuple[int, int] | None:
    """The span of a quote with left-out words ("I moved … to Osaka"): its parts in order."""
    spans: list[tuple[int, int]] = []
    begin = 0
    for part in filter(None, _ELLIPSIS.split(quote)):
        at = folded.text.find(fold(part), begin)
        if at < 0:
            return None
        begin = at + len(fold(part))
        spans.append((folded.origin[at], folded.origin[begin - 1] + 1))
    return (spans[0][0], spans[-1][1]) if len(spans) > 1 else None


def _sentence_with_object(content: str, folded: Folded, candidate: Candidate) -> tuple[int, int] | None:
    wanted = fold(candidate.object.name)
    for match in _SENTENCE.finditer(content):
        if wanted and wanted in fold(match.group()):
            return _trimmed(content, match.start(), match.end())
    named = candidate.subject.is_speaker or fold(candidate.subject.name) in folded.text
    return _trimmed(content, 0, len(content)) if named else None


def _trimmed(content: str, start: int, end: int) -> tuple[int, int]:
    while start < end and (content[start].isspace() or content[start] == "\ufeff"):
        start += 1
    return start, start + len(content[start:end].rstrip())


def _names_subject(candidate: Candidate, content: str, nearby: str, names: Sequence[str]) -> bool:
    if candidate.subject.is_speaker:
        return True
    name = _BRACKETS.sub("", candidate.subject.name)
    known = content + "\n" + fold(" ".join(names))
    return names_occur(name, known) or bool(nearby and names_occur(name, known + "\n" + fold(nearby)))


def names_occur(text: str, folded: str) -> bool:
    """Whether the capitalised words, katakana words and half of the kanji of `text` stand in `folded`."""
    titled = [word for word in _TITLED.findall(text) if word.isascii() and not word.islower()]
    if any(not _occurs(word, folded) for word in titled):
        return False
    if any(fold(word) not in folded for word in _KATAKANA.findall(text)):
        return False
    kanji = _KANJI.findall(text)
    return not kanji or sum(char in folded for char in kanji) * 2 >= len(kanji)


def _occurs(word: str, folded: str) -> bool:
    plain = fold(word).rstrip(".'")
    return plain.removesuffix("'s") in folded or (len(plain) > 3 and plain.removesuffix("s") in folded)


def _states_object(name: str, raw: str, content: str, names: Sequence[str]) -> bool:
    said, known = spoken_numbers(raw), fold(" ".join(names))
    if _ISO_DATE.fullmatch(name.strip()) and fold(name) not in content:
        return bool(numbers(name) & said) or bool(_RELATIVE.search(raw))
    if not numbers(name) <= said | spoken_numbers(" ".join(names)):
        return False
    if fold(name) in content or (known and fold(name) in known):
        return True
    return names_occur(name, content + "\n" + known) and words_occur(name, content)


def words_occur(text: str, folded: str) -> bool:
    """Whether half of the plain words stand in `folded`, by their stems; kana by pairs of signs."""
    words = [w for w in re.findall(r"[a-zà-ɏ]{3,}", text) if not _SMALL_WORDS.fullmatch(w)]
    if words and sum(fold(w)[: max(3, len(w) - 3)] in folded for w in words) * 2 < len(words):
        return False
    kana = "".join(_HIRAGANA.findall(text))
    if _KANJI.search(text) or _KATAKANA.search(text) or len(kana) < 2:
        return True
    pairs = [fold(kana[i : i + 2]) for i in range(len(kana) - 1)]
    return sum(pair in folded for pair in pairs) * 2 >= len(pairs)


def _polarity_fits(candidate: Candidate, content: str, quote: str) -> bool:
    if candidate.event == "retract" or is_negative(candidate.predicate) or has_negation(candidate.object.name):
        return True
    if not candidate.polarity:
        return has_negation(quote) or has_negation(content)
    return not denied(quote, candidate.object.name)
