"""Estimates from tallies: means and proportions with intervals, moments and quantiles of a distribution.

Everything that can be is computed in integers or summed exactly, so that equal tallies give equal estimates
bit for bit, in whatever order they were collected.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analyzer.errors import UsageError

__all__ = [
    "Estimate",
    "cluster_sums",
    "mean_estimate",
    "mean_estimate_from_sums",
    "moments",
    "proportion_estimate",
    "quantiles",
    "ratio_estimate",
    "share_estimate",
]

ROUNDING = 1e-12
"""How far the sum of probabilities in double precision may fall short of the quantile that it reaches."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value learnt from a sample, and how well it is known.

    Parameters
    ----------
    value : float
        The estimate; NaN without a sample.
    standard_error : float
        Its standard error; NaN where the sample is too small to tell.
    lower, upper : float
        Ends of the interval.
    n : int
        Size of the sample.
    confidence : float
        Coverage of the interval, such as 0.95.

    Examples
    --------
    >>> print(Estimate(245.871, 0.061, 245.751, 245.991, 1_000_000, 0.95))
    245.87 ± 0.12 (95% interval, n = 1,000,000)
    >>> print(Estimate(0.0312, 0.0055, 0.0221, 0.0438, 1000, 0.95))
    0.031 (95% interval 0.022 to 0.044, n = 1,000)
    """

    value: float
    standard_error: float
    lower: float
    upper: float
    n: int
    confidence: float

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.upper - self.lower) / 2

    def times(self, unit: float) -> Estimate:
        """The same in other units, of which `unit`, a positive number, make one of these."""
        value, error = unit * self.value, unit * self.standard_error
        return Estimate(value, error, unit * self.lower, unit * self.upper, self.n, self.confidence)

    def __str__(self) -> str:
        about = f"{100 * self.confidence:.11g}% interval"
        below, above = self.value - self.lower, self.upper - self.value
        if not (math.isfinite(below) and math.isfinite(above)):
            return f"{self.value:g} ({about} unknown, n = {self.n:,})"
        digits = _digits(max(below, above))
        if abs(above - below) < 10.0**-digits:
            return f"{self.value:.{digits}f} ± {(below + above) / 2:.{digits}f} ({about}, n = {self.n:,})"
        ends = f"{self.lower:.{digits}f} to {self.upper:.{digits}f}"
        return f"{self.value:.{digits}f} ({about} {ends}, n = {self.n:,})"


def mean_estimate(values: ArrayLike, counts: ArrayLike, confidence: float = 0.95) -> Estimate:
    """Mean of integers that were counted, with Student's t interval.

    Parameters
    ----------
    values : array_like of int, shape (k,)
        What was observed, such as scores.
    counts : array_like of int, shape (k,)
        How often.
    confidence : float, optional
        Coverage of the interval, between 0 and 1.

    Returns
    -------
    Estimate
        As of `mean_estimate_from_sums`.

    Raises
    ------
    TypeError
        If values or counts are no integers.
    ValueError
        If a count is negative or the shapes differ.
    UsageError
        If the confidence is not between 0 and 1.

    Examples
    --------
    >>> print(mean_estimate([0, 50], [60, 40]))
    20.0 ± 4.9 (95% interval, n = 100)
    """
    numbers, weights = _numbers_and_weights(values, counts)
    if not (_integers(numbers) and _integers(weights)):
        raise TypeError("values and counts must be integers; only they sum exactly")
    n, total, squares = _sums(numbers, weights)
    return mean_estimate_from_sums(n, total, squares, confidence)


def mean_estimate_from_sums(n: int, total: int, squares: int, confidence: float = 0.95) -> Estimate:
    """Mean of `n` integers of which only two sums are known, with Student's t interval.

    The variance is ``(n * squares - total**2) / (n * (n - 1))``, in integers of any length: no digit is lost,
    however large the sums.

    Parameters
    ----------
    n : int
        How many there are.
    total, squares : int
        Sum of the numbers, and sum of their squares.
    confidence : float, optional
        Coverage of the interval, between 0 and 1.

    Returns
    -------
    Estimate
        The value is NaN for ``n = 0``; the standard error and the interval are NaN for ``n < 2``.

    Raises
    ------
    ValueError
        If no `n` numbers have these sums.
    UsageError
        If the confidence is not between 0 and 1.

    Examples
    --------
    >>> estimate = mean_estimate_from_sums(n=4, total=10, squares=30)
    >>> estimate.value, round(estimate.standard_error, 4)
    (2.5, 0.6455)
    """
    from scipy.special import stdtrit

    check_confidence(confidence)
    n, total, squares = int(n), int(total), int(squares)
    spread = n * squares - total * total
    if n < 0 or spread < 0 or (n == 0 and (total or squares)):
        raise ValueError(f"no {n} numbers have the sum {total} and the sum of squares {squares}")
    if n < 2:
        return Estimate(float(total) if n else math.nan, math.nan, math.nan, math.nan, n, confidence)
    value = total / n
    standard_error = math.sqrt(Fraction(spread, n * n * (n - 1)))
    reach = standard_error * float(stdtrit(n - 1, (1 + confidence) / 2))
    return Estimate(value, standard_error, value - reach, value + reach, n, confidence)


def cluster_sums(sizes: ArrayLike, totals: ArrayLike) -> NDArray[np.int64]:
    """What `ratio_estimate` needs of clusters, to be added up over parts of a sample.

    Parameters
    ----------
    sizes, totals : array_like of int, shape (clusters, ...)
        How many numbers each cluster has, and their sum.

    Returns
    -------
    (..., 6) int64 array
        How many clusters have any, then the sums over clusters of size, total, size squared, size times total, and
        total squared.

    Examples
    --------
    >>> cluster_sums([2, 0, 1], [5, 0, 1]).tolist()
    [2, 3, 6, 5, 11, 26]
    """
    size, total = np.asarray(sizes, np.int64), np.asarray(totals, np.int64)
    parts = (size > 0, size, total, size * size, size * total, total * total)
    return np.stack([part.sum(axis=0, dtype=np.int64) for part in parts], axis=-1)


def ratio_estimate(sums: ArrayLike, confidence: float = 0.95, bounds: tuple[float, float] | None = None) -> Estimate:
    """Mean of integers that come in clusters, such as the rounds of matches, of which only clusters are independent.

    It is the sum of all totals over the sum of all sizes. Its variance is that of the residuals ``total - mean * size``
    of clusters, as for ratio estimators of cluster samples (Cochran, Sampling Techniques, 1977, section 2.11), in
    integers of any length; the interval is Student's t over the clusters that have any numbers.

    Where bounds of the numbers are known, the interval keeps within them, and z * z / 2 clusters of one number at each
    bound, where z is the normal quantile, are added before it is found: as by Agresti and Coull (1998) for proportions.
    So a few clusters that happen to be alike do not make an interval of no width; many are hardly moved.

    Parameters
    ----------
    sums : array_like of int, shape (6,)
        From `cluster_sums`.
    confidence : float, optional
        Coverage of the interval, between 0 and 1.
    bounds : tuple of two float, optional
        The least and the greatest number that there can be.

    Returns
    -------
    Estimate
        The sample is of all numbers; the value is NaN without any, the standard error and the interval are NaN for
        fewer than two clusters.

    Raises
    ------
    UsageError
        If the confidence is not between 0 and 1.

    Examples
    --------
    >>> ratio = ratio_estimate(cluster_sums([2, 2, 2, 2], [0, 2, 8, 10]))  # as the mean of 0, 1, 4, 5
    >>> ratio.value, ratio.standard_error == mean_estimate([0, 1, 4, 5], [1, 1, 1, 1]).standard_error
    (2.5, True)
    >>> print(ratio_estimate(cluster_sums([1, 1, 1], [3, 3, 3]), bounds=(0, 3)))
    3.0 (95% interval 0.8 to 3.0, n = 3)
    """
    from scipy.special import ndtri, stdtrit

    check_confidence(confidence)
    clusters, n, total, sizes, products, squares = (int(number) for number in np.asarray(sums))
    if not n:
        return Estimate(math.nan, math.nan, math.nan, math.nan, 0, confidence)
    if clusters < 2:
        return Estimate(total / n, math.nan, math.nan, math.nan, n, confidence)
    residuals = squares * n * n - 2 * total * n * products + total * total * sizes  # times n squared
    value, standard_error = total / n, math.sqrt(Fraction(clusters * residuals, (clusters - 1) * n**4))
    if bounds is None:
        reach = standard_error * float(stdtrit(clusters - 1, (1 + confidence) / 2))
        return Estimate(value, standard_error, value - reach, value + reach, n, confidence)
    low, high = Fraction(bounds[0]), Fraction(bounds[1])
    more = Fraction(float(ndtri((1 + confidence) / 2)) ** 2 / 2)
    all_clusters, all_n = clusters + 2 * more, n + 2 * more
    mean = (total + more * (low + high)) / all_n
    added = more * ((low - mean) ** 2 + (high - mean) ** 2)
    spread = squares - 2 * mean * products + mean * mean * sizes + added
    error = math.sqrt(all_clusters * spread / ((all_clusters - 1) * all_n * all_n))
    reach = error * float(stdtrit(float(all_clusters - 1), (1 + confidence) / 2))
    lower, upper = max(float(mean) - reach, bounds[0]), min(float(mean) + reach, bounds[1])
    return Estimate(value, standard_error, min(lower, value), max(upper, value), n, confidence)


def proportion_estimate(successes: int, n: int, confidence: float = 0.95) -> Estimate:
    """Probability of something that happened `successes` times out of `n`, with Wilson's interval.

    Wilson's interval (1927, without continuity correction) keeps its coverage for rare events and never
    leaves 0..1; it need not be symmetric around the value.

    Parameters
    ----------
    successes, n : int
        How often it happened, and out of how many.
    confidence : float, optional
        Coverage of the interval, between 0 and 1.

    Returns
    -------
    Estimate
        The standard error is ``sqrt(p * (1 - p) / n)``. Without a sample the value and its standard error
        are NaN and the interval is 0..1.

    Raises
    ------
    ValueError
        If `successes` is not in 0..n.
    UsageError
        If the confidence is not between 0 and 1.

    Examples
    --------
    >>> print(proportion_estimate(0, 1000))
    0.0000 (95% interval 0.0000 to 0.0038, n = 1,000)
    """
    from scipy.special import ndtri

    check_confidence(confidence)
    successes, n = int(successes), int(n)
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes out of {n} are impossible")
    if n == 0:
        return Estimate(math.nan, math.nan, 0.0, 1.0, 0, confidence)
    value = successes / n
    z = float(ndtri((1 + confidence) / 2))
    shrink = 1 + z * z / n
    middle = (value + z * z / (2 * n)) / shrink
    reach = z / shrink * math.sqrt(value * (1 - value) / n + z * z / (4 * n * n))
    # At 0 and n the formula gives the end itself, but for rounding.
    lower = 0.0 if successes == 0 else middle - reach
    upper = 1.0 if successes == n else middle + reach
    return Estimate(value, math.sqrt(value * (1 - value) / n), lower, upper, n, confidence)


def share_estimate(counts: ArrayLike, confidence: float = 0.95) -> Estimate:
    """Mean of shares such as wins with ties shared, from how often each came up; the interval stays within 0..1.

    Parameters
    ----------
    counts : array_like
        By share, evenly from 0 to 1. Where the whole sample is at one end its spread tells nothing, so that the
        interval is that of a proportion.
    confidence : float, optional
        Coverage of the interval, between 0 and 1.

    Returns
    -------
    Estimate

    Raises
    ------
    UsageError
        If the confidence is not between 0 and 1.

    Examples
    --------
    >>> print(share_estimate([0, 0, 1000]))  # all won
    1.0000 (95% interval 0.9962 to 1.0000, n = 1,000)
    >>> print(share_estimate([300, 100, 600]))
    0.650 ± 0.028 (95% interval, n = 1,000)
    """
    array = np.asarray(counts)
    n = int(array.sum())
    if n in (array[0], array[-1]):
        return proportion_estimate(int(array[-1]), n, confidence)
    found = mean_estimate(np.arange(array.size), array, confidence).times(1 / (array.size - 1))
    return replace(found, lower=max(found.lower, 0.0), upper=min(found.upper, 1.0))


def moments(values: ArrayLike, weights: ArrayLike) -> tuple[float, float]:
    """Mean and standard deviation of a distribution.

    The deviation is that of the distribution itself (divided by the sum of the weights, not one less).
    Integers are summed exactly, other numbers by `math.fsum`, so the order does not matter.

    Parameters
    ----------
    values : array_like, shape (k,)
        The outcomes.
    weights : array_like, shape (k,)
        Their counts, or probabilities that need not add up to 1.

    Returns
    -------
    (mean, standard_deviation) : (float, float)
        NaN, NaN if all weights are zero.

    Raises
    ------
    ValueError
        If a weight is negative or not a number, or the shapes differ.

    Examples
    --------
    >>> moments([0, 50], [0.5, 0.5])
    (25.0, 25.0)
    """
    numbers, chances = _numbers_and_weights(values, weights)
    if _integers(numbers) and _integers(chances):
        n, total, squares = _sums(numbers, chances)
        if n == 0:
            return math.nan, math.nan
        return total / n, math.sqrt(Fraction(n * squares - total * total, n * n))
    pairs = [(float(x), float(w)) for x, w in zip(numbers, chances, strict=True) if w]
    whole = math.fsum(w for _, w in pairs)
    if whole == 0:
        return math.nan, math.nan
    mean = math.fsum(w * x for x, w in pairs) / whole
    return mean, math.sqrt(math.fsum(w * (x - mean) ** 2 for x, w in pairs) / whole)


def quantiles(values: ArrayLike, weights: ArrayLike, q: float | Iterable[float]) -> NDArray[Any]:
    """Quantiles of a distribution on single values: always a value that can occur, never one between two.

    The quantile `q` is the smallest value of positive weight whose cumulative probability is at least `q`
    (type 1 of Hyndman and Fan, 1996): the median of a fair die is 3, the quantile 0 the smallest value and
    the quantile 1 the largest. With counts the comparison is that of the fraction in double precision; sums
    of probabilities reach `q` within 1e-12.

    Parameters
    ----------
    values : array_like, shape (k,)
        The outcomes, in any order.
    weights : array_like, shape (k,)
        Their counts, or probabilities that need not add up to 1.
    q : float or iterable of float
        Which quantiles, each in 0..1.

    Returns
    -------
    ndarray, shape (number of quantiles,)
        Of the type of `values`.

    Raises
    ------
    ValueError
        If a weight is negative or not a number, all are zero, or the shapes differ.
    UsageError
        If a quantile is not in 0..1.

    Examples
    --------
    >>> quantiles([1, 2, 3, 4, 5, 6], [1, 1, 1, 1, 1, 1], [0, 0.5, 0.51, 1]).tolist()
    [1, 3, 4, 6]
    """
    wanted = [float(one) for one in (q if isinstance(q, Iterable) else (q,))]
    for one in wanted:
        if not 0 <= one <= 1:
            raise UsageError(f"quantile {one:g} is not in 0..1; give shares such as 0.5")
    numbers, chances = _numbers_and_weights(values, weights)
    possible = chances > 0
    order = np.argsort(numbers[possible], kind="stable")
    numbers, chances = numbers[possible][order], chances[possible][order]
    if not numbers.size:
        raise ValueError("a distribution without weight has no quantiles")
    sums = np.cumsum(chances)
    slack = 0.0 if _integers(chances) else ROUNDING
    places = np.searchsorted(sums / sums[-1], np.asarray(wanted) - slack, side="left")
    return numbers[np.minimum(places, numbers.size - 1)]


def _digits(reach: float) -> int:
    """Decimals that show two digits of the interval's half width."""
    return max(0, 1 - math.floor(math.log10(reach))) if reach > 0 else 2


def check_confidence(confidence: float) -> None:
    """Raise UsageError unless a confidence is between 0 and 1."""
    if not 0 < confidence < 1:
        raise UsageError(f"confidence {confidence:g} is not between 0 and 1; give a share such as 0.95")


def _integers(array: NDArray[Any]) -> bool:
    return array.dtype.kind in "iu" or not array.size


def _numbers_and_weights(values: ArrayLike, weights: ArrayLike) -> tuple[NDArray[Any], NDArray[Any]]:
    numbers, chances = np.asarray(values), np.asarray(weights)
    if numbers.ndim != 1 or numbers.shape != chances.shape:
        raise ValueError(
            f"values and weights must be two rows of equal length, not {numbers.shape} and {chances.shape}"
        )
    if not np.all(chances >= 0) or not np.all(np.isfinite(chances)):
        raise ValueError("weights must be finite and not negative")
    return numbers, chances


def _sums(numbers: NDArray[Any], counts: NDArray[Any]) -> tuple[int, int, int]:
    """Exact number, sum and sum of squares: Python's integers do not overflow."""
    pairs: Sequence[tuple[int, int]] = list(zip(numbers.tolist(), counts.tolist(), strict=True))
    return (
        sum(count for _, count in pairs),
        sum(number * count for number, count in pairs),
        sum(number * number * count for number, count in pairs),
    )
