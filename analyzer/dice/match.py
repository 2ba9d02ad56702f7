"""Whole matches of several parties, each with its own policy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.dice.match_policies import Sum
from analyzer.dice.match_turn import blank_sheets, lines_of, play_party
from analyzer.dice.settlement import scale_of, settle
from analyzer.dice.throws import TabulatedThrows, throws_of
from analyzer.engine.tallies import Tally

if TYPE_CHECKING:
    from analyzer.dice.match_turn import Sheets
    from analyzer.dice.states import StateSpace
    from analyzer.engine.blocks import Block

MATCH_BLOCK = 1 << 13
"""Matches per block."""


@dataclass(frozen=True, eq=False)
class Table:
    """A table of players.

    Attributes
    ----------
    space : StateSpace
        Of one column.
    players : list
        What kernels see of each player's policy.
    pairs : bool
        Whether every player is a pair of partners, who both throw in a turn.
    """

    space: StateSpace
    players: list[Any]
    pairs: bool = False

    @property
    def rounds(self) -> int:
        """Turns of every party."""
        return len(self.space.rules.lines) * self.space.rules.settlement.columns

    def play(self, seats: list[int], index: Any, seed: int) -> Sheets:
        """Play matches with these players (by number) in the seats; `index` are the numbers of the matches."""
        space, settlement = self.space, self.space.rules.settlement
        throws = throws_of(space)
        assert isinstance(throws, TabulatedThrows)
        sheets = blank_sheets(len(index), len(seats), settlement.columns)
        joint = [player.joint_step for player in self.players if isinstance(player, Sum)]
        joint_step = joint[0] if joint else np.zeros(0, dtype=np.int64)
        entries = np.zeros(len(space.written), dtype=np.int64)
        attempts = 2 if self.pairs or settlement.two_attempts else 1
        after_both = settlement.two_attempts or settlement.pair_choice == "after_both"
        for turn in range(self.rounds):
            for seat, player in enumerate(seats):
                play_party(
                    space.tables, throws, lines_of(space), self.players[player], sheets, space.column_state,
                    space.ended, joint_step, index, np.uint64(seed), turn, seat, attempts, after_both, entries,
                )  # fmt: skip
            if (sheets.over >= 0).all():
                break
        return sheets


def match_block(table: Table, seed: int, block: Block) -> Tally:
    """Tally of a block of matches; in match i the player in seat s is ``(s + i) % players``.

    Returns
    -------
    Tally
        By player and seat: `payoff` (players, seats, payoffs), matches by payoff, the first one the lowest; `share`
        (players, seats, scale + 1), matches by share of the win; `won` (players, seats, columns) and `swept` (players,
        seats); `points` (players, seats, 2), sum of the points of all columns and of its square; `endings` (players,
        wins, rounds), matches that the player won at once.
    """
    rules = table.space.rules
    settlement, players = rules.settlement, len(table.players)
    scale, most = scale_of(players), most_paid(table)
    payoff = np.zeros((players, players, 2 * most + 1), dtype=np.int64)
    share = np.zeros((players, players, scale + 1), dtype=np.int64)
    won = np.zeros((players, players, settlement.columns), dtype=np.int64)
    swept = np.zeros((players, players), dtype=np.int64)
    points = np.zeros((players, players, 2), dtype=np.int64)
    endings = np.zeros((players, len(rules.instant_wins), table.rounds), dtype=np.int64)
    for rotation in range(players):
        index = np.arange(block.start, block.stop, dtype=np.uint64)
        index = index[index % players == rotation]
        if len(index) == 0:
            continue
        seats = [(seat + rotation) % players for seat in range(players)]
        sheets = table.play(seats, index, seed)
        settled = settle(settlement, sheets.points, sheets.winner)
        for seat, player in enumerate(seats):
            payoff[player, seat] += np.bincount(settled.payoff[:, seat] + most, minlength=2 * most + 1)
            share[player, seat] += np.bincount(settled.share[:, seat], minlength=scale + 1)
            won[player, seat] += settled.won[:, seat].sum(axis=0)
            swept[player, seat] += settled.won[:, seat].all(axis=1).sum()
            total = sheets.points[:, seat].sum(axis=1)
            points[player, seat] += total.sum(), (total * total).sum()
            mine = sheets.winner == seat
            np.add.at(endings[player], (sheets.over[mine], sheets.turns[mine]), 1)
    return Tally({"payoff": payoff, "share": share, "won": won, "swept": swept, "points": points, "endings": endings})


def most_paid(table: Table) -> int:
    """No payoff is larger, or smaller than its negative; in parts of `scale_of`."""
    settlement, players = table.space.rules.settlement, len(table.players)
    per_party = {
        "highest": 1,
        "difference": int(table.space.most_written.sum()),
        "columns": max(sum(settlement.column_values), settlement.sweep_total),
    }[settlement.kind]
    return per_party * scale_of(players) * max(players - 1, 1)
