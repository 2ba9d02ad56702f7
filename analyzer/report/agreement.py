"""The chart that sets a simulation against exact values of the same game and policy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray
from scipy.special import ndtri

from analyzer.errors import UsageError
from analyzer.report.protocols import FullResult, check_games
from analyzer.report.style import (
    ACCENT,
    BAND,
    FAINT,
    INK,
    MUTED,
    NAME_WIDTH,
    axes_for,
    colour_of,
    dress,
    plain,
    side_column,
)
from analyzer.stats.estimates import moments

__all__ = ["simulation_against_exact"]


def simulation_against_exact(simulated: FullResult, exact: FullResult, ax: Axes | None = None) -> Axes:
    """How far a simulation is from the exact values, line by line and in total.

    Differences are in standard errors, computed from the exact standard deviation: where both are right, each
    is about a standard normal number. The band has Sidak's width (1967), so that in at least 95% of
    simulations all the differences shown lie inside it.

    Parameters
    ----------
    simulated, exact : result
        Of the same game and policy, with `lines` and `distribution`; the simulated one counts games.
    ax : matplotlib.axes.Axes, optional
        Where to draw; otherwise a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Two markers for each line: mean and zero rate. What lies outside the band is coloured; what lies
        outside the axis is drawn as an arrow at its edge.

    Raises
    ------
    UsageError
        If game, policy or lines differ, or the simulated result counts no games.

    Examples
    --------
    >>> import pandas as pd
    >>> from types import SimpleNamespace as Result
    >>> sheet = {"line": "coin", "label": "Coin", "mean": [5.0], "standard_deviation": 5.0, "zero_rate": 0.5}
    >>> scores = pd.DataFrame({"score": [0, 10], "probability": 0.5, "count": 50})
    >>> tables = {"lines": lambda: pd.DataFrame(sheet), "distribution": lambda: scores}
    >>> result = Result(title="Coins", label="par", exact=True, **tables)
    >>> [label.get_text() for label in simulation_against_exact(result, result).get_yticklabels()]
    ['Coin', 'Total']
    """
    check_games(simulated, "lines", "distribution")
    check_games(exact, "lines", "distribution")
    if (simulated.title, simulated.label) != (exact.title, exact.label):
        both = f"{simulated.title}, {simulated.label} and {exact.title}, {exact.label}"
        raise UsageError(f"{both} are not the same game and policy; compare a simulation with its own exact values")
    found, truth = simulated.lines().set_index("line"), exact.lines().set_index("line")
    scores, chances = simulated.distribution(), exact.distribution()
    if list(found.index) != list(truth.index):
        raise UsageError("the simulated and the exact result have different lines; compare the same game")
    games = int(scores["count"].sum()) if "count" in scores else 0
    if not games:
        raise UsageError("the simulated result counts no games; give the simulation first, then the exact result")
    means = [*found["mean"], moments(scores["score"], scores["count"])[0]]
    total, deviation = moments(chances["score"], chances["probability"])
    expected, spreads = [*truth["mean"], total], [*truth["standard_deviation"], deviation]
    rates = truth["zero_rate"].to_numpy(float)
    series = {
        "mean": _in_standard_errors(means, expected, spreads, games),
        "zero rate": _in_standard_errors(found["zero_rate"], rates, np.sqrt(rates * (1 - rates)), games),
    }
    compared = sum(int(np.isfinite(numbers).sum()) for numbers in series.values())
    band = float(ndtri((1 + 0.95 ** (1 / max(1, compared))) / 2))

    labels = [*truth["label"], "Total"]
    places = np.array([*range(len(truth)), len(truth) + 0.5])
    ax = axes_for(ax, 7.8, 1.9 + 0.3 * len(labels))
    ax.axvspan(-band, band, color=BAND, linewidth=0, zorder=0)
    ax.axvline(0, color=MUTED, linewidth=1, zorder=1)
    largest = max(float(np.nanmax(np.abs(numbers), initial=0)) for numbers in series.values())
    reach = 1.25 * band if largest < band else 2 * band
    for (name, numbers), marker, shift in zip(series.items(), "os", (-0.13, 0.13), strict=True):
        _draw_differences(ax, numbers, places[: len(numbers)] + shift, band, reach, marker, name)
    ax.axhline(len(truth) - 0.25, color=FAINT, linewidth=0.8)
    note = (
        f"{games:,} games; in at least 95% of simulations all {compared} differences lie in the band\n"
        "Filled circle: mean points; hollow square: share of games with 0 points"
    )
    dress(ax, f"{exact.title}, {exact.label}: simulation against exact values", note, across=True)
    differences = [
        f"{one - other:+z.{_digits(spreads, games)}f}".replace("-", "\N{MINUS SIGN}")
        for one, other in zip(means, expected, strict=True)
    ]
    side_column(ax, places, differences, "mean differs by")
    ax.set_xlim(-reach, reach)
    ax.set_ylim(places[-1] + 0.6, -0.6)
    ax.set_yticks(places, [plain(label, NAME_WIDTH) for label in labels])
    ax.set_xlabel("Simulated minus exact, in standard errors")
    return ax


def _in_standard_errors(found: Any, exact: Any, spreads: Any, games: int) -> NDArray[np.float64]:
    """Differences over ``spread / sqrt(games)``; NaN where nothing can vary and nothing differs."""
    differences = np.asarray(found, float) - np.asarray(exact, float)
    differences[np.abs(differences) < 1e-9] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(differences / (np.asarray(spreads, float) / math.sqrt(games)))


def _draw_differences(
    ax: Axes,
    numbers: NDArray[np.float64],
    places: NDArray[np.float64],
    band: float,
    reach: float,
    marker: str,
    name: str,
) -> None:
    inside, hollow = np.abs(numbers) <= band, marker == "s"
    for part, colour in ((inside, colour_of(0)), (~inside & (np.abs(numbers) < reach), ACCENT)):
        ax.plot(
            numbers[part],
            places[part],
            marker,
            color=colour,
            markerfacecolor="white" if hollow else colour,
            markersize=5,
            zorder=3,
            label=name,
        )
    for number, place in zip(numbers, places, strict=True):
        if abs(number) >= reach:
            side = math.copysign(1, number)
            ax.plot([side * 0.97 * reach], [place], ">" if side > 0 else "<", color=ACCENT, markersize=7, zorder=3)
            text = f"{number:+.0f}" if math.isfinite(number) else "impossible"
            ax.annotate(
                text,
                (side * 0.94 * reach, place),
                fontsize=8,
                color=INK,
                va="center",
                ha="right" if side > 0 else "left",
            )


def _digits(spreads: list[float], games: int) -> int:
    """Decimals that show a digit of the smallest standard error."""
    error = min((spread for spread in spreads if spread > 0), default=1.0) / math.sqrt(games)
    return min(4, max(0, -math.floor(math.log10(error))))
