"""Chart of a graded game: how the expected final score moved, by luck and by mistakes, turn by turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator, PercentFormatter

from analyzer.errors import UsageError
from analyzer.fields import shown
from analyzer.report.style import ACCENT, INK, MUTED, NAME_WIDTH, axes_for, colour_of, dress, plain

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["GradedGame", "luck_and_mistakes"]

LUCKY, UNLUCKY, LOST = colour_of(0), "#9CC9E6", ACCENT
HALF = 0.36
"""Height of a bar: a row holds two, luck above mistakes, and a gap."""
MINUS = "\N{MINUS SIGN}"
_WHAT = {
    "expected_score": "Expected final score",
    "expected_value": "Expected value",
    "chance": "Chance of an instant win",
}


class GradedGame(Protocol):
    """What a grading must offer to be drawn."""

    @property
    def title(self) -> str:
        """The game."""

    @property
    def label(self) -> str:
        """What it was played for."""

    @property
    def value_name(self) -> str:
        """What values are: ``expected_score``, ``expected_value`` or ``chance``."""

    def turns(self) -> pd.DataFrame:
        """One row for each turn: turn, label, points, value_start, luck, lost, value_end."""


def luck_and_mistakes(grading: GradedGame, ax: Axes | None = None) -> Axes:
    """How a played game went: what best play could expect of it after every turn, and why that changed.

    Parameters
    ----------
    grading : grading
        What `analyzer.grade` returns.
    ax : matplotlib.axes.Axes, optional
        Where to draw; otherwise a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Turns from top to bottom, each with its line and points. The upper bar of a turn is the luck of its throws, the
        lower one, in red, what its decisions lost; the next turn starts where that ends.

    Raises
    ------
    UsageError
        If it is no grading, or no turn was played.

    Examples
    --------
    >>> import pandas as pd
    >>> from types import SimpleNamespace as Graded
    >>> turn = {"turn": 1, "label": "Aces", "points": 3}
    >>> table = pd.DataFrame([turn | {"value_start": 50.0, "luck": 2.0, "lost": 1.5, "value_end": 50.5}])
    >>> ax = luck_and_mistakes(Graded(title="Coins", label="optimal", value_name="expected_score", turns=lambda: table))
    >>> [float(bar.get_width()) for bar in ax.patches]
    [2.0, -1.5]
    """
    if not hasattr(grading, "turns") or not hasattr(grading, "value_name"):
        raise UsageError(f"{shown(grading)} is no graded game; give what analyzer.grade returns")
    table = grading.turns()
    if table.empty:
        raise UsageError(f"no turn of {grading.title} is graded; there is nothing to draw")
    ax = axes_for(ax, 8.6, 2.2 + 0.42 * len(table))
    rows = np.arange(len(table))
    start, luck, lost, end = (table[name].to_numpy(float) for name in ("value_start", "luck", "lost", "value_end"))
    top = end + lost
    colours = [LUCKY if gain >= 0 else UNLUCKY for gain in luck]
    ax.barh(rows - HALF / 2, luck, HALF, start, color=colours)
    ax.barh(rows + HALF / 2, -lost, HALF, top, color=LOST)
    _connect(ax, rows, top, end)

    chance = grading.value_name == "chance"
    least = 0.0005 if chance else 0.05
    for row in rows:
        if abs(luck[row]) >= least:
            _number_at(ax, start[row] + luck[row], row - HALF / 2, luck[row], chance, right=luck[row] > 0, colour=INK)
        if lost[row] >= least:
            _number_at(ax, end[row], row + HALF / 2, -lost[row], chance, right=False, colour=LOST)
    ax.axvline(start[0], color=MUTED, linewidth=0.8, linestyle=(0, (4, 3)), zorder=0.9)
    what = _WHAT[grading.value_name]
    final, sign = _value(end[-1], chance), "+" if luck.sum() >= 0 else MINUS
    note = (
        f"{what} with best play from there on ({grading.label}):\n{_value(start[0], chance)} at the start"
        f" {sign} {_value(abs(luck.sum()), chance)} luck {MINUS} {_value(lost.sum(), chance)} mistakes = {final}"
    )
    dress(ax, f"{grading.title}: luck and mistakes of a game", note, across=True)
    spread = max(float(np.ptp([*start, *top, *end])), 20 * least)
    ax.set_xlim(min(*start, *top, *end) - 0.12 * spread, max(*start, *top, *end) + 0.12 * spread)
    ax.set_ylim(len(table) - 0.35, -0.65)
    ax.set_yticks(rows, [_name(row) for row in table.to_dict("records")])
    ax.xaxis.set_major_locator(MaxNLocator(7))
    if chance:
        ax.xaxis.set_major_formatter(PercentFormatter(xmax=1))
    ax.set_xlabel(what)
    _explain(ax)
    return ax


def _connect(ax: Axes, rows: Any, top: Any, end: Any) -> None:
    """Thin lines from the luck of a turn to its mistakes, and from there to the next turn."""
    style: dict[str, Any] = {"color": INK, "linewidth": 1.1, "zorder": 3}
    ax.vlines(top, rows - HALF, rows + HALF, **style)
    ax.vlines(end, rows, np.append(rows[1:] - HALF, rows[-1] + HALF), **style)


def _number_at(ax: Axes, x: float, y: float, number: float, chance: bool, *, right: bool, colour: str) -> None:
    text = (f"{number:+.1%}" if chance else f"{number:+.1f}").replace("-", MINUS)
    ax.annotate(
        text,
        (x, y),
        (4 if right else -4, 0),
        textcoords="offset points",
        ha="left" if right else "right",
        va="center",
        fontsize=8,
        color=colour,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6},
    )


def _value(value: float, chance: bool) -> str:
    return f"{value:.2%}" if chance else f"{value:,.1f}"


def _name(row: dict[Any, Any]) -> str:
    return f"{row['turn']}. {plain(str(row['label']), NAME_WIDTH)} ({row['points']:,})"


def _explain(ax: Axes) -> None:
    parts = [Patch(color=LUCKY, label="Good luck"), Patch(color=UNLUCKY, label="Bad luck")]
    ax.legend(
        handles=[*parts, Patch(color=LOST, label="Mistakes")],
        loc="upper left",
        bbox_to_anchor=(1.01, 1.0),
        borderaxespad=0.0,
        frameon=False,
        fontsize=9,
        labelcolor=INK,
    )
