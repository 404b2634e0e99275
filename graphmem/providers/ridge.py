"""The ridge regression behind the models that are made from phrases, and the archive that they are kept in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_RIDGE = 1.0


def fit(seen: NDArray[np.float64], labels: NDArray[np.intp], classes: int) -> NDArray[np.float16]:
    """Weights of shape (features, classes): one score a class, 1 for its own rows and -1 for all others.

    Each class has the same weight, however many rows it has. `seen` has shape (rows, features), with a one for the
    constant.
    """
    wanted = -np.ones((len(seen), classes))
    wanted[np.arange(len(seen)), labels] = 1
    share = 1 / np.sqrt(np.bincount(labels, minlength=classes))[labels]
    ridge = _RIDGE * share.mean() * np.eye(seen.shape[1])
    solved = np.linalg.solve(seen.T @ (seen * share[:, None]) + ridge, seen.T @ (wanted * share[:, None]))
    return solved.astype(np.float16)


def write(model: Mapping[str, NDArray[np.generic]], build: str) -> None:
    """Write the model beside the module that makes it (its `__file__`), as `model.npz`."""
    with (Path(build).parent / "model.npz").open("wb") as file:
        np.savez_compressed(file, **model)  # type: ignore[arg-type]  # the stub takes `allow_pickle` for a key
