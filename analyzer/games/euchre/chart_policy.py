"""A bidding chart of Euchre as kernels see it: a word per row, and what a seat chooses by it.

A word has the choices of all seats for a hand and a turn-up, seats counted from the dealer's left: for the first round
of the bidding the place of the choice (`PASS`, `ORDER`, `ORDER_ALONE`) in two bits a seat, for the second in four
(`PASS`, `NAME` + suit, `NAME_ALONE` + suit, where suits are places in the order of `chart_index`), and for the dealer's
discard in each of three contexts the place of the card among his six, in three. Cards are in ascending order of suits
by that order, of ranks in a suit, and the joker comes last.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from analyzer.cards.deck import HAND, JOKER
from analyzer.engine.jit import device
from analyzer.games.euchre.chart_index import chart_row, suit_order
from analyzer.games.euchre.layout import (
    DEALER,
    DISCARDING,
    FIRST,
    LONELY,
    MAKER,
    NAME,
    NAME_ALONE,
    NO,
    ORDER,
    ORDER_ALONE,
    PASS,
    PROPOSED,
    ROUND,
    SEAT,
    SECOND,
    STAGE,
    TAKEN,
    TRUMP,
    TURN_UP,
    YES,
)
from analyzer.games.euchre.moves import bit
from analyzer.games.euchre.relabel import physical, relabel

I64 = np.int64
U64 = np.uint64
NONE = 0
NO_INDEX = np.zeros(1, np.int32)
"""The index where no chart is used; read only as all of them are, so that kernels are compiled once."""
NO_INDEX.flags.writeable = False
NO_CHARTS = np.zeros((1, 0), np.int64)

SECOND_ROUND = 8
"""The bit of a word where the second round starts."""
DISCARDS = 24
"""The bit of a word where discards start."""
ACCEPTED, ASSISTED, ORDERED = 0, 1, 2
"""Contexts of a discard: the dealer accepted the turn-up, his partner or an opponent ordered it."""
CONTEXTS = 3
SIX = HAND + 1
"""Cards of the dealer before he discards."""


@device(inline=True, borrows=True)
def first_choice(word, position):
    """The place of the choice in the first round; `position` is the seat counted from the dealer's left."""
    return word >> 2 * position & 3


@device(inline=True, borrows=True)
def second_choice(word, position):
    """The place of the choice in the second round, its suit a place in the order of suits."""
    return word >> SECOND_ROUND + 4 * position & 15


@device(inline=True, borrows=True)
def discard_choice(word, context):
    """The place of the discard among the six cards."""
    return word >> DISCARDS + 3 * context & 7


@device(borrows=True)
def discard_context(seen):
    """In which context the dealer discards."""
    if seen[MAKER] == seen[DEALER]:
        return ACCEPTED
    return ASSISTED if (seen[MAKER] ^ seen[DEALER]) & 1 == 0 else ORDERED


@device(borrows=True)
def card_at(cards: Any, place: Any, order: Any) -> Any:
    """The card, a set of one, at a place of a set of cards in the order of suits.

    Examples
    --------
    >>> from analyzer.cards.notation import cards_text, parse_cards
    >>> hand = parse_cards("Jh Ah Kd 9s Qc")
    >>> [cards_text(int(card_at(hand, place, suit_order(hand, 2)))) for place in range(5)]
    ['Jh', 'Ah', 'Kd', 'Qc', '9s']
    """
    for suit_place in range(4):
        suit = order >> 2 * suit_place & 3
        rest = cards & (0xFF << 8 * suit)
        while rest != NONE:
            if place == 0:
                return rest & -rest
            rest &= rest - 1
            place -= 1
    return I64(1) << JOKER


@device(borrows=True)
def suit_at(choice, order):
    """A choice of the second round whose suit is a place in the order, with its suit."""
    if choice == PASS:
        return choice
    group = NAME if choice < NAME_ALONE else NAME_ALONE
    return group + (order >> 2 * (choice - group) & 3)


@device(borrows=True)
def dealt_hand(hand, discard, seen):
    """The five cards that the seat in turn was dealt, physical, from what it has before the play."""
    trump = seen[TRUMP]
    if trump < 0:
        return hand
    cards = I64(physical(hand, trump))
    if seen[SEAT] == seen[DEALER] and seen[TAKEN] == 1:
        cards = (cards | I64(physical(discard, trump))) & ~bit(seen[TURN_UP])
    return cards


@device(borrows=True)
def chart_choice(index, charts, who, legal, hand, discard, seen):
    """The choice, one of several legal ones, that a chart has for the seat in turn, or 0 if it has none.

    It has the calls of both rounds, the discard, and whether who made trump by this chart plays alone.

    Parameters
    ----------
    index : (entries,) int32 array
        From `chart_index`.
    charts : (policies, rows) int64 array
        Words.
    who : int
        The policy.
    legal, hand, discard : int
        From `legal_choices`; the seat's cards; its discard if it is the dealer, else none.
    seen : (SEEN,) int64 array
        What everybody has seen, see `layout`.
    """
    stage, seat, round_of_trump = seen[STAGE], seen[SEAT], seen[ROUND]
    bids = stage in (FIRST, SECOND)
    discards = stage == DISCARDING and round_of_trump == 1
    answers = stage == LONELY and seat == seen[MAKER] and round_of_trump > 0
    if not (bids or discards or answers):
        return I64(0)
    dealt = dealt_hand(hand, discard, seen)
    order = suit_order(dealt, seen[PROPOSED])
    word = charts[U64(who), U64(chart_row(index, dealt, seen[TURN_UP], order))]
    position = (seat - seen[DEALER] - 1) & 3
    if discards:
        six = dealt | bit(seen[TURN_UP])
        return I64(relabel(card_at(six, discard_choice(word, discard_context(seen)), order), seen[TRUMP]))
    first, second = first_choice(word, position), suit_at(second_choice(word, position), order)
    if bids:
        choice = bit(first) if stage == FIRST else bit(second)
        if choice & legal == 0:  # who calls alone may have to say so later
            choice = bit(ORDER) if stage == FIRST else choice >> NAME_ALONE - NAME
        return choice & legal
    if round_of_trump == 1:
        return I64(0) if first == PASS else bit(YES if first == ORDER_ALONE else NO)
    if second == NAME + seen[TRUMP]:
        return bit(NO)
    return bit(YES) if second == NAME_ALONE + seen[TRUMP] else I64(0)
