"""Charts of hands of President: what they come to by what they hold, and what ways to use cards are worth."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from analyzer.errors import UsageError
from analyzer.fields import counted
from analyzer.report.card_charts import (
    check_result,
    dots,
    draw_cells,
    finish_cells,
    number_cell,
)
from analyzer.report.president_charts import GAME, TITLE_WIDTH, mean_points
from analyzer.report.style import INK, axes_for, colour_of, dress, plain, side_column

__all__ = [
    "FEATURES",
    "LEAST_HANDS",
    "feature_name",
    "feature_points",
    "frequent",
    "hand_strength",
    "option_worth",
    "question_text",
]

LEAST_HANDS = 100
"""Hands that are enough for a cell of `hand_strength` and a row of `feature_points`."""
NUMBERS = ("no", "one", "two", "three", "four")
GROUP_GAP = 0.6
HEADING_WIDTH = 34
"""Longest line of a question, in characters."""
FEATURES = ("jokers", "twos", "longest_run", "fewest_plays")
"""What `feature_points` tells hands apart by."""


def hand_strength(result: Any, ax: Axes | None = None, least: int = LEAST_HANDS) -> Axes:
    """What hands come to, by the fewest plays that they need and their stoppers.

    Parameters
    ----------
    result : RoundsResult
    ax : matplotlib.axes.Axes, optional
        Where to draw; otherwise a new figure.
    least : int
        Cells with fewer hands stay empty.

    Returns
    -------
    matplotlib.axes.Axes
        Mean points of a round; at the right the share of hands that need so many plays.

    Raises
    ------
    UsageError
        If the result is none of rounds, or no cell has so many hands.
    """
    check_result(result, GAME, "strength", "what simulate returns")
    every = result.strength()
    frame = frequent(result, every, least)
    if frame.empty:
        raise UsageError(f"no class of hands has {least} of them; simulate more games, or give a smaller number")
    table = frame.pivot_table(index="fewest_plays", columns="stoppers", values="points")
    table = table.reindex(range(int(table.index.min()), int(table.index.max()) + 1))
    cells, mean = table.to_numpy(float), mean_points(result.rules)
    ax = axes_for(ax, 4.4 + 0.62 * cells.shape[1], 2.4 + 0.34 * len(cells))
    draw_cells(ax, cells, 0.0, 2 * mean)
    for (row, column), points in np.ndenumerate(cells):
        if np.isfinite(points):
            number_cell(ax, row, column, f"{points:.2f}", float(points) / (2 * mean))
    note = f"Mean points of a round. Blue: above the mean of all, {mean:g}; orange: below\n"
    title = f"{result.title}, {result.policy}: what hands come to"
    dress(ax, plain(title, TITLE_WIDTH * 4 // 5), f"{note}Empty: under {least} hands")
    shares = every.groupby("fewest_plays")["share"].sum().reindex(table.index, fill_value=0.0)
    side_column(ax, range(len(cells)), [f"{share:.1%}" for share in shares], "of hands")
    finish_cells(ax, cells)
    ax.set_yticks(range(len(cells)), [str(fewest) for fewest in table.index])
    ax.set_xticks(range(cells.shape[1]), [str(stoppers) for stoppers in table.columns])
    ax.set_ylabel("Fewest plays that the hand needs")
    ax.set_xlabel(f"{'2s and jokers' if result.rules.jokers else '2s'} in the hand")
    return ax


def feature_points(result: Any, ax: Axes | None = None, least: int = LEAST_HANDS) -> Axes:
    """What hands come to by one feature at a time: jokers, 2s, the longest run, and the fewest plays needed.

    Parameters
    ----------
    result : RoundsResult
    ax : matplotlib.axes.Axes, optional
        Where to draw; otherwise a new figure.
    least : int
        Values with fewer hands are left out.

    Returns
    -------
    matplotlib.axes.Axes
        Mean points of a round with intervals, and a line at the mean of all hands.

    Raises
    ------
    UsageError
        If the result is none of rounds, or no value has so many hands.
    """
    check_result(result, GAME, "hands", "what simulate returns")
    frame = frequent(result, result.hands(), least)
    frame = frame[frame["feature"].isin(FEATURES)].reset_index(drop=True)
    if frame.empty:
        raise UsageError(f"no class of hands has {least} of them; simulate more games, or give a smaller number")
    groups = frame["feature"].map({name: place for place, name in enumerate(dict.fromkeys(frame["feature"]))})
    rows = [
        (place + GROUP_GAP * group, feature_name(feature, value))
        for place, (group, feature, value) in enumerate(zip(groups, frame["feature"], frame["value"], strict=True))
    ]
    ends = (frame["points"], frame["lower"], frame["upper"])
    ax = dots(ax, [result.policy], rows, [ends], "{:.2f}".format)
    mean = mean_points(result.rules)
    ax.axvline(mean, color=INK, linewidth=0.9)
    note = (
        f"{result.matches:,} matches; line: the mean of all hands, {mean:g}; values with under {least} hands left out"
    )
    dress(ax, plain(f"{result.title}, {result.policy}: points by what a hand holds", TITLE_WIDTH), note, across=True)
    ax.set_xlabel("Points of a round")
    return ax


def option_worth(worth: Any, ax: Axes | None = None) -> Axes:
    """What one of two ways to use cards gains over the other, by question and class, with intervals.

    Parameters
    ----------
    worth : OptionWorth
        What `analyzer.option_worth` returns.
    ax : matplotlib.axes.Axes, optional
        Where to draw; otherwise a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Under each question a row for each of its classes; at the right how often it arose.

    Raises
    ------
    UsageError
        If this tells no worth of options, or no question arose.
    """
    check_result(worth, GAME, "options", "what option_worth returns")
    frame = worth.options()
    if frame.empty:
        raise UsageError("no question arose; play more games")
    headings, rows = _rows(frame)
    lines = rows[-1][0] + 1
    ax = axes_for(ax, 8.6, 1.9 + 0.33 * lines)
    value, lower, upper = (frame[name].to_numpy(float) for name in ("difference", "lower", "upper"))
    heights = np.array([height for height, _ in rows])
    reach = [np.maximum(value - lower, 0), np.maximum(upper - value, 0)]
    ax.axvline(0, color=INK, linewidth=0.9)
    ax.errorbar(value, heights, xerr=reach, fmt="o", color=colour_of(0), markersize=6, elinewidth=1.6, capsize=3)
    note = f"{worth.matches:,} matches, intervals at {worth.confidence:.11g}, each by itself"
    note += "\nRight of 0: the first of the two is better; left: the second"
    dress(ax, plain(f"{worth.title}, {worth.policy}: what options are worth", TITLE_WIDTH), note, across=True)
    side_column(ax, heights, [f"{times:,}" for times in frame["times"]], "times")
    told = [*rows, *headings]
    ax.set_yticks([height for height, _ in told], [text for _, text in told])
    for label in ax.get_yticklabels()[len(rows) :]:
        label.set_fontweight("bold")
    ax.set_ylim(lines - 0.4, -0.6)
    ax.set_xlabel("Points of the round, with the first choice less with the second")
    return ax


def frequent(result: Any, frame: pd.DataFrame, least: int = LEAST_HANDS) -> pd.DataFrame:
    """The rows of a table of hands that tell of so many hands at least."""
    hands = frame["share"] * result.rounds * result.rules.players
    found: pd.DataFrame = frame[hands >= least - 0.5]
    return found


def feature_name(feature: str, value: int) -> str:
    """What a hand holds, in words.

    Examples
    --------
    >>> feature_name("twos", 1), feature_name("longest_run", 0), feature_name("fewest_plays", 7)
    ('one 2', 'no run', '7 plays needed')
    """
    if feature == "fewest_plays":
        return f"{counted(value, 'play')} needed"
    if feature == "longest_run":
        return f"a run of {value}" if value else "no run"
    if feature == "suits_with_run":
        return f"runs in {NUMBERS[value]} suit{'s' if value > 1 else ''}"
    name = {"twos": "2", "jokers": "joker"}[feature]
    return f"{NUMBERS[value]} {name}{'s' if value > 1 else ''}"


def question_text(row: dict[Any, Any]) -> str:
    """A question with its two choices, if it does not name them itself.

    Examples
    --------
    >>> question_text({"label": "What is given back", "first": "these two", "second": "the two lowest"})
    'What is given back: these two, or the two lowest'
    """
    return str(row["label"]) if " or " in row["label"] else f"{row['label']}: {row['first']}, or {row['second']}"


def _rows(frame: pd.DataFrame) -> tuple[list[tuple[float, str]], list[tuple[float, str]]]:
    """How far down headings of questions and rows of their classes are, with their texts."""
    headings, rows, height = [], [], 0.0
    for label, part in groupby(frame.to_dict("records"), key=question_text):
        headings.append((height, plain(label, HEADING_WIDTH)))
        for row in part:
            height += 1
            rows.append((height, str(row["detail"])))
        height += 1 + GROUP_GAP / 2
    return headings, rows
