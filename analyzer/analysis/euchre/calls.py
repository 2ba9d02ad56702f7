"""What calls are worth in Euchre by position and class of the hand, in points and in chances to win at a score."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analyzer.analysis.arguments import level, whole
from analyzer.analysis.euchre.hands import BLOCK, POINTS, POSITIONS
from analyzer.analysis.euchre.policies import bind_all, check_euchre
from analyzer.analysis.result import Sampled, records
from analyzer.engine.blocks import Block, plan
from analyzer.engine.executors import run_blocks
from analyzer.engine.provenance import Provenance
from analyzer.engine.tallies import Tally
from analyzer.errors import UsageError
from analyzer.games.euchre.hand_log import CLASSES, class_counts
from analyzer.games.euchre.lowering import lower
from analyzer.games.euchre.plans import CALLS, OUTCOMES, count_calls
from analyzer.stats.estimates import mean_estimate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from analyzer.analysis.euchre.win_table import WinTable
    from analyzer.games.euchre.rules import Euchre

HANDS = 400_000
"""Hands in which calls are tried if no number is given."""
CALL_BLOCK = BLOCK >> 2
LEAST_HANDS = 100
"""Of a hand class in a position, for a comparison of calls."""
CALL_NAMES = ("pass", "order", "order alone")


@dataclass(frozen=True, eq=False, repr=False)
class CallValues(Sampled):
    """What each call of the first round leads to, if all before have passed. Made by `call_values`.

    Attributes
    ----------
    rules : Euchre
    policy : str
        By which everybody, the caller too, plays on.
    confidence : float
        Of intervals, each by itself.
    """

    rules: Euchre
    policy: str
    tally: Tally = field(repr=False)
    provenance: Provenance = field(repr=False)
    confidence: float

    @property
    def title(self) -> str:
        """The game."""
        return self.rules.title

    @property
    def positions(self) -> tuple[str, ...]:
        """Names of the positions."""
        return POSITIONS[int(self.rules.players)]

    def table(self) -> pd.DataFrame:
        """What calls are worth.

        Returns
        -------
        pandas.DataFrame
            One row for each position, hand class and call: position, trumps, bowers, off_aces, voids (of the five cards
            dealt, for the suit turned up), call, hands, points (mean, own less the other side's) with lower and upper,
            other_side (share of hands in which it scores), one, two, three_or_four (shares in which the own side
            scores so many points).
        """
        rows = []
        for place, code, counts in self._each():
            for call, outcomes in zip(CALL_NAMES, counts, strict=True):
                if outcomes.any():
                    rows.append({**self._hand(place, code), "call": call, **self._worth(outcomes)})
        return pd.DataFrame(rows)

    def best(self) -> pd.DataFrame:
        """The best call of each hand class, and what the others lose.

        Returns
        -------
        pandas.DataFrame
            One row for each position and hand class: position, trumps, bowers, off_aces, voids, hands, best, points,
            gain (of the best call other than pass over a pass; below 0 where a pass is best), and share (of the deals
            of this position).
        """
        rows = []
        totals = self.tally["outcomes"][:, :, 0].sum(axis=(1, 2))
        for place, code, counts in self._each():
            means = [float(one @ POINTS) / int(one.sum()) if one.any() else -np.inf for one in counts]
            hands = int(counts[0].sum())
            best = int(np.argmax(means))
            row = {"hands": hands, "best": CALL_NAMES[best], "points": means[best], "gain": _gain(means)}
            rows.append({**self._hand(place, code), **row, "share": hands / int(totals[place])})
        return pd.DataFrame(rows)

    def changed_by_score(self, table: WinTable, own: int, other: int) -> pd.DataFrame:
        """The hand classes whose best call is another one at a score than by points.

        Parameters
        ----------
        table : WinTable
            Chances to win by score.
        own, other : int
            Points of the caller's side and the other side.

        Returns
        -------
        pandas.DataFrame
            position, trumps, bowers, off_aces, voids, hands, by_points, at_score (calls), win (chance with the call at
            the score), win_by_points (with the other call), gain (the difference) with lower and upper, and share (of
            the deals of this position). Of classes with at least `LEAST_HANDS` hands whose interval of the gain is
            above 0; the most frequent gain first. Intervals hold for all these classes together (Bonferroni). They
            leave aside that both calls met the same deals; as a rule that makes them too wide.

        Raises
        ------
        UsageError
            If a side has won already.
        """
        target = self.rules.target
        if not (0 <= own < target and 0 <= other < target):
            raise UsageError(f"score {own}-{other} is over; give points below {target}")
        players = len(self.positions)
        totals = self.tally["outcomes"][:, :, 0].sum(axis=(1, 2))
        rows = []
        compared = int((self.tally["outcomes"][:, :, 0].sum(axis=2) >= LEAST_HANDS).sum())
        errors = NormalDist().inv_cdf(1 - (1 - self.confidence) / (2 * max(compared, 1)))
        for place, code, counts in self._each():
            dealing = place == players - 1 or (players == 4 and place == 1)
            values = table.after(own, other, deals=dealing)
            hands = counts.sum(axis=1)
            if hands[0] < LEAST_HANDS:
                continue
            points = np.where(hands > 0, counts @ POINTS / np.maximum(hands, 1), -np.inf)
            wins = np.where(hands > 0, counts @ values / np.maximum(hands, 1), -np.inf)
            first, then = int(np.argmax(points)), int(np.argmax(wins))
            if first == then:
                continue
            spread = sum(float(counts[k] @ values**2 / hands[k] - wins[k] ** 2) / int(hands[k]) for k in (first, then))
            gain, reach = float(wins[then] - wins[first]), errors * float(np.sqrt(spread))
            if gain <= reach:
                continue
            row = {"hands": int(hands[0]), "by_points": CALL_NAMES[first], "at_score": CALL_NAMES[then]}
            row |= {"win": float(wins[then]), "win_by_points": float(wins[first]), "gain": gain}
            row |= {"lower": gain - reach, "upper": gain + reach, "share": int(hands[0]) / int(totals[place])}
            rows.append({**self._hand(place, code), **row})
        frame = pd.DataFrame(rows, columns=[*_HAND, *_CHANGE])
        order = (-(frame["gain"] * frame["share"])).argsort(kind="stable")
        return frame.iloc[order].reset_index(drop=True)

    def main_table(self) -> pd.DataFrame:
        """See `Shown`."""
        return self.best()

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON."""
        return {
            "game": self.rules.name,
            "rules_id": self.rules.id,
            "policy": self.policy,
            "seed": self.seed,
            "task_id": self.task_id,
            "confidence": self.confidence,
            "calls": records(self.table()),
            "provenance": self.provenance.to_dict(),
        }

    def __str__(self) -> str:
        hands = int(self.tally["outcomes"][0, :, 0].sum())
        return f"{self.title}, {self.policy}: calls of the first round in {hands:,} hands, seed {self.seed}"

    def _each(self) -> Iterator[tuple[int, int, NDArray[np.int64]]]:
        """Position, class and counts (call, points) of what occurred."""
        for place in range(len(self.positions)):
            for code in np.flatnonzero(self.tally["outcomes"][place].any(axis=(1, 2))).tolist():
                yield place, code, self.tally["outcomes"][place, code]

    def _hand(self, place: int, code: int) -> dict[str, Any]:
        return dict(zip(_HAND, (self.positions[place], *class_counts(code)), strict=True))

    def _worth(self, outcomes: NDArray[np.int64]) -> dict[str, Any]:
        total, mean = int(outcomes.sum()), mean_estimate(POINTS, outcomes, self.confidence)
        row: dict[str, Any] = {"hands": total, "points": mean.value, "lower": mean.lower, "upper": mean.upper}
        lost, shares = int(outcomes[POINTS < 0].sum()) / total, outcomes / total
        return row | {"other_side": lost, "one": shares[5], "two": shares[6], "three_or_four": shares[7] + shares[8]}


def _gain(means: list[float]) -> float:
    """Of the best call over a pass; NaN where there is none but to pass, or no pass."""
    gain = max(means[1:]) - means[0]
    return gain if np.isfinite(gain) else np.nan


_HAND = ("position", "trumps", "bowers", "off_aces", "voids")
_CHANGE = ("hands", "by_points", "at_score", "win", "win_by_points", "gain", "lower", "upper", "share")


def call_values(
    rules: Euchre,
    policy: str | Callable[..., Any] = "rules",
    *,
    hands: int = HANDS,
    seed: int = 0,
    confidence: float = 0.95,
    workers: int | None = None,
    progress: bool = False,
    cache: bool = True,
) -> CallValues:
    """Try every call of the first round in simulated deals.

    In each deal every position passes, orders, and orders to play alone, after all before it have passed; then
    everybody plays on by the policy, at no score.

    Parameters
    ----------
    rules : Euchre
    policy : str or callable
        One that kernels play: `rules`, `strength`, `computed`, `random`.
    hands : int
        Deals.
    seed, confidence, workers, progress, cache
        As for `analyzer.simulate`.

    Returns
    -------
    CallValues

    Raises
    ------
    UsageError, PolicyError
        Arguments that do not fit, or a policy that has to be asked outside of kernels.

    Examples
    --------
    >>> from analyzer.games.euchre.rules import Euchre
    >>> found = call_values(Euchre(), hands=2000)
    >>> found.best()["position"].unique().tolist()
    ["dealer's left", "dealer's partner", "dealer's right", 'dealer']
    """
    check_euchre(rules, "call_values")
    number, seed = whole("hands", hands, 1, 10**12), whole("seed", seed, 0, 2**64 - 1)
    confidence = level(confidence)
    (bound,), table = bind_all(rules, [policy], workers=workers, progress=progress, cache=cache)
    if bound.asked is not None:
        raise UsageError(f"policy '{bound.text}' is too slow to try every call in every deal; use rules or computed")
    provenance = Provenance(rules_id=rules.id, policy=bound.text, job="calls", seed=seed, block_size=CALL_BLOCK)

    def count(block: Block) -> Tally:
        outcomes = np.zeros((4, CLASSES, CALLS, OUTCOMES), np.int64)
        count_calls(lower(rules), table.deck, table.players, np.uint64(seed), block.start, block.size, outcomes)
        return Tally({"outcomes": outcomes})

    tally = run_blocks(
        plan(number, CALL_BLOCK), count, workers=workers, progress=progress, label=f"{rules.title}: calls"
    )
    return CallValues(rules, bound.text, tally, provenance, confidence)
