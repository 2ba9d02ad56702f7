"""From chances or counts of entries to tables of lines and rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analyzer.stats.estimates import mean_estimate, moments, proportion_estimate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.analysis.position import Position
    from analyzer.dice.states import StateSpace


def line_frame(
    space: StateSpace,
    position: Position,
    entries: NDArray[Any],
    upper_bonus: float,
    games: int | None = None,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """What every line and bonus contributes to the final score.

    Parameters
    ----------
    space : StateSpace
    position : Position
        Where the games start.
    entries : array (entries, lines)
        Chance of an entry in a turn, or how many games made it.
    upper_bonus : float
        Chance of the upper bonus, or games that earned it.
    games : int, optional
        Number of games if `entries` are counts; adds standard errors and intervals.
    confidence : float
        Level of the intervals.

    Returns
    -------
    pandas.DataFrame
        One row for each open line, then for each bonus: line, label, section, mean, standard_deviation, zero_rate,
        mean_round (of games that fill the line). The spread of the extra-five bonus, which can come several times a
        game, is not known: NaN. In games with served points also served_rate (share of games that fill the line
        served), in games with instant wins filled_rate; a line that is not filled then counts 0 points in the mean, but
        not in the zero rate.
    """
    rules = space.rules
    total = games or 1
    first = len(position.card)
    rows: list[dict[str, Any]] = []
    rounds = np.arange(entries.shape[1]) + 1 + first
    for name in position.open_lines:
        line = rules.line_index(name)
        mine = space.tables.entry_line == line
        weights = entries[mine].sum(axis=1)
        written = space.written[mine]
        row: dict[str, Any] = {"line": name, "label": rules.lines[line].label, "section": rules.lines[line].section}
        row |= _spread(written, weights, games, confidence, total - weights.sum() if rules.instant_wins else None)
        filled = float(weights.sum())
        row["mean_round"] = float(entries[mine].sum(axis=0) @ rounds) / filled if filled else np.nan
        if any(line.served_points for line in rules.lines):
            served = rules.lines[line].served_points
            at_once = served is not None and served != rules.lines[line].points
            row["served_rate"] = float(weights[written == served].sum()) / total if at_once else np.nan
        if rules.instant_wins:
            row["filled_rate"] = filled / total
        rows.append(row)
    if rules.upper_bonus and any(rules.line(name).section == "upper" for name in position.open_lines):
        row = {"line": "upper_bonus", "label": "Upper bonus", "section": "bonus"}
        points = np.array([0, rules.upper_bonus.points])
        weights = np.array([total - upper_bonus, upper_bonus])
        row |= _spread(points, weights.astype(entries.dtype), games, confidence)
        rows.append(row | {"mean_round": np.nan})
    if rules.extra_five and rules.extra_five.points:
        mean = float(entries.sum(axis=1) @ space.extra / total)
        rows.append(
            {"line": "extra_five", "label": "Extra fives", "section": "bonus", "mean": mean, "mean_round": np.nan}
        )
    frame = pd.DataFrame(rows)
    ordered = ["line", "label", "section", "mean"]
    if games is not None:
        ordered += ["standard_error", "lower", "upper"]
    ordered += ["standard_deviation", "zero_rate", "mean_round"]
    return frame[ordered + [column for column in frame.columns if column not in ordered]]


def _spread(
    points: NDArray[np.int64], weights: NDArray[Any], games: int | None, confidence: float, unfilled: Any = None
) -> dict[str, float]:
    """Mean, spread and share of zeros, with intervals for counts; what is unfilled counts 0 but is no zero."""
    zeros = weights[points == 0].sum()
    if unfilled is not None:
        points, weights = np.append(points, 0), np.append(weights, max(unfilled, 0))
    if games is None:
        mean, deviation = moments(points, weights)
        return {"mean": mean, "standard_deviation": deviation, "zero_rate": float(zeros)}
    mean_of = mean_estimate(points, weights, confidence)
    zero = proportion_estimate(int(zeros), games, confidence)
    return {
        "mean": mean_of.value,
        "standard_deviation": mean_of.standard_error * games**0.5,
        "zero_rate": zero.value,
        "standard_error": mean_of.standard_error,
        "lower": mean_of.lower,
        "upper": mean_of.upper,
        "zero_rate_standard_error": zero.standard_error,
        "zero_rate_lower": zero.lower,
        "zero_rate_upper": zero.upper,
    }


def round_frame(space: StateSpace, position: Position, entries: NDArray[Any], games: int | None = None) -> pd.DataFrame:
    """When every line is filled and at what mean.

    Returns
    -------
    pandas.DataFrame
        One row for each open line and round: line, label, round (from 1), rate (share of games that fill the line
        then), mean (of the points written then, NaN if never).
    """
    rules = space.rules
    first = len(position.card)
    rows = []
    for name in position.open_lines:
        line = rules.line_index(name)
        mine = space.tables.entry_line == line
        for turn in range(len(position.open_lines)):
            weights = entries[mine, turn]
            filled = float(weights.sum())
            mean = float(weights @ space.written[mine]) / filled if filled else np.nan
            rate = filled / (games or 1)
            label = rules.lines[line].label
            rows.append({"line": name, "label": label, "round": first + turn + 1, "rate": rate, "mean": mean})
    return pd.DataFrame(rows)


def win_frame(
    space: StateSpace, position: Position, wins: NDArray[Any], games: int | None = None, confidence: float = 0.95
) -> pd.DataFrame:
    """How games end in an instant win.

    Returns
    -------
    pandas.DataFrame
        One row for each kind of win: win, label, chance (with lower and upper for simulations), mean_round (NaN if it
        never happens).
    """
    rounds = np.arange(wins.shape[1]) + 1 + len(position.card)
    rows = []
    for win, by_turn in zip(space.rules.instant_wins, wins, strict=True):
        total = by_turn.sum()
        row: dict[str, Any] = {"win": win.name, "label": win.title, "chance": float(total) / (games or 1)}
        if games is not None:
            estimate = proportion_estimate(int(total), games, confidence)
            row |= {"lower": estimate.lower, "upper": estimate.upper}
        row["mean_round"] = float(by_turn @ rounds / total) if total else np.nan
        rows.append(row)
    return pd.DataFrame(rows, columns=None if rows else ["win", "label", "chance", "mean_round"])


def win_round_frame(
    space: StateSpace, position: Position, wins: NDArray[Any], games: int | None = None
) -> pd.DataFrame:
    """When games end in an instant win: win, label, round (from 1), chance."""
    first = len(position.card)
    rows = [
        {"win": win.name, "label": win.title, "round": first + turn + 1, "chance": float(chance) / (games or 1)}
        for win, by_turn in zip(space.rules.instant_wins, wins, strict=True)
        for turn, chance in enumerate(by_turn[: len(position.open_lines)])
    ]
    return pd.DataFrame(rows, columns=["win", "label", "round", "chance"])


def score_frame(weights: NDArray[Any], shift: int, games: int | None = None) -> pd.DataFrame:
    """Distribution of the final score from the points gained after `shift` points.

    Returns
    -------
    pandas.DataFrame
        One row for each score that occurs: score, probability, at_least (chance of that score or more); for simulations
        also count.
    """
    gained = np.flatnonzero(weights)
    chance = weights[gained] / (games or 1)
    at_least = np.minimum(chance[::-1].cumsum()[::-1], 1.0)
    frame = pd.DataFrame({"score": gained + shift, "probability": chance, "at_least": at_least})
    if games is not None:
        frame["count"] = weights[gained]
    return frame
