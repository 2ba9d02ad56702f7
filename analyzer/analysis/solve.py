"""Exact answers: the best that can be expected, and what any policy earns."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analyzer.analysis.advise import Advice, OpeningTable, advise_keep, advise_line, check_turn, open_game
from analyzer.analysis.arguments import whole
from analyzer.analysis.binding import bind_policy
from analyzer.analysis.frames import line_frame, round_frame, score_frame, win_frame, win_round_frame
from analyzer.analysis.position import Position
from analyzer.analysis.result import QUANTILES, PolicyResult, line_records
from analyzer.dice.decisions import TablePolicy
from analyzer.dice.evaluation import Evaluation, evaluate
from analyzer.dice.own_policy import MAX_QUESTIONS, OwnPolicy
from analyzer.dice.policies import Chase, Optimal, Policy
from analyzer.dice.states import StateSpace
from analyzer.dice.target import TargetValue, solve_target
from analyzer.dice.turn_detail import TurnDetail, turn_detail
from analyzer.engine.executors import worker_count
from analyzer.engine.progress import progress_bar
from analyzer.engine.provenance import stable_id, versions_in_use
from analyzer.engine.store import load_arrays, save_arrays
from analyzer.errors import UsageError
from analyzer.stats.estimates import moments, quantiles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from analyzer.dice.scorecard import ScorecardRules

MOST_TARGET = 10**9
"""Targets are points, far below this in any game."""
BEST_PLAY = "choose optimal, or where games have instant wins also points, mixed or instant"


@dataclass(frozen=True, eq=False, repr=False)
class Solution(PolicyResult):
    """A game under a policy, exactly.

    Made by `solve`. Scores are final scores, in points, from the position on.
    """

    rules: ScorecardRules
    bound: Policy = field(repr=False)
    position: Position
    workers: int | None = None
    progress: bool = False
    cache: bool = True

    exact = True
    unit = "games"

    @cached_property
    def evaluation(self) -> Evaluation:
        """Chances of scores and entries, computed at first use and kept on disk."""
        space = self.bound.space
        column = self.position.column(space)
        key = stable_id([self.rules.id, self.policy, column])
        # What a function answers can depend on more than the code that its name stands for.
        cache = self.cache and not isinstance(self.bound, OwnPolicy)
        stored = load_arrays(key, "evaluation") if cache else None
        shape = (len(space.written), len(self.rules.lines))
        kept = {"scores", "entries", "wins"}
        if stored is not None and stored[0].keys() == kept and stored[0]["entries"].shape == shape:
            bonus = float(stored[1]["upper_bonus"])
            return Evaluation(stored[0]["scores"], stored[0]["entries"], bonus, stored[0]["wins"])
        if isinstance(self.bound, OwnPolicy):
            questions = _columns_to_come(space, column) * space.ends * self.rules.throws
            if questions > MAX_QUESTIONS:
                raise UsageError(
                    f"exact evaluation would ask {self.policy} about up to {questions:,} positions, above the limit of"
                    f" {MAX_QUESTIONS:,}; use simulate, or a scorecard with fewer open lines"
                )
        with progress_bar(f"evaluating {self.policy}", space.columns, self.progress) as bar:
            found = evaluate(self.bound, column, workers=self.workers, progress=bar)
        if cache:
            arrays = {"scores": found.scores, "entries": found.entries, "wins": found.wins}
            save_arrays(key, "evaluation", arrays, {"upper_bonus": found.upper_bonus})
        return found

    @property
    def expected_score(self) -> float:
        """Expected final score."""
        return self.value if isinstance(self.bound, Optimal) and self.bound.family == "optimal" else self._moments[0]

    @property
    def value(self) -> float:
        """What the policy maximises to the end of the game.

        Raises
        ------
        UsageError
            The policy maximises nothing, or looks no further than the turn.
        """
        if not isinstance(self.bound, Optimal):
            raise UsageError(f"{self.policy!r} maximises nothing to the end of the game; ask for the expected score")
        value = float(self.bound.values[self.position.column(self.bound.space)])  # noqa: PD011 (an array, not of pandas)
        return value + self.bound.point * self.position.score

    def wins(self) -> pd.DataFrame:
        """How likely games end in an instant win; see `analyzer.analysis.frames.win_frame`."""
        return win_frame(self.bound.space, self.position, self.evaluation.wins)

    def win_rounds(self) -> pd.DataFrame:
        """When games end in an instant win; see `analyzer.analysis.frames.win_round_frame`."""
        return win_round_frame(self.bound.space, self.position, self.evaluation.wins)

    @property
    def standard_deviation(self) -> float:
        """Standard deviation of the final score."""
        return self._moments[1]

    @cached_property
    def _moments(self) -> tuple[float, float]:
        scores = self.evaluation.scores
        mean, deviation = moments(np.arange(len(scores)), scores / scores.sum())
        return mean + self.position.score, deviation

    def quantiles(self, q: Iterable[float] = QUANTILES) -> pd.DataFrame:
        """Smallest scores that are not exceeded with at least the given chances: quantile, score."""
        chances = list(q)
        frame = self.distribution()
        scores = quantiles(frame["score"].to_numpy(), frame["probability"].to_numpy(), chances)
        return pd.DataFrame({"quantile": chances, "score": scores})

    def lines(self) -> pd.DataFrame:
        """What every line and bonus contributes; see `analyzer.analysis.frames.line_frame`."""
        found = self.evaluation
        return line_frame(self.bound.space, self.position, found.entries, found.upper_bonus)

    def line_rounds(self) -> pd.DataFrame:
        """When every line is filled; see `analyzer.analysis.frames.round_frame`."""
        return round_frame(self.bound.space, self.position, self.evaluation.entries)

    def distribution(self) -> pd.DataFrame:
        """Chance of every final score: score, probability, at_least."""
        return score_frame(self.evaluation.scores, self.position.score)

    def advise(
        self,
        dice: Sequence[int],
        *,
        throws_left: int = 0,
        card: Mapping[str, int] | None = None,
        extra_points: int = 0,
        locked: Sequence[int] = (),
        served: bool = False,
        stop: bool = False,
        declared: str = "",
    ) -> Advice:
        """Every legal decision ranked by what the policy maximises, if all later play is best for that.

        Parameters
        ----------
        dice : sequence of int
            All dice on the table.
        throws_left : int
            Throws that may still be made; with 0 the entries are ranked.
        card : mapping of str to int, optional
            Points by filled line; by default that of the solution.
        extra_points : int
            Extra-five points earned so far.
        locked : sequence of int
            Dice that may not be thrown again, in games that lock kept dice.
        served : bool
            Whether the last throw threw all dice; the first throw of a turn always does.
        stop : bool
            Rank what may be done when the turn ends here, though throws are left.
        declared : str
            The line announced after the first throw, in games where one is.

        Returns
        -------
        Advice

        Raises
        ------
        PositionError
            Dice, card, throws or an announced line that do not exist in the game.
        RulesError
            An announced line that the rules do not have.
        UsageError
            The solution is of a policy that maximises nothing to the end of the game.
        """
        if not isinstance(self.bound, Optimal):
            raise UsageError(f"advice is about best play, not {self.policy!r}; {BEST_PLAY}")
        check_turn(self.rules, dice, throws_left, locked, served=served, declared=declared)
        served = served or throws_left == self.rules.throws - 1
        position = self.position
        if card is not None or extra_points:
            position = Position(self.rules, position.card if card is None else card, extra_points)
        position.check_open(declared)
        space = self.bound.space
        detail = turn_detail(space, position.column(space), self.bound.objective)
        how: dict[str, Any] = {"served": served, "declared": declared, "value_name": self.bound.worth}
        if throws_left and not stop:
            return advise_keep(position, detail, dice, throws_left, locked=locked, **how)
        return advise_line(position, detail, dice, throw=self.rules.throws - 1 - throws_left, **how)

    def opening(self) -> OpeningTable:
        """Best keep of every first roll of the turn."""
        if not isinstance(self.bound, Optimal):
            raise UsageError(f"the opening table is about best play, not {self.policy!r}; {BEST_PLAY}")
        space = self.bound.space
        detail = turn_detail(space, self.position.column(space), self.bound.objective)
        return open_game(self.position, detail, self.bound.worth)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON; what ``analyzer solve --json`` prints."""
        return {
            "game": self.rules.name,
            "rules_id": self.rules.id,
            "policy": self.policy,
            "card": dict(self.position.card),
            "extra_points": self.position.extra_points,
            "exact": True,
            "expected_score": self.expected_score,
            "standard_deviation": self.standard_deviation,
            "quantiles": self.quantiles().to_dict("records"),
            "lines": line_records(self.lines()),
            **self._of_wins(),
            "versions": versions_in_use(),
        }

    def _of_wins(self) -> dict[str, Any]:
        """What JSON has in games with instant wins only."""
        if not self.rules.instant_wins:
            return {}
        value = {"value": self.value} if isinstance(self.bound, Optimal) else {}
        return value | {"wins": self.wins().to_dict("records")}

    def __str__(self) -> str:
        text = (
            f"{self.heading}: expected score {self.expected_score:.4f},"
            f" standard deviation {self.standard_deviation:.4f} (exact)"
        )
        if self.rules.instant_wins:
            text += f", instant win {float(self.wins()['chance'].sum()):.3%}"
        return text


def _columns_to_come(space: StateSpace, column: int) -> int:
    """Number of columns, at most, in which a turn may have to be played from a column on."""
    state = int(space.column_state[column])
    open_now = space.tables.state_open[space.column_state]
    later = (open_now & ~space.tables.state_open[state]) == 0
    later &= (open_now != space.tables.state_open[state]) & (open_now != 0)
    return 1 + int(later.sum())


@dataclass(frozen=True, eq=False, repr=False)
class TargetSolution:
    """The chance to reach a target score with the best play for it. Made by `solve_for_target`."""

    rules: ScorecardRules
    target: int
    position: Position
    value: TargetValue = field(repr=False)

    @property
    def probability(self) -> float:
        """Maximal chance that the final score is at least the target."""
        return self.value.probability

    def advise(
        self,
        dice: Sequence[int],
        *,
        throws_left: int = 0,
        locked: Sequence[int] = (),
        served: bool = False,
        declared: str = "",
    ) -> Advice:
        """Every legal decision of this turn, ranked by the chance to reach the target; see `Solution.advise`."""
        check_turn(self.rules, dice, throws_left, locked, served=served, declared=declared)
        self.position.check_open(declared)
        how: dict[str, Any] = {"target": self.target, "value_name": "chance", "declared": declared}
        how["served"] = served or throws_left == self.rules.throws - 1
        if throws_left:
            return advise_keep(self.position, self.value.detail, dice, throws_left, locked=locked, **how)
        return advise_line(self.position, self.value.detail, dice, **how)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON."""
        return {
            "game": self.rules.name,
            "rules_id": self.rules.id,
            "target": self.target,
            "card": dict(self.position.card),
            "extra_points": self.position.extra_points,
            "exact": True,
            "probability": self.probability,
            "versions": versions_in_use(),
        }

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        start = f" from {self.position.text}" if self.position.card else ""
        return f"{self.rules.title}{start}: at least {self.target} points with chance {self.probability:.6f} (exact)"


def solve(
    rules: ScorecardRules,
    *,
    policy: str | Callable[..., Any] = "optimal",
    card: Mapping[str, int] | None = None,
    extra_points: int = 0,
    workers: int | None = None,
    progress: bool = False,
    cache: bool = True,
) -> Solution:
    """Solve a game exactly.

    Parameters
    ----------
    rules : ScorecardRules
        The game, from `analyzer.game`.
    policy : str or callable
        ``"optimal"`` for the maximal expected score; any other policy is evaluated exactly.
    card : mapping of str to int, optional
        Points by filled line; by default the game starts with an empty scorecard.
    extra_points : int
        Extra-five points earned so far.
    workers : int, optional
        Threads; by default one per processor.
    progress : bool
        Show a bar on a terminal.
    cache : bool
        Keep solutions on disk, in the platform's cache folder.

    Returns
    -------
    Solution
        Distribution and tables are computed when first asked for.

    Examples
    --------
    >>> import analyzer
    >>> analyzer.solve(analyzer.game("yahtzee")).expected_score  # doctest: +ELLIPSIS
    254.5877287344...
    """
    position = Position(rules, {} if card is None else card, extra_points)
    worker_count(workers)  # also where an answer on disk needs none
    bound = bind_policy(rules, policy, workers=workers, progress=progress, cache=cache)
    return Solution(rules, bound, position, workers, progress, cache)


def line_values(rules: ScorecardRules, *, card: Mapping[str, int] | None = None, extra_points: int = 0) -> pd.DataFrame:
    """What one turn brings to each open line if it is played for that line alone.

    Parameters
    ----------
    rules : ScorecardRules
    card, extra_points
        As for `solve`.

    Returns
    -------
    pandas.DataFrame
        One row for each open line: line, label, section, mean (points, extra-five bonus included), standard_deviation,
        zero_rate. Where the rules send the dice to another line, the turn brings this one nothing.
    """
    position = Position(rules, {} if card is None else card, extra_points)
    space = StateSpace.of(rules)
    rows = []
    for name in position.open_lines:
        chances = turn_detail(space, position.column(space), Chase(space, name).objective).outcomes(0, rules.throws)
        line = rules.line(name)
        there = space.tables.entry_line == rules.line_index(name)
        mean, deviation = moments(np.where(there, space.tables.entry_points, 0), chances / chances.sum())
        zero = float(chances[~there | (space.written == 0)].sum())
        row = {"line": name, "label": line.label, "section": line.section, "mean": mean}
        rows.append(row | {"standard_deviation": deviation, "zero_rate": zero})
    return pd.DataFrame(rows)


def solve_for_target(
    rules: ScorecardRules,
    target: int,
    *,
    card: Mapping[str, int] | None = None,
    extra_points: int = 0,
    workers: int | None = None,
    progress: bool = False,
    cache: bool = True,
) -> TargetSolution:
    """Maximal chance that the final score is at least `target`, and the play that attains it.

    Parameters
    ----------
    rules : ScorecardRules
    target : int
        Points.
    card, extra_points, workers, progress, cache
        As for `solve`.

    Returns
    -------
    TargetSolution

    Notes
    -----
    The points still needed are a further dimension of the scorecard: a whole game takes minutes, a position with half
    its lines filled a second.
    """
    position = Position(rules, {} if card is None else card, extra_points)
    worker_count(workers)  # also where an answer on disk needs none
    target = whole("target", target, 0, MOST_TARGET)
    space = StateSpace.of(replace(rules, instant_wins=()))  # the scorecard alone
    column = position.column(space)
    needed = target - position.score
    value = _stored_target(space, column, needed, workers, progress, cache)
    return TargetSolution(rules, target, position, value)


def _stored_target(
    space: StateSpace, column: int, needed: int, workers: int | None, progress: bool, cache: bool
) -> TargetValue:
    key = stable_id([space.rules.id, column, needed])
    names = ("entry_values", "end_values", "keep_values", "keeps", "entries")
    stored = load_arrays(key, "target") if cache else None
    if stored is not None and stored[0].keys() == set(names):
        entry_values, end_values, keep_values, *tables = (stored[0][name] for name in names)
        state = int(space.column_state[column])
        detail = TurnDetail(space, state, entry_values, end_values, keep_values, TablePolicy(*tables))
        return TargetValue(float(stored[1]["probability"]), detail)
    filled = space.filled[space.column_state]
    total = int((filled > filled[column]).sum())
    with progress_bar(f"chance of {needed} points", total, progress) as bar:
        value = solve_target(space, column, needed, workers=workers, progress=bar)
    if cache:
        detail = value.detail
        found: list[np.ndarray] = [detail.entry_values, detail.end_values, detail.keep_values, *detail.tables]
        arrays = dict(zip(names, found, strict=True))
        save_arrays(key, "target", arrays, {"probability": value.probability})
    return value
