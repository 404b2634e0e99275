"""Bars with their intervals as a picture, where matplotlib is installed."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .measures import Figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_JAPANESE_FONTS = frozenset(
    {"Hiragino Sans", "IPAexGothic", "IPAGothic", "MS Gothic", "Meiryo", "Noto Sans CJK JP", "Noto Sans JP",
     "TakaoGothic", "VL Gothic", "Yu Gothic"}
)  # fmt: skip


def draw(path: Path, title: str, label: str, groups: Sequence[str], bars: Mapping[str, Sequence[Figure]]) -> bool:
    """Write a PNG: in each group one bar of each name, 0 to 1; False where matplotlib is not installed."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure as Canvas
    except ModuleNotFoundError:
        return False
    with warnings.catch_warnings(), rc_context({"font.family": _fonts()}):
        warnings.simplefilter("ignore", UserWarning)  # a script that no installed font has is shown as boxes
        canvas = Canvas(figsize=(max(6.0, 1.2 + 1.7 * len(groups)), 4.0), layout="constrained")
        axes = canvas.subplots()
        _fill(axes, len(groups), bars)
        axes.set_xticks(range(len(groups)), groups)
        axes.set_ylim(0, 1.02)
        axes.set_ylabel(label)
        axes.set_title(title)
        axes.spines[["top", "right"]].set_visible(False)
        canvas.legend(frameon=False, fontsize=8, ncols=4, loc="outside lower center")
        canvas.savefig(path, format="png", dpi=110)
    return True


def _fonts() -> list[str]:
    """The default font, and those for Japanese that are installed."""
    from matplotlib.font_manager import get_font_names

    return ["DejaVu Sans", *sorted(_JAPANESE_FONTS.intersection(get_font_names()))]


def _fill(axes: Axes, groups: int, bars: Mapping[str, Sequence[Figure]]) -> None:
    width = 0.8 / len(bars)
    for number, (name, figures) in enumerate(bars.items()):
        shift = (number - (len(bars) - 1) / 2) * width
        # an interval of equal values may miss their mean by a rounding
        spread = [[max(0.0, f.value - f.low) for f in figures], [max(0.0, f.high - f.value) for f in figures]]
        places = [place + shift for place in range(groups)]
        axes.bar(places, [f.value for f in figures], width, yerr=spread, label=name, error_kw={"linewidth": 0.8})
