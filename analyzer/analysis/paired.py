"""What a comparison counts while it plays: sums of every arm, and of the differences between two arms, game by game."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from analyzer.stats.comparison import PairSums
from analyzer.stats.estimates import Estimate, mean_estimate_from_sums
from analyzer.stats.sequential import ConfidenceSequence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from analyzer.analysis.contests import Measure


NOWHERE = -1
"""Place of a measure that an arm does not have."""


@dataclass(eq=False)
class Sums:
    """Number, sum and sum of squares of each of several measures; whole numbers of any length.

    Attributes
    ----------
    low, high : list of int
        Bounds of each measure in one game.
    sequential : bool
        Whether intervals are to hold at all looks.
    """

    low: list[int]
    high: list[int]
    sequential: bool
    n: int = 0
    total: list[int] = field(init=False)
    squares: list[int] = field(init=False)
    _sequences: list[ConfidenceSequence] = field(init=False)

    def __post_init__(self) -> None:
        self.total, self.squares = [0] * len(self.low), [0] * len(self.low)
        bounds = zip(self.low, self.high, strict=True) if self.sequential else ()
        self._sequences = [ConfidenceSequence(low, high) for low, high in bounds]

    def add(self, values: NDArray[np.int64]) -> None:
        """Count a block of games: int64 array (measures, games)."""
        games = values.shape[1]
        self.n += games
        totals, squares = values.sum(axis=1), np.einsum("ij,ij->i", values, values)
        for k, (total, square) in enumerate(zip(totals.tolist(), squares.tolist(), strict=True)):
            self.total[k] += total
            self.squares[k] += square
            if self.sequential:
                self._sequences[k].add(games, total, square)

    def estimate(self, k: int, confidence: float) -> Estimate:
        """Mean of a measure; where the run may have stopped early, its interval is that of a confidence sequence."""
        if self.sequential:
            return self._sequences[k].estimate_at(confidence)
        return mean_estimate_from_sums(self.n, self.total[k], self.squares[k], confidence)

    def sequence(self, k: int) -> ConfidenceSequence:
        """What is known of a measure at all looks, if `sequential`."""
        return self._sequences[k]


@dataclass(eq=False)
class ArmTally:
    """What one arm earned in all games."""

    measures: tuple[Measure, ...]
    sequential: bool
    sums: Sums = field(init=False)
    counts: NDArray[np.int64] = field(init=False)
    """Games by what the first measure was, from its lower bound."""

    def __post_init__(self) -> None:
        self.sums = Sums([m.low for m in self.measures], [m.high for m in self.measures], self.sequential)
        first = self.measures[0]
        self.counts = np.zeros(first.high - first.low + 1, dtype=np.int64)

    def add(self, values: NDArray[np.integer]) -> None:
        """Count a block of games: integer array (measures, games)."""
        self.sums.add(values.astype(np.int64))
        self.counts += np.bincount(values[0] - self.measures[0].low, minlength=len(self.counts))


@dataclass(eq=False)
class PairTally:
    """Differences of one arm against another, game by game.

    Attributes
    ----------
    base, other : int
        Numbers of the arms; the difference is other less base.
    shared : list of (int, int)
        Places of every measure that both arms have in the same unit, in the base and in the other arm. A line that one
        arm does not have earns nothing there: its place is -1.
    """

    base: int
    other: int
    shared: list[tuple[int, int]]
    bounds: tuple[list[int], list[int]]
    sequential: bool
    sums: Sums = field(init=False)
    mixed: list[list[int]] = field(init=False)
    """Sums of ``x**i * y**j`` of the first measure, i and j from 1 to 2."""

    def __post_init__(self) -> None:
        self.sums = Sums(*self.bounds, self.sequential)
        self.mixed = [[0, 0], [0, 0]]

    @classmethod
    def between(cls, base: int, other: int, measures: Sequence[tuple[Measure, ...]], sequential: bool) -> PairTally:
        """Differences between two of the arms, whose measures are given."""
        first, second = ({(m.name, m.unit): place for place, m in enumerate(measures[arm])} for arm in (base, other))
        keys = [key for key in first | second if (key in first and key in second) or key[0].startswith("line:")]
        shared = [(first.get(key, NOWHERE), second.get(key, NOWHERE)) for key in keys]
        low, high = [], []
        for a, b in shared:
            (a_low, a_high), (b_low, b_high) = _bounds(measures[base], a), _bounds(measures[other], b)
            low.append(b_low - a_high)
            high.append(b_high - a_low)
        return cls(base, other, shared, (low, high), sequential)

    def add(self, played: Sequence[NDArray[np.integer]]) -> None:
        """Count a block of games, played by all arms."""
        base, other = played[self.base], played[self.other]
        places = zip(*self.shared, strict=True)
        x_all, y_all = (_rows(values, where) for values, where in zip((base, other), places, strict=True))
        self.sums.add(y_all - x_all)
        x, y = base[0].astype(np.int64), other[0].astype(np.int64)
        for i, power in enumerate((x, x * x)):
            for j, other_power in enumerate((y, y * y)):
                self.mixed[i][j] += _dot(power, other_power)

    def pair_sums(self, arms: Sequence[ArmTally]) -> PairSums:
        """All sums of the first measure's pairs."""
        x, y = ([power_sum(arms[arm], power) for power in range(5)] for arm in (self.base, self.other))
        (one, two), (three, four) = self.mixed
        table = ((x[0], y[1], y[2]), (x[1], one, two), (x[2], three, four))
        return PairSums(table, (x[3], y[3]), (x[4], y[4]))


def _bounds(measures: tuple[Measure, ...], place: int) -> tuple[int, int]:
    return (0, 0) if place == NOWHERE else (measures[place].low, measures[place].high)


def _rows(values: NDArray[np.integer], places: Sequence[int]) -> NDArray[np.int64]:
    """Measures at some places, zeros for those that are nowhere."""
    found = values[list(places)].astype(np.int64)
    found[np.array(places) == NOWHERE] = 0
    return found


def power_sum(arm: ArmTally, power: int) -> int:
    """Sum of a power of an arm's first measure over all games."""
    low = arm.measures[0].low
    return sum((low + place) ** power * int(arm.counts[place]) for place in np.flatnonzero(arm.counts).tolist())


def _dot(x: NDArray[np.int64], y: NDArray[np.int64]) -> int:
    """Sum of products, in 64 bits where it fits: squares of scores of some thousand points do."""
    most = int(np.abs(x).max()) * int(np.abs(y).max()) * len(x)
    return int(x @ y) if most < 2**63 else int(x.astype(object) @ y.astype(object))
