"""What a comparison of arms found: tables of means, differences, spread, lines and looks, and how best play changes."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pandas as pd

from analyzer.analysis.frames import score_frame
from analyzer.analysis.inference import Inference
from analyzer.analysis.paired import NOWHERE
from analyzer.analysis.play_changes import PlayChanges, play_changes
from analyzer.analysis.result import Sampled, records
from analyzer.dice.scorecard import ScorecardRules
from analyzer.errors import RulesError
from analyzer.stats.comparison import adjusted_p_values

if TYPE_CHECKING:
    from analyzer.analysis.arms import Arm
    from analyzer.analysis.contests import Contest, ExactMeans, Measure
    from analyzer.analysis.paired import ArmTally, PairTally
    from analyzer.engine.provenance import Provenance
    from analyzer.stats.estimates import Estimate


@dataclass(frozen=True, eq=False)
class ArmScores:
    """Scores of one arm, as charts draw them: exact where they are, else simulated."""

    label: str
    title: str
    exact: bool
    frame: pd.DataFrame = field(repr=False)

    def distribution(self) -> pd.DataFrame:
        """See `analyzer.report.protocols.ScoreResult`."""
        return self.frame


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Sampled):
    """Arms compared on the same games. Made by `compare`.

    Attributes
    ----------
    arms : tuple of Arm
    confidence : float
        Of all intervals of a table together.
    margin : float or None
        Differences below it do not matter.
    precision : float or None
        Half width that every interval of a difference was to have when the run stopped.
    common : bool
        Whether all arms met the same random numbers.
    play : bool
        Whether to tell how best play changes.
    """

    arms: tuple[Arm, ...]
    confidence: float
    margin: float | None
    precision: float | None
    common: bool
    play: bool
    provenance: Provenance = field(repr=False)
    contests: tuple[Contest, ...] = field(repr=False)
    tallies: tuple[ArmTally, ...] = field(repr=False)
    pairs: tuple[PairTally, ...] = field(repr=False)
    looks: tuple[tuple[int, tuple[Estimate, ...]], ...] = field(repr=False)
    exact: tuple[ExactMeans | None, ...] = field(repr=False)
    solving: dict[str, Any] = field(repr=False)

    @property
    def games(self) -> int:
        """Games (or matches) of every arm."""
        return self.tallies[0].sums.n

    @property
    def unit(self) -> str:
        """What was played: games or matches."""
        return self.contests[0].job.split()[0]

    @property
    def title(self) -> str:
        """The game, if all arms play one."""
        names = {arm.rules.name: arm.rules.title.partition(" (")[0] for arm in self.arms}
        return " and ".join(names.values())

    @property
    def names(self) -> list[str]:
        """Names of the arms."""
        return [arm.label for arm in self.arms]

    @property
    def measure(self) -> Measure:
        """What the comparison is about: the score, or what the first player receives."""
        return self.contests[0].measures[0]

    @property
    def reached(self) -> bool:
        """Whether the intervals are as narrow as was asked for."""
        return self.precision is None or all(found.half_width <= self.precision for found in self.looks[-1][1])

    @cached_property
    def inference(self) -> Inference:
        """Intervals and p-values of every difference."""
        return Inference(self.confidence, self.precision is not None, self.tallies, self.pairs, self.exact)

    def means(self) -> pd.DataFrame:
        """What every arm earns.

        Returns
        -------
        pandas.DataFrame
            One row for each arm: arm, game, policy, mean with standard_error, lower, upper; standard_deviation;
            exact_mean and exact_standard_deviation, NaN where nothing computes them.
        """
        rows = []
        for arm, contest, tally, exact in zip(self.arms, self.contests, self.tallies, self.exact, strict=True):
            found = self.inference.mean(tally)
            rows.append(
                {
                    "arm": arm.label,
                    "game": contest.rules.title,
                    "policy": contest.policy,
                    "mean": found.value,
                    "standard_error": found.standard_error,
                    "lower": found.lower,
                    "upper": found.upper,
                    "standard_deviation": found.standard_error * math.sqrt(found.n),
                    "exact_mean": exact.means[self.measure.name] if exact else math.nan,
                    "exact_standard_deviation": exact.standard_deviation if exact else math.nan,
                }
            )
        return pd.DataFrame(rows)

    def differences(self) -> pd.DataFrame:
        """Differences of the mean score, game by game on the same random numbers.

        Returns
        -------
        pandas.DataFrame
            One row for each pair of arms: arm, against, difference (arm less against) with standard_error, lower, upper
            (simultaneous: all of them hold together); p_value, adjusted_p_value (Holm) and significant;
            exact_difference (NaN where an arm has no exact mean); correlation of the two scores, and
            variance_reduction: how many times smaller the variance of the difference is than with independent random
            numbers (NaN where it does not vary at all, as tables hold no infinite numbers). With a margin also
            equivalence_p_value (adjusted) and equivalent. Where one arm of a pair has an exact mean and the other has
            not, also controlled_difference with controlled_lower and controlled_upper: its score is then a control
            variate for the other's; not where the run may have stopped early.
        """
        rows = []
        for pair in self.pairs:
            found = self.inference.difference(pair)
            x, y, difference = pair.pair_sums(self.tallies).variances()
            rows.append(
                {
                    "arm": self.names[pair.other],
                    "against": self.names[pair.base],
                    "difference": found.value,
                    "standard_error": found.standard_error,
                    "lower": found.lower,
                    "upper": found.upper,
                    "p_value": self.inference.p_value(pair, 0),
                    "exact_difference": self.inference.exact_difference(pair, self.measure.name),
                    "correlation": (x + y - difference) / (2 * math.sqrt(x * y)) if x * y > 0 else math.nan,
                    "variance_reduction": (x + y) / difference if difference > 0 else math.nan,
                }
            )
        frame = pd.DataFrame(rows)
        adjusted = adjusted_p_values(frame["p_value"].tolist())
        frame.insert(7, "adjusted_p_value", adjusted)
        frame.insert(8, "significant", [p <= 1 - self.confidence for p in adjusted])
        if self.margin is not None:
            values = adjusted_p_values([self.inference.equivalence_p_value(pair, self.margin) for pair in self.pairs])
            frame["equivalence_p_value"] = values
            frame["equivalent"] = [p <= 1 - self.confidence for p in values]
        controlled = [self.inference.controlled(pair) for pair in self.pairs]
        if any(found is not None for found in controlled):
            for name, end in (("difference", "value"), ("lower", "lower"), ("upper", "upper")):
                frame[f"controlled_{name}"] = [getattr(found, end) if found else math.nan for found in controlled]
        return frame

    def measures(self) -> pd.DataFrame:
        """Everything else that changes: rounds, instant wins, points and zero rates of lines; in matches wins.

        Returns
        -------
        pandas.DataFrame
            One row for each pair of arms and measure that both have, and each line that one has: arm, against, measure,
            label, kind (points, rate, rounds), base_mean, arm_mean, difference with standard_error, lower, upper;
            p_value, adjusted_p_value, exact_difference. Intervals are simultaneous and p-values adjusted over the whole
            table. A line that one arm does not have earns nothing there. Rates of what is true or false of a game have
            intervals and p-values that hold for rare events too (adjusted Wald, and McNemar's exact test); where the
            run may have stopped early, all are those of a confidence sequence.
        """
        rows = []
        for pair in self.pairs:
            for k, (first, second) in enumerate(pair.shared):
                if k == 0:
                    continue
                measure, found = self.inference.measure(pair, k), self.inference.other_difference(pair, k)
                base, other = self.tallies[pair.base].sums, self.tallies[pair.other].sums
                rows.append(
                    {
                        "arm": self.names[pair.other],
                        "against": self.names[pair.base],
                        "measure": measure.name,
                        "label": measure.label,
                        "kind": measure.kind,
                        "base_mean": math.nan if first == NOWHERE else measure.unit * base.total[first] / base.n,
                        "arm_mean": math.nan if second == NOWHERE else measure.unit * other.total[second] / other.n,
                        "difference": found.value,
                        "standard_error": found.standard_error,
                        "lower": found.lower,
                        "upper": found.upper,
                        "p_value": self.inference.p_value(pair, k),
                        "exact_difference": self.inference.exact_difference(pair, measure.name),
                    }
                )
        frame = pd.DataFrame(rows)
        frame.insert(12, "adjusted_p_value", adjusted_p_values(frame["p_value"].tolist()))
        return frame

    def lines(self) -> pd.DataFrame:
        """Mean points and zero rate of every line in every arm, exact where they are.

        Returns
        -------
        pandas.DataFrame
            One row for each arm and line or bonus: arm, line, label, mean, zero_rate (NaN of bonuses), exact.
        """
        rows = []
        for arm, contest, tally, exact in zip(self.arms, self.contests, self.tallies, self.exact, strict=True):
            means = self._means_of(contest, tally, exact)
            for measure in contest.measures:
                kind, _, line = measure.name.partition(":")
                if kind != "line":
                    continue
                row = {"arm": arm.label, "line": line, "label": measure.label, "mean": means[measure.name]}
                rows.append(row | {"zero_rate": means.get(f"zero:{line}", math.nan), "exact": exact is not None})
        return pd.DataFrame(rows, columns=["arm", "line", "label", "mean", "zero_rate", "exact"])

    def spread(self) -> pd.DataFrame:
        """How much scores vary.

        Returns
        -------
        pandas.DataFrame
            One row for each pair of arms: arm, against, base_deviation, arm_deviation, difference with standard_error,
            lower, upper (delta method, simultaneous; NaN below 100 games and where the run may have
            stopped early), exact_difference.
        """
        unit, rows = self.measure.unit, []
        for pair in self.pairs:
            found = self.inference.deviation_difference(pair)
            x, y, _ = pair.pair_sums(self.tallies).variances()
            rows.append(
                {
                    "arm": self.names[pair.other],
                    "against": self.names[pair.base],
                    "base_deviation": unit * math.sqrt(x),
                    "arm_deviation": unit * math.sqrt(y),
                    "difference": found.value,
                    "standard_error": found.standard_error,
                    "lower": found.lower,
                    "upper": found.upper,
                    "exact_difference": self.inference.exact_deviation_difference(pair),
                }
            )
        return pd.DataFrame(rows)

    def convergence(self) -> pd.DataFrame:
        """The interval of every difference as games came in: games, arm, against, difference, lower, upper.

        With a precision the intervals are those of a confidence sequence and hold together; otherwise each is that of
        a run that ended there.
        """
        rows = [
            {
                "games": games,
                "arm": self.names[pair.other],
                "against": self.names[pair.base],
                "difference": found.value,
                "lower": found.lower,
                "upper": found.upper,
            }
            for games, estimates in self.looks
            for pair, found in zip(self.pairs, estimates, strict=True)
        ]
        return pd.DataFrame(rows)

    def scores(self) -> list[ArmScores]:
        """Distribution of the score of every arm, for `analyzer.plot.score_distribution`; exact if it is for all."""
        exact = [one for one in self.exact if one is not None]
        found = []
        for place, (arm, contest) in enumerate(zip(self.arms, self.contests, strict=True)):
            if len(exact) == len(self.arms):
                frame = exact[place].distribution
            else:
                first = contest.measures[0]
                frame = score_frame(self.tallies[place].counts, 0, self.games)
                frame["score"] = (frame["score"] + first.low) * first.unit
            found.append(ArmScores(arm.label, self.title, len(exact) == len(self.arms), frame))
        return found

    @cached_property
    def play_changes(self) -> dict[tuple[str, str], PlayChanges]:
        """How best play changes between the arms of each pair, exactly, by arm and base; see `analyzer.play_changes`.

        Of pairs that both maximise something to the end of a game with the same dice and throws. Computed when first
        asked for, in seconds, or in big games up to a minute.
        """
        found = {}
        for pair in self.pairs if self.play else ():
            base, other = self.contests[pair.base], self.contests[pair.other]
            ours, theirs = base.best_play(), other.best_play()
            if ours is None or theirs is None:
                continue
            assert isinstance(base.rules, ScorecardRules)
            assert isinstance(other.rules, ScorecardRules)
            with suppress(RulesError):  # other dice or throws: no position is in both games
                change = play_changes(base.rules, other.rules, base_policy=ours, other_policy=theirs, **self.solving)
                found[self.names[pair.other], self.names[pair.base]] = change
        return found

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every table, by name; without that of lines where there are none."""
        names = ("differences", "means", "spread", "measures", "lines", "convergence")
        found = {name: frame for name in names if not (frame := getattr(self, name)()).empty}
        for number, change in enumerate(self.play_changes.values(), start=1):
            suffix = f"_{number}" if len(self.play_changes) > 1 else ""
            found[f"play_changes{suffix}"], found[f"play_stages{suffix}"] = change.top(), change.stages()
        return found

    def main_table(self) -> pd.DataFrame:
        """See `Shown`."""
        return self.differences()

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON; what ``analyzer compare --json`` prints."""
        return {
            "arms": [
                {"name": arm.label, "game": contest.rules.name, "rules_id": contest.rules.id, "policy": contest.policy}
                for arm, contest in zip(self.arms, self.contests, strict=True)
            ],
            self.unit: self.games,
            "seed": self.seed,
            "task_id": self.task_id,
            "confidence": self.confidence,
            "precision": self.precision,
            "precision_reached": self.reached,
            "margin": self.margin,
            "common_random_numbers": self.common,
            "means": records(self.means()),
            "differences": records(self.differences()),
            "spread": records(self.spread()),
            "measures": records(self.measures()),
            "lines": records(self.lines()),
            "convergence": records(self.convergence()),
            "play_changes": [
                {"arm": arm, "against": base, **change.to_dict()} for (arm, base), change in self.play_changes.items()
            ],
            "provenance": self.provenance.to_dict(),
        }

    def __str__(self) -> str:
        unit, unit_name = (100, " percentage points") if self.measure.kind == "rate" else (1, "")
        of = "" if self.measure.name == "score" else f"{self.measure.label}: "
        parts = []
        for pair in self.pairs:
            exact = unit * self.inference.exact_difference(pair, self.measure.name)
            known = "" if math.isnan(exact) else f", exact {exact:+.4f}"
            names = f"{self.names[pair.other]} less {self.names[pair.base]}"
            parts.append(f"{names} {_signed(self.inference.difference(pair).times(unit))}{unit_name}{known}")
        return f"{self.title}: {of}{'; '.join(parts)}; {self.games:,} {self.unit} of each arm, seed {self.seed}"

    @staticmethod
    def _means_of(contest: Contest, tally: ArmTally, exact: ExactMeans | None) -> dict[str, float]:
        if exact is not None:
            return exact.means
        totals = zip(contest.measures, tally.sums.total, strict=True)
        return {measure.name: measure.unit * total / tally.sums.n for measure, total in totals}


def _signed(estimate: Estimate) -> str:
    text = str(estimate).partition(" (")[0]
    return text if estimate.value < 0 else f"+{text}"
