"""Tallies of a comparison against plain sums over the games themselves."""

from __future__ import annotations

import numpy as np
import pytest

from analyzer.analysis.contests import Measure
from analyzer.analysis.paired import NOWHERE, ArmTally, PairTally
from analyzer.stats.comparison import PairSums
from analyzer.stats.sequential import ConfidenceSequence

BASE = (
    Measure("score", "Score", "points", 10, 60),
    Measure("win", "Win", "rate", 0, 1),
    Measure("line:a", "A", "points", 0, 50),
    Measure("zero:a", "A 0", "rate", 0, 1),
)
OTHER = (
    Measure("score", "Score", "points", 5, 90),
    Measure("line:b", "B", "points", 0, 7),
    Measure("win", "Win", "rate", 0, 1),
    Measure("zero:b", "B 0", "rate", 0, 1),
)


def some_games(measures: tuple[Measure, ...], games: int, seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    return np.array([random.integers(m.low, m.high + 1, games) for m in measures], dtype=np.int32)


@pytest.mark.parametrize("sequential", [False, True])
def test_sums_are_those_of_the_games(sequential: bool) -> None:
    x, y = some_games(BASE, 500, 1), some_games(OTHER, 500, 2)
    arms = [ArmTally(BASE, sequential), ArmTally(OTHER, sequential)]
    pair = PairTally.between(0, 1, [BASE, OTHER], sequential)
    names = [(BASE[a].name if a != NOWHERE else OTHER[b].name) for a, b in pair.shared]
    assert names == ["score", "win", "line:a", "line:b"]
    assert pair.bounds == ([-55, -1, -50, 0], [80, 1, 0, 7])
    for low, high in ((0, 3), (3, 200), (200, 500)):
        for arm, values in zip(arms, (x, y), strict=True):
            arm.add(values[:, low:high])
        pair.add([x[:, low:high], y[:, low:high]])
    expected = {"score": y[0] - x[0], "win": y[2] - x[1], "line:a": -x[2], "line:b": y[1]}
    assert pair.sums.n == 500
    assert pair.sums.total == [int(d.sum()) for d in expected.values()]
    assert pair.sums.squares == [int((d.astype(int) ** 2).sum()) for d in expected.values()]
    assert np.array_equal(arms[1].counts, np.bincount(y[0] - 5, minlength=86))
    assert pair.pair_sums(arms) == PairSums.of(list(zip(x[0].tolist(), y[0].tolist(), strict=True)))
    assert pair.pair_sums(arms).difference() == pair.sums.estimate(0, 0.95) or sequential
    if sequential:
        alone = ConfidenceSequence(-55, 80)
        for low, high in ((0, 3), (3, 200), (200, 500)):
            part = expected["score"][low:high].astype(int)
            alone.add(len(part), int(part.sum()), int((part * part).sum()))
        assert pair.sums.estimate(0, 0.95) == alone.estimate
        assert pair.sums.sequence(0) == alone


def test_large_scores_do_not_overflow() -> None:
    most = 40_000
    measure = (Measure("score", "Score", "points", 0, most),)
    games = np.full((1, 9000), most, dtype=np.int32)
    pair = PairTally.between(0, 1, [measure, measure], sequential=False)
    pair.add([games, games])
    assert pair.mixed == [[9000 * most**2, 9000 * most**3], [9000 * most**3, 9000 * most**4]]
