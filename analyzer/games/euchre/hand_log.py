"""What is kept of a hand of Euchre that is over, a row of integers; and how hands are classed before the bidding."""

from __future__ import annotations

import numpy as np

from analyzer.cards.bits import card_count
from analyzer.cards.deck import JOKER
from analyzer.engine.jit import device
from analyzer.games.euchre.layout import (
    DEALER,
    LONE,
    MADE,
    MAKER,
    PLAYED,
    POINTS,
    PROPOSED,
    ROUND,
    SEATS,
    TAKEN,
    TURN_UP,
)
from analyzer.games.euchre.lowering import PLAYERS
from analyzer.games.euchre.relabel import TRUMPS, relabel

U64 = np.uint64

# Columns of a row.
POSITION_OF_MAKER = 0
"""Who made trump: 0 for the dealer's left and so on to the dealer, -1 if all passed."""
BIDDING_ROUND = 1
"""1, 2, 0 if the dealer named trump blind, -1 if all passed."""
TURN_UP_RANK = 2
"""0 to 7 for 7 to ace, 8 for the joker."""
TAKEN_UP = 3
"""Whether the dealer took the turn-up."""
MAKER_ALONE = 4
DEFENDER_ALONE = 5
MAKERS_TRICKS = 6
MAKERS_POINTS = 7
"""Below 0 those of the defenders."""
MAKERS_TRUMPS = 8
"""Trumps that who made trump held in the play."""
HAND_CLASS = 9
"""and the next three: `hand_class` of the dealt hand by position, -1 for players who are not there."""
ROW = 13

TRUMP_COUNTS, BOWER_COUNTS, ACE_COUNTS, VOID_COUNTS = 6, 4, 4, 4
CLASSES = TRUMP_COUNTS * BOWER_COUNTS * ACE_COUNTS * VOID_COUNTS
"""Hand classes."""


@device(borrows=True)
def hand_class(hand, suit):
    """Class of a hand for a trump suit: trumps, bowers (the joker counts), off-aces and void plain suits.

    Parameters
    ----------
    hand : int
        A set of five cards, a bit per card number.
    suit : int
        The suit proposed as trump.

    Returns
    -------
    int
        From 0 to `CLASSES` - 1; `class_counts` takes it apart.

    Examples
    --------
    >>> from analyzer.cards.notation import parse_cards
    >>> class_counts(hand_class(parse_cards("Jd Ah As Ks 9c"), 2))
    (2, 1, 1, 1)
    """
    cards = relabel(hand, suit)
    trumps = card_count(cards & U64(TRUMPS))
    bowers = card_count(cards >> U64(56))
    aces, voids = 0, 0
    for field in range(3):
        plain = (cards >> U64(16 * field)) & U64(0xFFFF)
        aces += int(plain >> U64(7) != 0)
        voids += int(plain == 0)
    return ((trumps * BOWER_COUNTS + bowers) * ACE_COUNTS + aces) * VOID_COUNTS + voids


def class_counts(code: int) -> tuple[int, int, int, int]:
    """Trumps, bowers, off-aces and voids of a `hand_class`.

    Examples
    --------
    >>> class_counts(0)
    (0, 0, 0, 0)
    """
    rest, voids = divmod(int(code), VOID_COUNTS)
    rest, aces = divmod(rest, ACE_COUNTS)
    return *divmod(rest, BOWER_COUNTS), aces, voids


@device(borrows=True)
def log_classes(rules, hidden, seen, wanted, row):
    """Write the classes of the dealt hands, before the bidding; none if they are not wanted or nothing is proposed."""
    players = rules[PLAYERS]
    for position in range(SEATS):
        seat = (seen[DEALER] + 1 + position) % players
        known = wanted and position < players and seen[PROPOSED] >= 0
        row[HAND_CLASS + position] = hand_class(hidden[seat], seen[PROPOSED]) if known else -1


@device(borrows=True)
def log_hand(rules, hidden, seen, row):
    """Write what became of a hand that is over."""
    players, maker = rules[PLAYERS], seen[MAKER]
    row[TURN_UP_RANK] = 8 if seen[TURN_UP] == JOKER else seen[TURN_UP] & 7
    row[BIDDING_ROUND] = seen[ROUND]
    row[TAKEN_UP] = seen[TAKEN]
    row[MAKERS_TRICKS], row[MAKERS_POINTS] = seen[MADE], seen[POINTS]
    row[POSITION_OF_MAKER] = row[MAKERS_TRUMPS] = -1
    row[MAKER_ALONE] = row[DEFENDER_ALONE] = 0
    if maker < 0:
        return
    position = maker - seen[DEALER] - 1
    row[POSITION_OF_MAKER] = position if position >= 0 else position + players
    row[MAKERS_TRUMPS] = card_count(U64(seen[PLAYED + maker] | hidden[maker]) & U64(TRUMPS))
    makers = 0b0101 << (maker & 1)
    row[MAKER_ALONE] = seen[LONE] & makers != 0
    row[DEFENDER_ALONE] = seen[LONE] & ~makers != 0
