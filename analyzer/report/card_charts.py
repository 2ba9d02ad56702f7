"""What charts of card games share: cells in two colours, dots with intervals, bars of shares, and complaints."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.ticker import PercentFormatter

from analyzer.errors import UsageError
from analyzer.fields import shown
from analyzer.report.contrast import readable_on
from analyzer.report.style import (
    INK,
    NAME_WIDTH,
    SHADE,
    STRIPE,
    axes_for,
    colour_of,
    legend_beside,
    legend_height,
    marker_of,
    plain,
    side_column,
)

__all__ = [
    "DIVERGING",
    "MINUS",
    "check_result",
    "dots",
    "draw_cells",
    "finish_cells",
    "number_cell",
    "results_of",
    "stacked_bars",
]

DARK = "#111111"
"""Text on bars, which keep their colours on a dark page; black would be turned into the ink of the page."""
MINUS = "\N{MINUS SIGN}"
DIVERGING = LinearSegmentedColormap.from_list(
    "diverging", ["#6E2F00", "#D55E00", "#F6CBA9", "#FFFFFF", "#A9D0EA", "#0072B2", "#003A5C"]
)
"""From orange over white to blue, which every kind of colour vision tells apart."""


def dots(
    ax: Axes | None,
    names: Sequence[str],
    rows: Sequence[tuple[float, str]],
    series: Sequence[Any],
    text: Callable[[float], str],
) -> Axes:
    """A dot with its interval for every row and series; a single series has numbers beside its dots.

    Parameters
    ----------
    ax : matplotlib.axes.Axes or None
        Where to draw; otherwise a new figure.
    names : sequence of str
        Of the series.
    rows : sequence of (float, str)
        How far down each row is, and its label.
    series : sequence of (values, lower, upper)
        Columns with a number for each row; what is missing has no dot.
    text : callable
        How a number beside a dot is told.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"points": [1.0, 2.0], "lower": [0.9, 1.8], "upper": [1.1, 2.2]})
    >>> ends = (frame["points"], frame["lower"], frame["upper"])
    >>> ax = dots(None, ["rules"], [(0.0, "dealer"), (1.0, "others")], [ends], "{:.1f}".format)
    >>> [label.get_text() for label in ax.get_yticklabels()], [text.get_text() for text in ax.texts]
    (['dealer', 'others'], ['mean', '1.0', '2.0'])
    """
    height = 1.7 + 0.4 * (rows[-1][0] + 1)
    ax = axes_for(ax, 8.6, max(height, legend_height(names) if len(names) > 1 else 0))
    heights = np.array([height for height, _ in rows])
    for height in heights[1::2]:
        ax.axhspan(height - 0.5, height + 0.5, color=STRIPE, linewidth=0, zorder=0)
    step = min(0.24, 0.72 / len(names))
    for place, (name, columns) in enumerate(zip(names, series, strict=True)):
        value, lower, upper = (column.to_numpy(float) for column in columns)
        where = heights + (place - (len(names) - 1) / 2) * step
        reach = [np.maximum(value - lower, 0), np.maximum(upper - value, 0)]
        ax.errorbar(
            value, where, xerr=reach, fmt=marker_of(place), color=colour_of(place), markersize=6, elinewidth=1.6,
            capsize=3, label=plain(name, NAME_WIDTH), zorder=3,
        )  # fmt: skip
        if len(names) == 1:
            some = np.isfinite(value)
            side_column(ax, heights[some], [text(one) for one in value[some]], "mean")
    ax.set_yticks(heights, [label for _, label in rows])
    ax.set_ylim(heights[-1] + 0.6, -0.6)
    if len(names) > 1:
        legend_beside(ax)
    return ax


def stacked_bars(ax: Axes, parts: Iterable[tuple[Any, str, str]], least: float = 0.055) -> None:
    """Bars of shares from the left to the right, one below the other, with what they show in per cent.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw; it has a legend below.
    parts : iterable of (shares, label, colour)
        The share of every bar that a part has; a part without any is left out.
    least : float
        Smaller shares have no number.

    Examples
    --------
    >>> ax = axes_for(None, 6, 2)
    >>> stacked_bars(ax, [(np.array([0.25, 0.5]), "won", "#0072B2"), (np.array([0.75, 0.5]), "lost", "#D55E00")])
    >>> [text.get_text() for text in ax.texts]
    ['25%', '50%', '75%', '50%']
    """
    shown_parts = [(shares, label, colour) for shares, label, colour in parts if shares.any()]
    places = np.arange(len(shown_parts[0][0]))
    start = np.zeros(len(places))
    for shares, label, colour in shown_parts:
        ax.barh(places, shares, 0.74, start, color=colour, label=label)
        for place, share, left in zip(places, shares, start, strict=True):
            if share >= least:
                style: Any = {"ha": "center", "va": "center", "fontsize": 9}
                style["color"] = "white" if readable_on(to_rgb(colour)) == "white" else DARK
                ax.text(left + share / 2, float(place), f"{100 * share:.0f}%", **style)
        start = start + shares
    ax.set_xlim(0, 1)
    ax.xaxis.set_major_formatter(PercentFormatter(xmax=1))
    ax.set_ylim(len(places) - 0.45, -0.55)
    columns: Any = {"ncols": min(len(shown_parts), 4), "frameon": False, "fontsize": 9, "labelcolor": INK}
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 0.0), borderaxespad=4.6, **columns)


def draw_cells(ax: Axes, cells: Any, low: float, high: float) -> None:
    """Fill cells by their numbers; where there is none a cell stays empty."""
    ax.pcolormesh(
        np.arange(cells.shape[1] + 1) - 0.5,
        np.arange(cells.shape[0] + 1) - 0.5,
        np.ma.masked_invalid(cells),
        cmap=DIVERGING,
        vmin=low,
        vmax=high,
        edgecolors="white",
        linewidth=1,
        gid=f"{SHADE}-cells",
    )


def number_cell(ax: Axes, row: int, column: int, text: str, shade: float) -> None:
    """Write into a cell whose colour is so far along, from 0 to 1."""
    colour = readable_on(DIVERGING(shade))
    style: Any = {"ha": "center", "va": "center", "fontsize": 8, "color": colour, "gid": f"{SHADE}-{row}-{column}"}
    ax.text(column, row, text, **style)


def finish_cells(ax: Axes, cells: Any) -> None:
    """Let cells fill the axes, the first row on top."""
    ax.grid(visible=False)
    ax.spines[:].set_visible(False)
    ax.set_xlim(-0.5, cells.shape[1] - 0.5)
    ax.set_ylim(cells.shape[0] - 0.5, -0.5)


def results_of(results: Any, game: str, *methods: str) -> list[Any]:
    """The results to draw, be it one or several.

    Raises
    ------
    UsageError
        If there is none, or one has not these methods.

    Examples
    --------
    >>> results_of([], "Euchre", "seats")
    Traceback (most recent call last):
    analyzer.errors.UsageError: there is no result to draw; give at least one
    """
    found = list(results) if isinstance(results, Iterable) else [results]
    if not found:
        raise UsageError("there is no result to draw; give at least one")
    for result in found:
        for method in methods:
            check_result(result, game, method, "what simulate returns")
    return found


def check_result(result: Any, game: str, method: str, remedy: str) -> None:
    """Raise UsageError unless a result of a game has a method.

    Examples
    --------
    >>> check_result("rules", "Euchre", "seats", "what simulate returns")
    Traceback (most recent call last):
    analyzer.errors.UsageError: 'rules' has no seats of Euchre; give what simulate returns
    """
    if not hasattr(result, method):
        raise UsageError(f"{shown(result)} has no {method} of {game}; give {remedy}")
