"""Matches of President by their numbers, with the policies of a table; some are asked outside of kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from analyzer.engine.jit import kernel
from analyzer.games.president.deals import begin_match, deal_round, finish_round
from analyzer.games.president.layout import GAVE, GOT, HIDDEN, SEATS, SEEN, TURN, TURNS
from analyzer.games.president.lowering import PLAYERS, lower
from analyzer.games.president.randomness import REPLICAS, WORDS
from analyzer.games.president.round import begin_now, deal_now, deck_of, take
from analyzer.games.president.round_log import ROUND_ROW, SEAT_ROW, log_hands, log_round
from analyzer.games.president.rounds import exchange_on, play_on

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from analyzer.engine.blocks import Block
    from analyzer.games.president.players import Players
    from analyzer.games.president.rules import President

__all__ = ["Asked", "MatchRows", "Own", "Table", "play_matches"]


class Own(NamedTuple):
    """What the seat in turn knows beside what everybody has seen: sets of cards, see `layout`."""

    hand: int
    gave: int
    """What it gave away in the exchange before this round."""
    got: int
    """What it was given."""


class Asked(Protocol):
    """A policy outside of kernels."""

    def choose(self, rules: President, own: Own, seen: NDArray[np.int64], address: tuple[int, int, int]) -> int:
        """A play of the seat in turn, or the cards that it gives back; the address is that of the round."""


@dataclass(frozen=True, eq=False)
class Table:
    """Rules, and who plays.

    Attributes
    ----------
    rules : President
    players : Players
        Policies by number, with those of all seats before they change places.
    asked : sequence of Asked or None
        By policy: what answers for it outside of kernels.
    """

    rules: President
    players: Players
    asked: Sequence[Asked | None]

    @property
    def in_kernels(self) -> bool:
        """Whether nobody is asked outside of kernels."""
        return all(one is None for one in self.asked)


class MatchRows(NamedTuple):
    """What was remembered of matches, see `round_log`."""

    rounds: NDArray[np.int64]
    """(matches, rounds, ROUND_ROW)"""
    seats: NDArray[np.int64]
    """(matches, rounds, players, SEAT_ROW)"""


def play_matches(
    table: Table,
    seed: int,
    block: Block,
    shifts: int = 1,
    *,
    rounds: int | None = None,
    replica: int = 0,
    fewest: bool = False,
) -> MatchRows:
    """Play matches. Neighbours have the same cards: once for each way in which the policies are moved on by seats.

    Match i has the cards number i // shifts, first dealt by that number modulo the number of players; the policy of
    seat s is that of seat s + i modulo shifts.

    Parameters
    ----------
    table : Table
    seed : int
    block : Block
        The numbers of the matches.
    shifts : int, optional
        1 if all stay in their seats.
    rounds : int, optional
        Of a match; by default those of the rules.
    replica : int, optional
        Of matches with the same cards but other chances in play, which one; policies must be those of kernels.
    fewest : bool, optional
        Whether the fewest plays of hands are found; else they are 0.

    Returns
    -------
    MatchRows
        Seats are those at the table.
    """
    count, n = table.rules.rounds if rounds is None else rounds, table.rules.players
    rows = MatchRows(
        np.empty((block.size, count, ROUND_ROW), np.int64), np.empty((block.size, count, n, SEAT_ROW), np.int64)
    )
    rules, deck, players = lower(table.rules), deck_of(table.rules), table.players
    if table.in_kernels:
        # The kernel seats them, block by block.
        shifted = players._replace(who=np.empty(SEATS, np.int64))
        _play_matches(rules, deck, shifted, players.who, np.uint64(seed), block.start, shifts, replica, fewest, *rows)
        return rows
    hidden, seen = np.zeros(HIDDEN, np.int64), np.zeros(SEEN, np.int64)
    for i in range(block.size):
        index, shift = divmod(block.start + i, shifts)
        seated = players._replace(who=np.array([players.who[(seat + shift) % n] for seat in range(SEATS)], np.int64))
        begin_now(index % n, seen)
        for number in range(count):
            deal_now(rules, deck, np.uint64(seed), np.uint64(index), hidden, seen)
            finish_asked(table, seated, hidden, seen, (seed, index, number), fewest, rows.seats[i, number])
            end_now(rules, seen, rows.rounds[i, number], rows.seats[i, number])
    return rows


def finish_asked(
    table: Table,
    players: Players,
    hidden: NDArray[np.int64],
    seen: NDArray[np.int64],
    address: tuple[int, int, int],
    fewest: bool,
    rows: NDArray[np.int64],
) -> None:
    """Play a round to its end; policies outside of kernels are asked.

    Parameters
    ----------
    table : Table
    players : Players
        With the policy of each seat.
    hidden, seen : arrays
        See `layout`. Changed.
    address : tuple of three int
        Seed, index and step.
    fewest : bool
        See `round_log.log_hands`.
    rows : (players, SEAT_ROW) int64 array
        The hands are remembered.
    """
    rules = lower(table.rules)
    seed, index, step = np.uint64(address[0]), np.uint64(address[1]), address[2]
    while play_until(rules, players, hidden, seen, seed, index, step, fewest, rows):
        seat = int(seen[TURN])
        asked = table.asked[int(players.who[seat])]
        assert asked is not None
        own = Own(int(hidden[seat]), int(hidden[GAVE + seat]), int(hidden[GOT + seat]))
        take(rules, asked.choose(table.rules, own, seen.copy(), address), hidden, seen)


@kernel
def play_until(
    rules: Any, players: Any, hidden: Any, seen: Any, seed: Any, index: Any, step: Any, fewest: Any, rows: Any
) -> Any:
    """Play on to a decision that is asked outside of kernels, see `analyzer.games.president.rounds.play_on`."""
    if exchange_on(rules, players, hidden, seen, seed, index, step):
        return True
    if seen[TURNS] == 0:
        log_hands(rules, fewest, hidden, seen, rows)
    return play_on(rules, players, hidden, seen, seed, index, step, np.full(WORDS, -1, np.int64))


@kernel
def end_now(rules: Any, seen: Any, row: Any, rows: Any) -> None:
    """Remember a round that is over and count its points."""
    log_round(rules, seen, row, rows)
    finish_round(rules, seen)


@kernel
def _play_matches(
    rules: Any,
    deck: Any,
    players: Any,
    who: Any,
    seed: Any,
    first: Any,
    shifts: Any,
    replica: Any,
    fewest: Any,
    rounds: Any,
    seats: Any,
) -> None:
    hidden, seen, drawn = np.zeros(HIDDEN, np.int64), np.zeros(SEEN, np.int64), np.zeros(WORDS, np.int64)
    order = np.empty_like(deck)
    for i in range(rounds.shape[0]):
        index, shift = (first + i) // shifts, (first + i) % shifts
        for seat in range(rules[PLAYERS]):
            players.who[seat] = who[(seat + shift) % rules[PLAYERS]]
        begin_match(index % rules[PLAYERS], seen)
        for number in range(rounds.shape[1]):
            deal_round(rules, deck, seed, np.uint64(index), order, hidden, seen)
            step = number + REPLICAS * replica
            exchange_on(rules, players, hidden, seen, seed, np.uint64(index), step)
            log_hands(rules, fewest, hidden, seen, seats[i, number])
            drawn[-1] = -1
            play_on(rules, players, hidden, seen, seed, np.uint64(index), step, drawn)
            log_round(rules, seen, rounds[i, number], seats[i, number])
            finish_round(rules, seen)
