"""Secrets that the words around them name: `password: …`, "the PIN is …", 「パスワードは…です」.

What stands after such a word is a secret only when it looks like a value and not like the rest of a sentence about
passwords. What leads from a name to its value is looked for before the next name only, so that the time is linear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from . import values
from .formats import Found

_HINTS = (
    *(
        "pass",
        "pwd",
        "pw",
        "pin",
        "cvv",
        "cvc",
        "code",
        "key",
        "token",
        "secret",
        "credential",
        "phrase",
        "sig=",
        "auth=",
    ),
    *("パス", "暗証", "コード", "キー", "鍵", "トークン", "シークレット", "フレーズ"),
)
_NAMES = re.compile(
    r"(?P<phrase>(?:pass|seed|recovery|mnemonic)[ -]?phrase|(?:パス|リカバリー|シード)フレーズ)"
    r"|(?P<password>passwords?|passwds?|passcodes?|passwort|pwd|pw|パスワード|パスコード)"
    r"|(?P<pin>pins?(?:[ -]?(?:code|number|コード))?|暗証番号|ピンコード|cvv2?|cvc2?|セキュリティコード"
    r"|(?:one[ -]?time|verification|authentication|2fa|otp|login)[ -]code|(?:認証|確認)コード)"
    r"|(?P<key>(?:api|access|secret|private|encryption|signing|account|auth|license)[ _-]{0,2}(?:access[ _-]?)?key"
    r"(?:[ _]id)?|(?:access|auth|api|bearer|refresh|session|bot|id)[ _-]{0,2}tokens?"
    r"|(?:client|app|shared|webhook|signing|consumer|token)[ _-]{0,2}secret|tokens?|secrets?|credentials?"
    r"|(?:sig|key|code|auth)(?==)|(?:api|アクセス|シークレット|秘密|暗号|認証|署名)[ ]?(?:キー|鍵)"
    r"|(?:アクセス|認証)?トークン|シークレット)"
)
_WHOLE = re.compile(r"(?:pins?|pwd|pw|cvv2?|cvc2?|tokens?|secrets?|credentials?)\Z")
"""Names that must not be a part of a longer word."""
_PARAMETER = re.compile(r"(?:sig|key|code|auth)\Z")
"""Names that count only in the query of an address."""
_SIGN = re.compile(
    r"[\"'`’」』)\]*]{0,3}(?P<gap>[^\n:=。、]{0,40}?)[\"'`*]{0,2}\s{0,3}"
    r"(?::=|=>|==?|:|->|→|(?<=[a-z])>)[ \t]{0,4}\*{0,2}"
)
_ENGLISH = re.compile(
    r"(?P<gap>[^\n.:;=。]{0,40}?)[ ](?:is|was|to|from|are|be|as|with)[ :]{1,2}"
    r"(?:(?:now|currently|still|called|set to) )?"
)
_JAPANESE = re.compile(r"(?P<gap>(?:[(][^\n)]{0,20}[)])?)[ ]?(?:は|が|を|:)[ 、]{0,2}(?:今は|現在|たしか|確か)?[ ]?")
_BESIDE = re.compile(r"[ ]{1,3}(?:[\"'`](?=[!-~]{4}))?|(?=[「『(])")
_PIN = re.compile(
    r"[^\n.:;=。、0-9]{0,30}?(?:[ ](?:is|was|to)[ ]|[:=はが])[ ]?[\"'「]?"
    r"(?P<value>[0-9]{3,8})(?![0-9A-Za-z年月日桁文字個回%-]|\.[0-9])"
)
_PHRASE_SIGN = re.compile(r"[^\n:=]{0,20}?(?:[:=は]|[ ]is[ ])[ \"'「]{0,3}")
_PHRASE = re.compile(r"[a-z]{2,12}(?:[ ,]{1,2}[a-z]{2,12}){2,24}(?![a-z])")
_NEXT = re.compile(r"(?:[ ](?:to|and|or)[ ]|から|[,/][ ]?|[ ]?と)(?P<value>[!-~]{4,64})")
_BEFORE = 90
"""Characters before a name that may hold its value: "hunter2 is my password"."""
_BEFORE_NAME = re.compile(
    r"(?:[\"'`“「『](?P<q>[^\"'`”」』\n]{3,64})[\"'`”」』]|(?<![!-~])(?P<bare>[!-~]{4,64}))"
    r"(?:[ ](?:is|was|as)[ ](?:my|the|our|his|her|their|a)(?:[ ][A-Za-z-]{1,20}){0,3}[ ]|が[^\n。、]{0,10})\Z"
)
_LINKS = re.compile(r"[ ](?:is|was|as)[ ]|が")
_SECRET_RELATION = re.compile(
    r"(?:.*[ ])?(?:passwords?|passcode|passphrase|(?:.*)(?:パスワード|暗証番号|パスコード)|pin(?: code| number)?"
    r"|(?:api|access|secret|private|encryption)[ ]keys?|(?:access|auth|api)[ ]tokens?|client secret|(?:アクセス"
    r"|認証)トークン|apiキー)"
)


@dataclass(frozen=True, slots=True)
class _Name:
    """A name of a secret in the text, and how far what leads to its value may go."""

    start: int
    end: int
    group: str
    words: str
    limit: int

    @property
    def kind(self) -> str:
        if self.group in ("password", "phrase"):
            return "password"
        return "token" if "token" in self.words or "トークン" in self.words else "api key"


def names_secret(relation: str) -> bool:
    """Whether a relation is the name of a secret, as in (user, wifi_password, …)."""
    return _SECRET_RELATION.fullmatch(relation.replace("_", " ").strip().casefold().removesuffix(" is")) is not None


def find_named(text: str, lower: str) -> Iterator[Found]:
    """Every secret that is named; spans may overlap. `lower` is the text in lower case, character for character."""
    if not any(hint in lower for hint in _HINTS):
        return
    for name in _names(lower):
        if name.group == "pin":
            match = _PIN.match(lower, name.end, min(len(lower), name.limit + 10))
            if match is not None:
                yield *match.span("value"), "pin"
            continue
        if name.group == "phrase":
            sign = _PHRASE_SIGN.match(lower, name.end, name.limit)
            if sign is not None and (words := _PHRASE.match(lower, sign.end(), sign.end() + 320)):
                yield *words.span(), "passphrase"
        yield from ((start, end, name.kind) for start, end in _values(text, lower, name))


def _names(lower: str) -> Iterator[_Name]:
    found = [m for m in _NAMES.finditer(lower) if _stands_alone(lower, m)]
    for match, following in pairwise([*found, None]):
        if match is not None:
            nearest = following.start() if following is not None else len(lower)
            limit = min(nearest, match.end() + 60)
            yield _Name(match.start(), match.end(), match.lastgroup or "key", match[0], limit)


def _stands_alone(lower: str, match: re.Match[str]) -> bool:
    start, end = match.span()
    if _PARAMETER.match(match[0]):
        return start > 0 and lower[start - 1] in "?&"
    if _WHOLE.match(match[0]):
        before, after = lower[start - 1 : start], lower[end : end + 1]
        return not (before.isascii() and before.isalpha()) and not (after.isascii() and after.isalpha())
    return True


def _values(text: str, lower: str, name: _Name) -> Iterator[tuple[int, int]]:
    for lead, sure in ((_SIGN, True), (_ENGLISH, False), (_JAPANESE, False)):
        match = lead.match(lower, name.end, name.limit)
        if match is None or (value := values.value_at(text, match.end())) is None:
            continue
        gap = match["gap"].strip()
        plain = not gap or gap.startswith(("for ", "("))
        held = values.is_strong(value.text, name.group) or (
            plain and values.is_plain(text, value, name.group, sure=sure and not gap)
        )
        if held:
            yield value.start, value.end
            yield from _more(text, value, name.group)
            return
    beside = _BESIDE.match(lower, name.end)
    beyond = values.value_at(text, beside.end()) if beside is not None else None
    if beyond is not None and values.is_strong(beyond.text, name.group):
        yield beyond.start, beyond.end
    if name.group != "key":
        yield from _before(text, name)


def _more(text: str, value: values.Value, group: str) -> Iterator[tuple[int, int]]:
    """The other of two: "from A to B", 「AからBに」."""
    match = _NEXT.match(text, value.end, value.end + 80)
    if match is not None:
        start = match.start("value")
        stop = start + len(match["value"].rstrip(values.TAIL))
        if values.is_strong(text[start:stop], group):
            yield start, stop


def _before(text: str, name: _Name) -> Iterator[tuple[int, int]]:
    before = text[max(0, name.start - _BEFORE) : name.start]
    if not _LINKS.search(before[-40:]) or (match := _BEFORE_NAME.search(before)) is None:
        return
    which = "q" if match["q"] else "bare"
    if values.is_strong(match[which], name.group):
        start = name.start - len(before) + match.start(which)
        yield start, start + len(match[which])
