"""Paired samples against scipy and statsmodels, which work on the numbers themselves."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.weightstats import ttost_paired

from analyzer.stats.comparison import (
    PairSums,
    adjusted_p_values,
    controlled_mean,
    deviation_difference,
    equivalence_p_value,
    p_value,
    rate_difference,
    rate_p_value,
    simultaneous_confidence,
)
from analyzer.stats.estimates import Estimate, mean_estimate_from_sums

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
            assert equivalence_p_value(estimate, 2 * abs(estimate.value)) == pytest.approx(expected)


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


def test_holm_is_that_of_statsmodels() -> None:
    """A few samples only: statsmodels collects garbage in each call, which takes a second in a large process."""
    generator = np.random.default_rng(5)
    for n in (1, 4, 40):
        p_values = np.round(generator.uniform(0, 1, n) ** 4, 3).tolist()  # small ones, and ties among them
        assert adjusted_p_values(p_values) == multipletests(p_values, method="holm")[1].tolist()


def test_several_intervals_share_the_risk() -> None:
    assert simultaneous_confidence(0.95, 1) == pytest.approx(0.95)
    assert simultaneous_confidence(0.9, 20) == pytest.approx(0.995)


def test_equivalence_needs_an_error() -> None:
    sure = Estimate(0.1, 0.0, 0.1, 0.1, 9, 0.95)
    assert (equivalence_p_value(sure, 0.2), equivalence_p_value(sure, 0.1)) == (0.0, 1.0)
    unknown = Estimate(0.1, math.nan, math.nan, math.nan, 1, 0.95)
    assert math.isnan(equivalence_p_value(unknown, 5.0))


@given(st.integers(0, 40), st.integers(0, 40))
def test_the_p_value_of_rates_is_mcnemars(gained: int, lost: int) -> None:
    expected = mcnemar([[17, lost], [gained, 5]], exact=True).pvalue if gained + lost else 1.0
    assert rate_p_value(gained - lost, gained + lost) == pytest.approx(expected)


def coverage(gained: float, lost: float, n: int, interval: Callable[[int, int, int, float], Estimate]) -> float:
    """Exact chance that the 95 % interval of n pairs holds the difference, but for 1e-6."""
    changed = gained + lost
    low, high = stats.binom.interval(1 - 1e-6, n, changed)
    held = 0.0
    for differing in range(int(low), int(high) + 1):
        more = np.arange(differing + 1)
        chances = stats.binom.pmf(differing, n, changed) * stats.binom.pmf(more, differing, gained / changed)
        for i in np.flatnonzero(chances > 1e-9).tolist():
            found = interval(n, 2 * i - differing, differing, 0.95)
            held += chances[i] * (found.lower <= gained - lost <= found.upper)
    return held


@pytest.mark.parametrize(
    ("gained", "lost", "plain"), [(0.001, 0.0, 0.87), (0.0002, 0.0002, 1.0), (0.003, 0.001, 0.95), (0.06, 0.02, 0.96)]
)
def test_intervals_of_rates_cover_rare_differences(gained: float, lost: float, plain: float) -> None:
    """In 2,000 pairs. Student's interval has no width where no pair differs, and then holds nothing but 0."""
    assert coverage(gained, lost, 2000, rate_difference) >= 0.94
    assert coverage(gained, lost, 2000, mean_estimate_from_sums) <= plain


def test_rates_differ_by_what_pairs_differ() -> None:
    found, plain = rate_difference(1000, 30, 50, 0.95), mean_estimate_from_sums(1000, 30, 50, 0.95)
    assert (found.value, found.standard_error, found.n) == (plain.value, plain.standard_error, 1000)
    assert (found.lower, found.upper) == pytest.approx((plain.lower, plain.upper), abs=5e-4)
    everywhere = rate_difference(3, 3, 3)
    assert everywhere.upper == 1.0
    assert everywhere.lower < 1.0


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
