"""Secrets that their form gives away: keys and tokens of known services, JWT, private keys, connection strings.

Each pattern is tried only where one of its hints stands in the text, and takes what it matches without going back,
so that the time grows with the length of the text and no faster.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

Found = tuple[int, int, str]
"""Start, end and kind."""

_LETTER, _DIGIT = re.compile(r"[A-Za-z]"), re.compile(r"[0-9]")
_RUN = re.compile(r"[A-Za-z0-9]{16,}")


def looks_random(token: str) -> bool:
    """Letters and at least two digits in one run of 16 or more: what a generator makes and nobody names a thing."""
    return any(len(_DIGIT.findall(run)) > 1 and _LETTER.search(run) for run in _RUN.findall(token))


@dataclass(frozen=True, slots=True)
class Format:
    """One form of secret."""

    kind: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    """Its first group, or the whole of it, is the secret."""
    holds: Callable[[str], bool] | None = None
    """A further test of what was matched."""


def _form(kind: str, hints: str, pattern: str, holds: Callable[[str], bool] | None = None) -> Format:
    return Format(kind, tuple(hints.split()), re.compile(rf"(?<![A-Za-z0-9_])(?:{pattern})", re.ASCII), holds)


def _real(password: str) -> bool:
    """Whether it is more than a place-holder."""
    return not re.match(r"[$%{<\[(]|\*+\Z|x+\Z|\.+\Z|(?:password|pass|pw|secret|token)\Z", password, re.IGNORECASE)


FORMATS = (
    _form("aws key", "AKIA ASIA ABIA ACCA", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9_])"),
    _form("github token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{30,255}+"),
    _form("github token", "github_pat_", r"github_pat_[A-Za-z0-9_]{22,255}+"),
    _form("gitlab token", "glpat- gldt- glft- glsoat- glrt- glcbt- glptt- gloas-", r"gl[a-z]{2,4}-[\w-]{20,300}+"),
    _form("api key", "sk-", r"sk-[A-Za-z0-9_-]{20,400}+", looks_random),
    _form("slack token", "xox", r"xox[abeoprs]-[A-Za-z0-9-]{10,400}+"),
    _form("slack token", "xapp-", r"xapp-[0-9]-[A-Za-z0-9-]{10,400}+"),
    _form("webhook", "hooks.slack.com/services/", r"hooks\.slack\.com/services/(T\w{6,20}+/B\w{6,20}+/\w{16,40}+)"),
    _form("webhook", "/api/webhooks/", r"discord(?:app)?\.com/api/webhooks/([0-9]{15,22}+/[\w-]{40,100}+)"),
    _form("google key", "AIza", r"AIza[\w-]{35}(?![\w-])"),
    _form("google token", "GOCSPX- ya29. 1//0", r"(?:GOCSPX-[\w-]{20,60}+|ya29\.[\w-]{20,500}+|1//0[\w-]{30,200}+)"),
    _form("stripe key", "_live_ _test_", r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,250}+"),
    _form("stripe key", "whsec_", r"whsec_[A-Za-z0-9+/=]{24,200}+"),
    _form("api key", "SK", r"SK[0-9a-f]{32}(?![A-Za-z0-9_])"),  # Twilio
    _form("api key", "SG.", r"SG\.[\w-]{16,32}+\.[\w-]{30,80}+"),  # SendGrid
    _form("api key", "-us", r"[0-9a-f]{32}-us[0-9]{1,2}(?![A-Za-z0-9_])"),  # Mailchimp
    _form("bot token", ":AA", r"[0-9]{8,10}:AA[\w-]{33}(?![\w-])"),  # Telegram
    _form("bot token", ".", r"[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])", looks_random),  # Discord
    _form(
        "api key",
        "npm_ hf_ gsk_ pplx- r8_ figd_ lin_api_ ntn_ sbp_ pscale_tkn_ glsa_ glc_ do _v1_ dapi shp pypi- PMAK- NRAK-"
        " tskey- sq0 xai- dckr_pat_ rubygems_ AGE-SECRET-KEY-1 ATATT3 hvs. dp.pt. secret_ key- fo1_",
        r"(?:npm_|hf_|gsk_|pplx-|r8_|figd_|lin_api_|ntn_|sbp_|pscale_tkn_|glsa_|glc_|do[opr]_v1_|dapi|shp(?:at|ca"
        r"|pa|ss)_"
        r"|pypi-|PMAK-|NRAK-|tskey-[a-z]{2,8}-|sq0(?:atp|csp)-|xai-|dckr_pat_|rubygems_|AGE-SECRET-KEY-1|ATATT3|hvs\."
        r"|dp\.pt\.|secret_|key-|fo1_)[\w+/=-]{20,300}+",
        looks_random,
    ),
    _form("azure key", "AccountKey= SharedAccessKey=", r"(?:Account|SharedAccess)Key=([A-Za-z0-9+/]{40,120}+={0,2})"),
    _form("token", "eyJ", r"eyJ[\w-]{8,4000}+\.[\w-]{8,20000}+(?:\.[\w-]{0,20000}+){0,3}"),
    _form("token", "earer asic", r"(?i:bearer|basic)[ ]{1,3}([\w.~+/=-]{16,4000}+)", looks_random),
)

_SCHEME = re.compile(r"://[^\s:/@?#\"'<>]{0,100}+:([^\s/?#\"'<>]{1,200})@")
_CURL = re.compile(r"(?<![\w-])(?:-u|--user)[ =]['\"]?[\w.@+-]{1,60}+:([^\s'\"]{3,200}+)")
_ARMOUR = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,12}+ ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_ARMOUR_END = re.compile(r"-----END (?:[A-Z0-9]{1,12}+ ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_BODY = re.compile(r"(?:[ \t>|]*(?:\\[rn])*[A-Za-z0-9+/=,:;.()\-\\ ]{0,200}+(?:\r\n|\r|\n|\Z)){1,2000}+")
_AWS_SECRET = re.compile(r"(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=_-])")


def find_formats(text: str) -> Iterator[Found]:
    """Every secret that its form gives away; spans may overlap."""
    for form in FORMATS:
        if not any(hint in text for hint in form.hints):
            continue
        for match in form.pattern.finditer(text):
            group = 1 if form.pattern.groups else 0
            if form.holds is None or form.holds(match[group]):
                yield *match.span(group), form.kind
    if "PRIVATE KEY" in text:
        yield from _private_keys(text)
    if "://" in text:
        yield from ((*m.span(1), "password") for m in _SCHEME.finditer(text) if _real(m[1]))
    if "-u" in text:
        yield from ((*m.span(1), "password") for m in _CURL.finditer(text) if _real(m[1]))
    if "/" in text or "AKIA" in text:
        yield from _aws_secrets(text)


def _private_keys(text: str) -> Iterator[Found]:
    """From the first mark to the last; a key cut off at either end goes as far as its lines do."""
    begins, ends = list(_ARMOUR.finditer(text)), list(_ARMOUR_END.finditer(text))
    if ends and (not begins or ends[0].start() < begins[0].start()):
        yield _start_of_lines(text, ends[0].start()), ends[0].end(), "private key"
    stops = iter([*ends, None])
    stop = next(stops)
    for begin, following in pairwise([*begins, None]):
        if begin is None:
            break
        while stop is not None and stop.start() < begin.end():
            stop = next(stops)
        limit = following.start() if following is not None else len(text)
        if stop is not None and stop.start() < limit:
            yield begin.start(), stop.end(), "private key"
        else:
            body = _BODY.match(text, begin.end(), limit)
            yield begin.start(), body.end() if body else begin.end(), "private key"


def _start_of_lines(text: str, end: int) -> int:
    """Where the lines of a key begin that end here."""
    start = end
    while start > 0:
        line = text.rfind("\n", 0, start - 1) + 1
        if re.fullmatch(r"[A-Za-z0-9+/=\r\n\\ ]{16,200}", text[line:start]) is None:
            break
        start = line
    return start


def _aws_secrets(text: str) -> Iterator[Found]:
    """Forty characters of base64 where the text speaks of AWS: the secret half of a key has no mark of its own."""
    folded = text.casefold()
    if "akia" not in folded and not ("aws" in folded and "secret" in folded):
        return
    for match in _AWS_SECRET.finditer(text):
        token = match[0]
        if not (token.islower() or token.isupper()) and _DIGIT.search(token) and not re.fullmatch(r"[0-9a-f]+", token):
            yield *match.span(), "aws key"
