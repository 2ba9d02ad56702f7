"""What `compare` compares: games under rules and policies, played so that every game can be told by its number.

A *contest* is one arm of a comparison, bound to its game. It plays a block of games and tells of each what was
*measured*, in whole numbers. `SheetContest` is a scorecard game played alone; `MatchContest` is a match, seen by its
first player. A card game has contests of its own, with the same members (see `card_games`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from analyzer.analysis.binding import bind_policy
from analyzer.analysis.card_games import card_verb
from analyzer.analysis.position import Position
from analyzer.analysis.seating import seat_players
from analyzer.analysis.solve import Solution
from analyzer.dice.match import Table, most_paid, play_matches
from analyzer.dice.own_policy import OwnPolicy
from analyzer.dice.policies import Optimal
from analyzer.dice.settlement import scale_of
from analyzer.dice.sheets import sheets_of
from analyzer.dice.simulator import game_log, max_score, turns_left
from analyzer.engine.executors import map_threads
from analyzer.errors import UsageError
from analyzer.games.card_rules import CardRules

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from analyzer.analysis.arms import Arm
    from analyzer.dice.match_sheets import SeparateSheets
    from analyzer.dice.policies import Policy
    from analyzer.dice.scorecard import ScorecardRules
    from analyzer.engine.blocks import Block


MOST_BETWEEN = 5_900_000
"""Most between the lowest and the highest payoff of matches, so that squares of the differences of a block of 2^18
matches add up in 64 bits. Scores of games differ by less: no line has more than 100,000 points."""


@dataclass(frozen=True)
class Measure:
    """Something that every game has a number for.

    Attributes
    ----------
    name : str
        Such as ``score``, ``line:chance`` or ``zero:chance``; equal names are compared.
    label : str
        For people.
    kind : str
        ``points``, ``rate`` (0 or 1 in every game, or a share), or ``rounds``.
    low, high : int
        Bounds of the number in one game.
    unit : float
        What a 1 stands for.
    """

    name: str
    label: str
    kind: str
    low: int
    high: int
    unit: float = 1.0

    @property
    def binary(self) -> bool:
        """Whether it is something that is true or false of a game."""
        return self.kind == "rate" and (self.low, self.high, self.unit) == (0, 1, 1.0)


class Contest(Protocol):
    """One arm of a comparison, bound to its game."""

    @property
    def rules(self) -> ScorecardRules | CardRules:
        """The game."""

    @property
    def policy(self) -> str:
        """Name and parameters of the policy, or the policies of all players."""

    @property
    def job(self) -> str:
        """What is played, for the id of the task."""

    @property
    def measures(self) -> tuple[Measure, ...]:
        """What is measured; the first measure decides."""

    def play(self, seed: int, block: Block, workers: int | None) -> NDArray[np.integer]:
        """Play a block of games: integer array (measures, games)."""

    def exact(self) -> ExactMeans | None:
        """Exact means, or None where nothing computes them."""

    def best_play(self) -> Optimal | None:
        """The policy, if it maximises something to the end of a game played alone."""


@dataclass(frozen=True)
class ExactMeans:
    """Exact figures of one arm.

    Attributes
    ----------
    means : dict of str to float
        By measure.
    standard_deviation : float
        Of the score.
    distribution : pandas.DataFrame
        Of the score: score, probability, at_least.
    """

    means: dict[str, float]
    standard_deviation: float
    distribution: pd.DataFrame = field(repr=False)


@dataclass(frozen=True, eq=False)
class SheetContest:
    """A scorecard game, played alone from the empty scorecard."""

    rules: ScorecardRules
    bound: Policy
    solving: dict[str, Any]

    job = "games"

    @property
    def policy(self) -> str:
        """See `Contest`."""
        return self.bound.text

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """See `Contest`."""
        space, rules = self.bound.space, self.rules
        turns = turns_left(space, 0)
        found = [
            Measure("score", "Score", "points", 0, max_score(space)),
            Measure("rounds", "Rounds", "rounds", 0, turns),
        ]
        if rules.instant_wins:
            found.append(Measure("win", "Instant win", "rate", 0, 1))
            found += [Measure(f"win:{win.name}", win.title, "rate", 0, 1) for win in rules.instant_wins]
        most = space.most_written.tolist()
        found += [
            Measure(f"line:{line.name}", line.label, "points", 0, points)
            for line, points in zip(rules.lines, most, strict=True)
        ]
        if rules.upper_bonus:
            found.append(Measure("line:upper_bonus", "Upper bonus", "points", 0, rules.upper_bonus.points))
        if rules.extra_five and rules.extra_five.points:
            found.append(Measure("line:extra_five", "Extra fives", "points", 0, turns * rules.extra_five.points))
        found += [Measure(f"zero:{line.name}", f"{line.label} 0", "rate", 0, 1) for line in rules.lines]
        return tuple(found)

    def play(self, seed: int, block: Block, workers: int | None) -> NDArray[np.integer]:
        """See `Contest`."""
        space, rules = self.bound.space, self.rules
        log = game_log(self.bound, 0, seed, block, workers=workers)
        sheets = sheets_of(space, log)
        rows: list[NDArray[Any]] = [log.score, sheets.turns]
        if rules.instant_wins:
            rows += [log.ended >= 0, *(log.ended == win for win in range(len(rules.instant_wins)))]
        rows += list(sheets.points)
        if rules.upper_bonus:
            rows.append(log.score - sheets.points.sum(axis=0) - sheets.extra)
        if rules.extra_five and rules.extra_five.points:
            rows.append(sheets.extra)
        return np.stack([*rows, *sheets.zero]).astype(np.int32, copy=False)

    def exact(self) -> ExactMeans | None:
        """See `Contest`; None for a user's own policy, and where the distribution is too large."""
        if isinstance(self.bound, OwnPolicy):
            return None
        solution = Solution(self.rules, self.bound, Position(self.rules), **self.solving)
        try:
            entries = solution.evaluation.entries
        except UsageError:
            return None
        means = {"score": solution.expected_score, "rounds": float(entries.sum())}
        lines = solution.lines()
        means |= {f"line:{name}": float(mean) for name, mean in zip(lines["line"], lines["mean"], strict=True)}
        scored = lines[lines["section"] != "bonus"]
        means |= {f"zero:{name}": float(rate) for name, rate in zip(scored["line"], scored["zero_rate"], strict=True)}
        if self.rules.instant_wins:
            wins = solution.wins()
            means["win"] = float(wins["chance"].sum())
            means |= {f"win:{name}": float(chance) for name, chance in zip(wins["win"], wins["chance"], strict=True)}
        return ExactMeans(means, solution.standard_deviation, solution.distribution())

    def best_play(self) -> Optimal | None:
        """See `Contest`."""
        return self.bound if isinstance(self.bound, Optimal) else None


@dataclass(frozen=True, eq=False)
class MatchContest:
    """Matches of several players who change seats, seen by the first of them."""

    rules: ScorecardRules
    names: tuple[str, ...]
    table: Table | SeparateSheets

    @property
    def policy(self) -> str:
        """See `Contest`."""
        return " against ".join(self.names)

    @property
    def job(self) -> str:
        """See `Contest`."""
        return f"matches of {len(self.names)} players"

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """See `Contest`."""
        settlement, space = self.rules.settlement, self.table.space
        players = len(self.names)
        scale, most = scale_of(players), most_paid(self.table) * settlement.stake
        # The highest total wins all; else each loser pays at most its part of what a winner can receive.
        low, high = (0, scale * settlement.stake) if settlement.kind == "highest" else (-most // (players - 1), most)
        if high - low > MOST_BETWEEN:
            raise UsageError(
                f"matches for up to {most / scale:g} points are too large to compare; choose a smaller stake, or fewer"
                " players"
            )
        points = max_score(space) * settlement.columns
        found = [
            Measure("payoff", "Payoff", "points", low, high, 1 / scale),
            Measure("won", "Match won", "rate", 0, scale, 1 / scale),
            Measure("rounds", "Rounds", "rounds", 0, self.table.rounds),
            Measure("points", "Points of all columns", "points", 0, points),
        ]
        if self.rules.instant_wins:
            found.append(Measure("win", "Instant win", "rate", 0, 1))
            found += [Measure(f"win:{win.name}", win.title, "rate", 0, 1) for win in self.rules.instant_wins]
        if settlement.columns > 1:
            found += [Measure(f"column:{k}", f"Column {k} won", "rate", 0, 1) for k in range(1, settlement.columns + 1)]
            found.append(Measure("sweep", "All columns won", "rate", 0, 1))
        return tuple(found)

    def play(self, seed: int, block: Block, workers: int | None) -> NDArray[np.integer]:
        """See `Contest`."""
        # Separate sheets share out the work of a block themselves.
        threads = workers if isinstance(self.table, Table) else 1
        parts = block.cut(self.table.block_size)
        return np.concatenate(map_threads(lambda part: self._play(seed, part), parts, threads), axis=1)

    def _play(self, seed: int, block: Block) -> NDArray[np.int64]:
        settlement, found = self.rules.settlement, play_matches(self.table, seed, block)
        rows: list[NDArray[Any]] = [
            found.payoff[0] * settlement.stake,
            found.share[0],
            found.rounds,
            found.points[0],
        ]
        if self.rules.instant_wins:
            rows += [found.win[0] >= 0, *(found.win[0] == win for win in range(len(self.rules.instant_wins)))]
        if settlement.columns > 1:
            rows += [*found.won[0].T, found.swept[0]]
        return np.stack(rows).astype(np.int64, copy=False)

    def exact(self) -> None:
        """See `Contest`: nothing computes matches exactly."""

    def best_play(self) -> None:
        """See `Contest`: what is best depends on the other players."""


def contest_of(arm: Arm, solving: dict[str, Any]) -> Contest:
    """Bind an arm to its game; `solving` is what solvers are told."""
    if isinstance(arm.rules, CardRules):
        found: Contest = card_verb(arm.rules, "compare")(arm, solving)
        return found
    if arm.players:
        names, table = seat_players(arm.rules, arm.players, **solving)
        return MatchContest(arm.rules, tuple(names), table)
    assert isinstance(arm.policy, str) or callable(arm.policy)
    return SheetContest(arm.rules, bind_policy(arm.rules, arm.policy, **solving), solving)
