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
    r"|broke|passed|won|lost|ran|signed|grew|learned|learnt|married|divorced|retired|stopped|gave|cancelled|canceled|dropped"
    r"|swapped|traded|changed|ditched|replaced|upgraded|downgraded|booked|enrolled|picked|took|went|opened|closed|put"
    r"|started|began|signed|settled|landed|accepted|resigned|transferred|deleted|unsubscribed|gave|found|rescheduled"
    r"|postponed|split|decided|ended|kicked|outgrew)"
    r"\s+(?!it\b|you\b|me\b)\w",
    re.I,
)
_HAS = re.compile(
    r"(?:(?<=\bhe)|(?<=\bit)|(?<=\bshe))['’]s (?=(?:(?:now|just|finally|already|since|recently"
    r"|also|only) )*(?:left|moved|quit|changed|switched"
    r"|joined|started|taken|given|got|gotten|had|become|gone|bought|sold|found|retired|transferred|relocated|swapped"
    r"|stopped|lost|turned|picked|signed|enrolled|settled|made|begun|decided|dropped|landed|accepted)\b)",
    re.I,
)
""" "She's left Wells Chemist": what has happened, not what is."""
_NO_LONGER = re.compile(_LEAD + r"no longer\s", re.I)
_TOLD_TO_CHANGE = re.compile(
    r"^\W*(?:please |pls |can you |could you )?(?:update|change|note|correct|amend|save|use)"
    r"(?: down)? (?P<my>(?:my|our) (?:new )?"
    r"(?:[a-z-]+ ){0,2}?[a-z-]+)(?P<gap>\s*(?:[:,;–—-]|\bto\b:?)\s*"
    r"(?:it['’]s|it is|it['’]ll be|that['’]s|now)?\s*)(?=[A-Z\d+(])",
    re.I,
)
""" "Please update my address: it's 40 Mill Lane": a request that holds a fact."""
_TAIL = re.compile(
    r",?\s+(?:from now on|going forward|from here on|for now|these days|as of (?:now|today))(?=\s*[.!]*$)", re.I
)
_LATER = re.compile(r"[,;]|\s(?:so|because|since|and|but|as|when|for|after|before|which|that)\s")
_BORN = re.compile(_LEAD + r"born (?:and (?:raised|bred) )?(?:in|on)\s", re.I)
_RAISED = re.compile(r"(?<=\bborn) and (?:raised|bred|brought up)(?= in\b)", re.I)
_CONTRACTED = re.compile(
    r"(?<=[a-z])['’]s (?=(?:from|a|an|not|now|no longer|allergic|called|named|in|at|still|currently|working|living"
    r"|moving|married|vegan|vegetarian|diabetic)\b)"
)
_PRONOUNS = re.compile(r"\b(?:it|that|there|here|what|who|where|how|he|she|let)$", re.I)


def spelled_out(sentence: Sentence) -> Sentence:
    """The sentence with what was left out put back for the parser; the quote stays as it was written."""
    sentence = _asked_to_change(sentence)
    if match := _NEW_VALUE.match(sentence.text):
        article = sentence.text[match.end("i") :]
        skip = match.end("i") + len(re.match(r" (?:a |an |my |our )?(?:new )?", article)[0])  # type: ignore[index]
        sentence = sentence.replaced(*match.span("gap"), " is ").replaced(match.start("i"), skip, "My ")
    if match := _RAISED.search(sentence.text):
        sentence = sentence.without(*match.span())
    for match in reversed(list(_CONTRACTED.finditer(sentence.text))):
        if not _PRONOUNS.search(sentence.text[: match.start()]):
            sentence = sentence.replaced(match.start(), match.start() + 2, " is")
    for match in reversed(list(_HAS.finditer(sentence.text))):
        sentence = sentence.replaced(match.start(), match.start() + 2, " has")
    first = _LATER.split(sentence.text, maxsplit=1)[0]
    if re.search(r"\b(?:is|are|was|were|would|sounds|makes)\b", first) and not _BORN.match(sentence.text):
        return sentence
    for pattern, missing in ((_FEELS, "I "), (_NO_LONGER, "I am "), (_IS, "I am "), (_DID, "I "), (_BORN, "I was ")):
        if pattern.match(sentence.text):
            return sentence.preceded(missing)
    return sentence


def _asked_to_change(sentence: Sentence) -> Sentence:
    """ "Please update my address: it's 40 Mill Lane from now on" as "My address is 40 Mill Lane"."""
    match = _TOLD_TO_CHANGE.match(sentence.text)
    if match is None:
        return sentence
    sentence = sentence.replaced(*match.span("gap"), " is ").without(0, match.start("my"))
    sentence = sentence.replaced(0, 1, sentence.text[0].upper())
    tail = _TAIL.search(sentence.text)
    return sentence.without(*tail.span()) if tail else sentence
