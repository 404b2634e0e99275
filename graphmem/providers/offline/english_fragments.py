"""What an English speaker leaves out: "Moved to Cork", "Love olives", "My husband's from Senegal"."""

from __future__ import annotations

import re

from .sentences import Sentence

_LEAD = (
    r"^\W*(?:(?:oh|yeah|yes|well|so|also|and|but|honestly|personally|currently|still|now|just"
    r"|really|absolutely)[,\s]+)*"
)
_LIKES = r"(?:love|hate|like|enjoy|prefer|adore|dislike|detest|own|speak)"
_NEW_VALUE = re.compile(
    r"^\W*(?P<i>(?:i|we)(?:['’]ve| have)?(?: got| have| changed| now have)?) (?:a |an |my |our )?(?:new )?"
    r"(?:(?:phone|mobile|cell) ?numbers?|number|e-?mail(?: address)?|address|username|job title)"
    r"(?P<gap>\s*[:–—-]\s+)(?=\S)",
    re.I,
)
_FEELS = re.compile(
    _LEAD
    + rf"(?:{_LIKES}\s+(?!you|u\b|it\b|this|that|how|your|to hear)|(?:can['’]?t stand|can['’]?t eat|can not stand)\s"
    rf"|(?:don['’]?t|do not) (?:really |much )?(?:like|love|enjoy|own|speak|have)\s|(?:have|need|got) to\s)",
    re.I,
)
_IS = re.compile(
    _LEAD + r"(?:(?:living|working|studying|learning|teaching|training|renting|reading|volunteering)"
    r"\s+(?!of\b|on\b|is\b|with\b)"
    r"|(?:allergic|married|engaged) to\s)",
    re.I,
)
_DID = re.compile(
    _LEAD
    + r"(?:moved|relocated|got|started|adopted|bought|sold|quit|joined|left|finished|graduated|switched|became|visited"
    r"|broke|passed|won|lost|ran|signed|grew|learned|learnt|married|divorced|retired|stopped|gave)"
    r"\s+(?!it\b|you\b|me\b)\w",
    re.I,
)
_BORN = re.compile(_LEAD + r"born (?:and (?:raised|bred) )?(?:in|on)\s", re.I)
_RAISED = re.compile(r"(?<=\bborn) and (?:raised|bred|brought up)(?= in\b)", re.I)
_CONTRACTED = re.compile(
    r"(?<=[a-z])['’]s (?=(?:from|a|an|not|now|no longer|allergic|called|named|in|at|still|currently|working|living"
    r"|moving|married|vegan|vegetarian|diabetic)\b)"
)
_PRONOUNS = re.compile(r"\b(?:it|that|there|here|what|who|where|how|he|she|let)$", re.I)


def spelled_out(sentence: Sentence) -> Sentence:
    """The sentence with what was left out put back for the parser; the quote stays as it was written."""
    if match := _NEW_VALUE.match(sentence.text):
        article = sentence.text[match.end("i") :]
        skip = match.end("i") + len(re.match(r" (?:a |an |my |our )?(?:new )?", article)[0])  # type: ignore[index]
        sentence = sentence.replaced(*match.span("gap"), " is ").replaced(match.start("i"), skip, "My ")
    if match := _RAISED.search(sentence.text):
        sentence = sentence.without(*match.span())
    for match in reversed(list(_CONTRACTED.finditer(sentence.text))):
        if not _PRONOUNS.search(sentence.text[: match.start()]):
            sentence = sentence.replaced(match.start(), match.start() + 2, " is")
    if re.search(r"\b(?:is|are|was|were|would|sounds|makes)\b", sentence.text) and not _BORN.match(sentence.text):
        return sentence
    for pattern, missing in ((_FEELS, "I "), (_IS, "I am "), (_DID, "I "), (_BORN, "I was ")):
        if pattern.match(sentence.text):
            return sentence.preceded(missing)
    return sentence
