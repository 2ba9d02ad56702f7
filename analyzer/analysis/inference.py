"""What the sums of a comparison prove: an interval and a p-value for every difference, at one look or at all looks."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from analyzer.analysis.paired import NOWHERE
from analyzer.stats.comparison import (
    controlled_mean,
    deviation_difference,
    equivalence_p_value,
    p_value,
    rate_difference,
    rate_p_value,
    simultaneous_confidence,
)
from analyzer.stats.estimates import Estimate

if TYPE_CHECKING:
    from analyzer.analysis.contests import ExactMeans, Measure
    from analyzer.analysis.paired import ArmTally, PairTally

LEAST_FOR_SPREAD = 100
"""Games from which on the delta method's interval of a difference of deviations is given."""


@dataclass(frozen=True, eq=False)
class Inference:
    """Inference about arms and the differences between them.

    Attributes
    ----------
    confidence : float
        Of all intervals of a family together: means, differences of the first measure, of their deviations, and of all
        other measures are a family each.
    sequential : bool
        Whether the run may have stopped early: intervals and p-values of means are then those of a confidence sequence.
    arms : tuple of ArmTally
    pairs : tuple of PairTally
    exact : tuple of (ExactMeans or None)
        By arm.
    """

    confidence: float
    sequential: bool
    arms: tuple[ArmTally, ...]
    pairs: tuple[PairTally, ...]
    exact: tuple[ExactMeans | None, ...]

    @property
    def first(self) -> Measure:
        """The measure that decides, of equal name and unit in all arms."""
        return self.arms[0].measures[0]

    def mean(self, arm: ArmTally) -> Estimate:
        """Mean of an arm's first measure."""
        each = simultaneous_confidence(self.confidence, len(self.arms))
        return arm.sums.estimate(0, each).times(self.first.unit)

    def difference(self, pair: PairTally) -> Estimate:
        """Difference of the means of a pair's first measure."""
        return pair.sums.estimate(0, self._each).times(self.first.unit)

    @property
    def _each(self) -> float:
        """Confidence of the interval of a pair."""
        return simultaneous_confidence(self.confidence, len(self.pairs))

    def measure(self, pair: PairTally, k: int) -> Measure:
        """The k-th measure of a pair, as one of the arms has it."""
        base, other = pair.shared[k]
        place, arm = (other, pair.other) if base == NOWHERE else (base, pair.base)
        return self.arms[arm].measures[place]

    def other_difference(self, pair: PairTally, k: int) -> Estimate:
        """Difference of the means of the k-th measure, which is not the first."""
        each = simultaneous_confidence(self.confidence, sum(len(one.shared) - 1 for one in self.pairs))
        if self._yes_or_no(pair, k):
            return rate_difference(pair.sums.n, pair.sums.total[k], pair.sums.squares[k], each)
        return pair.sums.estimate(k, each).times(self.measure(pair, k).unit)

    def p_value(self, pair: PairTally, k: int) -> float:
        """P-value that the means of the k-th measure are equal."""
        if self.sequential:
            return pair.sums.sequence(k).p_value()
        if self._yes_or_no(pair, k):
            return rate_p_value(pair.sums.total[k], pair.sums.squares[k])
        return p_value(pair.sums.estimate(k, self.confidence))

    def _yes_or_no(self, pair: PairTally, k: int) -> bool:
        """Whether a measure is 0 or 1 in every game, at one look: then there are methods that hold for rare events."""
        return not self.sequential and self.measure(pair, k).binary

    def equivalence_p_value(self, pair: PairTally, margin: float) -> float:
        """P-value that the difference of the first measure lies within the margin."""
        if self.sequential:
            return pair.sums.sequence(0).equivalence_p_value(margin / self.first.unit)
        return equivalence_p_value(self.difference(pair), margin)

    def deviation_difference(self, pair: PairTally) -> Estimate:
        """Difference of the standard deviations of the first measure.

        Without an interval of few games, and where the run may have stopped early.
        """
        found = deviation_difference(pair.pair_sums(self.arms), self._each).times(self.first.unit)
        known = not self.sequential and found.n >= LEAST_FOR_SPREAD
        return found if known else replace(found, lower=math.nan, upper=math.nan)

    def controlled(self, pair: PairTally) -> Estimate | None:
        """Mean difference with the exact mean of one arm as control variate; None where both have one, or none.

        Nor where the run may have stopped early.
        """
        base, other = self.exact[pair.base], self.exact[pair.other]
        if (base is None) == (other is None) or self.sequential:
            return None
        sums, unit = pair.pair_sums(self.arms), self.first.unit
        if base is not None:
            exact = base.means[self.first.name]
            found = controlled_mean(sums, exact / unit, self._each).times(unit)
            return replace(found, value=found.value - exact, lower=found.lower - exact, upper=found.upper - exact)
        assert other is not None
        exact = other.means[self.first.name]
        found = controlled_mean(sums.swapped(), exact / unit, self._each).times(unit)
        return replace(found, value=exact - found.value, lower=exact - found.upper, upper=exact - found.lower)

    def exact_difference(self, pair: PairTally, measure: str) -> float:
        """Exact difference of a measure's means; NaN where an arm has none."""
        base, other = self.exact[pair.base], self.exact[pair.other]
        if base is None or other is None or (measure not in base.means and measure not in other.means):
            return math.nan
        return other.means.get(measure, 0.0) - base.means.get(measure, 0.0)

    def exact_deviation_difference(self, pair: PairTally) -> float:
        """Exact difference of the standard deviations; NaN where an arm has none."""
        base, other = self.exact[pair.base], self.exact[pair.other]
        return math.nan if base is None or other is None else other.standard_deviation - base.standard_deviation
