"""What simulations remember of a round of President: a row of numbers for the round, and one for each seat."""

from __future__ import annotations

import numpy as np

from analyzer.cards.bits import card_count
from analyzer.engine.jit import device
from analyzer.games.president.layout import (
    CLOSED,
    DEALER,
    JOKER,
    LEADER,
    NATURALS,
    OFFICE,
    PILES,
    PLACE,
    PLAYS,
    REVOLUTIONS,
    RUN_PILES,
    RUNS,
    TURNS,
    TWO,
)
from analyzer.games.president.lowering import PLAYERS, WITH_RUNS
from analyzer.games.president.planning import fewest_plays

__all__ = ["ROUND_ROW", "SEAT_ROW", "log_hands", "log_round", "longest_run"]

U64 = np.uint64

# Places in the row of a round.
TURNS_MADE = 0
"""Plays and passes."""
PLAYS_MADE = 1
PILES_BEGUN = 2
RUN_PILES_BEGUN = 3
RUNS_PLAYED = 4
PILES_CLOSED = 5
"""By a group or a run that closes."""
ORDER_TURNED = 6
"""How often the order was reversed."""
FIRST_SEAT = 7
"""Who led first."""
DEALT_BY = 8
ROUND_ROW = 9

# Places in the row of a seat. The hand is that with which the play begins, after the exchange.
CAME = 0
"""Its place, from 1."""
WAS = 1
"""Its place in the round before, 0 in the first."""
JOKERS_HELD = 2
TWOS_HELD = 3
RUNS_HELD = 4
"""Suits in which it has a run without jokers."""
LONGEST_RUN = 5
"""Cards of the longest of these, 0 without any."""
FEWEST = 6
"""The fewest plays in which the hand can be got rid of."""
SEAT_ROW = 7


@device(borrows=True)
def longest_run(hand):
    """Cards of the longest run of a hand without jokers, and in how many suits it has one.

    Examples
    --------
    >>> longest_run(0b1000100010001 | 0b10001000 << 40)
    (4, 1)
    """
    cards = U64(hand) & U64(NATURALS)
    three = cards & cards >> U64(4) & cards >> U64(8)
    suits, longest = 0, 0
    for suit in range(4):
        suits += three & U64(0x1111111111111) << U64(suit) != 0
    while cards:
        cards &= cards >> U64(4)
        longest += 1
    return longest if longest >= 3 else 0, suits


@device(borrows=True)
def log_hands(rules, fewest, hidden, seen, rows):
    """Remember the hands with which the play of a round begins.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    fewest : bool
        Whether the fewest plays are found, which takes a good part of the time of a round; else they are 0.
    hidden, seen : arrays
        See `layout`.
    rows : (players, SEAT_ROW) int64 array
        All but the places are filled.
    """
    for seat in range(rules[PLAYERS]):
        hand = hidden[seat]
        rows[seat, WAS] = seen[OFFICE + seat]
        rows[seat, JOKERS_HELD] = card_count(U64(hand) >> U64(JOKER))
        rows[seat, TWOS_HELD] = card_count(U64(hand >> 4 * TWO & 15))
        longest, suits = longest_run(hand)
        rows[seat, LONGEST_RUN] = longest if rules[WITH_RUNS] else 0
        rows[seat, RUNS_HELD] = suits if rules[WITH_RUNS] else 0
        rows[seat, FEWEST] = fewest_plays(rules, hand) if fewest else 0


@device(borrows=True)
def log_round(rules, seen, row, rows):
    """Remember how a round went.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    seen : (SEEN,) int64 array
        Of a round that is over; its points are not counted yet.
    row : (ROUND_ROW,) int64 array
        Filled.
    rows : (players, SEAT_ROW) int64 array
        The places are filled.
    """
    row[TURNS_MADE] = seen[TURNS]
    row[PLAYS_MADE] = seen[PLAYS]
    row[PILES_BEGUN] = seen[PILES]
    row[RUN_PILES_BEGUN] = seen[RUN_PILES]
    row[RUNS_PLAYED] = seen[RUNS]
    row[PILES_CLOSED] = seen[CLOSED]
    row[ORDER_TURNED] = seen[REVOLUTIONS]
    row[FIRST_SEAT] = seen[LEADER]
    row[DEALT_BY] = seen[DEALER]
    for seat in range(rules[PLAYERS]):
        rows[seat, CAME] = seen[PLACE + seat]
