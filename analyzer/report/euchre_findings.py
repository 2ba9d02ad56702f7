"""What is found out about Euchre: every result of its policies, and all of it as tables and charts by name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pandas as pd

from analyzer.analysis.euchre.calls import LEAST_HANDS, call_values
from analyzer.analysis.euchre.hands import simulate_hands
from analyzer.analysis.euchre.matches import match_euchre
from analyzer.analysis.euchre.policies import bind_policy
from analyzer.analysis.euchre.win_table import WinTable, win_table_of
from analyzer.analysis.families import DEFAULT_CARD_POLICY
from analyzer.errors import UsageError
from analyzer.report import euchre_charts
from analyzer.report.findings import Chart, file_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.analysis.euchre.calls import CallValues
    from analyzer.analysis.euchre.hands import HandsResult
    from analyzer.analysis.euchre.matches import EuchreMatches
    from analyzer.games.euchre.rules import Euchre

__all__ = ["HAND", "EuchreFindings", "find_out", "score_name"]

HANDS = 400_000
"""Hands of each policy if no number is given, and deals in which its calls are tried."""
HANDS_OF_A_MATCH = 20
"""More than a match to 10 takes; so many hands of the simulation make room for one match."""
SHORT_OF = ((1, 4), (4, 1), (2, 2), (1, 1))
"""Scores at which calls are looked at, in points short of the target: 9-6, 6-9, 8-8 and 9-9 in a game to 10."""
HAND = ["position", "trumps", "bowers", "off_aces", "voids"]
"""What tells hand classes of all positions apart."""


@dataclass(frozen=True, eq=False)
class EuchreFindings:
    """Results of Euchre by policy; what is told in detail is of the first policy.

    Attributes
    ----------
    rules : Euchre
    results : list of HandsResult
        Of every policy.
    calls : list of CallValues
        Of the policies that are quick enough to try every call in every deal.
    matches : list of EuchreMatches
        Of the first policy against each other one, where there are two sides.
    """

    rules: Euchre
    results: list[HandsResult]
    calls: list[CallValues]
    matches: list[EuchreMatches]

    @property
    def first(self) -> HandsResult:
        """The policy that is told of in detail."""
        return self.results[0]

    @property
    def first_calls(self) -> CallValues | None:
        """Its calls, if they were tried."""
        return next((one for one in self.calls if one.policy == self.first.policy), None)

    @cached_property
    def wins(self) -> WinTable | None:
        """Chances to win by score; three players have three scores, and no table."""
        return None if self.rules.players == "3" else win_table_of(self.first)

    @cached_property
    def changes(self) -> dict[tuple[int, int], pd.DataFrame]:
        """The calls that a score changes, by own points and the other side's."""
        if self.first_calls is None or self.wins is None:
            return {}
        target = self.rules.target
        scores = [(target - own, target - other) for own, other in SHORT_OF if target >= max(own, other)]
        return {score: self.first_calls.changed_by_score(self.wins, *score) for score in scores}

    def best_calls(self, values: CallValues) -> pd.DataFrame:
        """The best call of each hand class with what the policy does: `CallValues.best`, and asked and called."""
        classes = next(one for one in self.results if one.policy == values.policy).classes()
        return values.best().merge(classes[[*HAND, "asked", "called"]], on=HAND, how="left")

    @staticmethod
    def has_maps(values: CallValues) -> bool:
        """Whether any hand class comes up often enough for a map of calls."""
        return bool((values.best()["hands"] >= LEAST_HANDS).any())

    @cached_property
    def tables(self) -> dict[str, pd.DataFrame]:
        """Every table, by the name of its files."""
        tables = {"policies": self._summary()}
        for result in self.results:
            name = file_name(result.policy)
            tables |= {f"{kind}_{name}": frame for kind, frame in result.tables().items()}
        for values in self.calls:
            name = file_name(values.policy)
            tables |= {f"call_values_{name}": values.table(), f"best_calls_{name}": self.best_calls(values)}
        if self.wins is not None:
            tables["win_table"] = self.wins.table()
        tables |= {f"changed_at_{score_name(score, '_')}": frame for score, frame in self.changes.items()}
        return tables | {f"match_{file_name(' '.join(one.players))}": one.payoffs() for one in self.matches}

    @cached_property
    def charts(self) -> dict[str, Chart]:
        """Every chart, by the name of its files."""
        drawn = {
            "position_points": Chart("What each position earns", euchre_charts.position_points(self.results)),
            "call_rates": Chart("How often trump is made by who is asked", euchre_charts.call_rates(self.results)),
            "euchre_rates": Chart(
                "How often makers are euchred", euchre_charts.call_rates(self.results, value="euchred")
            ),
        }
        for result in self.results:
            title = f"How hands end, by the maker's trumps: {result.policy}"
            drawn[f"maker_outcomes_{file_name(result.policy)}"] = Chart(title, euchre_charts.maker_outcomes(result))
        for values in self.calls:
            for position in values.positions if self.has_maps(values) else ():
                name = f"call_map_{file_name(values.policy)}_{file_name(position)}"
                title = f"Order or pass: {position}, {values.policy}"
                drawn[name] = Chart(title, euchre_charts.call_map(values, position))
        if self.wins is not None:
            for deals, name in ((True, "dealing"), (False, "not_dealing")):
                title = f"Chance to win of the side that {'deals' if deals else 'does not deal'}"
                drawn[f"win_table_{name}"] = Chart(title, euchre_charts.win_heatmap(self.wins, deals=deals))
        return drawn

    def _summary(self) -> pd.DataFrame:
        rows: list[dict[str, Any]] = []
        for result in self.results:
            told, dealer = result.outcomes().iloc[-1], result.estimate
            row = {"policy": result.policy, "hands": result.hands, "dealer_points": dealer.value}
            row |= {"dealer_lower": dealer.lower, "dealer_upper": dealer.upper, "passed": 1 - told["share"]}
            names = ("points", "points_lower", "points_upper", "euchred", "euchred_lower", "euchred_upper")
            rows.append(row | {name: told[name] for name in (*names, "made", "march", "alone", "lone_march")})
        return pd.DataFrame(rows)


def find_out(
    rules: Euchre,
    *,
    policies: Sequence[str] | None = None,
    games: int,
    seed: int = 0,
    **running: Any,
) -> EuchreFindings:
    """Simulate hands of every policy, try its calls, and play matches of the first policy against the others.

    Parameters
    ----------
    rules : Euchre
    policies : sequence of str, optional
        By default `rules` alone.
    games : int
        Hands of each policy, and deals in which its calls are tried.
    seed : int
    **running
        workers, progress and cache, as for `analyzer.simulate`.

    Raises
    ------
    UsageError
        If a policy is named twice.
    """
    names = list(policies or [DEFAULT_CARD_POLICY])
    bound = [bind_policy(rules, name, **running) for name in names]
    if len({one.text for one in bound}) < len(names):
        raise UsageError(f"policies {', '.join(names)} name one policy twice; give each once")
    results = [simulate_hands(rules, name, games=games, seed=seed, **running) for name in names]
    quick = [name for name, one in zip(names, bound, strict=True) if one.asked is None]
    calls = [call_values(rules, name, hands=games, seed=seed, **running) for name in quick]
    against = [] if rules.players == "3" else names[1:]
    number = max(games // HANDS_OF_A_MATCH, 1)
    matches = [match_euchre(rules, [names[0], other], games=number, seed=seed, **running) for other in against]
    return EuchreFindings(rules, results, calls, matches)


def score_name(score: tuple[int, int], between: str = "-") -> str:
    """A score as text.

    Examples
    --------
    >>> score_name((9, 6))
    '9-6'
    """
    return f"{score[0]}{between}{score[1]}"
