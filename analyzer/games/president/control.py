"""Which plays of President the cards that are not yet seen can beat, and in how many ways.

What others may hold is a set of cards; what groups they can make of it is one word: in the four bits of a rank the
first says whether they can make a single of it, the next a pair, and so on. To count what beats a group is to count
bits of that word.
"""

from __future__ import annotations

import numpy as np

from analyzer.cards.bits import card_count, lowest_card
from analyzer.engine.jit import device
from analyzer.games.president.layout import (
    ACTIVE,
    ALIKE,
    CARDS,
    HELD,
    JOKER,
    JOKERS,
    NATURALS,
    PLAYED,
    RANKS,
)
from analyzer.games.president.lowering import (
    DISJOINT,
    JOKERS_IN_DECK,
    PLAYERS,
    STRICTLY,
)
from analyzer.games.president.plays import extend_windows

__all__ = [
    "EVERY",
    "group_beaters",
    "groups_of",
    "most_held",
    "run_beaters",
    "unseen_cards",
]

I64 = np.int64
U64 = np.uint64

EVERY = 0x1111111111111
"""The lowest bit of every rank."""
_PAIRS = 0x5555555555555
_TWO_BITS = 0x3333333333333


@device(inline=True, borrows=True)
def unseen_cards(rules, hand, seen):
    """The cards that others may hold: all but those of a hand and those that were played.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    hand : int
    seen : (SEEN,) int64 array
        See `layout`.
    """
    gone, jokers = U64(hand), I64(card_count(U64(hand) >> U64(JOKER)))
    for seat in range(rules[PLAYERS]):
        played = U64(seen[U64(PLAYED + seat)])
        gone |= played
        if rules[JOKERS_IN_DECK]:
            jokers += card_count(played >> U64(JOKER))
    return I64(~gone & U64(NATURALS)) | ((1 << (rules[JOKERS_IN_DECK] - jokers)) - 1) << JOKER


@device(inline=True, borrows=True)
def most_held(seats, seen):
    """The most cards that one of some seats holds.

    Parameters
    ----------
    seats : int
        A set of seats; those that have gone out hold none.
    seen : (SEEN,) int64 array
    """
    most, rest = I64(0), U64(seats & seen[ACTIVE])
    while rest:
        most = max(most, seen[U64(HELD + lowest_card(rest))])
        rest &= rest - U64(1)
    return most


@device(inline=True, borrows=True)
def groups_of(cards, most):
    """What groups can be made of some cards.

    Parameters
    ----------
    cards : int
        With jokers, which join any card.
    most : int
        Cards that one player holds at most: groups of more cannot be made.

    Returns
    -------
    uint64
        In the bits of each rank: whether a single, a pair, three and four can be made.

    Examples
    --------
    >>> bin(groups_of(0b0111_0010, 9)), bin(groups_of(1 << JOKER | 0b0111_0010, 3))
    ('0b1110001', '0b1110011')
    """
    word = U64(cards) & U64(NATURALS)
    # The number of cards of each rank, in its four bits.
    word -= word >> U64(1) & U64(_PAIRS)
    word = (word & U64(_TWO_BITS)) + (word >> U64(2) & U64(_TWO_BITS))
    first, second, third = word & U64(EVERY), word >> U64(1) & U64(EVERY), word >> U64(2) & U64(EVERY)
    one, two, three = first | second | third, second | third, (first & second) | third
    able = one | two << U64(1) | three << U64(2) | third << U64(3)
    for _ in range(card_count((U64(cards) & U64(CARDS)) >> U64(JOKER))):
        able |= (able & U64(7 * EVERY)) << U64(1)
    if most < ALIKE:
        able &= U64(((1 << most) - 1) * EVERY)
    return able


@device(inline=True, borrows=True)
def group_beaters(rules, able, jokers, turned, size, rank):
    """How many ranks a group can be beaten by, jokers alone being one more; closing is not looked at.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    able : uint64
        From `groups_of`.
    jokers : int
        How many jokers others may hold.
    turned : int
        Whether the order is reversed.
    size, rank : int
        Of the group; the rank 13 is that of jokers alone.
    """
    alone = I64(jokers >= size)
    if rank == JOKERS:
        return alone * (1 - rules[STRICTLY])
    kind = able >> U64(size - 1) & U64(EVERY)
    if turned:
        return alone + card_count(kind & ((U64(1) << U64(4 * (rank + 1 - rules[STRICTLY]))) - U64(1)))
    return alone + card_count(kind >> U64(4 * (rank + rules[STRICTLY])))


@device(borrows=True)
def run_beaters(rules, unseen, turned, low, length):
    """At how many places a run that beats another can be made of some cards; closing is not looked at.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    unseen : int
        The cards, with jokers.
    turned : int
        Whether the order is reversed.
    low, length : int
        Of the run.
    """
    cards = U64(unseen) & U64(NATURALS)
    whole, one, two = U64(NATURALS), U64(0), U64(0)
    for place in range(length):
        whole, one, two = extend_windows(cards, place, whole, one, two)
    jokers = card_count(U64(unseen) >> U64(JOKER))
    if jokers > 0:
        whole |= one
    if jokers > 1:
        whole |= two
    step = length if rules[DISJOINT] else rules[STRICTLY]
    first, last = (0, low - step) if turned else (low + step, RANKS - length)
    if first > last:
        return I64(0)
    places = (U64(1) << U64(4 * (min(last, RANKS - length) - first + 1))) - U64(1)
    return I64(card_count(whole >> U64(4 * first) & places))
