"""Whole matches of several parties, each with its own policy: what every one of them brings, and tallies of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias

import numpy as np

from analyzer.dice.match_policies import Sum
from analyzer.dice.match_turn import blank_sheets, lines_of, play_party
from analyzer.dice.settlement import scale_of, settle
from analyzer.dice.simulator import max_score
from analyzer.dice.throws import TabulatedThrows, throws_of
from analyzer.engine.tallies import Tally

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.dice.match_sheets import SeparateSheets
    from analyzer.dice.match_turn import Sheets
    from analyzer.dice.states import StateSpace
    from analyzer.engine.blocks import Block

    AnyTable: TypeAlias = "Table | SeparateSheets"


class Played(NamedTuple):
    """Matches as they were played, by player, whatever the seats."""

    points: NDArray[np.int64]
    """(matches, players, columns) totals when the match was over."""
    winner: NDArray[np.int64]
    """(matches,) player who won at once, or -1."""
    win: NDArray[np.int8]
    """(matches,) the instant win, or -1."""
    rounds: NDArray[np.int64]
    """(matches,) rounds played, the last one included."""


class MatchOutcomes(NamedTuple):
    """What every match of a block brought, by player (not by seat); match i of the block has number ``start + i``."""

    payoff: NDArray[np.int64]
    """(players, matches) what the player receives, stakes left out, times `scale_of`."""
    share: NDArray[np.int64]
    """(players, matches) the player's share of the win, times `scale_of`."""
    points: NDArray[np.int64]
    """(players, matches) points of all columns together."""
    rounds: NDArray[np.int64]
    """(matches,) rounds played, the last one included."""
    win: NDArray[np.int8]
    """(players, matches) instant win by which the player won, or -1."""
    won: NDArray[np.bool_]
    """(players, matches, columns) columns that the player won alone."""
    swept: NDArray[np.bool_]
    """(players, matches) whether that was all of them."""


@dataclass(frozen=True, eq=False)
class Table:
    """A table of players who may look at each other's sheets.

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
    block_size: ClassVar[int] = 1 << 13
    """Matches per block."""

    @property
    def rounds(self) -> int:
        """Turns of every party."""
        return len(self.space.rules.lines) * self.space.rules.settlement.columns

    def play(self, seed: int, block: Block) -> Played:
        """Play a block of matches; in match i the player in seat s is ``(s + i) % players``."""
        players, columns = len(self.players), self.space.rules.settlement.columns
        played = Played(
            np.zeros((block.size, players, columns), dtype=np.int64),
            np.full(block.size, -1),
            np.full(block.size, -1, dtype=np.int8),
            np.full(block.size, self.rounds),
        )
        number = np.arange(block.start, block.stop, dtype=np.uint64)
        for rotation in range(players):
            some = np.flatnonzero(number % players == rotation)
            if len(some) == 0:
                continue
            seats = (np.arange(players) + rotation) % players
            sheets = self._play_seated(seats.tolist(), number[some], seed)
            played.points[some[:, None], seats] = sheets.points
            won = sheets.winner >= 0
            played.winner[some[won]] = seats[sheets.winner[won]]
            played.win[some] = sheets.over
            played.rounds[some[won]] = sheets.turns[won] + 1
        return played

    def _play_seated(self, seats: list[int], index: Any, seed: int) -> Sheets:
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


def seat_of(player: int, players: int, block: Block) -> NDArray[np.int64]:
    """Seat of a player in every match of a block: the seats change from match to match.

    Examples
    --------
    >>> from analyzer.engine.blocks import Block
    >>> seat_of(0, 3, Block(0, 0, 5)).tolist()
    [0, 2, 1, 0, 2]
    """
    return (player - np.arange(block.start, block.stop)) % players


def play_matches(table: AnyTable, seed: int, block: Block) -> MatchOutcomes:
    """Play a block of matches and settle each; in match i the player in seat s is ``(s + i) % players``.

    Parameters
    ----------
    table : Table or SeparateSheets
        The players. The same seed has the same dice in every seat of a match, whoever sits there.
    seed : int
    block : Block

    Returns
    -------
    MatchOutcomes
    """
    played = table.play(seed, block)
    settled = settle(table.space.rules.settlement, played.points, played.winner)
    won = np.swapaxes(settled.won, 0, 1)
    mine = played.winner == np.arange(len(table.players))[:, None]
    return MatchOutcomes(
        settled.payoff.T,
        settled.share.T,
        played.points.sum(axis=2).T,
        played.rounds,
        np.where(mine, played.win, -1).astype(np.int8),
        won,
        np.asarray(won.all(axis=2)),
    )


def match_block(table: AnyTable, seed: int, block: Block) -> Tally:
    """Tally of a block of matches, see `play_matches`.

    Returns
    -------
    Tally
        By player and seat: `payoff` (players, seats, payoffs), matches by payoff, the first one the lowest; `share`
        (players, seats, scale + 1), matches by share of the win; `won` (players, seats, columns) and `swept` (players,
        seats); `points` (players, seats, 2), sum of the points of all columns and of its square; `endings` (players,
        wins, rounds), matches that the player won at once.
    """
    rules = table.space.rules
    players = len(table.players)
    scale, most = scale_of(players), most_paid(table)
    payoff = np.zeros((players, players, 2 * most + 1), dtype=np.int64)
    share = np.zeros((players, players, scale + 1), dtype=np.int64)
    won = np.zeros((players, players, rules.settlement.columns), dtype=np.int64)
    swept = np.zeros((players, players), dtype=np.int64)
    points = np.zeros((players, players, 2), dtype=np.int64)
    endings = np.zeros((players, len(rules.instant_wins), table.rounds), dtype=np.int64)
    found = play_matches(table, seed, block)
    for player in range(players):
        seats = seat_of(player, players, block)
        for seat in range(players):
            here = seats == seat
            payoff[player, seat] = np.bincount(found.payoff[player, here] + most, minlength=2 * most + 1)
            share[player, seat] = np.bincount(found.share[player, here], minlength=scale + 1)
            won[player, seat] = found.won[player, here].sum(axis=0)
            swept[player, seat] = found.swept[player, here].sum()
            total = found.points[player, here]
            points[player, seat] = total.sum(), (total * total).sum()
        mine = found.win[player] >= 0
        np.add.at(endings[player], (found.win[player, mine], found.rounds[mine] - 1), 1)
    return Tally({"payoff": payoff, "share": share, "won": won, "swept": swept, "points": points, "endings": endings})


def most_paid(table: AnyTable) -> int:
    """No payoff is larger, or smaller than its negative; in parts of `scale_of`."""
    settlement, players = table.space.rules.settlement, len(table.players)
    per_party = {
        "highest": 1,
        "difference": max_score(table.space) * settlement.columns,
        "columns": max(sum(settlement.column_values), settlement.sweep_total),
    }[settlement.kind]
    return per_party * scale_of(players) * max(players - 1, 1)
