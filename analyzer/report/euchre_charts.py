"""Charts of Euchre: when to call, what calls come to, what positions earn, and the chance to win at each score."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator, PercentFormatter

from analyzer.errors import UsageError
from analyzer.fields import counted, shown
from analyzer.report.card_charts import (
    DIVERGING,
    MINUS,
    check_result,
    dots,
    draw_cells,
    finish_cells,
    number_cell,
    results_of,
    stacked_bars,
)
from analyzer.report.contrast import readable_on
from analyzer.report.protocols import names_of
from analyzer.report.style import INK, axes_for, dress, side_column

__all__ = ["call_map", "call_rates", "maker_outcomes", "position_points", "win_heatmap"]

GAME = "Euchre"
LEAST_HANDS = 100
"""Deals of a hand class that are enough for a cell of `call_map`."""
MOST_GAIN = 2.0
"""Points at which the colour of a cell is strongest."""
MOST_NUMBERED = 15
"""Target up to which the cells of `win_heatmap` have numbers."""
ROUND_GAP = 0.6
OUTCOMES = {
    "euchred": ("euchred", "#D55E00"),
    "made": ("3 or 4 tricks", "#56B4E9"),
    "march": ("march", "#0072B2"),
    "lone_march": ("march alone", "#009E73"),
}
"""What becomes of the makers, with label and colour."""


def call_map(values: Any, position: str, ax: Axes | None = None, least: int = LEAST_HANDS) -> Axes:
    """When a position is to order the turn-up: what the best call gains over a pass, by the class of the hand.

    Parameters
    ----------
    values : CallValues
        What `analyzer.analysis.euchre.calls.call_values` returns.
    position : str
        One of its positions.
    ax : matplotlib.axes.Axes, optional
        Where to draw; otherwise a new figure.
    least : int
        Classes with fewer deals in this position stay blank.

    Returns
    -------
    matplotlib.axes.Axes
        Rows are trumps with the bowers among them, columns off-aces and void plain suits. A frame marks where going
        alone is best, brackets a gain that the interval does not tell from 0. The same cells for all positions.

    Raises
    ------
    UsageError
        If these are no values of calls, there is no such position, or no class has so many deals.
    """
    check_result(values, GAME, "best", "what call_values returns")
    if position not in values.positions:
        raise UsageError(f"position {shown(position)} is unknown; choose from: {', '.join(values.positions)}")
    best, table = values.best(), values.table()
    every = best[best["hands"] >= least]
    if every.empty:
        raise UsageError(f"no hand class has {least} deals; try the calls in more hands, or give a smaller number")
    rows = sorted(set(zip(every["trumps"], every["bowers"], strict=True)))
    columns = sorted(set(zip(every["off_aces"], every["voids"], strict=True)))
    found = every[every["position"] == position]
    sure = _sure(table[table["position"] == position].to_dict("records"))
    ax = axes_for(ax, 3.2 + 0.58 * max(len(columns), 9), 2.3 + 0.29 * len(rows))
    cells, drawn = np.full((len(rows), len(columns)), np.nan), []
    for one in found.to_dict("records"):
        row = rows.index((one["trumps"], one["bowers"]))
        column = columns.index((one["off_aces"], one["voids"]))
        cells[row, column] = one["gain"]
        drawn.append((row, column, one["gain"], one["best"] == "order alone", sure[_key(one)]))
    draw_cells(ax, cells, -MOST_GAIN, MOST_GAIN)
    for row, column, gain, alone, certain in drawn:
        text = f"{gain:+z.1f}".replace("-", MINUS)
        number_cell(ax, row, column, text if certain else f"({text})", _shade_of(gain))
        if alone:
            edge = readable_on(DIVERGING(_shade_of(gain)))
            ax.add_patch(Rectangle((column - 0.41, row - 0.37), 0.82, 0.74, fill=False, edgecolor=edge, linewidth=1.2))
    for places, lines in ((rows, ax.axhline), (columns, ax.axvline)):
        for place, (before, after) in enumerate(pairwise(places)):
            if before[0] != after[0]:
                lines(place + 0.5, color=INK, linewidth=0.6)
    note = "Points that the best call gains over a pass, if all before have passed. Blue: order; orange: pass\n"
    note += f"Framed: going alone is best. In brackets: may be 0 ({100 * values.confidence:.11g}% interval)."
    dress(ax, f"{values.title}, {values.policy}: order or pass, {position}", f"{note} Blank: under {least} deals")
    total = int(best["hands"][best["position"] == position].sum())
    shares = found.groupby(["trumps", "bowers"])["hands"].sum().reindex(rows, fill_value=0) / max(total, 1)
    side_column(ax, range(len(rows)), [f"{share:.1%}" for share in shares], "of deals")
    finish_cells(ax, cells)
    ax.set_yticks(
        range(len(rows)), [f"{counted(trumps, 'trump')}, {counted(bowers, 'bower')}" for trumps, bowers in rows]
    )
    names = [f"{counted(aces, 'ace')}\n{counted(voids, 'void')}" for aces, voids in columns]
    ax.set_xticks(range(len(columns)), names, fontsize=8)
    ax.set_xlabel("Aces of other suits, and suits without a card")
    return ax


def maker_outcomes(result: Any, ax: Axes | None = None) -> Axes:
    """What becomes of who makes trump, by the trumps that he held in the play.

    Parameters
    ----------
    result : HandsResult
    ax : matplotlib.axes.Axes, optional
        Where to draw; otherwise a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        A bar of shares for each number of trumps, and at the right how many hands have it.

    Raises
    ------
    UsageError
        If the result is none of hands.
    """
    check_result(result, GAME, "trumps", "what simulate returns")
    frame = result.trumps()
    ax = axes_for(ax, 8.6, 1.9 + 0.46 * len(frame))
    places = np.arange(len(frame))
    stacked_bars(ax, [(frame[name].to_numpy(float), *how) for name, how in OUTCOMES.items()])
    note = f"{result.hands:,} hands; trumps of who made trump, a turn-up that the dealer took included"
    dress(ax, f"{result.title}, {result.policy}: how hands end, by the maker's trumps", note, across=True)
    ax.grid(visible=False)
    side_column(ax, places, [f"{share:.1%}" for share in frame["share"]], "of hands")
    ax.set_yticks(places, [counted(count, "trump") for count in frame["trumps"]])
    ax.set_xlabel("Share of the hands with so many trumps")
    return ax


def position_points(results: Any, ax: Axes | None = None) -> Axes:
    """What each position earns in a hand, own points less the other side's, with intervals.

    Parameters
    ----------
    results : HandsResult or iterable of them
        Of one game.
    ax : matplotlib.axes.Axes, optional
        Where to draw; otherwise a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Positions from top to bottom in the order of the bidding.

    Raises
    ------
    UsageError
        If there is no result, or one is none of hands.
    """
    found = results_of(results, GAME, "seats")
    frames = [result.seats() for result in found]
    rows = [(float(place), position) for place, position in enumerate(found[0].positions)]
    series = [(frame["points"], frame["lower"], frame["upper"]) for frame in frames]
    ax = dots(ax, names_of(found), rows, series, lambda value: f"{value:+.3f}".replace("-", MINUS))
    ax.axvline(0, color=INK, linewidth=0.9)
    dress(ax, f"{found[0].title}: what each position earns", _note(found), across=True)
    ax.set_xlabel("Points per hand, own less the other side's")
    return ax


def call_rates(results: Any, ax: Axes | None = None, value: Literal["called", "euchred"] = "called") -> Axes:
    """How often each position makes trump when it is asked, or how often it is euchred when it does.

    Parameters
    ----------
    results : HandsResult or iterable of them
        Of one game.
    ax : matplotlib.axes.Axes, optional
        Where to draw; otherwise a new figure.
    value : {"called", "euchred"}, optional
        Share of the hands in which the position is asked, or of those in which it made trump.

    Returns
    -------
    matplotlib.axes.Axes
        Both rounds of the bidding from top to bottom, with intervals; a position that made no trump has no dot.

    Raises
    ------
    UsageError
        If there is no result, or one is none of hands.
    """
    found = results_of(results, GAME, "outcomes", "calls")
    frames = [(one.calls() if value == "called" else one.outcomes()).set_index(["round", "position"]) for one in found]
    keys = [(number, position) for number in ("1", "2") for position in found[0].positions]
    rows = [
        (place + ROUND_GAP * (number == "2"), f"round {number}, {position}")
        for place, (number, position) in enumerate(keys)
    ]
    series = [
        tuple(frame[name].reindex(keys) for name in (value, f"{value}_lower", f"{value}_upper")) for frame in frames
    ]
    ax = dots(ax, names_of(found), rows, series, lambda share: f"{share:.1%}")
    what = "how often trump is made by who is asked" if value == "called" else "how often makers are euchred"
    dress(ax, f"{found[0].title}: {what}", _note(found), across=True)
    ax.set_xlim(left=0)
    ax.xaxis.set_major_formatter(PercentFormatter(xmax=1, decimals=0))
    asked, made = "Share of the hands in which the position is asked", "Share of the hands in which it made trump"
    ax.set_xlabel(asked if value == "called" else made)
    return ax


def win_heatmap(table: Any, ax: Axes | None = None, *, deals: bool = True) -> Axes:
    """The chance of a side to win the game, by both scores.

    Parameters
    ----------
    table : WinTable
    ax : matplotlib.axes.Axes, optional
        Where to draw; otherwise a new figure.
    deals : bool, optional
        Whether the side deals the next hand.

    Returns
    -------
    matplotlib.axes.Axes
        Own points from top to bottom, the other side's from left to right.

    Raises
    ------
    UsageError
        If this is no table of chances to win.
    """
    check_result(table, GAME, "chance", "what win_table returns")
    value = "dealing" if deals else "not_dealing"
    cells = table.table().pivot_table(index="own", columns="other", values=value).to_numpy(float)
    target = len(cells)
    ax = axes_for(ax, 7.6, 6.4) if target > MOST_NUMBERED else axes_for(ax, 3.0 + 0.5 * target, 2.3 + 0.36 * target)
    draw_cells(ax, cells, 0.0, 1.0)
    if target <= MOST_NUMBERED:
        for (row, column), chance in np.ndenumerate(cells):
            number_cell(ax, row, column, f"{100 * chance:.0f}", float(chance))
    who = "that deals" if deals else "that does not deal"
    dress(
        ax,
        f"{table.rules.title}, {table.policy}:\nchance to win of the side {who}",
        "Per cent. Blue: more than a half; orange: less",
    )
    finish_cells(ax, cells)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MaxNLocator(target if target <= MOST_NUMBERED else 10, integer=True))
    ax.set_xlim(-0.5, target - 0.5)
    ax.set_xlabel("Points of the other side")
    ax.set_ylabel("Own points")
    return ax


def _note(found: list[Any]) -> str:
    hands = {result.hands for result in found}
    number = f"{hands.pop():,} hands" + (" of each policy" if len(found) > 1 else f", policy {found[0].policy}")
    return f"{number}; intervals at {found[0].confidence:.11g}, each by itself"


def _sure(rows: list[dict[Any, Any]]) -> dict[tuple[Any, ...], bool]:
    """Whether the best call and a pass differ by more than their intervals allow for, by class."""
    passed = {_key(row): row for row in rows if row["call"] == "pass"}
    called: dict[tuple[Any, ...], dict[Any, Any]] = {}
    for row in rows:
        if row["call"] != "pass" and row["points"] > called.get(_key(row), {"points": -np.inf})["points"]:
            called[_key(row)] = row
    found = {}
    for key, best in called.items():
        reach = np.hypot(*((one["upper"] - one["lower"]) / 2 for one in (passed[key], best)))
        found[key] = bool(abs(best["points"] - passed[key]["points"]) > reach)
    return found


def _key(row: dict[Any, Any]) -> tuple[Any, ...]:
    return tuple(row[name] for name in ("trumps", "bowers", "off_aces", "voids"))


def _shade_of(gain: float) -> float:
    """Where a gain is in the colours, from 0 to 1."""
    return min(max(0.5 + gain / (2 * MOST_GAIN), 0.0), 1.0)
