"""Signs of negation in English and Japanese, enough to notice a fact that says the opposite of its quote."""

from __future__ import annotations

import re

_NEGATION = re.compile(
    r"(?i)\b(?:not?|never|none|nobody|nothing|neither|nor|without|cannot|hardly|rarely|stop(?:ped|s)?|quit|avoid\w*"
    r"|refus\w+|dislik\w+|hat(?:e|es|ed|ing)|allergic|unable|un\w+ed)\b|n['’]t\b|\bgave up\b"
    r"|ない|なかった|なく(?:て|な)|ません|ずに|ぬ\b|なし|無[いし]|嫌|苦手|禁|やめ|止め|ダメ|だめ|不[可要能]|避け"
)
_NEGATIVE_PREDICATE = re.compile(
    r"(?i)dislike|hate|avoid|allerg|fear|afraid|lack|refuse|cannot|can_?not|can't|never|(?:^|_)not(?:_|$)|no_longer|stop|quit"
    r"|ない|嫌|苦手|避|禁|やめ|怖|恐"
)
_DENIAL = (
    r"(?:\bnot|\bnever|\bno longer|\bcannot|n['’]t)"
    r"(?!\s+(?:only|just|sure|mind|wait|stand|bear|help|forget|know|worry|realise|realize))(?:\s+[\w'-]+){0,3}\s+"
)
_CLAUSE_END = (
    r"(?!しか)[^、。,.!?！？\s]{0,10}?(?<!かもしれ)(?<!に違い)(?<!に過ぎ)(?<!ければなら)(?<!といけ)"
    r"(?:ない|ません|なかった)(?=$|[。、.!！\s]|です|でした|ので|から|けど|よ|ん|が)"
)


def has_negation(text: str) -> bool:
    """Whether the text holds a sign of negation, refusal or an end."""
    return bool(_NEGATION.search(text))


def is_negative(predicate: str) -> bool:
    """Whether the relation is negative by itself, such as `dislikes` or `持っていない`."""
    return bool(_NEGATIVE_PREDICATE.search(re.sub(r"[\s_]+", "_", predicate)))


def denied(quote: str, target: str) -> bool:
    """Whether the quote plainly denies the target: "do not eat meat", 「肉は食べない」."""
    exact = re.escape(target.strip())
    before = re.search(rf"(?i){_DENIAL}{exact}", quote)
    return bool(before or re.search(rf"{exact}{_CLAUSE_END}", quote))
