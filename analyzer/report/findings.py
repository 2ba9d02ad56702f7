"""What is found out about a game: every result, and all of it as tables and charts by name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

from analyzer.analysis.arguments import check_rules
from analyzer.analysis.match import match
from analyzer.analysis.seating import can_look_across, can_match
from analyzer.analysis.simulate import simulate
from analyzer.analysis.solve import Solution, line_values, solve
from analyzer.dice.policies import Optimal
from analyzer.errors import UsageError
from analyzer.report import charts
from analyzer.report.served import served_table
from analyzer.stats.estimates import mean_estimate_from_sums, proportion_estimate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from analyzer.analysis.advise import Advice
    from analyzer.analysis.match import MatchResult
    from analyzer.analysis.simulate import GamesResult
    from analyzer.dice.scorecard import ScorecardRules

__all__ = ["POLICIES", "WIN_POLICIES", "Chart", "Findings", "file_name", "find_out"]

POLICIES = ("optimal", "greedy", "par", "random")
GAMES = 100_000
"""Games of each policy if no number is given."""
WIN_POLICIES = ("optimal", "points", "greedy", "par", "instant", "random")
CLOSE_CALLS = 3
"""First rolls shown whose two best keeps are nearly as good."""
COSTLY_ROLLS = 3
"""First rolls shown where the second-best keep costs most, by the roll's frequency."""


class Chart(NamedTuple):
    """A chart with what it shows."""

    title: str
    axes: Axes


@dataclass(frozen=True, eq=False)
class Findings:
    """Results of a game: the same policies exactly and simulated, the best first, and matches."""

    rules: ScorecardRules
    solutions: list[Solution]
    results: list[GamesResult]
    matches: list[MatchResult]

    @property
    def best(self) -> Solution:
        """The game played for the best expected score."""
        return self.solutions[0]

    @cached_property
    def tables(self) -> dict[str, pd.DataFrame]:
        """Every table, by the name of its files."""
        best = self.best
        tables = {"policies": self._summary(), "line_means": self._line_means(), "turn_values": line_values(self.rules)}
        for solution, result in zip(self.solutions, self.results, strict=True):
            name = file_name(solution.policy)
            tables[f"lines_{name}"] = solution.lines()
            tables[f"simulated_lines_{name}"] = result.lines()
            tables[f"line_rounds_{name}"] = solution.line_rounds()
            tables[f"distribution_{name}"] = solution.distribution()
            tables[f"quantiles_{name}"] = solution.quantiles()
        served = {solution.policy: served_table(solution) for solution in self.solutions}
        if not served[best.policy].empty:
            tables["served"] = _by_policy(served)
        if self.rules.instant_wins:
            tables["wins"] = self._wins()
            tables["win_rounds"] = _by_policy({solution.policy: solution.win_rounds() for solution in self.solutions})
        if self.rules.throws > 1:
            tables["opening"] = best.opening().table
        return tables | {f"match_{file_name(' '.join(one.players))}": _payoffs(one) for one in self.matches}

    @cached_property
    def charts(self) -> dict[str, Chart]:
        """Every chart, by the name of its files."""
        best = self.best
        drawn = {
            "score_distributions": Chart("Distribution of the final score", charts.score_distribution(self.solutions)),
            "chance_of_at_least": Chart("Chance of at least a score", charts.chance_of_at_least(self.solutions)),
            "line_values": Chart("What each line brings, by policy", charts.line_values(self.solutions)),
            "line_rounds": Chart("When each line is filled", charts.line_round_heatmap(best)),
            "line_round_means": Chart(
                "At what mean each line is filled", charts.line_round_heatmap(best, value="mean")
            ),
        }
        if not served_table(best).empty:
            drawn["served_values"] = Chart("What served results bring", charts.served_values(best))
        if self.rules.instant_wins:
            drawn["win_ways"] = Chart("How games are won at once, by policy", charts.win_ways(self.solutions))
            for solution in self.solutions:
                if solution is best or _plays_for_wins(solution):
                    title = f"When games are won at once: {solution.policy}"
                    drawn[f"win_rounds_{file_name(solution.policy)}"] = Chart(title, charts.win_rounds(solution))
        for solution, result in zip(self.solutions, self.results, strict=True):
            title = f"Simulation against the exact values: {solution.policy}"
            axes = charts.simulation_against_exact(result, solution)
            drawn[f"simulation_{file_name(solution.policy)}"] = Chart(title, axes)
        for one in self.matches:
            title = f"Matches: {' against '.join(one.players)}"
            drawn[f"match_{file_name(' '.join(one.players))}"] = Chart(title, charts.settlements(one))
        for advice in self._telling_rolls():
            title = f"{best.title}: what each keep of the first roll {advice.label} costs"
            drawn[f"keeps_{'_'.join(map(str, advice.dice))}"] = Chart(title, charts.keep_costs(advice, title=title))
        return drawn

    def _summary(self) -> pd.DataFrame:
        rows = [
            {
                "policy": solution.policy,
                "expected_score": solution.expected_score,
                "standard_deviation": solution.standard_deviation,
                "median": int(solution.quantiles([0.5])["score"].iloc[0]),
                "simulated_mean": result.mean,
                "standard_error": result.standard_error,
                "lower": result.interval[0],
                "upper": result.interval[1],
                "games": result.games,
            }
            for solution, result in zip(self.solutions, self.results, strict=True)
        ]
        summary = pd.DataFrame(rows)
        if self.rules.instant_wins:
            wins = [float(solution.wins()["chance"].sum()) for solution in self.solutions]
            summary.insert(3, "instant_win", wins)
        return summary

    def _line_means(self) -> pd.DataFrame:
        means = self.best.lines()[["line", "label", "section"]]
        return means.assign(**{one.policy: one.lines()["mean"].to_numpy() for one in self.solutions})

    def _wins(self) -> pd.DataFrame:
        wins = {}
        for solution, result in zip(self.solutions, self.results, strict=True):
            found = result.wins()
            ends = {"lower": found["lower"], "upper": found["upper"]}
            wins[solution.policy] = solution.wins().assign(simulated_chance=found["chance"], **ends)
        return _by_policy(wins)

    def _telling_rolls(self) -> list[Advice]:
        """Advice on first rolls: the closest calls among the frequent ones, and the costliest where a keep is missed.

        Of rolls that cost the same, such as the straights, one is enough.
        """
        if "opening" not in self.tables:
            return []
        table = self.tables["opening"]
        often = table["probability"].median()
        table = table.dropna(subset="loss")  # without a second keep there is nothing to choose
        table = table[~table["loss"].round(9).duplicated()]
        frequent = table[table["probability"] >= often]
        close = frequent[frequent["loss"] > 1e-9].sort_values("loss", kind="stable")
        weight = (table["probability"] * table["loss"]).sort_values(ascending=False, kind="stable")
        rolls = dict.fromkeys([*close["roll"].head(CLOSE_CALLS), *table["roll"].loc[weight.index].head(COSTLY_ROLLS)])
        return [self.best.advise(roll, throws_left=self.rules.throws - 1) for roll in rolls]


def find_out(
    rules: ScorecardRules,
    *,
    policies: Sequence[str] | None = None,
    games: int,
    seed: int,
    workers: int | None = None,
    progress: bool = False,
    cache: bool = True,
) -> Findings:
    """Solve, evaluate and simulate a game, and play the matches that are worth a look.

    Parameters
    ----------
    rules, policies, games, seed, workers, progress, cache
        As for `analyzer.report.folder.write_report`.

    Returns
    -------
    Findings

    Raises
    ------
    UsageError
        If a policy is named twice, or the game has no scorecard.
    """
    check_rules(rules)
    if policies is None:
        policies = WIN_POLICIES if rules.instant_wins else POLICIES
    names = list(dict.fromkeys(("optimal", *policies)))
    solutions = [solve(rules, policy=name, workers=workers, progress=progress, cache=cache) for name in names]
    if len({solution.policy for solution in solutions}) < len(names):
        raise UsageError(f"policies {', '.join(names)} name one policy twice; give each once")
    results = [
        simulate(rules, policy=name, games=games, seed=seed, workers=workers, progress=progress, cache=cache)
        for name in names
    ]
    matches = [
        match(rules, players, games=games, seed=seed, workers=workers, progress=progress, cache=cache)
        for players in _pairings(rules)
    ]
    return Findings(rules, solutions, results, matches)


def file_name(policy: str) -> str:
    """A policy's text as part of a file name.

    Examples
    --------
    >>> file_name("par:chance=22")
    'par_chance_22'
    """
    return re.sub(r"[^A-Za-z0-9.-]+", "_", policy)


def _pairings(rules: ScorecardRules) -> list[tuple[str, str]]:
    """Players whose matches are worth a look."""
    if not can_match(rules):
        return []
    if not can_look_across(rules):
        return [("optimal", "greedy")]
    if rules.settlement.kind == "columns":
        return [("columns", "sum"), ("sum", "greedy")]
    if rules.settlement.kind == "difference":
        return [("optimal", "greedy")]
    return [("race", "points"), ("points", "greedy")] if rules.instant_wins else [("race", "greedy")]


def _payoffs(result: MatchResult) -> pd.DataFrame:
    """What players receive, with intervals of all figures: those of points and columns are not in `payoffs`."""
    frame, level = result.payoffs(), result.confidence
    for name in [str(column) for column in frame.columns if str(column).startswith("won_") or column == "sweep_rate"]:
        rates = [proportion_estimate(round(rate * result.matches), result.matches, level) for rate in frame[name]]
        frame[f"{name}_lower"], frame[f"{name}_upper"] = zip(*((one.lower, one.upper) for one in rates), strict=True)
    sums = result.tally["points"].sum(axis=1)
    means = [mean_estimate_from_sums(result.matches, int(total), int(squares), level) for total, squares in sums]
    frame["points_lower"], frame["points_upper"] = zip(*((one.lower, one.upper) for one in means), strict=True)
    return frame


def _by_policy(frames: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """One table of several, with the policy in the first column."""
    return pd.concat(frames, names=["policy"]).reset_index("policy").reset_index(drop=True)


def _plays_for_wins(solution: Solution) -> bool:
    return isinstance(solution.bound, Optimal) and solution.bound.worth != Optimal.worth
