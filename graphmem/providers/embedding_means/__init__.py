"""Mean vectors of the local encoder for generic English and Japanese text, a passage and a query side each.

`{en,ja}_{passage,query}.txt` hold the sentences, `build.py` makes `means.npz` from them.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Language = Literal["en", "ja"]
Side = Literal["passage", "query"]

LANGUAGES: tuple[Language, ...] = ("en", "ja")
SIDES: tuple[Side, ...] = ("passage", "query")


def load_means() -> dict[tuple[Language, Side], NDArray[np.float32]]:
    """The shipped mean vectors, each of shape (512,)."""
    with (files(__name__) / "means.npz").open("rb") as file, np.load(file, allow_pickle=False) as archive:
        return {
            (language, side): archive[f"{language}_{side}"].astype(np.float32)
            for language in LANGUAGES
            for side in SIDES
        }


def sentences(language: Language, side: Side) -> list[str]:
    """The generic sentences that a mean is made from."""
    text = (files(__name__) / f"{language}_{side}.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.strip()]
