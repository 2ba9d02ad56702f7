"""Charts of instant wins: how often each way to win ends a game, and in which round."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from analyzer.errors import UsageError
from analyzer.report.protocols import WinResult, all_of, check_games, method_of, names_of
from analyzer.report.style import (
    INK,
    NAME_WIDTH,
    axes_for,
    colour_of,
    dress,
    legend_beside,
    legend_height,
    plain,
)

__all__ = ["win_rounds", "win_ways"]

_PERCENT = FuncFormatter(lambda share, _: f"{100 * share:.4g}%")


def win_ways(results: WinResult | Iterable[WinResult], ax: Axes | None = None) -> Axes:
    """How often each instant win ends a game: a group of bars for each way to win, a bar for each result.

    Parameters
    ----------
    results : result or iterable of results
        With `wins`, of games with instant wins.
    ax : matplotlib.axes.Axes, optional
        Where to draw; otherwise a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Ways to win from top to bottom in the order in which the rules look at them. Simulations have intervals.

    Raises
    ------
    UsageError
        If there is no result, or one of a game without instant wins.

    Examples
    --------
    >>> from types import SimpleNamespace as Result
    >>> wins = pd.DataFrame({"win": ["dormida"], "label": ["Dormida"], "chance": [0.25], "mean_round": [1.5]})
    >>> ax = win_ways(Result(label="par", title="Cacho", exact=True, wins=lambda: wins))
    >>> [float(bar.get_width()) for bar in ax.patches]
    [0.25]
    """
    shown = all_of(results, "wins")
    names, frames = names_of(shown), [_wins(result) for result in shown]
    labels = {win: label for frame in frames for win, label in frame["label"].items()}
    step = 0.84 / len(shown)
    ax = axes_for(ax, 8.6, max(1.6 + len(labels) * (0.2 + 0.21 * len(shown)), legend_height(names)))

    reach = 0.0
    for place, (frame, name) in enumerate(zip(frames, names, strict=True)):
        heights = [list(labels).index(str(win)) + (place - (len(shown) - 1) / 2) * step for win in frame.index]
        chances = frame["chance"].to_numpy(float)
        ends = chances
        label = f"{plain(name, NAME_WIDTH)}\n{_share(chances.sum())} in all"
        ax.barh(heights, chances, 0.86 * step, color=colour_of(place), label=label)
        if "upper" in frame:
            ends = frame["upper"].to_numpy(float)
            spans = np.maximum([chances - frame["lower"].to_numpy(float), ends - chances], 0)
            ax.errorbar(chances, heights, xerr=spans, fmt="none", ecolor=INK, elinewidth=1.2)
        reach = max(reach, float(ends.max()))
        for height, chance, end in zip(heights, chances, ends, strict=True):
            ax.annotate(
                _share(chance), (end, height), (5, 0), textcoords="offset points", va="center", fontsize=8.5, color=INK
            )
    what = "how games are won at once"
    title = f"{shown[0].title}: {what}" if len({result.title for result in shown}) == 1 else what.capitalize()
    method = method_of(shown)
    alone = f"{names[0]}: {_share(frames[0]['chance'].sum())} of games in all; {method}"
    dress(ax, title, alone if len(shown) == 1 else f"Share of games that end so; {method}", across=True)
    ax.set_xlim(0, 1.16 * reach or 1)
    ax.xaxis.set_major_locator(MaxNLocator(6))
    ax.xaxis.set_major_formatter(_PERCENT)
    ax.set_yticks(range(len(labels)), [plain(label, NAME_WIDTH) for label in labels.values()])
    ax.set_ylim(len(labels) - 0.5, -0.5)
    ax.set_xlabel("Share of games")
    ax.grid(visible=False)
    if len(shown) > 1:
        legend_beside(ax)
    return ax


def win_rounds(result: WinResult, ax: Axes | None = None) -> Axes:
    """In which round each instant win ends games: bars of rounds, stacked by the way to win.

    Parameters
    ----------
    result : result
        With `wins` and `win_rounds`, of a game with instant wins.
    ax : matplotlib.axes.Axes, optional
        Where to draw; otherwise a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Rounds from left to right; the whole bar is the share of all games that end in the round.

    Raises
    ------
    UsageError
        If the game has no instant wins.

    Examples
    --------
    >>> from types import SimpleNamespace as Result
    >>> wins = pd.DataFrame({"win": ["dormida"], "label": ["Dormida"], "chance": [0.75], "mean_round": [1.5]})
    >>> rounds = pd.DataFrame({"win": "dormida", "label": "Dormida", "round": [1, 2], "chance": [0.5, 0.25]})
    >>> tables = {"wins": lambda: wins, "win_rounds": lambda: rounds}
    >>> ax = win_rounds(Result(label="par", title="Cacho", exact=True, **tables))
    >>> [float(bar.get_height()) for bar in ax.patches]
    [0.5, 0.25]
    """
    check_games(result, "wins", "win_rounds")
    wins = _wins(result)
    chances = result.win_rounds().pivot_table(index="win", columns="round", values="chance").reindex(wins.index)
    rounds = [int(number) for number in chances.columns]
    ax = axes_for(ax, max(7.0, 3.4 + 0.4 * len(rounds)), max(4.3, legend_height(wins["label"])))

    base = np.zeros(len(rounds))
    for place, (label, chance, mean) in enumerate(zip(wins["label"], wins["chance"], wins["mean_round"], strict=True)):
        when = "" if np.isnan(mean) else f",\nmean round {mean:.1f}"
        own = chances.iloc[place].to_numpy(float)
        name = f"{plain(label, NAME_WIDTH)}\n{_share(chance)} in all{when}"
        ax.bar(rounds, own, 0.78, base, color=colour_of(place), edgecolor="white", linewidth=0.5, label=name)
        base += own
    dress(
        ax,
        f"{result.title}, {result.label}: when games are won at once",
        f"Bar: share of all games that end in the round; {_share(wins['chance'].sum())} in all rounds;"
        f" {method_of([result], intervals=False)}",
    )
    ax.set_xticks(rounds)
    ax.set_xlim(rounds[0] - 0.6, rounds[-1] + 0.6)
    ax.set_ylim(0, 1.06 * base.max() or 1)
    ax.yaxis.set_major_formatter(_PERCENT)
    ax.set_xlabel("Round")
    ax.set_ylabel("Share of games")
    legend_beside(ax)
    return ax


def _wins(result: WinResult) -> pd.DataFrame:
    frame = result.wins()
    if frame.empty:
        raise UsageError(f"{result.title} has no instant wins; draw another chart")
    return frame.set_index("win")


def _share(chance: float) -> str:
    """A chance that may be small."""
    return f"{chance:.3%}" if chance >= 0.000005 or chance == 0 else "<0.001%"
