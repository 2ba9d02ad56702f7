"""Paired samples against scipy and statsmodels, which work on the numbers themselves."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.weightstats import ttost_paired

from analyzer.errors import UsageError
from analyzer.stats.comparison import (
    PairSums,
    adjusted_p_values,
    controlled_mean,
    deviation_difference,
    equivalence,
    p_value,
    simultaneous_confidence,
)
from analyzer.stats.estimates import Estimate

pairs = st.lists(st.tuples(st.integers(-500, 500), st.integers(-500, 500)), min_size=3, max_size=40)


def sums_of(x: np.ndarray, y: np.ndarray) -> PairSums:
    table = [[int((x**i * y**j).sum()) for j in range(3)] for i in range(3)]
    powers = [(int((x**p).sum()), int((y**p).sum())) for p in (3, 4)]
    return PairSums(tuple(map(tuple, table)), *powers)  # type: ignore[arg-type]


@given(pairs)
def test_differences_are_those_of_a_paired_t_test(found: list[tuple[int, int]]) -> None:
    x, y = np.array(found).T
    estimate = PairSums.of(found).difference()
    assert PairSums.of(found) == sums_of(x, y)
    assert estimate.value == pytest.approx(np.mean(y - x))
    if (y - x).std() > 0:
        test = stats.ttest_rel(y, x)
        interval = test.confidence_interval(0.95)
        assert (estimate.lower, estimate.upper) == pytest.approx((interval.low, interval.high))
        assert p_value(estimate) == pytest.approx(test.pvalue)
        if abs(estimate.value) > 0:
            expected = ttost_paired(y, x, -abs(estimate.value) * 2, abs(estimate.value) * 2)[0]
            assert equivalence(estimate, 2 * abs(estimate.value)).p_value == pytest.approx(expected)


@given(pairs)
def test_variances_are_those_of_the_samples(found: list[tuple[int, int]]) -> None:
    x, y = np.array(found).T
    expected = (x.var(ddof=1), y.var(ddof=1), (y - x).var(ddof=1))
    assert PairSums.of(found).variances() == pytest.approx(expected)


@given(pairs)
def test_the_deviation_difference_is_a_delta_method(found: list[tuple[int, int]]) -> None:
    x, y = np.array(found).T.astype(float)
    if x.std() == 0 or y.std() == 0:
        return
    estimate = deviation_difference(PairSums.of(found))
    assert estimate.value == pytest.approx(y.std(ddof=1) - x.std(ddof=1))
    influence = (y - y.mean()) ** 2 / (2 * y.std(ddof=1)) - (x - x.mean()) ** 2 / (2 * x.std(ddof=1))
    assert estimate.standard_error == pytest.approx(influence.std() / len(x) ** 0.5, abs=1e-6)


def test_deviation_intervals_cover() -> None:
    """1,000 samples of 400 dependent pairs; leaves 0.92..0.98 by chance once in 10,000 times, seed fixed."""
    random = np.random.default_rng(3)
    covered = 0
    for _ in range(1000):
        x = random.poisson(20, 400)
        y = x + random.choice([-3, 0, 0, 3], 400)
        found = deviation_difference(sums_of(x, y))
        covered += found.lower <= math.sqrt(20 + 4.5) - math.sqrt(20) <= found.upper
    assert 0.92 < covered / 1000 < 0.98


def test_no_spread_and_too_few_pairs() -> None:
    same = PairSums.of([(3, 5)] * 4)
    assert same.difference() == Estimate(2.0, 0.0, 2.0, 2.0, 4, 0.95)
    assert (p_value(same.difference()), p_value(same.difference(), 2.0)) == (0.0, 1.0)
    assert deviation_difference(same).value == 0
    one = PairSums.of([(3, 5)])
    assert math.isnan(p_value(one.difference()))
    assert math.isnan(one.variances()[0])
    assert math.isnan(deviation_difference(PairSums.of([(1, 5), (2, 5)])).value)


def test_large_sums_lose_no_digit() -> None:
    """A difference of 1 in sums beyond 2**63."""
    big = 10**6
    found = PairSums.of([(big, big), (big, big + 1)])
    scaled = PairSums(
        tuple(tuple(10**12 * s for s in row) for row in found.sums),  # type: ignore[arg-type]
        (10**12 * found.cubes[0], 10**12 * found.cubes[1]),
        (10**12 * found.fourths[0], 10**12 * found.fourths[1]),
    )
    assert scaled.difference().value == 0.5
    assert scaled.variances()[2] == pytest.approx(0.25)
    assert deviation_difference(scaled).standard_error >= 0 or math.isnan(deviation_difference(scaled).standard_error)


def test_holm_steps_down() -> None:
    assert adjusted_p_values([0.02, 0.01, math.nan, 0.03]) == pytest.approx([0.04, 0.03, math.nan, 0.04], nan_ok=True)
    assert adjusted_p_values([]) == []


def test_several_intervals_share_the_risk() -> None:
    assert simultaneous_confidence(0.95, 1) == pytest.approx(0.95)
    assert simultaneous_confidence(0.9, 20) == pytest.approx(0.995)


def test_equivalence_needs_a_margin_and_an_error() -> None:
    sure = Estimate(0.1, 0.0, 0.1, 0.1, 9, 0.95)
    assert equivalence(sure, 0.2).shown
    assert not equivalence(sure, 0.1).shown
    unknown = Estimate(0.1, math.nan, math.nan, math.nan, 1, 0.95)
    assert not equivalence(unknown, 5.0).shown
    for margin in (0.0, -1.0, math.inf, math.nan):
        with pytest.raises(UsageError, match="is not positive"):
            equivalence(sure, margin)


@given(pairs, st.floats(-600, 600))
def test_a_control_variate_is_a_regression(found: list[tuple[int, int]], exact: float) -> None:
    x, y = np.array(found).T.astype(float)
    if x.std() == 0:
        assert controlled_mean(PairSums.of(found), exact).value == pytest.approx(y.mean())
        return
    fit = stats.linregress(x, y)
    estimate = controlled_mean(PairSums.of(found), exact)
    assert estimate.value == pytest.approx(fit.intercept + fit.slope * exact, abs=1e-6)
    rest = y - fit.intercept - fit.slope * x
    spread = math.sqrt(rest @ rest / (len(x) - 2))
    error = spread * math.sqrt(1 / len(x) + (exact - x.mean()) ** 2 / ((x - x.mean()) @ (x - x.mean())))
    assert estimate.standard_error == pytest.approx(error, abs=1e-6)
    assert PairSums.of(found).swapped() == PairSums.of([(b, a) for a, b in found])


def test_a_control_variate_is_unbiased_and_helps() -> None:
    """4,000 samples of 100 pairs with correlation 0.8: 0.36 of the variance is left, and coverage stays 95 %."""
    random = np.random.default_rng(7)
    plain, controlled, covered = [], [], 0
    for _ in range(4000):
        x = random.integers(0, 100, 100)
        y = x + random.integers(-37, 38, 100)
        found = controlled_mean(sums_of(x, y), 49.5)
        plain.append(y.mean())
        controlled.append(found.value)
        covered += found.lower <= 49.5 <= found.upper
    assert abs(np.mean(controlled) - 49.5) < 4.9 * np.std(controlled) / 4000**0.5
    assert np.var(controlled) / np.var(plain) == pytest.approx(0.36, abs=0.04)
    assert covered / 4000 == pytest.approx(0.95, abs=0.017)
