"""Whether what stands beside the name of a secret is its value, or only the rest of a sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass

TAIL = ".,;:!?)]}>\"'*`|"
"""What ends a sentence or closes a bracket rather than a value."""

_QUOTED = re.compile(
    r"\"(?P<a>[^\"\n]{3,100})\"|'(?P<b>[^'\n]{3,100})'|`(?P<c>[^`\n]{3,100})`|“(?P<d>[^”\n]{3,100})”"
    r"|「(?P<e>[^」\n]{3,100})」|『(?P<f>[^』\n]{3,100})』"
)
_BARE = re.compile(r"[!-~]{1,200}")
_STOPS = re.compile(r"[\"'`<;,&]")
_CLAUSE_END = re.compile(r"\s*(?:[.,;!。、)」』\n|]|\Z|です|だ(?!け)|でした|である|に変|に設定|に更新|って)")
_RESERVED = re.compile(
    r"(?i)(?:required?|optional|none|null|nil|true|false|yes|no|not|n/?a|unknown|changed?|expired?|expires|invalid"
    r"|valid"
    r"|wrong|correct|incorrect|missing|empty|blank|set|unset|reset|here|there|below|above|same|different|weak"
    r"|strong|long"
    r"|short|simple|easy|hard|old|new|safe|secure|secret|hidden|private|public|shared|saved|stored|lost|stolen|leaked"
    r"|forgotten|rotated|disabled|enabled|string|str|text|int|integer|bool|boolean|number|bytes|varchar|char|password"
    r"|passwd|passcode|passphrase|pin|token|key|value|todo|tbd|redacted|default|admin|root|user|username|bearer|basic"
    r"|jwt|oauth|sms|email|the|this|that|what|when|where|how|see|use|enter|ask|please|must|should|needs?"
    r"|case[- ]sensitive|min|max|length|characters|ok|fine|good|bad|gone|mine|yours|his|hers|ours|it|them)\Z"
)
_WORD_ENDING = re.compile(r"(?i)[a-z]+(?:ed|ing|able|ible|ly|ful|less|ive|ous|ent|ant|tion|ment|ness|ity)\Z")
_PLACEHOLDER = re.compile(
    r"[$%{<\[(&]|[*x•.#_-]+\Z|(?:os|process|self|config|settings|env|secrets?|vault|request|this|args|options|data"
    r"|params)\.|https?://|/[a-z]+/|\.{1,2}/|[A-Za-z_][\w.]{0,60}\(|your[-_ ]|example|changeme\Z|xxx",
    re.IGNORECASE,
)
_VERSION = re.compile(
    r"v?\d{1,4}(?:[.:/-]\d{1,4}){1,3}[A-Za-z]?(?:T[\d:.Z+-]+)?\Z|\d{1,3}(?:st|nd|rd|th|%|x|h|m|s|ms|days?|hours?)\Z"
    r"|[A-Z]{2,5}-\d{1,6}\Z"
)
_ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}\Z")
_LETTER, _DIGIT = re.compile(r"[^\W\d_]"), re.compile(r"\d")
_SIGNS = frozenset("!@#$%^&*+=~?|\\")


@dataclass(frozen=True, slots=True)
class Value:
    """Characters that may be a secret."""

    start: int
    end: int
    text: str
    quoted: bool


def value_at(text: str, position: int) -> Value | None:
    """What stands here: a quotation, else the printable ASCII up to a blank or what closes it."""
    if (quoted := _QUOTED.match(text, position, position + 110)) is not None:
        inner = quoted.lastgroup or "a"
        return Value(*quoted.span(inner), quoted[inner], quoted=True)
    bare = _BARE.match(text, position)
    if bare is None or text.startswith("[redacted:", position):
        return None
    start, value = bare.start(), bare[0]
    stop = _STOPS.search(value, 1)
    value = value[: stop.start()] if stop else value
    value = value.rstrip(".,;:\"'" if value.endswith(("!", "?")) and len(value) >= 8 else TAIL)
    return Value(start, start + len(value), value, quoted=False) if value else None


def is_strong(value: str, group: str) -> bool:
    """Letters with digits or signs, as people and generators make secrets; of keys and tokens at least twelve."""
    least = 12 if group == "key" else 6
    if len(value) < least or " " in value or "[redacted: " in value or not _LETTER.search(value):
        return False
    if any(p.match(value) for p in (_PLACEHOLDER, _RESERVED, _VERSION, _ADDRESS)):
        return False
    digits = _DIGIT.search(value) is not None
    if group == "key":
        return digits
    return "://" not in value and (digits or not _SIGNS.isdisjoint(value[:-1]))


def is_plain(text: str, value: Value, group: str, *, sure: bool) -> bool:
    """Whether a plain word or number is a password here; `sure` where a colon or an equals sign comes before it."""
    word = value.text
    if group == "key" or len(word) < 4 or _PLACEHOLDER.match(word) or _RESERVED.match(word) or _VERSION.match(word):
        return False
    if value.quoted:
        return True
    ends = _CLAUSE_END.match(text, value.end) is not None
    if word.isdigit():
        return ends and len(word) >= (4 if sure else 6)
    return ends and word.isascii() and (sure or _WORD_ENDING.match(word) is None)
