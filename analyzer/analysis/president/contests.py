"""What `analyzer.compare` compares of President: matches that one policy plays in all seats, and matches of several.

See `analyzer.analysis.contests`. The address of a match is its number, so that all arms meet the same cards as far as
their decks and their players are as many.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.analysis.contests import Measure
from analyzer.analysis.president.matches import SHARES, bind_players, points_of
from analyzer.analysis.president.policies import bind_all, with_slips
from analyzer.analysis.president.rounds import ASKED_BLOCK, MOST_TURNS
from analyzer.engine.executors import map_threads
from analyzer.games.president.play import play_matches
from analyzer.games.president.round_log import (
    CAME,
    FIRST_SEAT,
    ORDER_TURNED,
    PILES_BEGUN,
    PILES_CLOSED,
    RUNS_PLAYED,
    TURNS_MADE,
    WAS,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.analysis.arms import Arm
    from analyzer.engine.blocks import Block
    from analyzer.games.president.play import Table
    from analyzer.games.president.rules import President

BLOCK = 1 << 9
SLIPS = 0.1
"""Share of decisions at random in the rounds that are played twice to tell how much the deal decides."""
WHOLE = 1680
"""What luck is if the deal decides all: a multiple of the sums of squares for any number of players."""


@dataclass(frozen=True, eq=False)
class RoundsContest:
    """Matches in which one policy sits in all seats."""

    rules: President
    policy: str
    table: Table

    job = "matches"

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """See `Contest`."""
        n, rounds = self.rules.players, self.rules.rounds
        found = [Measure("leader_points", "Points of the first leader", "points", 0, n - 1)]
        if rounds > 1:
            per = 1 / (rounds - 1)
            found = [
                Measure("president_kept", "Presidents who keep the office", "rate", 0, rounds - 1, per),
                Measure("scum_kept", "Scums who stay scum", "rate", 0, rounds - 1, per),
                Measure("president_points", "Points of the president", "points", 0, (rounds - 1) * (n - 1), per),
                Measure("scum_points", "Points of the scum", "points", 0, (rounds - 1) * (n - 1), per),
                *found,
            ]
        found += [
            Measure("turns", "Turns in a round", "points", 0, rounds * MOST_TURNS, 1 / rounds),
            Measure("piles", "Piles in a round", "points", 0, rounds * MOST_TURNS, 1 / rounds),
            Measure("runs", "Runs in a round", "points", 0, rounds * MOST_TURNS, 1 / rounds),
            Measure("closed", "Piles closed in a round", "points", 0, rounds * MOST_TURNS, 1 / rounds),
            Measure("revolutions", "Revolutions in a round", "points", 0, rounds * MOST_TURNS, 1 / rounds),
        ]
        if self.table.in_kernels:
            found.append(Measure("luck", "Share of the deal in the variance", "points", -WHOLE, WHOLE, 1 / WHOLE))
        return tuple(found)

    def play(self, seed: int, block: Block, workers: int | None) -> NDArray[np.integer]:
        """See `Contest`."""
        parts = block.cut(_block_size(self.table))
        return np.concatenate(map_threads(lambda part: self._part(seed, part), parts, workers)).T

    def _part(self, seed: int, block: Block) -> NDArray[np.int64]:
        """The measures of some matches, a row for each."""
        n = self.rules.players
        rows = play_matches(self.table, seed, block)
        came, was = rows.seats[..., CAME], rows.seats[..., WAS]
        first = np.take_along_axis(came[:, 0], rows.rounds[:, 0, FIRST_SEAT, None], axis=1)[:, 0]
        found = [n - first]
        if self.rules.rounds > 1:
            later = slice(1, None)
            president, scum = (np.where(was[:, later] == office, came[:, later], 0).sum(axis=2) for office in (1, n))
            found = [
                (president == 1).sum(axis=1),
                (scum == n).sum(axis=1),
                (n - president).sum(axis=1),
                (n - scum).sum(axis=1),
                *found,
            ]
        columns = (TURNS_MADE, PILES_BEGUN, RUNS_PLAYED, PILES_CLOSED, ORDER_TURNED)
        found += [rows.rounds[..., column].sum(axis=1) for column in columns]
        if self.table.in_kernels:
            slipping = with_slips(self.table, SLIPS)
            once, again = (
                2 * play_matches(slipping, seed, block, rounds=1, replica=replica).seats[:, 0, :, CAME] - n - 1
                for replica in (1, 2)
            )
            # The sum of squares of these numbers is the same in every round: n (n * n - 1) / 3.
            found.append((once * again).sum(axis=1) * (3 * WHOLE // (n * (n * n - 1))))
        return np.stack(found, axis=1)

    def exact(self) -> None:
        """See `Contest`: nothing computes matches exactly."""

    def best_play(self) -> None:
        """See `Contest`: nobody plays best."""


@dataclass(frozen=True, eq=False)
class DealContest:
    """Groups of matches with the same cards, in which all move on by a seat, seen by the first policy."""

    rules: President
    names: tuple[str, ...]
    table: Table

    @property
    def policy(self) -> str:
        """See `Contest`."""
        return " against ".join(self.names)

    @property
    def job(self) -> str:
        """See `Contest`."""
        return f"deals of {len(self.names)} matches that move on"

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """See `Contest`."""
        n, rounds = self.rules.players, self.rules.rounds
        return (
            Measure("points", "Points of a match", "points", 0, n * rounds * (n - 1), 1 / n),
            Measure("won", "Matches won", "rate", 0, n * SHARES, 1 / (n * SHARES)),
            Measure("president", "Rounds as president", "rate", 0, n * rounds, 1 / (n * rounds)),
            Measure("scum", "Rounds as scum", "rate", 0, n * rounds, 1 / (n * rounds)),
        )

    def play(self, seed: int, block: Block, workers: int | None) -> NDArray[np.integer]:
        """See `Contest`."""

        def part_of(part: Block) -> NDArray[np.int64]:
            points, shares, places = points_of(self.table, seed, part)
            return np.stack([points[:, 0], shares[:, 0], places[:, 0, 0], places[:, 0, -1]], axis=1)

        return np.concatenate(map_threads(part_of, block.cut(_block_size(self.table)), workers)).T

    def exact(self) -> None:
        """See `Contest`: nothing computes matches exactly."""

    def best_play(self) -> None:
        """See `Contest`: what is best depends on the other players."""


def contest_of(arm: Arm, solving: dict[str, Any]) -> RoundsContest | DealContest:  # noqa: ARG001  nothing is solved
    """Bind an arm; `solving` is what policies of other games are told."""
    rules: Any = arm.rules
    if arm.players:
        names, table = bind_players(rules, arm.players)
        return DealContest(rules, names, table)
    policy: Any = arm.policy
    (one,), table = bind_all(rules, [policy])
    return RoundsContest(rules, one.text, table)


def _block_size(table: Table) -> int:
    return BLOCK if table.in_kernels else ASKED_BLOCK
