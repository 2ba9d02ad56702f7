"""Matches in which nobody looks at another's sheet: every player's sheets are games played alone.

So any game and any policy that can be simulated can be played in matches. Each seat throws the dice that it throws at a
`analyzer.dice.match.Table`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from analyzer.dice.match import Played, seat_of
from analyzer.dice.simulator import NO_ENTRY, game_log

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.dice.policies import Policy
    from analyzer.dice.simulator import GameLog
    from analyzer.dice.states import StateSpace
    from analyzer.engine.blocks import Block

FIRST_COLUMN = 0
"""Column of the empty scorecard."""


@dataclass(frozen=True, eq=False)
class SeparateSheets:
    """A table of players who each look at their own sheet of one column.

    Attributes
    ----------
    space : StateSpace
        Of the game; a policy may have one of its own for the same rules.
    players : list of Policy
    workers : int, optional
        Threads that share out the work of a block, whose matches share decision tables; by default one per processor.
    """

    space: StateSpace
    players: list[Policy]
    workers: int | None = 1
    block_size: ClassVar[int] = 1 << 18
    """Matches per block."""

    @property
    def rounds(self) -> int:
        """Turns of every player."""
        return len(self.space.rules.lines)

    def play(self, seed: int, block: Block) -> Played:
        """Play a block of matches; in match i the player in seat s is ``(s + i) % players``.

        Who wins at once ends the match: the win of the earliest round counts, in a round that of the earliest seat, and
        turns after it do not.
        """
        players = len(self.players)
        seats = np.array([seat_of(player, players, block) for player in range(players)])
        logs = [
            game_log(policy, FIRST_COLUMN, seed, block, workers=self.workers, seat=mine)
            for policy, mine in zip(self.players, seats, strict=True)
        ]
        ended = np.array([log.ended for log in logs])
        turns = np.array([(log.entries != NO_ENTRY).sum(axis=0) for log in logs])
        never = (self.rounds + 1) * players
        order = np.where(ended >= 0, turns * players + seats, never)
        first, every = order.argmin(axis=0), np.arange(block.size)
        won = order[first, every] < never
        rounds = np.where(won, turns[first, every], self.rounds)
        points = np.array([log.score for log in logs])
        cut = np.flatnonzero(won)
        for player, (policy, log) in enumerate(zip(self.players, logs, strict=True)):
            later = seats[player, cut] > seats[first[cut], cut]
            points[player, cut] = points_after(policy.space, log, cut, rounds[cut] - later)
        return Played(
            np.ascontiguousarray(points.T)[:, :, None],
            np.where(won, first, -1),
            np.where(won, ended[first, every], -1).astype(np.int8),
            rounds,
        )


def points_after(
    space: StateSpace, log: GameLog, games: NDArray[np.int64], turns: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Points of some games of a log after so many turns, in rules with instant wins, which have no upper bonus."""
    entries = log.entries[:, games]
    counted = np.arange(len(entries))[:, None] < turns
    gained = space.tables.entry_points.astype(np.int64)
    return np.asarray(np.where(counted, gained[np.where(counted, entries, 0)], 0).sum(axis=0))
