"""Charts of total scores: their distribution, and the chance of reaching one."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.ticker import FuncFormatter, MaxNLocator, PercentFormatter
from numpy.typing import NDArray

from analyzer.errors import UsageError
from analyzer.report.protocols import ScoreResult, all_of, names_of
from analyzer.report.style import (
    FAINT,
    MUTED,
    NAME_WIDTH,
    axes_for,
    colour_of,
    dress,
    legend_beside,
    legend_height,
    plain,
    stroke_of,
)
from analyzer.stats.estimates import moments, quantiles

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["chance_of_at_least", "score_distribution"]

TAIL = 0.0005
"""Share of games that may lie beyond each end of the axis, in every result."""
MOST_BINS = 130
FEW_POINTS = 2
"""Standard deviation below which means are told with two digits."""
FEW_CLASSES = 30
"""Up to so many single scores are drawn as bars with gaps between them."""
OVERLAID = 3
"""With more results than this, each distribution has its own baseline."""


def score_distribution(
    results: ScoreResult | Iterable[ScoreResult],
    ax: Axes | None = None,
    *,
    what: str = "total score",
    unit: str = "games",
) -> Axes:
    """How total scores are distributed, with the mean and the middle 90% of each result.

    Up to three results share one baseline; more are drawn one under the other on the same scale. Scores are
    collected in classes of equal width where there are many, and rare scores at both ends are left out.

    Parameters
    ----------
    results : result or iterable of results
        With `distribution`.
    ax : matplotlib.axes.Axes, optional
        Where to draw; otherwise a new figure.
    what, unit : str, optional
        What is counted in points, and in what.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    UsageError
        If there is no result.

    Examples
    --------
    >>> import pandas as pd
    >>> from types import SimpleNamespace as Result
    >>> scores = pd.DataFrame({"score": [0, 10], "probability": [0.25, 0.75]})
    >>> ax = score_distribution(Result(label="par", title="Coins", exact=True, distribution=lambda: scores))
    >>> [float(bar.get_height()) for bar in ax.patches]
    [0.25, 0.75]
    """
    shown = all_of(results, "distribution")
    names, frames = names_of(shown), [_possible(result) for result in shown]
    low, high = _view(frames)
    edges, width, step = _classes(frames, low, high)
    masses = [np.histogram(frame["score"], bins=edges, weights=frame["probability"])[0] for frame in frames]
    apart = width == step and len(edges) <= FEW_CLASSES
    peak, ridges = max(float(mass.max()) for mass in masses), len(shown) > OVERLAID
    spacing = 1.25 * peak if ridges else 0.0
    ax = axes_for(ax, 8.6, 1.8 + 0.62 * len(shown) if ridges else 4.3)

    for place, (frame, name, mass) in enumerate(zip(frames, names, masses, strict=True)):
        base, colour = spacing * (len(shown) - 1 - place), colour_of(place)
        mean, deviation = moments(frame["score"], frame["probability"])
        digits = 1 if deviation >= FEW_POINTS else 2
        label = f"{plain(name, NAME_WIDTH)}\nmean {mean:,.{digits}f}, sd {deviation:,.{digits}f}"
        _draw_mass(ax, mass, edges, base, colour, label, solid=len(shown) == 1, apart=apart)
        strip = base - peak * (0.05 if ridges else 0.045 * (place + 1))
        ends = quantiles(frame["score"], frame["probability"], [0.05, 0.95])
        ax.plot(ends, [strip] * 2, color=colour, linewidth=3, solid_capstyle="butt", clip_on=True)
        ax.plot([mean], [strip], "o", color=colour, markersize=6, markeredgecolor="white", zorder=3)

    room = width / 2 if apart else 0
    ax.set_xlim(edges[0] - room, edges[-1] + room)
    if len(edges) <= 12 and apart:
        ax.set_xticks(edges[:-1] + width / 2)
    else:
        ax.xaxis.set_major_locator(MaxNLocator(8, integer=True, min_n_ticks=1, steps=[1, 2, 5, 10]))
    ax.set_ylim(-peak * (0.2 if ridges else 0.045 * (len(shown) + 1)), spacing * (len(shown) - 1) + 1.06 * peak)
    per = "" if width == step else f" per {width} points"
    note = f"Dot: mean; bar: the middle 90% of {unit}" + _beyond(frames, edges, unit)
    if len(shown) == 1:
        note = f"{ax.get_legend_handles_labels()[1][0].replace(chr(10), ': ')}\n{note}"
    if ridges:
        note += f"\nHeight: probability{per}, on the same scale in all rows"
    dress(ax, _title(shown, f"distribution of the {what}"), note)
    ax.set_xlabel(what.capitalize() + ("" if "points" in what else " in points"))
    if ridges:
        ax.set_yticks([spacing * place for place in range(len(shown))][::-1], ax.get_legend_handles_labels()[1])
        for text in ax.get_yticklabels():
            text.set_verticalalignment("bottom")
        ax.grid(visible=False)
        ax.grid(visible=True, axis="x", color=FAINT, linewidth=0.8)
        for place in range(len(shown)):
            ax.axhline(spacing * place, color=MUTED, linewidth=0.8)
    else:
        ax.set_ylabel(f"Probability{per}")
        ax.set_yticks(
            [
                tick
                for tick in MaxNLocator(6, steps=[1, 2, 5, 10]).tick_values(0, 1.06 * peak)
                if 0 <= tick <= 1.06 * peak
            ]
        )
        ax.yaxis.set_major_formatter(FuncFormatter(lambda tick, _: f"{100 * tick:.4g}%"))
        ax.axhline(0, color=MUTED, linewidth=0.8)
        if len(shown) > 1:
            legend_beside(ax)
    ax.spines[:].set_visible(False)
    return ax


def chance_of_at_least(results: ScoreResult | Iterable[ScoreResult], ax: Axes | None = None) -> Axes:
    """The chance of scoring at least as much, for every total score.

    Parameters
    ----------
    results : result or iterable of results
        With `distribution`.
    ax : matplotlib.axes.Axes, optional
        Where to draw; otherwise a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        One curve for each result, with a dot at its median.

    Raises
    ------
    UsageError
        If there is no result.

    Examples
    --------
    >>> import pandas as pd
    >>> from types import SimpleNamespace as Result
    >>> scores = pd.DataFrame({"score": [0, 10], "probability": [0.25, 0.75], "at_least": [1.0, 0.75]})
    >>> ax = chance_of_at_least(Result(label="par", title="Coins", exact=True, distribution=lambda: scores))
    >>> ax.lines[0].get_ydata().tolist()
    [1.0, 1.0, 0.75, 0.0]
    """
    shown = all_of(results, "distribution")
    names, frames = names_of(shown), [_possible(result) for result in shown]
    low, high = _view(frames)
    margin = max(0.5, 0.02 * (high - low))
    ax = axes_for(ax, 8.6, max(4.3, legend_height(names)))

    for place, (frame, name) in enumerate(zip(frames, names, strict=True)):
        scores, chances = frame["score"].to_numpy(float), frame["at_least"].to_numpy(float)
        outside = [min(low, scores[0]) - 2 * margin, max(high, scores[-1]) + 2 * margin]
        median = float(quantiles(scores, frame["probability"], 0.5)[0])
        ax.step(
            [outside[0], *scores, outside[1]],
            [1.0, *chances, 0.0],
            where="pre",
            color=colour_of(place),
            linestyle=stroke_of(place),
            linewidth=1.8,
            label=f"{plain(name, NAME_WIDTH)}\nmedian {median:,.0f}",
        )
        reached = float(chances[np.searchsorted(scores, median)])
        ax.plot([median], [reached], "o", color=colour_of(place), markersize=7, markeredgecolor="white", zorder=3)

    ax.set_xlim(low - margin, high + margin)
    ax.set_ylim(0, 1.02)
    ax.xaxis.set_major_locator(MaxNLocator(8, integer=True, min_n_ticks=1, steps=[1, 2, 5, 10]))
    ax.set_yticks(np.linspace(0, 1, 11))
    ax.yaxis.set_major_formatter(PercentFormatter(xmax=1))
    note = "Dot: median, the score that at least half of the games reach"
    if len(shown) == 1:
        note = f"{ax.get_legend_handles_labels()[1][0].replace(chr(10), ': ')}\n{note}"
    dress(ax, _title(shown, "chance of at least a score"), note)
    ax.set_xlabel("Total score in points")
    ax.set_ylabel("Share of games that reach it")
    if len(shown) > 1:
        legend_beside(ax)
    return ax


def _possible(result: ScoreResult) -> pd.DataFrame:
    """The scores that can occur, ascending."""
    frame = result.distribution()
    frame = frame[frame["probability"] > 0].sort_values("score", ignore_index=True)
    if frame.empty:
        raise UsageError(f"result {result.label!r} has no score to draw; simulate at least one game")
    return frame


def _view(frames: list[pd.DataFrame]) -> tuple[float, float]:
    """Lowest and highest score on the axis: all of them, or without the tails where those are long."""
    ends = [quantiles(frame["score"], frame["probability"], [TAIL, 1 - TAIL]) for frame in frames]
    low, high = float(min(one for one, _ in ends)), float(max(other for _, other in ends))
    # A quantile of 1 would miss scores whose chance is lost in the rounding of sums.
    lowest, highest = (float(choose(choose(frame["score"]) for frame in frames)) for choose in (min, max))
    return (lowest, highest) if highest - lowest <= 1.3 * (high - low) else (low, high)


def _classes(frames: list[pd.DataFrame], low: float, high: float) -> tuple[NDArray[np.float64], int, int]:
    """Edges of the classes, their width, and the smallest step between scores, of which it is a multiple."""
    scores = np.unique(np.concatenate([frame["score"].to_numpy(np.int64) for frame in frames]))
    scores = scores[(scores >= low) & (scores <= high)]
    step = int(np.gcd.reduce(np.diff(scores))) or 1
    games = min((int(frame["count"].sum()) for frame in frames if "count" in frame), default=10**9)
    # Rice's rule: more classes than this show the noise of a sample, not its shape.
    classes = min(MOST_BINS, max(10, math.ceil(2 * games ** (1 / 3))))
    width = step * _round_number(math.ceil(((high - low) / step + 1) / classes))
    offset = scores[0] % step
    start = (scores[0] - offset) // width * width + offset - step / 2
    return np.arange(start, high + step / 2 + width, width), width, step


def _round_number(least: int) -> int:
    """The smallest of 1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500 ... that is not less."""
    scale: int = 10 ** (len(str(least)) - 1)
    steps = (scale, 2 * scale, 5 * scale // 2, 5 * scale, 10 * scale)
    return min(step for step in steps if step >= least)


def _draw_mass(
    ax: Axes,
    mass: NDArray[np.float64],
    edges: NDArray[np.float64],
    base: float,
    colour: str,
    label: str,
    *,
    solid: bool,
    apart: bool,
) -> None:
    alpha = 1.0 if solid else 0.3
    if not apart:
        ax.stairs(base + mass, edges, baseline=base, fill=True, color=colour, alpha=alpha)
        ax.stairs(base + mass, edges, baseline=base, color=colour, linewidth=1.2, label=label)
        return
    middles, width = (edges[:-1] + edges[1:]) / 2, 0.8 * (edges[1] - edges[0])
    face, edge, some = to_rgba(colour, alpha), to_rgba(colour), mass > 0
    ax.bar(middles[some], mass[some], width, base, color=face, edgecolor=edge, linewidth=1.2, label=label)


def _beyond(frames: list[pd.DataFrame], edges: NDArray[np.float64], unit: str) -> str:
    shares = [
        float(frame["probability"][(frame["score"] < edges[0]) | (frame["score"] > edges[-1])].sum())
        for frame in frames
    ]
    most = "at most " if len(shares) > 1 else ""
    return f"; {most}{100 * max(shares):.1g}% of {unit} lie beyond the axis" if max(shares) > 0 else ""


def _title(shown: list[ScoreResult], what: str) -> str:
    return f"{shown[0].title}: {what}" if len({result.title for result in shown}) == 1 else what.capitalize()
