"""Charts of a comparison: differences with their intervals, what changes line by line, and how the intervals closed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import EngFormatter, PercentFormatter

from analyzer.errors import UsageError
from analyzer.fields import shown
from analyzer.report.style import (
    ACCENT,
    FAINT,
    INK,
    MUTED,
    NAME_WIDTH,
    axes_for,
    colour_of,
    dress,
    legend_beside,
    legend_height,
    marker_of,
    plain,
    stroke_of,
)

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["compared", "differences", "interval_convergence", "line_changes"]

MINUS = "\N{MINUS SIGN}"


def differences(result: Any, ax: Axes | None = None) -> Axes:
    """Forest plot: the difference of every pair of arms with its interval, and the exact one where it is known.

    Parameters
    ----------
    result : Comparison
    ax : matplotlib.axes.Axes, optional
        Where to draw; otherwise a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        One row for each pair; dots are simulated, open diamonds exact; a band shows the margin, if there is one.

    Raises
    ------
    UsageError
        If the result is no comparison.
    """
    frame = _table(result, "differences")
    ax = axes_for(ax, 8.6, 1.9 + 0.55 * len(frame))
    places = np.arange(len(frame))
    value, lower, upper = (frame[name].to_numpy(float) for name in ("difference", "lower", "upper"))
    exact = frame["exact_difference"].to_numpy(float)
    if result.margin is not None:
        ax.axvspan(-result.margin, result.margin, color=FAINT, alpha=0.6, linewidth=0, zorder=0)
    ax.axvline(0, color=INK, linewidth=0.9)
    ax.errorbar(
        value, places, xerr=[value - lower, upper - value], fmt="o", color=colour_of(0), elinewidth=2, capsize=4,
        markersize=6, label="simulated, with interval", zorder=3,
    )  # fmt: skip
    if np.isfinite(exact).any():
        ax.plot(
            exact, places, "D", markersize=10, markerfacecolor="none", markeredgecolor=ACCENT, markeredgewidth=1.4,
            linestyle="none", label="exact", zorder=4,
        )  # fmt: skip
    for place, row in enumerate(frame.to_dict("records")):
        told, *ends = (_signed(row[name], result) for name in ("difference", "lower", "upper"))
        none = row["difference"] == row["lower"] == row["upper"] == 0
        text = f"{told} ({'no difference' if none else ' to '.join(ends)})"
        at = max(row["upper"], row["exact_difference"] if math.isfinite(row["exact_difference"]) else row["upper"])
        style: Any = {"fontsize": 9, "color": INK, "va": "center", "annotation_clip": False}
        style["bbox"] = {"facecolor": "white", "edgecolor": "none", "pad": 0.6}  # the line at 0 may be behind it
        ax.annotate(text, (at, place), (12, 0), textcoords="offset points", **style)
    held = _intervals(result, several=len(result.pairs) > 1)
    note = f"{result.games:,} {result.unit} of each arm, {_numbers(result)}; {held}"
    if result.margin is not None:
        note += f"\nGrey: differences up to {result.margin:g}, which do not matter"
    dress(ax, f"{result.title}: difference of the {compared(result)}", note, across=True)
    several = len(set(frame["against"])) > 1
    names = [f"{row.arm} less {row.against}" if several else str(row.arm) for row in frame.itertuples()]
    ax.set_yticks(places, [plain(name, NAME_WIDTH) for name in names])
    ax.set_ylim(len(frame) - 0.4, -0.6)
    low, high = _view(np.concatenate([lower, upper, exact[np.isfinite(exact)], [0.0]]))
    ax.set_xlim(low, high + 0.42 * (high - low))
    ax.set_xlabel(_counted(result) + ("" if several else f", against {frame['against'].iloc[0]}"))
    if result.measure.kind == "rate":
        ax.xaxis.set_major_formatter(PercentFormatter(xmax=1))
    if np.isfinite(exact).any():
        legend_beside(ax)
    return ax


def line_changes(result: Any, ax: Axes | None = None) -> Axes:
    """What changes line by line: differences of the mean points of every line, with intervals.

    Parameters
    ----------
    result : Comparison
    ax : matplotlib.axes.Axes, optional
        Where to draw; otherwise a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    UsageError
        If the result is no comparison, or its arms share no lines.
    """
    frame = _table(result, "measures")
    frame = frame[frame["measure"].str.startswith("line:")]
    if frame.empty:
        raise UsageError("the arms share no lines; compare games that are played alone on one kind of sheet")
    pairs = list(dict.fromkeys(zip(frame["arm"], frame["against"], strict=True)))
    labels = dict(zip(frame["measure"], frame["label"], strict=True))
    heights = {measure: place for place, measure in enumerate(labels)}
    names = [arm if len({base for _, base in pairs}) == 1 else f"{arm} less {base}" for arm, base in pairs]
    ax = axes_for(ax, 8.6, max(1.7 + 0.36 * len(labels), legend_height(names)))
    ax.axvline(0, color=INK, linewidth=0.9)
    step = min(0.24, 0.72 / len(pairs))
    for place, ((arm, base), name) in enumerate(zip(pairs, names, strict=True)):
        part = frame[(frame["arm"] == arm) & (frame["against"] == base)]
        where = part["measure"].map(heights).to_numpy(float) + (place - (len(pairs) - 1) / 2) * step
        value = part["difference"].to_numpy(float)
        reach = [value - part["lower"].to_numpy(float), part["upper"].to_numpy(float) - value]
        ax.errorbar(
            value, where, xerr=reach, fmt=marker_of(place), color=colour_of(place), markersize=5, elinewidth=1.5,
            label=f"{plain(name, NAME_WIDTH)}\n{_signed(float(value.sum()), result)} in these lines", zorder=3,
        )  # fmt: skip
    for height in range(1, len(labels), 2):
        ax.axhspan(height - 0.5, height + 0.5, color="#F5F5F5", linewidth=0, zorder=0)
    against = f"against {pairs[0][1]}" if len({base for _, base in pairs}) == 1 else "of the arms"
    note = f"{result.games:,} {result.unit} of each arm; {_intervals(result, several=True)}, with all other measures"
    dress(ax, f"{result.title}: change of each line's mean, {against}", note, across=True)
    ax.set_yticks(range(len(labels)), [plain(label, NAME_WIDTH) for label in labels.values()])
    ax.set_ylim(len(labels) - 0.4, -0.6)
    ax.set_xlabel("Difference in points")
    legend_beside(ax)
    return ax


def interval_convergence(result: Any, ax: Axes | None = None) -> Axes:
    """How the interval of every difference closed as games came in.

    Parameters
    ----------
    result : Comparison
    ax : matplotlib.axes.Axes, optional
        Where to draw; otherwise a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    UsageError
        If the result is no comparison.
    """
    frame, final = _table(result, "convergence"), result.differences()
    names = [f"{row.arm} less {row.against}" for row in final.itertuples()]
    ax = axes_for(ax, 8.6, max(4.3, legend_height(names)))
    for place, (row, name) in enumerate(zip(final.itertuples(), names, strict=True)):
        part = frame[(frame["arm"] == row.arm) & (frame["against"] == row.against)]
        colour, games = colour_of(place), part["games"].to_numpy(float)
        ax.fill_between(games, part["lower"], part["upper"], color=colour, alpha=0.16, linewidth=0)
        label = f"{plain(name, NAME_WIDTH)}\n{_signed(row.difference, result)}"
        ax.plot(games, part["difference"], color=colour, linestyle=stroke_of(place), linewidth=1.6, label=label)
        if math.isfinite(row.exact_difference):
            ax.axhline(row.exact_difference, color=colour, linewidth=0.9, linestyle=(0, (1, 2)))
    ax.axhline(0, color=INK, linewidth=0.9)
    ends = "holds at all looks together" if result.precision is not None else "as of a run that ended there"
    note = f"Band: the interval at {result.confidence:.11g}, {ends}"
    if np.isfinite(final["exact_difference"]).any():
        note += "; dotted: the exact difference"
    dress(ax, f"{result.title}: the difference as {result.unit} come in", note)
    ax.set_xscale("log")
    ax.xaxis.set_major_formatter(EngFormatter(sep=""))
    ax.xaxis.minorticks_off()
    if len(result.looks) > 1:
        # The first looks are wide; the axis shows what became of them.
        first, last = frame["games"].min(), frame["games"].max()
        shown_part = frame[frame["games"] >= min(2 * first, last)]
        wide = np.concatenate([shown_part["lower"], shown_part["upper"], [0.0]])
        ax.set_ylim(*_view(wide))
        ax.set_xlim(first, last)
        if math.floor(math.log10(last)) < math.log10(first):  # no power of ten would be marked
            ax.set_xticks([first, last])
    ax.set_xlabel(f"{result.unit.capitalize()} of each arm")
    ax.set_ylabel(plain(_counted(result), 44))
    if result.measure.kind == "rate":
        ax.yaxis.set_major_formatter(PercentFormatter(xmax=1))
    ax.spines["left"].set_color(MUTED)
    legend_beside(ax)
    return ax


def compared(result: Any) -> str:
    """What a comparison is about, such as ``mean score`` or ``share of matches won``."""
    label = result.measure.label.lower()
    return f"share of {label}" if result.measure.kind == "rate" else f"mean {label}"


def _counted(result: Any) -> str:
    """What differences are counted in, for an axis."""
    if result.measure.kind == "rate":
        return f"Difference in the {compared(result)}"
    return "Difference in points" + (" of the settlement" if result.measure.name == "payoff" else "")


def _table(result: Any, name: str) -> pd.DataFrame:
    if not hasattr(result, "play_changes"):
        raise UsageError(f"{shown(result)} is no comparison; give what compare returns")
    frame: pd.DataFrame = getattr(result, name)()
    return frame


def _intervals(result: Any, *, several: bool) -> str:
    """What the intervals of one table hold for."""
    looks = ", at all looks" if result.precision is not None else ""
    return f"intervals at {result.confidence:.11g}" + (" together" if several else "") + looks


def _numbers(result: Any) -> str:
    return "the same random numbers" if result.common else "random numbers of their own"


def _view(values: Any) -> tuple[float, float]:
    low, high = float(np.min(values)), float(np.max(values))
    room = 0.06 * (high - low or 1.0)
    return low - room, high + room


def _signed(number: float, result: Any) -> str:
    if number == 0:
        return "0"
    if result.measure.kind == "rate":
        return f"{number:+.2%}".replace("-", MINUS)
    return f"{number:+.3g}".replace("-", MINUS) if abs(number) < 1 else f"{number:+.2f}".replace("-", MINUS)
