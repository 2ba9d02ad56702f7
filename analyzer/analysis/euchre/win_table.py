"""The chance to win a match of Euchre by score and deal, from the outcomes of single hands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analyzer.analysis.euchre.hands import MOST_POINTS, POINTS, HandsResult, simulate_hands
from analyzer.analysis.euchre.policies import check_euchre
from analyzer.analysis.result import Shown, records
from analyzer.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from analyzer.games.euchre.rules import Euchre

HANDS = 400_000
"""Hands that are simulated for a table."""


@dataclass(frozen=True, eq=False, repr=False)
class WinTable(Shown):
    """Chances to win a game to the target, of two sides who play alike. Made by `win_table`.

    Attributes
    ----------
    rules : Euchre
    policy : str
    outcomes : (9,) float array
        Chances of the dealer's side's points less the other side's in a hand, from -4 to 4.
    values : (target, target) float array
        The chance of the side that deals the next hand, by its own points and those of the other side.
    """

    rules: Euchre
    policy: str
    outcomes: NDArray[np.float64] = field(repr=False)
    values: NDArray[np.float64] = field(repr=False)

    def chance(self, own: int, other: int, *, deals: bool) -> float:
        """The chance to win of a side before a hand.

        Parameters
        ----------
        own, other : int
            Points of the side and of the other; a side that has the target has won.
        deals : bool
            Whether the side deals.
        """
        target = self.rules.target
        if own >= target or other >= target:
            return float(own >= target)
        return float(self.values[own, other] if deals else 1 - self.values[other, own])

    def after(self, own: int, other: int, *, deals: bool) -> NDArray[np.float64]:
        """The chance to win after a hand, by what the hand brings: own points less the other side's, from -4 to 4.

        Parameters
        ----------
        own, other, deals
            Before the hand, as for `chance`.

        Returns
        -------
        (9,) float array
        """
        return np.array(
            [self.chance(own + max(won, 0), other + max(-won, 0), deals=not deals) for won in POINTS.tolist()]
        )

    def table(self) -> pd.DataFrame:
        """One row for each score: own, other, dealing and not_dealing (the chances to win of the side)."""
        target = self.rules.target
        return pd.DataFrame(
            [
                {
                    "own": own,
                    "other": other,
                    "dealing": self.chance(own, other, deals=True),
                    "not_dealing": self.chance(own, other, deals=False),
                }
                for own in range(target)
                for other in range(target)
            ]
        )

    def main_table(self) -> pd.DataFrame:
        """See `Shown`."""
        return self.table()

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON."""
        return {
            "game": self.rules.name,
            "rules_id": self.rules.id,
            "policy": self.policy,
            "outcomes": {str(points): chance for points, chance in zip(POINTS.tolist(), self.outcomes, strict=True)},
            "table": records(self.table()),
        }

    def __str__(self) -> str:
        return (
            f"{self.rules.title}, {self.policy}: the dealer's side wins {self.chance(0, 0, deals=True):.1%} of games"
            f" from 0-0"
        )


def win_table(
    rules: Euchre,
    policy: str | Callable[..., Any] = "rules",
    *,
    hands: int = HANDS,
    seed: int = 0,
    workers: int | None = None,
    progress: bool = False,
    cache: bool = True,
) -> WinTable:
    """Compute the chances to win a game from the outcomes of simulated hands.

    Parameters
    ----------
    rules : Euchre
        For four or two players.
    policy : str or callable
        Everybody's; see `analyzer.analysis.euchre.policies.bind_policy`.
    hands, seed, workers, progress, cache
        As for `analyzer.simulate`.

    Returns
    -------
    WinTable

    Raises
    ------
    UsageError, PolicyError
        Three players, or arguments that do not fit.

    Notes
    -----
    Hands are simulated at no score: that players call otherwise near the end is left aside. A hand has at most
    4 points, and only one side scores, so that the table is solved exactly, from the highest scores down.

    Examples
    --------
    >>> from analyzer.games.euchre.rules import Euchre
    >>> table = win_table(Euchre(), "random", hands=10_000)
    >>> 0.5 < table.chance(0, 0, deals=True) < 0.56
    True
    """
    check_euchre(rules, "win_table")
    if rules.players == "3":
        raise UsageError("a table of two scores is for two sides; three players have three scores")
    run: dict[str, Any] = {"workers": workers, "progress": progress, "cache": cache}
    return win_table_of(simulate_hands(rules, policy, games=hands, seed=seed, **run))


def win_table_of(result: HandsResult) -> WinTable:
    """Compute the chances to win a game from hands that were simulated already; see `win_table`."""
    rules = result.rules
    counts = result.tally["seats"][int(rules.players) - 1]
    outcomes = counts / counts.sum()
    return WinTable(rules, result.policy, outcomes, solve_games(outcomes, rules.target))


def solve_games(outcomes: NDArray[np.float64], target: int) -> NDArray[np.float64]:
    """The chance to win of the side that deals, by both scores.

    Parameters
    ----------
    outcomes : (9,) float array
        Chances of the dealer's side's points less the other's in a hand, from -4 to 4. At 0 nobody scores.
    target : int
        Points that win.

    Returns
    -------
    (target, target) float array
        By the points of the side that deals next, and of the other.

    Raises
    ------
    UsageError
        If nobody ever scores.

    Notes
    -----
    After every hand the other side deals. With chance p that nobody scores, the values V(a, b) and V(b, a) of a score
    and of its mirror image depend on each other: V(a, b) = A + p (1 - V(b, a)), where A comes from higher scores.

    Examples
    --------
    Who is certain to score a point when he deals, to 2 points:

    >>> solve_games(np.array([0, 0, 0, 0, 0, 1.0, 0, 0, 0]), 2).tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    stays = float(outcomes[MOST_POINTS])
    if stays >= 1:
        raise UsageError("nobody ever scores, so that no game ends; let somebody make trump (stick_dealer=true)")
    values = np.zeros((target, target))

    def from_higher(a: int, b: int) -> float:
        """What hands bring in which somebody scores."""
        total = 0.0
        for points, chance in zip(POINTS.tolist(), outcomes.tolist(), strict=True):
            if points > 0:
                total += chance * (1.0 if a + points >= target else 1 - values[b, a + points])
            elif points < 0:
                total += chance * (0.0 if b - points >= target else 1 - values[b - points, a])
        return total

    for total in range(2 * target - 2, -1, -1):
        for a in range(max(total - target + 1, 0), min(total, target - 1) + 1):
            b = total - a
            mine, theirs = from_higher(a, b), from_higher(b, a)
            values[a, b] = (mine + stays * (1 - theirs - stays)) / (1 - stays * stays)
    return values
