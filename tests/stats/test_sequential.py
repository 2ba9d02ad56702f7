"""The confidence sequence: its formula against integration, its duality with p-values, its coverage by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import gammaln

from analyzer.errors import UsageError
from analyzer.stats import sequential
from analyzer.stats.sequential import ConfidenceSequence, boundary, log_mixture


@pytest.mark.parametrize("excess", [0.0, 0.5, 3.0, 20.0])
@pytest.mark.parametrize("spread", [0.01, 1.0, 7.5, 60.0])
def test_the_mixture_is_an_integral_over_bets(excess: float, spread: float) -> None:
    """Of ``exp(a s - v (-log(1 - a) - a))`` with 1 - a gamma distributed, cut off at 1."""
    rho = sequential._rho()

    def density(u: float) -> float:
        return math.exp((rho - 1) * math.log(u) - rho * u + rho * math.log(rho) - gammaln(rho))

    def bet(u: float) -> float:
        return math.exp((1 - u) * excess - spread * (-math.log(u) - (1 - u)))

    mass, _ = quad(density, 0, 1, epsabs=0, epsrel=1e-11)
    total, _ = quad(lambda u: density(u) * bet(u), 0, 1, epsabs=0, epsrel=1e-11)
    assert log_mixture(excess, spread) == pytest.approx(math.log(total / mass), abs=1e-8)


@given(st.floats(0, 1e6), st.floats(1e-9, 0.5))
def test_the_boundary_is_where_the_mixture_reaches_its_level(spread: float, alpha: float) -> None:
    reach = boundary(spread, alpha)
    assert log_mixture(reach, spread) == pytest.approx(-math.log(alpha), abs=1e-6)
    assert reach > math.sqrt(spread)  # no boundary that holds for ever is below one of a single look


def test_the_interval_is_not_much_wider_than_that_of_one_look() -> None:
    """At a standard deviation of a twentieth of the range it takes 3.1 to 3.6 times the games that one look takes."""
    for n in (20_000, 100_000, 1_000_000):
        assert 1.7 < boundary(n / 400, 0.025) / math.sqrt(n / 400) / 1.96 < 1.95


numbers = st.lists(st.lists(st.integers(-3, 5), min_size=1, max_size=30), min_size=1, max_size=6)


@given(numbers, st.floats(-2, 4))
def test_the_p_value_is_the_dual_of_the_interval(blocks: list[list[int]], mean: float) -> None:
    found = ConfidenceSequence(-3, 5)
    for block in blocks:
        found.add(len(block), sum(block), sum(x * x for x in block))
    p = found.p_value(mean)
    for confidence in (0.5, 0.9, 0.99):
        estimate = found.estimate_at(confidence)
        if abs(p - (1 - confidence)) > 1e-6:
            # Ends are cut off at the range, which no mean here reaches.
            assert (estimate.lower <= mean <= estimate.upper) == (p > 1 - confidence)


@given(numbers, st.floats(0.1, 4))
def test_equivalence_is_shown_where_one_sided_bounds_lie_within_the_margin(
    blocks: list[list[int]], margin: float
) -> None:
    found = ConfidenceSequence(-3, 5)
    for block in blocks:
        found.add(len(block), sum(block), sum(x * x for x in block))
    p = found.equivalence_p_value(margin)
    for alpha in (0.5, 0.1, 0.01):
        if abs(p - alpha) > 1e-6:
            reach = 8 * boundary(found.spread, alpha) / found.n
            assert (abs(found.total) / found.n + reach <= margin) == (p < alpha)


def test_equivalence_without_a_range() -> None:
    constant = ConfidenceSequence(2, 2)
    assert constant.equivalence_p_value(5.0) == 1
    constant.add(3, 6, 12)
    assert (constant.equivalence_p_value(3.0), constant.equivalence_p_value(2.0)) == (0, 1)


@given(numbers)
def test_only_the_cut_into_blocks_matters_not_their_order_inside(blocks: list[list[int]]) -> None:
    first, second = ConfidenceSequence(-3, 5), ConfidenceSequence(-3, 5)
    for block in blocks:
        first.add(len(block), sum(block), sum(x * x for x in block))
        second.add(len(block), sum(reversed(block)), sum(x * x for x in block[::-1]))
    assert first.estimate == second.estimate
    flat = [x for block in blocks for x in block]
    assert first.estimate.value == pytest.approx(np.mean(flat))
    assert -3 <= first.estimate.lower <= first.estimate.upper <= 5


def test_the_spread_is_that_around_the_mean_of_earlier_blocks() -> None:
    found = ConfidenceSequence(-10, 10)
    seen: list[int] = []
    total = 0.0
    for block in ([1, 2, 3], [5], [-1, 0, 0, 2]):
        guess = np.mean(seen) if seen else 0.0
        total += sum((x - guess) ** 2 for x in block)
        seen += block
        found.add(len(block), sum(block), sum(x * x for x in block))
    assert found.spread == pytest.approx(total / 400)


def test_nothing_seen_and_nothing_to_see() -> None:
    empty = ConfidenceSequence(0, 1)
    assert (empty.estimate.lower, empty.estimate.upper, empty.p_value()) == (0, 1, 1)
    constant = ConfidenceSequence(7, 7)
    constant.add(3, 21, 147)
    assert (constant.estimate.lower, constant.estimate.upper) == (7, 7)
    assert constant.p_value(7) == 1
    assert constant.p_value(6) == 0


@pytest.mark.parametrize(("n", "total", "squares"), [(-1, 0, 0), (2, 5, 13), (2, -1, 1), (2, 2, 1), (2, 2, 9)])
def test_impossible_sums_are_refused(n: int, total: int, squares: int) -> None:
    with pytest.raises(ValueError, match=r"numbers in 0\.\.2 have the sum"):
        ConfidenceSequence(0, 2).add(n, total, squares)


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(UsageError, match="confidence 1 is not between 0 and 1"):
        ConfidenceSequence(0, 1, 1)
    with pytest.raises(ValueError, match="between 2 and 1"):
        ConfidenceSequence(2, 1)


def never_left(draw: np.ndarray, low: int, high: int, mean: float, sizes: list[int]) -> bool:
    """Whether all intervals at the ends of blocks hold the mean."""
    found, start = ConfidenceSequence(low, high), 0
    for size in sizes:
        part = draw[start : start + size]
        found.add(size, int(part.sum()), int((part * part).sum()))
        start += size
        estimate = found.estimate
        if not estimate.lower <= mean <= estimate.upper:
            return False
    return True


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("values", "chances"),
    [
        ([0, 1], [0.5, 0.5]),
        ([0, 1], [0.997, 0.003]),
        ([-50, 0, 5, 200], [0.02, 0.9, 0.079, 0.001]),
        ([-1, 1], [0.5, 0.5]),
    ],
)
def test_all_looks_together_cover(values: list[int], chances: list[float]) -> None:
    """2,000 runs with 70 looks each, at every size from ten on; 95 % promised, in truth far more."""
    random = np.random.default_rng(5)
    sizes = [10] * 30 + [50] * 20 + [500] * 20
    mean = float(np.dot(values, chances))
    covered = sum(
        never_left(random.choice(values, sum(sizes), p=chances), min(values), max(values), mean, sizes)
        for _ in range(2000)
    )
    assert covered / 2000 >= 0.95
