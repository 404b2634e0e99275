"""Numbers with a check digit: payment cards, and the Japanese individual number (マイナンバー)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from stdnum import luhn
from stdnum.exceptions import ValidationError
from stdnum.jp import in_ as my_number

from .formats import Found

_LONG = re.compile(r"[0-9](?:[ -]?[0-9]){11,18}+(?![0-9A-Za-z_])(?![-.][0-9])")
_JOINED = re.compile(r"[0-9A-Za-z._@#/-]")
_GROUPS = re.compile(r"[0-9]+")
_NOT_A_CARD = re.compile(
    r"(?i)(?:order|invoice|tracking|serial|ticket|ref(?:erence)?|receipt|imei|isbn|ean|jan|sku|account|phone|tel|case|id"
    r"|parcel|booking|reservation|customer|member(?:ship)?|transaction|number of|snowflake|timestamp"
    r"|注文|請求|追跡|伝票|問い?合わ?せ|受付|予約|会員|製造|シリアル|口座|電話|顧客|整理|取引|送り状|管理)"
    r"[\w ]{0,12}(?:no\.?|nr\.?|#|番号|コード)?[^0-9A-Za-z]{0,6}(?:is |was |は|が)?[^0-9A-Za-z]{0,3}\Z"
)
_IS_A_CARD = re.compile(r"(?i)card|visa|master|amex|jcb|カード|クレカ")
_MY_NUMBER = re.compile(r"(?i)マイナンバー|個人番号|my[ -]?number")
_BEFORE = 40
"""Characters before a number that say what it is."""


def find_numbers(text: str) -> Iterator[Found]:
    """Card numbers and individual numbers whose check digit is right."""
    for match in _LONG.finditer(text):
        if _JOINED.match(text[match.start() - 1 : match.start()]):
            continue
        written = match[0]
        digits = "".join(_GROUPS.findall(written))
        before = text[max(0, match.start() - _BEFORE) : match.start()]
        if len(digits) == 12:
            if _MY_NUMBER.search(before) and _is_my_number(digits):
                yield *match.span(), "my number"
        elif is_card(digits) and _grouped_as_card(written, digits) and _meant_as_card(before):
            yield *match.span(), "card number"


def is_card(digits: str) -> bool:
    """Whether a card of a known brand may have this number: beginning, length and Luhn's check digit."""
    if len(set(digits)) < 2 or not luhn.is_valid(digits):
        return False
    size, two, four = len(digits), int(digits[:2]), int(digits[:4])
    return (
        (size == 16 and (digits[0] == "4" or 51 <= two <= 55 or 2221 <= four <= 2720))
        or (size == 15 and two in (34, 37))
        or (size == 16 and (3528 <= four <= 3589 or four == 6011 or two == 65 or 6440 <= four <= 6499))
        or (size == 14 and (two in (36, 38) or 3000 <= four <= 3059))
        or (16 <= size <= 19 and two == 62)
    )


def _grouped_as_card(written: str, digits: str) -> bool:
    sizes = [len(group) for group in _GROUPS.findall(written)]
    if len(digits) < 16 and len(sizes) > 1:
        return sizes[0] == 4 and len(sizes) <= 4
    return len(sizes) == 1 or all(size == 4 for size in sizes[:-1])


def _meant_as_card(before: str) -> bool:
    """False where the words before say that it is the number of something else."""
    return bool(_IS_A_CARD.search(before)) or _NOT_A_CARD.search(before) is None


def _is_my_number(digits: str) -> bool:
    try:
        my_number.validate(digits)
    except ValidationError:
        return False
    return True
