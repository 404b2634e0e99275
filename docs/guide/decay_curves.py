"""Draws decay-curves.png: how retention falls with age. `uv run --with matplotlib python decay_curves.py`."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
from matplotlib import pyplot as plt

DAYS = range(0, 1096, 5)
THRESHOLD = 0.1


def retention(age_days: float, importance: float, half_life_days: float, recalls: int = 0) -> float:
    """The formula of the guide."""
    decay = 0.5 ** (max(age_days, 0.0) / half_life_days)
    return min(1.0, decay * (0.35 + 0.65 * importance) + min(recalls * 0.04, 0.35))


def draw(target: Path) -> None:
    """Two panels: by importance and recalls for a half-life of a year, and by half-life."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4), sharey=True, layout="constrained")
    for importance, recalls, style in ((1.0, 0, "-"), (0.5, 0, "-"), (0.1, 0, "-"), (0.1, 3, "--")):
        label = f"importance {importance:g}" + (f", recalled {recalls} times" if recalls else "")
        left.plot(DAYS, [retention(d, importance, 365, recalls) for d in DAYS], style, label=label)
    for half_life, name in (
        (30, "what happened"),
        (90, "plans"),
        (365, "likings"),
        (730, "home, work"),
        (3650, "name"),
    ):
        label = f"{half_life} days: {name}"
        right.plot(DAYS, [retention(d, 0.7, half_life) for d in DAYS], label=label)
    left.set_title("half-life 365 days")
    right.set_title("importance 0.7, by half-life")
    left.set_ylabel("retention")
    for panel in (left, right):
        panel.axhline(THRESHOLD, color="gray", linewidth=1, linestyle=":")
        panel.set_xlabel("days since the last update")
        panel.set_xlim(0, 1095)
        panel.set_ylim(0, 1.02)
        panel.spines[["top", "right"]].set_visible(False)
    left.annotate("archived below", (10, THRESHOLD - 0.01), va="top", color="gray", fontsize=9)
    left.legend(frameon=False, fontsize=9)
    right.legend(frameon=False, fontsize=8, ncols=2, loc="upper right")
    figure.savefig(target, dpi=110)


if __name__ == "__main__":
    draw(Path(__file__).with_name("decay-curves.png"))
