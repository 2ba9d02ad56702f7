"""A confidence sequence: an interval for a mean that stays valid however often one looks, and whenever one stops.

Numbers come in blocks of which only three sums are known. The interval is the empirical-Bernstein one of Howard,
Ramdas, McAuliffe and Sekhon (2021), theorem 4, with the boundary of their gamma-exponential mixture (proposition 9). It
holds for every sample size at once and assumes nothing about the numbers but that they lie between known ends.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from analyzer.stats.estimates import Estimate, check_confidence

__all__ = ["ConfidenceSequence"]

TUNED_AT = 50.0
"""Intrinsic time, in squared ranges, at which the boundary is tightest; farther off it is wider, but as valid.

It is reached by 500,000 numbers whose standard deviation is a hundredth of their range. At a hundred times as much the
interval is about a fifth wider than it could be.
"""


@dataclass(slots=True)
class ConfidenceSequence:
    """Interval for the mean of bounded integers, seen block by block.

    Parameters
    ----------
    low, high : int
        No number is smaller or larger.
    confidence : float
        Chance that all intervals, of all looks together, hold the mean; such as 0.95.

    Raises
    ------
    UsageError
        If the confidence is not between 0 and 1.
    ValueError
        If `high` is below `low`.

    Notes
    -----
    With ``v`` the sum of the squared distances of all numbers from the mean of the blocks *before* their own (from the
    middle of the range in the first block), divided by the squared range, the half width is ``range * u(v) / n``, where
    ``u`` solves ``log m(u, v) = log(2 / alpha)`` for the mixture supermartingale ``m``.

    References
    ----------
    S. R. Howard, A. Ramdas, J. McAuliffe, J. Sekhon, "Time-uniform, nonparametric, nonasymptotic confidence
    sequences", Annals of Statistics 49(2), 2021.

    Examples
    --------
    >>> sequence = ConfidenceSequence(0, 1, 0.95)
    >>> sequence.add(n=1000, total=480, squares=480)
    >>> sequence.add(n=9000, total=4510, squares=4510)
    >>> print(sequence.estimate)
    0.499 ± 0.018 (95% interval, n = 10,000)
    """

    low: int
    high: int
    confidence: float = 0.95
    n: int = field(default=0, init=False)
    total: int = field(default=0, init=False)
    squares: int = field(default=0, init=False)
    spread: float = field(default=0.0, init=False)
    """Intrinsic time: squared distances from predictions, in squared ranges."""

    def __post_init__(self) -> None:
        check_confidence(self.confidence)
        if self.high < self.low:
            raise ValueError(f"no number lies between {self.low} and {self.high}")

    def add(self, n: int, total: int, squares: int) -> None:
        """Look at a further block of `n` numbers, of which only the sum and the sum of squares are known.

        Raises
        ------
        ValueError
            If no `n` numbers in the range have these sums.
        """
        n, total, squares = int(n), int(total), int(squares)
        most = max(self.low * self.low, self.high * self.high)
        if n < 0 or not self.low * n <= total <= self.high * n or not total * total <= n * squares <= n * n * most:
            raise ValueError(
                f"no {n} numbers in {self.low}..{self.high} have the sum {total} and the sum of squares {squares}"
            )
        guess = self.total / self.n if self.n else (self.low + self.high) / 2
        width = self.high - self.low
        if width:
            distance = squares - 2 * guess * total + n * guess * guess
            self.spread += max(distance, 0.0) / (width * width)
        self.n += n
        self.total += total
        self.squares += squares

    @property
    def estimate(self) -> Estimate:
        """Mean with its interval; the interval is the whole range before the first number."""
        return self.estimate_at(self.confidence)

    def estimate_at(self, confidence: float) -> Estimate:
        """As `estimate`, at another confidence: the sums do not depend on it."""
        check_confidence(confidence)
        if self.n == 0:
            return Estimate(math.nan, math.nan, float(self.low), float(self.high), 0, confidence)
        value = self.total / self.n
        variance = max(self.squares / self.n - value * value, 0.0)
        reach = (self.high - self.low) * boundary(self.spread, (1 - confidence) / 2) / self.n
        lower, upper = max(value - reach, float(self.low)), min(value + reach, float(self.high))
        return Estimate(value, math.sqrt(variance / self.n), lower, upper, self.n, confidence)

    def p_value(self, mean: float = 0.0) -> float:
        """How surprising what was seen is if this is the mean: a p-value at any time of stopping.

        It is at most `alpha` exactly if the interval at the confidence ``1 - alpha`` leaves out the mean.
        """
        width = self.high - self.low
        if self.n == 0 or not width:
            return 1.0 if self.n == 0 or self.total == mean * self.n else 0.0
        excess = abs(self.total - mean * self.n) / width
        return min(1.0, 2 * math.exp(-log_mixture(excess, self.spread)))

    def equivalence_p_value(self, margin: float) -> float:
        """P-value, at any time of stopping, of two one-sided tests that the mean lies within ``-margin..margin``."""
        short = margin * self.n - abs(self.total)
        if short <= 0:
            return 1.0
        width = self.high - self.low
        # The end that is farther off is refuted all the more.
        return min(1.0, math.exp(-log_mixture(short / width, self.spread))) if width else 0.0


def log_mixture(excess: float, spread: float) -> float:
    """Logarithm of the gamma-exponential mixture supermartingale of scale 1.

    Parameters
    ----------
    excess : float
        Sum of numbers above their mean, at least 0.
    spread : float
        Intrinsic time.

    Notes
    -----
    The mixture of ``exp(a * excess - spread * (-log(1 - a) - a))`` over ``a`` in 0..1, where ``1 - a`` has the density
    of a gamma distribution of shape and rate ``rho``, cut off at 1.
    """
    from scipy.special import gammainc, gammaln

    rho = _rho()
    shape, rate = spread + rho, excess + spread + rho
    norm = rho * math.log(rho) - gammaln(rho) - math.log(gammainc(rho, rho))
    return float(norm + gammaln(shape) + math.log(gammainc(shape, rate)) - shape * math.log(rate) + excess + spread)


def boundary(spread: float, alpha: float) -> float:
    """What the excess of numbers above their mean ever exceeds, at its intrinsic time, with chance `alpha` at most."""
    from scipy.optimize import brentq

    wanted = -math.log(alpha)
    high = 1.0
    while log_mixture(high, spread) < wanted:
        high *= 2
    return float(brentq(lambda excess: log_mixture(excess, spread) - wanted, 0.0, high, xtol=1e-12, rtol=1e-12))


def _rho() -> float:
    """Parameter of the mixture that makes the boundary tight around `TUNED_AT`, for two sides at 95 %."""
    evidence = 2 * math.log(2 / 0.05)
    return TUNED_AT / (evidence + math.log(1 + evidence))
