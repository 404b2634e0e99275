"""English words that say nothing by themselves."""

from __future__ import annotations

STOP = frozenset(
    (  # noqa: SIM905  one text is easier to read than ninety quoted words
        "a an and are as at be but by did do does for from had has have he her him his how i if in into is it "
        "its me my no not of on or our she so that the their them they this to us was we were what when where "
        "which who whom whose why will with would you your "
    ).split()
)
"""Words that the index's analyser drops or that say nothing; only their absence elsewhere makes them count."""
