"""Matches of several players, each with a policy of its own: who wins, by how much, and how."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analyzer.analysis.arguments import check_rules, level, whole
from analyzer.analysis.binding import bind_policy
from analyzer.analysis.result import Sampled, records
from analyzer.dice.match import MATCH_BLOCK, Table, match_block, most_paid
from analyzer.dice.match_policies import ByColumn, Sum
from analyzer.dice.match_values import columns_policy, learn_cells, race_policy, sum_policy
from analyzer.dice.policies import Greedy, Optimal, Par
from analyzer.dice.settlement import scale_of
from analyzer.dice.solver import solve as solve_values
from analyzer.dice.states import StateSpace
from analyzer.engine.blocks import plan
from analyzer.engine.executors import run_blocks
from analyzer.engine.progress import progress_bar
from analyzer.engine.provenance import Provenance
from analyzer.engine.store import load_arrays, save_arrays
from analyzer.errors import PolicyError, UsageError
from analyzer.fields import shown, slug, unknown
from analyzer.stats.estimates import mean_estimate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from analyzer.dice.scorecard import ScorecardRules
    from analyzer.engine.tallies import Tally

MATCHES = 20_000
"""Matches played if no number is given."""
MOST_PLAYERS = 8

MATCH_FAMILIES = {
    "optimal": "maximises the expected final score of its own sheet (single column)",
    "points": "as if nobody could win at once (games with instant wins)",
    "mixed": "so many points more for an instant win: mixed:win_value=50",
    "instant": "the chance of an instant win, of any kind or of one: instant:dormida",
    "greedy": "the points of the turn",
    "par": "the points of the turn above the par of the line",
    "sum": "the expected total of all columns (several columns)",
    "columns": "the expected settlement of several columns against the others' sheets",
    "race": "the chance to win against the others' sheets, at once or by the higher total",
}
"""Policies of players in matches, and what they maximise."""


@dataclass(frozen=True, eq=False, repr=False)
class MatchResult(Sampled):
    """Matches of several players. Made by `match`.

    Attributes
    ----------
    rules : ScorecardRules
    players : tuple of str
        Policies; in match i the player in seat s is ``(s + i) % len(players)``.
    pairs : bool
        Whether every player is a pair of partners.
    """

    rules: ScorecardRules
    players: tuple[str, ...]
    pairs: bool
    tally: Tally = field(repr=False)
    provenance: Provenance = field(repr=False)
    confidence: float

    @property
    def matches(self) -> int:
        """Number of matches."""
        return int(self.tally["payoff"][0].sum())

    @property
    def title(self) -> str:
        """The game."""
        return self.rules.title

    @property
    def names(self) -> list[str]:
        """Players, told apart by number where two play the same policy."""
        repeated = len(set(self.players)) < len(self.players)
        return [f"{i}: {name}" if repeated else name for i, name in enumerate(self.players, start=1)]

    @property
    def _scaled(self) -> NDArray[np.int64]:
        """Payoffs times `scale_of`, in the order of the tally."""
        most = (self.tally["payoff"].shape[2] - 1) // 2
        return np.arange(-most, most + 1)

    def payoffs(self) -> pd.DataFrame:
        """What every player receives in a match.

        Returns
        -------
        pandas.DataFrame
            One row for each player: player, payoff (mean of the settlement, at the stake; for games that the highest
            total wins the share of the win) with standard_error, lower, upper; win_rate (ties shared) with win_lower,
            win_upper; mean_points (all columns together); with several columns also won_1, won_2, ... (rates at which
            the player wins a column alone) and sweep_rate.
        """
        return pd.DataFrame([self._row(player, slice(None)) for player in range(len(self.players))])

    def seats(self) -> pd.DataFrame:
        """As `payoffs`, for every player in every seat; seat 1 throws first."""
        count = range(len(self.players))
        return pd.DataFrame([{"seat": seat + 1, **self._row(player, seat)} for player in count for seat in count])

    def distribution(self) -> pd.DataFrame:
        """How often every player receives what: player, payoff, probability, count."""
        rows = []
        for name, counts in zip(self.names, self.tally["payoff"].sum(axis=1), strict=True):
            for place in np.flatnonzero(counts):
                share = float(counts[place]) / self.matches
                payoff = float(self._scaled[place]) * self.rules.settlement.stake / scale_of(len(self.players))
                row = {"player": name, "payoff": payoff, "probability": share}
                rows.append(row | {"count": int(counts[place])})
        return pd.DataFrame(rows)

    def endings(self) -> pd.DataFrame:
        """How matches end.

        Returns
        -------
        pandas.DataFrame
            One row for each player and way to win at once: player, win, label, rate (share of all matches that the
            player wins so), mean_round. Other matches go to the full sheet.
        """
        rows = []
        rounds = np.arange(self.tally["endings"].shape[2]) + 1
        for name, by_win in zip(self.names, self.tally["endings"], strict=True):
            for win, counts in zip(self.rules.instant_wins, by_win, strict=True):
                total = int(counts.sum())
                mean_round = float(counts @ rounds) / total if total else np.nan
                row = {"player": name, "win": win.name, "label": win.title, "rate": total / self.matches}
                rows.append(row | {"mean_round": mean_round})
        return pd.DataFrame(rows, columns=["player", "win", "label", "rate", "mean_round"])

    def main_table(self) -> pd.DataFrame:
        """See `Shown`."""
        return self.payoffs()

    def _row(self, player: int, seat: int | slice) -> dict[str, Any]:
        def over_seats(name: str) -> NDArray[np.int64]:
            part = self.tally[name][player, seat]
            return part.sum(axis=0) if isinstance(seat, slice) else part

        counts, shares = over_seats("payoff"), over_seats("share")
        games = int(counts.sum())
        row: dict[str, Any] = {"player": self.names[player]}
        if games == 0:
            return row
        scale = scale_of(len(self.players))
        unit = self.rules.settlement.stake / scale
        paid = mean_estimate(self._scaled, counts, self.confidence)
        wins = mean_estimate(np.arange(len(shares)), shares, self.confidence)
        row |= {
            "payoff": paid.value * unit,
            "standard_error": paid.standard_error * unit,
            "lower": paid.lower * unit,
            "upper": paid.upper * unit,
            "win_rate": wins.value / scale,
            "win_lower": max(wins.lower / scale, 0.0),
            "win_upper": min(wins.upper / scale, 1.0),
            "mean_points": int(over_seats("points")[0]) / games,
        }
        if self.rules.settlement.columns > 1:
            won = over_seats("won")
            row |= {f"won_{k + 1}": int(won[k]) / games for k in range(len(won))}
            row["sweep_rate"] = int(over_seats("swept")) / games
        return row

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON; what ``analyzer match --json`` prints."""
        return {
            "game": self.rules.name,
            "rules_id": self.rules.id,
            "players": list(self.players),
            "pairs": self.pairs,
            "matches": self.matches,
            "seed": self.seed,
            "task_id": self.task_id,
            "confidence": self.confidence,
            "payoffs": records(self.payoffs()),
            "seats": records(self.seats()),
            "endings": records(self.endings()),
            "provenance": self.provenance.to_dict(),
        }

    def __str__(self) -> str:
        what = f"{self.title}: {self.matches:,} matches of {' against '.join(self.names)}"
        return what + (" (pairs)" if self.pairs else "") + f", seed {self.seed}"


def match(
    rules: ScorecardRules,
    players: Sequence[str],
    *,
    games: int = MATCHES,
    seed: int = 0,
    pairs: bool = False,
    confidence: float = 0.95,
    workers: int | None = None,
    progress: bool = False,
    cache: bool = True,
) -> MatchResult:
    """Play matches of several players, who change seats from match to match.

    Parameters
    ----------
    rules : ScorecardRules
        The game, with its settlement.
    players : sequence of str
        The policy of each, see `MATCH_FAMILIES`; 2 to 8.
    games : int
        Number of matches.
    seed : int
        From 0 to 2**64 - 1. The same task gives the same result, bit for bit, with any number of workers; a seat meets
        the same dice whoever sits there.
    pairs : bool
        Every player is a pair of partners: both throw, and one of their results is entered.
    confidence : float
        Level of intervals.
    workers : int, optional
        Threads; by default one per processor.
    progress : bool
        Show a bar on a terminal.
    cache : bool
        Keep the solutions and value functions that policies need on disk.

    Returns
    -------
    MatchResult

    Raises
    ------
    UsageError, PolicyError
        Arguments that do not fit the game; one line says which.

    Examples
    --------
    >>> import analyzer
    >>> result = analyzer.match(analyzer.game("cacho-alalay"), ["points", "greedy"], games=1000, seed=7)
    >>> result.matches, list(result.payoffs()["player"])
    (1000, ['points', 'greedy'])
    """
    check_rules(rules)
    if isinstance(players, str):
        players = [name.strip() for name in players.split(",")]
    if not 2 <= len(players) <= MOST_PLAYERS:
        raise UsageError(f"players {shown(list(players))} are {len(players)}; give 2..{MOST_PLAYERS} policies")
    number, seed = whole("games", games, 1, 10**12), whole("seed", seed, 0, 2**64 - 1)
    confidence = level(confidence)
    space = StateSpace.of(rules)
    if rules.declare:
        raise UsageError(
            f"matches of {rules.title} cannot be played yet where a line is announced; choose rules without that"
        )
    if not can_match(rules):
        raise UsageError(f"matches of {rules.title} cannot be played yet; choose a game with served points or flips")
    names, bound = [], {}
    for text in players:
        name, policy = _bind(rules, text, workers=workers, progress=progress, cache=cache)
        names.append(name)
        bound[name] = policy
    table = Table(space, [bound[name] for name in names], pairs)
    job = f"matches{' of pairs' if pairs else ''}"
    provenance = Provenance(
        rules_id=rules.id, policy=" against ".join(names), job=job, seed=seed, block_size=MATCH_BLOCK
    )
    tally = run_blocks(
        plan(number, MATCH_BLOCK),
        lambda block: match_block(table, seed, block),
        workers=workers,
        progress=progress,
        label=f"{rules.title}: matches",
    )
    assert tally["payoff"].shape[2] == 2 * most_paid(table) + 1
    return MatchResult(rules, tuple(names), pairs, tally, provenance, confidence)


def can_match(rules: ScorecardRules) -> bool:
    """Whether matches of a game can be played."""
    return rules.by_throw and not rules.declare and not rules.extra_five and StateSpace.of(rules).lattice.tabulated


def _bind(rules: ScorecardRules, text: str, **solving: Any) -> tuple[str, Any]:
    """A player's policy: its name, and what kernels see of it."""
    space = StateSpace.of(rules)
    family = slug(text.partition(":")[0])
    several = rules.settlement.columns > 1
    if family not in MATCH_FAMILIES:
        raise PolicyError(unknown("policy of a player", text, tuple(MATCH_FAMILIES)))
    if family in ("sum", "columns"):
        if not several:
            raise PolicyError(f"policy '{family}' is for games of several columns; choose optimal, par or greedy")
        joint = _joint_policy(rules, **solving)
        if family == "sum":
            return family, joint
        return family, columns_policy(space, *_cells(rules, joint, **solving))
    if family == "race":
        if rules.settlement.kind != "highest":
            raise PolicyError("policy 'race' is for games that the highest total wins; choose columns, sum or optimal")
        base = bind_policy(rules, "points" if rules.instant_wins else "optimal", **solving)
        assert isinstance(base, Optimal)
        return family, race_policy(space, base)
    policy = bind_policy(rules, text, **solving)
    if isinstance(policy, Optimal):
        if several:
            raise PolicyError(f"policy '{policy.text}' is for games of one column; choose sum or columns")
        return policy.text, ByColumn(space.column_state, policy.objective.worth[0], policy.values)
    assert isinstance(policy, Greedy | Par)
    return policy.text, ByColumn(space.column_state, policy.objective.worth[0], np.zeros(space.columns))


def _joint_policy(rules: ScorecardRules, *, workers: int | None, progress: bool, cache: bool) -> Sum:
    """The solution of all columns together, computed or taken from the disk cache."""
    space, columns = StateSpace.of(rules), rules.settlement.columns
    joint = StateSpace.of(rules, cells=columns)
    stored = load_arrays(rules.id, "sum") if cache else None
    if stored is not None and stored[0].keys() == {"values"} and stored[0]["values"].shape == (joint.columns,):
        return sum_policy(space, joint, stored[0]["values"])
    with progress_bar(f"solving {columns} columns of {rules.title}", joint.columns, progress) as bar:
        values = solve_values(joint, workers=workers, progress=bar)
    if cache:
        save_arrays(rules.id, "sum", {"values": values}, {"rules": rules.name})
    return sum_policy(space, joint, values)


def _cells(
    rules: ScorecardRules, joint: Sum, *, workers: int | None, progress: bool, cache: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and variance of open cells, learnt or taken from the disk cache."""
    del workers  # one sheet after another
    columns, lines = rules.settlement.columns, len(rules.lines)
    shape = (lines * columns + 1, lines, columns + 1)
    stored = load_arrays(rules.id, "cells") if cache else None
    if stored is not None and stored[0].keys() == {"mean", "variance"} and stored[0]["mean"].shape == shape:
        return stored[0]["mean"], stored[0]["variance"]
    with progress_bar(f"learning what cells of {rules.title} bring", lines * columns, progress) as bar:
        mean, variance = learn_cells(StateSpace.of(rules), joint, columns, bar)
    if cache:
        save_arrays(rules.id, "cells", {"mean": mean, "variance": variance}, {"rules": rules.name})
    return mean, variance
