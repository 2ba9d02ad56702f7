"""Two samples that belong together pair by pair: their difference, its spread, and what several comparisons prove.

Every pair is two integers, such as the scores of one game under two variants that met the same dice. All that is
needed of the pairs are sums, which are exact.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from analyzer.stats.estimates import Estimate, check_confidence, mean_estimate_from_sums

__all__ = [
    "PairSums",
    "adjusted_p_values",
    "controlled_mean",
    "deviation_difference",
    "equivalence_p_value",
    "p_value",
    "rate_difference",
    "rate_p_value",
    "simultaneous_confidence",
]


@dataclass(frozen=True, slots=True)
class PairSums:
    """Sums over pairs of integers (x, y): ``sums[i][j]`` is the sum of ``x**i * y**j``, for i and j up to 2.

    Attributes
    ----------
    sums : tuple of tuples of int
        Of any size; ``sums[0][0]`` is the number of pairs.
    cubes, fourths : tuple of int
        Sums of the third and the fourth powers, of x and of y.

    Examples
    --------
    >>> pairs = PairSums.of([(1, 2), (2, 2), (3, 5)])
    >>> print(pairs.difference())
    1.0 ± 2.5 (95% interval, n = 3)
    """

    sums: tuple[tuple[int, int, int], tuple[int, int, int], tuple[int, int, int]]
    cubes: tuple[int, int]
    fourths: tuple[int, int]

    @classmethod
    def of(cls, pairs: Sequence[tuple[int, int]]) -> PairSums:
        """Sums of pairs, one by one."""
        rows = [tuple(sum(x**i * y**j for x, y in pairs) for j in range(3)) for i in range(3)]
        x_powers, y_powers = ([sum(pair[k] ** p for pair in pairs) for p in (3, 4)] for k in (0, 1))
        return cls((*rows,), (x_powers[0], y_powers[0]), (x_powers[1], y_powers[1]))  # type: ignore[arg-type]

    def swapped(self) -> PairSums:
        """Sums of the pairs (y, x)."""
        rows = tuple(tuple(self.sums[j][i] for j in range(3)) for i in range(3))
        return PairSums(rows, self.cubes[::-1], self.fourths[::-1])  # type: ignore[arg-type]

    @property
    def n(self) -> int:
        """Number of pairs."""
        return self.sums[0][0]

    def difference(self, confidence: float = 0.95) -> Estimate:
        """Mean of y - x with the interval of paired samples."""
        s = self.sums
        squares = s[0][2] - 2 * s[1][1] + s[2][0]
        return mean_estimate_from_sums(self.n, s[0][1] - s[1][0], squares, confidence)

    def variances(self) -> tuple[float, float, float]:
        """Sample variances of x, of y and of y - x; NaN for fewer than two pairs."""
        s, n = self.sums, self.n
        squares = s[0][2] - 2 * s[1][1] + s[2][0]
        return (
            _variance(n, s[1][0], s[2][0]),
            _variance(n, s[0][1], s[0][2]),
            _variance(n, s[0][1] - s[1][0], squares),
        )


def _variance(n: int, total: int, squares: int) -> float:
    return float(Fraction(n * squares - total * total, n * (n - 1))) if n > 1 else math.nan


def deviation_difference(pairs: PairSums, confidence: float = 0.95) -> Estimate:
    """Standard deviation of y less that of x, with an interval by the delta method.

    A sample deviation is, but for terms of order 1/n, the mean of ``(y - mean)**2 / (2 * deviation)``; the difference
    of two such means is that of paired samples. The interval needs some hundred pairs.

    Parameters
    ----------
    pairs : PairSums
    confidence : float, optional
        Coverage of the interval.

    Returns
    -------
    Estimate
        For fewer than two pairs, and where x or y has no spread, all is NaN; where neither has, the value is 0.
    """
    check_confidence(confidence)
    n, (x_variance, y_variance, _) = pairs.n, pairs.variances()
    if not (n > 1 and x_variance > 0 and y_variance > 0):
        value = 0.0 if n > 1 and x_variance == y_variance else math.nan
        return Estimate(value, math.nan, math.nan, math.nan, n, confidence)
    s = pairs.sums
    x_mean, y_mean = Fraction(s[1][0], n), Fraction(s[0][1], n)
    x_fourth = _central_fourth(n, s[1][0], s[2][0], pairs.cubes[0], pairs.fourths[0])
    y_fourth = _central_fourth(n, s[0][1], s[0][2], pairs.cubes[1], pairs.fourths[1])
    # Mean of (x - x_mean)**2 * (y - y_mean)**2, multiplied out.
    x_terms = (x_mean * x_mean, -2 * x_mean, Fraction(1))
    y_terms = (y_mean * y_mean, -2 * y_mean, Fraction(1))
    mixed = sum(x_terms[i] * y_terms[j] * s[i][j] for i in range(3) for j in range(3)) / n
    x_second = Fraction(s[2][0], n) - x_mean * x_mean
    y_second = Fraction(s[0][2], n) - y_mean * y_mean
    x_deviation, y_deviation = math.sqrt(x_variance), math.sqrt(y_variance)
    variance = (
        float(x_fourth - x_second * x_second) / (4 * x_variance)
        + float(y_fourth - y_second * y_second) / (4 * y_variance)
        - float(mixed - x_second * y_second) / (2 * x_deviation * y_deviation)
    )
    value, error = y_deviation - x_deviation, math.sqrt(max(variance, 0.0) / n)
    reach = error * _t_quantile(n, (1 + confidence) / 2)
    return Estimate(value, error, value - reach, value + reach, n, confidence)


def _central_fourth(n: int, total: int, squares: int, cubes: int, fourths: int) -> Fraction:
    mean = Fraction(total, n)
    return Fraction(fourths, n) - 4 * mean * Fraction(cubes, n) + 6 * mean**2 * Fraction(squares, n) - 3 * mean**4


def controlled_mean(pairs: PairSums, exact_x: float, confidence: float = 0.95) -> Estimate:
    """Mean of y, where the mean of x is known exactly: x is a control variate for y.

    The estimate is the regression of y on x, read at the exact mean of x. It removes the part of the error that is due
    to the luck that both share, so that its variance is that of y times 1 less the squared correlation. Its bias is of
    the order 1/n, a standard error's 1/sqrt(n)-th part.

    Parameters
    ----------
    pairs : PairSums
    exact_x : float
        True mean of x.
    confidence : float, optional
        Coverage of the interval.

    Returns
    -------
    Estimate
        For fewer than three pairs, and without spread in x, the plain mean of y.

    References
    ----------
    S. S. Lavenberg, P. D. Welch, "A perspective on the use of control variables to increase the efficiency of Monte
    Carlo simulations", Management Science 27(3), 1981.

    Examples
    --------
    >>> pairs = PairSums.of([(0, 10), (1, 13), (2, 13), (5, 21)])
    >>> round(controlled_mean(pairs, exact_x=3.0).value, 3)
    16.393
    """
    check_confidence(confidence)
    s, n = pairs.sums, pairs.n
    x_squares = n * s[2][0] - s[1][0] ** 2
    if n < 3 or x_squares == 0:
        return mean_estimate_from_sums(n, s[0][1], s[0][2], confidence)
    y_squares, products = n * s[0][2] - s[0][1] ** 2, n * s[1][1] - s[1][0] * s[0][1]
    slope = products / x_squares
    away = exact_x - s[1][0] / n
    rest = max(float(Fraction(y_squares * x_squares - products**2, n * x_squares * (n - 2))), 0.0)
    value = s[0][1] / n + slope * away
    error = math.sqrt(rest * (1 / n + away * away * n / x_squares))
    reach = error * _t_quantile(n - 1, (1 + confidence) / 2)
    return Estimate(value, error, value - reach, value + reach, n, confidence)


def _t_quantile(n: int, chance: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(n - 1, chance))


def p_value(estimate: Estimate, mean: float = 0.0) -> float:
    """Two-sided p-value of Student's t test that the true mean is `mean`.

    Without any spread it is 1 if the estimate equals the mean, else 0; without an error it is NaN.

    Examples
    --------
    >>> round(p_value(mean_estimate_from_sums(n=4, total=10, squares=30)), 4)
    0.0305
    """
    from scipy.special import stdtr

    if math.isnan(estimate.standard_error):
        return math.nan
    if estimate.standard_error == 0:
        return 1.0 if estimate.value == mean else 0.0
    return float(2 * stdtr(estimate.n - 1, -abs(estimate.value - mean) / estimate.standard_error))


def rate_difference(n: int, total: int, squares: int, confidence: float = 0.95) -> Estimate:
    """Difference of two rates in paired samples, for events that may be rare.

    Student's interval is too narrow where few pairs differ, and has no width where none does. This one adds a pair of
    either sign before its ends are computed: the adjusted Wald interval of Bonett and Price.

    Parameters
    ----------
    n : int
        Number of pairs.
    total, squares : int
        Sums of the differences, each -1, 0 or 1, and of their squares.
    confidence : float, optional
        Coverage of the interval.

    Returns
    -------
    Estimate
        Value and standard error are those of the pairs themselves.

    References
    ----------
    D. G. Bonett, R. M. Price, "Adjusted Wald confidence interval for a difference of binomial proportions based on
    paired data", Journal of Educational and Behavioral Statistics 37(4), 2012.

    Examples
    --------
    >>> found = rate_difference(n=1000, total=0, squares=0)
    >>> found.value, round(found.lower, 4), round(found.upper, 4)
    (0.0, -0.0028, 0.0028)
    """
    plain = mean_estimate_from_sums(n, total, squares, confidence)
    wide = mean_estimate_from_sums(n + 2, total, squares + 2, confidence)
    lower, upper = max(wide.lower, -1.0), min(wide.upper, 1.0)
    return Estimate(plain.value, plain.standard_error, lower, upper, n, confidence)


def rate_p_value(total: int, squares: int) -> float:
    """Two-sided p-value that two rates are equal in paired samples: McNemar's test, exact.

    Parameters
    ----------
    total, squares : int
        Sums of the differences, each -1, 0 or 1, and of their squares.

    Examples
    --------
    >>> round(rate_p_value(total=-4, squares=6), 5)
    0.21875
    """
    from scipy.special import bdtr

    fewer = (squares - abs(total)) // 2
    return min(1.0, 2 * float(bdtr(fewer, squares, 0.5))) if squares else 1.0


def simultaneous_confidence(confidence: float, comparisons: int) -> float:
    """Confidence of each of several intervals such that all of them together have the given one (Bonferroni).

    Examples
    --------
    >>> round(simultaneous_confidence(0.95, 5), 4)
    0.99
    """
    check_confidence(confidence)
    return 1 - (1 - confidence) / max(comparisons, 1)


def adjusted_p_values(p_values: Sequence[float]) -> list[float]:
    """P-values adjusted by Holm's method (1979): all below a level are significant together at that level.

    What is NaN stays so and does not count.

    Examples
    --------
    >>> adjusted_p_values([0.01, 0.04, 0.5])
    [0.03, 0.08, 0.5]
    """
    found = np.array(p_values, dtype=float)
    order = np.argsort(found, kind="stable")[: np.count_nonzero(~np.isnan(found))]  # NaN comes last
    found[order] = np.minimum(np.maximum.accumulate(found[order] * np.arange(order.size, 0, -1)), 1)
    adjusted: list[float] = found.tolist()
    return adjusted


def equivalence_p_value(estimate: Estimate, margin: float) -> float:
    """P-value of two one-sided t tests (Schuirmann 1987) that the true mean lies within ``-margin..margin``.

    Without any spread it is 0 if the estimate lies within the margin, else 1; without an error it is NaN.

    Examples
    --------
    >>> round(equivalence_p_value(Estimate(0.4, 0.05, 0.3, 0.5, 1000, 0.95), margin=0.5), 3)
    0.023
    """
    from scipy.special import stdtr

    error, distance = estimate.standard_error, margin - abs(estimate.value)
    if math.isnan(error):
        return math.nan
    if error == 0:
        return 0.0 if distance > 0 else 1.0
    return float(stdtr(estimate.n - 1, -distance / error))
