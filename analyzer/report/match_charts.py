"""The chart of a match: what each player receives, and how often."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, PercentFormatter

from analyzer.errors import UsageError
from analyzer.fields import shown
from analyzer.report.style import (
    INK,
    NAME_WIDTH,
    axes_for,
    colour_of,
    dress,
    legend_beside,
    legend_height,
    plain,
    stroke_of,
)

__all__ = ["settlements"]

FEW_PAYOFFS = 45
"""Up to so many different payoffs each has its own bars; more are drawn as the chance of at least so much."""


def settlements(result: Any, ax: Axes | None = None) -> Axes:
    """What the players of a match receive.

    Parameters
    ----------
    result : MatchResult
    ax : matplotlib.axes.Axes, optional
        Where to draw; otherwise a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        If the highest total wins: every player's win rate with its interval. Else how often each payoff comes up, bars
        side by side for the players; where payoffs are many, the chance of at least so much.

    Raises
    ------
    UsageError
        If the result is none of matches.
    """
    if not hasattr(result, "payoffs"):
        raise UsageError(f"{shown(result)} is no result of matches; give what match returns")
    if result.rules.settlement.kind == "highest":
        return _win_rates(result, ax)
    frame, payoffs = result.distribution(), result.payoffs()
    values = np.sort(frame["payoff"].unique())
    names = result.names
    ax = axes_for(ax, 8.6, max(4.3, legend_height(names)))
    labels = [
        f"{plain(name, NAME_WIDTH)}\n{mean:+.2f} ({low:+.2f} to {high:+.2f})".replace("-", "\N{MINUS SIGN}")
        for name, mean, low, high in zip(names, payoffs["payoff"], payoffs["lower"], payoffs["upper"], strict=True)
    ]
    bars = len(values) <= FEW_PAYOFFS
    step = 0.84 / len(names)
    for place, (name, label) in enumerate(zip(names, labels, strict=True)):
        part = frame[frame["player"] == name].set_index("payoff")["probability"].reindex(values, fill_value=0.0)
        if bars:
            where = values + (place - (len(names) - 1) / 2) * step
            ax.bar(where, part, 0.92 * step, color=colour_of(place), label=label)
        else:
            reached = part.to_numpy()[::-1].cumsum()[::-1]
            style: Any = {"color": colour_of(place), "linestyle": stroke_of(place), "label": label}
            ax.step(values, reached, where="pre", linewidth=1.8, **style)
    what = "what each player receives" if bars else "chance to receive at least so much"
    level = f"{result.confidence:.11g}"
    note = f"{result.matches:,} matches; mean payoff per match with its interval at {level} beside each name"
    dress(ax, f"{result.title}: {what}", note)
    ax.set_xlabel("Payoff of a match in points")
    ax.set_ylabel("Share of matches" if bars else "Share of matches that bring so much")
    ax.xaxis.set_major_locator(MaxNLocator(10, integer=True))
    ax.yaxis.set_major_formatter(PercentFormatter(xmax=1, decimals=0))
    legend_beside(ax)
    return ax


def _win_rates(result: Any, ax: Axes | None) -> Axes:
    payoffs = result.payoffs()
    ax = axes_for(ax, 8.0, 1.6 + 0.5 * len(payoffs))
    places = np.arange(len(payoffs))
    rates = payoffs["win_rate"].to_numpy(float)
    lower, upper = payoffs["win_lower"].to_numpy(float), payoffs["win_upper"].to_numpy(float)
    ax.barh(places, rates, 0.6, color=colour_of(0))
    ax.errorbar(rates, places, xerr=[rates - lower, upper - rates], fmt="none", ecolor=INK, elinewidth=1.4)
    for place, rate, end in zip(places, rates, lower, strict=True):
        style: Any = {"va": "center", "ha": "right", "fontsize": 9.5, "color": "white"}
        ax.annotate(f"{rate:.2%}", (end, place), (-6, 0), textcoords="offset points", **style)
    note = f"{result.matches:,} matches, ties shared; intervals at {result.confidence:.11g}"
    dress(ax, f"{result.title}: share of matches won", note, across=True)
    ax.axvline(1 / len(payoffs), color=INK, linewidth=0.8, linestyle=(0, (4, 3)))
    ax.set_xlim(0, min(1.0, 1.1 * float(upper.max())))
    ax.xaxis.set_major_formatter(PercentFormatter(xmax=1, decimals=0))
    ax.set_yticks(places, [plain(name, NAME_WIDTH) for name in result.names])
    ax.set_ylim(len(payoffs) - 0.4, -0.6)
    ax.set_xlabel("Share of matches (dashed: an equal share)")
    ax.grid(visible=False)
    return ax
