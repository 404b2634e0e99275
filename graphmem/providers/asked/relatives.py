"""What somebody is to another: "my brother", "Petra's manager", 兄, 玲の上司, as senses of the facts that tell it."""

from __future__ import annotations

from functools import lru_cache

from graphmem.providers.offline.lexicon import lexicon

_SEVERAL = {
    "parents": ("mother", "father"),
    "両親": ("mother", "father"),
    "children": ("child", "son", "daughter"),
    "sibling": ("sibling", "brother", "sister"),
}
"""Words for more than one relation, which the lexicon of single ones does not have."""
_ALSO = {
    "child": ("son", "daughter"),
    "spouse": ("wife", "husband"),
    "partner": ("spouse", "wife", "husband", "boyfriend", "girlfriend", "fiance"),
    "wife": ("spouse", "partner"),
    "husband": ("spouse", "partner"),
}
"""Who may be meant as well: the word is wider than the fact, or the fact than the word."""


@lru_cache(maxsize=1_000)
def senses_of(word: str) -> tuple[str, ...]:
    """The relations whose fact tells who that is, the word itself among them; none for a word that is not known."""
    kin = lexicon().kin
    plain = word.casefold()
    forms = (plain, plain.removesuffix("s"), plain.removesuffix("さん"), plain.removeprefix("お"))
    for form in forms:
        if found := _SEVERAL.get(form) or ((kin[form],) if form in kin else ()):
            return tuple(dict.fromkeys([*found, *(also for one in found for also in _ALSO.get(one, ())), form]))
    return ()
