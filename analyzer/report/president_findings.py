"""What is found out about President: every result of its policies, and all of it as tables and charts by name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pandas as pd

from analyzer.analysis.president.matches import match_president
from analyzer.analysis.president.policies import bind_policy
from analyzer.analysis.president.rounds import simulate_rounds
from analyzer.analysis.president.worth import option_worth
from analyzer.errors import UsageError
from analyzer.report import president_charts, president_hand_charts
from analyzer.report.findings import Chart, file_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.analysis.president.matches import PresidentMatches
    from analyzer.analysis.president.rounds import RoundsResult
    from analyzer.analysis.president.worth import OptionWorth
    from analyzer.games.president.rules import President

__all__ = ["MATCHES", "POLICIES", "PresidentFindings", "find_out"]

POLICIES = ("rules", "lowest", "random")
MATCHES = 20_000
"""Matches of each policy, of each pair, and in which options are tried, if no number is given."""


@dataclass(frozen=True, eq=False)
class PresidentFindings:
    """Results of President by policy; what is told in detail is of the first policy.

    Attributes
    ----------
    rules : President
    results : list of RoundsResult
        Of every policy.
    matches : list of PresidentMatches
        Of the first policy against each other one: it has half of the seats, or one of an odd number.
    worth : OptionWorth or None
        Of the first policy, if it is quick enough to play on by.
    """

    rules: President
    results: list[RoundsResult]
    matches: list[PresidentMatches]
    worth: OptionWorth | None

    @property
    def first(self) -> RoundsResult:
        """The policy that is told of in detail."""
        return self.results[0]

    @cached_property
    def options(self) -> pd.DataFrame:
        """What its options are worth; without rows if they were not tried, or never arose."""
        return pd.DataFrame() if self.worth is None else self.worth.options()

    @staticmethod
    def has_classes(result: RoundsResult) -> bool:
        """Whether any class of hands comes up often enough to be drawn."""
        return not president_hand_charts.frequent(result, result.strength()).empty

    @cached_property
    def tables(self) -> dict[str, pd.DataFrame]:
        """Every table, by the name of its files."""
        tables = {"policies": self._summary()}
        for result in self.results:
            name = file_name(result.policy)
            tables |= {f"{kind}_{name}": frame for kind, frame in result.tables().items()}
        if self.matches:
            tables["matches"] = self._against()
        for one in self.matches:
            name = file_name(" ".join(dict.fromkeys(one.players)))
            tables |= {f"match_{name}": one.payoffs(), f"match_places_{name}": one.places()}
        return tables | ({} if self.options.empty else {"option_worth": self.options})

    @cached_property
    def charts(self) -> dict[str, Chart]:
        """Every chart, by the name of its files."""
        results = self.results
        drawn = {
            "seat_points": Chart("What seats earn by who leads", president_charts.seat_points(results)),
            "round_lengths": Chart("How many turns a round takes", president_charts.round_lengths(results)),
        }
        if self.matches:
            drawn["place_shares"] = Chart("Places by policy", president_charts.place_shares(self.matches))
        for result in results:
            name = file_name(result.policy)
            if self.rules.rounds > 1:
                title = f"From one round to the next: {result.policy}"
                drawn[f"office_matrix_{name}"] = Chart(title, president_charts.office_matrix(result))
            if self.has_classes(result):
                title = f"Points by the fewest plays and the stoppers of a hand: {result.policy}"
                drawn[f"hand_strength_{name}"] = Chart(title, president_hand_charts.hand_strength(result))
                title = f"Points by what a hand holds: {result.policy}"
                drawn[f"feature_points_{name}"] = Chart(title, president_hand_charts.feature_points(result))
        if self.worth is not None and not self.options.empty:
            title = f"What options are worth: {self.worth.policy}"
            drawn["option_worth"] = Chart(title, president_hand_charts.option_worth(self.worth))
        return drawn

    def _summary(self) -> pd.DataFrame:
        rows: list[dict[str, Any]] = []
        for result in self.results:
            leader, counts = result.seats().iloc[0], result.counts().set_index("what")
            row: dict[str, Any] = {"policy": result.policy, "matches": result.matches, "rounds": result.rounds}
            if self.rules.rounds > 1:
                kept = result.offices_kept()
                for office, told in (("president", kept.iloc[0]), ("scum", kept.iloc[-1])):
                    row |= {f"{office}_{name}": told[name] for name in ("kept", "kept_lower", "kept_upper")}
            row |= {"leader_points": leader["points"], "leader_lower": leader["lower"]}
            row |= {"leader_upper": leader["upper"]}
            rows.append(row | {what: counts["mean"][what] for what in counts.index})
        return pd.DataFrame(rows)

    def _against(self) -> pd.DataFrame:
        """What the first policy comes to against each other one."""
        rows = [
            {"policy": one.players[0], "against": one.players[1], "matches": one.matches}
            | one.payoffs().drop(columns="player").iloc[0].to_dict()
            for one in self.matches
        ]
        return pd.DataFrame(rows)


def find_out(
    rules: President,
    *,
    policies: Sequence[str] | None = None,
    games: int,
    seed: int = 0,
    **running: Any,
) -> PresidentFindings:
    """Simulate every policy, play matches of the first one against the others, and try its options.

    Parameters
    ----------
    rules : President
    policies : sequence of str, optional
        By default `POLICIES`.
    games : int
        Matches of each policy, of each pair, and in which options are tried.
    seed : int
    **running
        workers, progress and cache, as for `analyzer.simulate`.

    Raises
    ------
    UsageError
        If a policy is named twice.
    """
    names = list(policies or POLICIES)
    bound = [bind_policy(name) for name in names]
    if len({one.text for one in bound}) < len(names):
        raise UsageError(f"policies {', '.join(names)} name one policy twice; give each once")
    results = [simulate_rounds(rules, name, games=games, seed=seed, **running) for name in names]
    first, *others = names
    seats = 1 if rules.players % 2 == 0 else rules.players - 1
    matches = [match_president(rules, [first, *[name] * seats], games=games, seed=seed, **running) for name in others]
    running.pop("cache", None)
    worth = option_worth(rules, first, games=games, seed=seed, **running) if bound[0].asked is None else None
    return PresidentFindings(rules, results, matches, worth)
