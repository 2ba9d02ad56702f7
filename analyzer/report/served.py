"""What served results bring: a table, and the chart of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from analyzer.errors import UsageError
from analyzer.report.protocols import ServedResult, check_games, method_of
from analyzer.report.style import INK, MUTED, NAME_WIDTH, axes_for, colour_of, dress, legend_beside, plain

__all__ = ["served_table", "served_values"]

SHARES = {
    "served_rate": ("Served", colour_of(0)),
    "plain_rate": ("Plain", "#9CC9E6"),
    "zero_rate": ("0 points", "#C9C9C9"),
    "open_rate": ("Never: the game\nwas won before", "#FFFFFF"),
}
"""Columns of shares, in the order of the bars, with what they are called and their colours."""


def served_table(result: ServedResult) -> pd.DataFrame:
    """How often each line is filled served, plain, and with nothing.

    Parameters
    ----------
    result : result
        With `rules` and `lines`.

    Returns
    -------
    pandas.DataFrame
        One row for each line that is worth more if served, of those open at the start: line, label, points and
        served_points (what it is worth plain and served); served_rate, plain_rate, zero_rate, open_rate (shares of
        games that fill it so, or never because an instant win ends them).
    """
    found = result.lines().set_index("line")
    rows = []
    for line in result.rules.lines:
        if line.name not in found.index or line.served_points in (None, line.points):
            continue
        shares = {"filled_rate": 1.0, **found.loc[line.name].to_dict()}
        served, zero, filled = (float(shares[name]) for name in ("served_rate", "zero_rate", "filled_rate"))
        rows.append(
            {
                "line": line.name,
                "label": line.label,
                "points": line.points,
                "served_points": line.served_points,
                "served_rate": served,
                "plain_rate": max(filled - served - zero, 0.0),
                "zero_rate": zero,
                "open_rate": max(1 - filled, 0.0),
            }
        )
    return pd.DataFrame(rows, columns=["line", "label", "points", "served_points", *SHARES])


def served_values(result: ServedResult, ax: Axes | None = None) -> Axes:
    """What a served and a plain result brings, and how often each is entered.

    Parameters
    ----------
    result : result
        With `rules` and `lines`, of a game with served points.
    ax : matplotlib.axes.Axes, optional
        Where to draw; otherwise a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        A bar of all games for each line that is worth more if served, its parts named beside it with their points.

    Raises
    ------
    UsageError
        If no open line is worth more if served.

    Examples
    --------
    >>> from types import SimpleNamespace as Some
    >>> rules = Some(lines=[Some(name="poker", label="Poker", points=40, served_points=45)])
    >>> lines = pd.DataFrame({"line": ["poker"], "served_rate": 0.25, "zero_rate": 0.5})
    >>> ax = served_values(Some(title="Poker", label="par", exact=True, rules=rules, lines=lambda: lines))
    >>> [float(bar.get_width()) for bar in ax.patches]
    [0.25, 0.25, 0.5]
    """
    check_games(result, "rules", "lines")
    table = served_table(result)
    if table.empty:
        raise UsageError(f"{result.title} has no open line that is worth more if served; draw another chart")
    shown = [name for name in SHARES if name != "open_rate" or table[name].max() > 0]
    ax = axes_for(ax, 8.6, 1.7 + 0.82 * len(table))

    places, left = np.arange(len(table)), np.zeros(len(table))
    for name in shown:
        label, colour = SHARES[name]
        shares = table[name].to_numpy(float)
        ax.barh(places, shares, 0.62, left, color=colour, edgecolor=MUTED, linewidth=0.6, label=label)
        left += shares
    note = (
        f"Share of games that fill the line so, and the points that it then has; {method_of([result], intervals=False)}"
    )
    dress(ax, f"{result.title}, {result.label}: what served results bring", note, across=True)
    ax.set_xlim(0, 1)
    ax.xaxis.set_major_formatter(PercentFormatter(xmax=1))
    ax.set_yticks(places, [_parts(row) for row in table.to_dict("records")])
    ax.set_ylim(len(table) - 0.5, -0.5)
    for text in ax.get_yticklabels():
        text.set(linespacing=1.25, color=INK)
    ax.set_xlabel("Share of games")
    ax.grid(visible=False)
    legend_beside(ax)
    return ax


def _parts(row: dict[Any, Any]) -> str:
    """Name of a line, and below it what its parts are worth and how large they are."""
    parts = [f"served {row['served_points']:,}: {row['served_rate']:.1%}"]
    parts += [f"plain {row['points']:,}: {row['plain_rate']:.1%}"] if row["points"] else []
    return "\n".join([plain(str(row["label"]), NAME_WIDTH), *parts, f"0 points: {row['zero_rate']:.1%}"])
