"""An English clause as a sentence that can be read alone: pronouns named, relative dates spelled out."""

from __future__ import annotations

import re

from .dates import DateSpan
from .english_clauses import Clause
from .english_scene import Scene, Token

_THIRD = {
    "am": "is", "'m": "is", "’m": "is", "are": "is", "'re": "is", "’re": "is", "have": "has", "'ve": "has",
    "’ve": "has", "do": "does", "were": "was", "'ll": "will", "’ll": "will", "wo": "wo", "'d": "would",
}  # fmt: skip
_SELF = {"my": "'s", "our": "'s", "mine": "'s", "ours": "'s"}
_OBJECT = frozenset({"me", "us", "myself", "ourselves"})


def third_person(lemma: str) -> str:
    """The third person singular of a verb: drives, watches, carries."""
    if lemma in ("be", "have", "do", "go"):
        return {"be": "is", "have": "has", "do": "does", "go": "goes"}[lemma]
    if re.search(r"[^aeiou]y$", lemma):
        return lemma[:-1] + "ies"
    return lemma + ("es" if re.search(r"(?:s|x|z|ch|sh|o)$", lemma) else "s")


def show_date(span: DateSpan, scene: Scene) -> str:
    """The date of a relative expression in digits, in the speaker's zone."""
    value = span.value
    if value.precision in ("year", "month"):
        return value.at.strftime("%Y" if value.precision == "year" else "%Y-%m")
    local = value.at.astimezone(scene.context.reference.tzinfo)
    return local.strftime("%Y-%m-%d" if value.precision == "day" else "%Y-%m-%d %H:%M")


def clause_text(clause: Clause, scene: Scene) -> str:
    """The clause with its subject's name in front; parts of other clauses are left out."""
    tokens = [t for t in _kept(clause, scene) if not t.is_space]
    subject = clause.subject_token
    own = set() if subject is None else {t.i for t in _whole(subject).subtree}
    first_verb = min((t.i for t in tokens if t.i not in own and _verbal(t, clause)), default=clause.verb.i)
    at = -1 if subject is None else subject.i
    front = [t for t in tokens if t.i < first_verb and t.i not in own and t.dep_ not in ("cc", "mark", "punct", "intj")]
    back = [t for t in front if t.i > at >= 0] + [t for t in tokens if t.i >= first_verb and t.i not in own]
    front = [t for t in front if t.i < at or at < 0]
    while back and back[-1].is_punct and back[-1].text not in (")", '"', "”"):
        back.pop()
    body = _join(_words(back, clause, scene))
    lead = _join(_words(_movable(front, clause, scene), clause, scene))
    article = scene.shown(subject) if subject is not None else ""
    lead = lead[:1].lower() + lead[1:] if lead and front[0].pos_ != "PROPN" else lead
    text = f"{article}{clause.subject.text} {body}" + (f" {lead}" if lead else "")
    return re.sub(r"\s+([,;:)])", r"\1", re.sub(r"\s+", " ", text)).strip()


def _whole(token: Token) -> Token:
    """The head of "my kids and I" for any of its parts."""
    while token.dep_ == "conj":
        token = token.head
    return token


def _sets_scene(token: Token, clause: Clause, scene: Scene) -> bool:
    """Whether a word before the subject tells when, where or how, not whom it is said to."""
    if scene.dated(token):
        return True
    top = token
    while top.head.i not in (top.i, clause.head.i):
        top = top.head
    return top.dep_ in ("prep", "advmod")


def _movable(front: list[Token], clause: Clause, scene: Scene) -> list[Token]:
    """Front parts such as "In May" or "now"; discourse words such as "Actually" go."""
    front = [t for t in front if _sets_scene(t, clause, scene)]
    return [
        t
        for t in front
        if not (t.dep_ == "advmod" and t.lower_ in ("actually", "so", "well", "also", "just", "anyway", "yes", "yeah"))
    ]


def _verbal(token: Token, clause: Clause) -> bool:
    return token.i in (clause.head.i, clause.verb.i) or (
        token.head.i == clause.head.i and token.dep_ in ("aux", "auxpass", "neg")
    )


def _kept(clause: Clause, scene: Scene) -> list[Token]:
    head = clause.head
    dropped: set[int] = set()
    for child in head.subtree:
        if child.i == head.i:
            continue
        other = (
            child.dep_ in ("conj", "parataxis")
            and child.head.i in (head.i, clause.verb.i)
            and child.pos_ in ("VERB", "AUX")
        )
        joiner = child.dep_ == "cc" and child.head.i in (head.i, clause.verb.i)
        aside = child.dep_ in ("advcl", "ccomp") and child.i < head.i and any(c.dep_ == "nsubj" for c in child.children)
        if other or aside or (joiner and _joins_clause(child)):
            dropped.update(t.i for t in child.subtree)
    if scene.named_first:
        dropped.add(1)  # the adverb of the stand-in
    return [t for t in head.subtree if t.i not in dropped]


def _joins_clause(token: Token) -> bool:
    return any(c.dep_ == "conj" and c.pos_ in ("VERB", "AUX") for c in token.head.children)


def _words(tokens: list[Token], clause: Clause, scene: Scene) -> list[str]:
    words = []
    for index, token in enumerate(tokens):
        words.append(_word(token, clause, scene) + ("" if _glued(tokens, index) else " "))
        for span in scene.dates:
            if span.relative and not span.length and token.idx < span.end <= token.idx + len(token):
                words[-1] = words[-1].rstrip() + f" ({show_date(span, scene)}) "
    return words


def _glued(tokens: list[Token], index: int) -> bool:
    token = tokens[index]
    return not token.whitespace_ and index + 1 < len(tokens) and tokens[index + 1].i == token.i + 1


def _join(words: list[str]) -> str:
    return "".join(words).strip()


def _word(token: Token, clause: Clause, scene: Scene) -> str:
    written = scene.read(token.idx, token.idx + len(token))
    me, word = scene.context.speaker, token.lower_
    if word in ("'ve", "’ve", "'m", "’m", "'re", "’re") and token.i > 0 and token.nbor(-1).lower_ in ("i", "we"):
        return " " + _THIRD[word]
    if word in _SELF and token.tag_ in ("PRP$", "PRP"):
        return me + _SELF[word]
    if word in _OBJECT and not (token.i + 1 < len(token.doc) and token.nbor().text == "-"):
        return me
    if word == "i":
        return me
    if not clause.subject.is_speaker:
        return (
            {"'s": "is", "’s": "is"}.get(written, written)
            if token.dep_ in ("aux", "auxpass", "ROOT") and token.tag_ != "POS"
            else written
        )
    agrees = token.i == clause.head.i or (token.head.i == clause.head.i and token.dep_ in ("aux", "auxpass"))
    if not agrees or not (clause.subject_token is None or clause.subject_token.lower_ in ("i", "we")):
        return written
    return _agree(token, written)


def _agree(token: Token, written: str) -> str:
    word = token.lower_
    if word in ("had", "'d", "’d") and token.tag_ == "VBD":
        return "had"
    if word in _THIRD:
        return " " + _THIRD[word] if word.startswith(("'", "’")) else _THIRD[word]
    if token.tag_ in ("VBP", "IN") or (token.tag_ == "VB" and not any(c.dep_ == "aux" for c in token.children)):
        return third_person(word)
    return written
