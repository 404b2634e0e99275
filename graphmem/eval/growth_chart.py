"""A picture of how recall and its arms grow with the store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .recall import RecallReport


def draw(report: RecallReport, target: Path) -> bool:
    """Draw p50 of recall and of each arm by the size of the store; False when matplotlib is not installed."""
    try:
        import matplotlib as mpl
    except ImportError:
        return False
    mpl.use("Agg")
    from matplotlib import pyplot as plt

    sizes = [stage.facts for stage in report.stages]
    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    axes.plot(sizes, [stage.recall.p50 for stage in report.stages], "o-", label="recall", linewidth=2)
    axes.plot(sizes, [stage.query.p50 for stage in report.stages], "o-", label="its query")
    for name in report.stages[0].arms:
        axes.plot(sizes, [stage.arms[name].p50 for stage in report.stages], "o--", label=f"{name} alone")
    axes.plot(sizes, [stage.busy.p50 for stage in report.stages], "o:", color="gray", label="fixed work")
    axes.set_xscale("log")
    axes.set_xlabel("facts in the store")
    axes.set_ylabel("p50 in ms")
    axes.set_ylim(bottom=0)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    figure.savefig(target, dpi=110)
    plt.close(figure)
    return True
