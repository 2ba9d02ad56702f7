"""Hands that the others may hold, drawn from all that agree with what a seat has seen.

It knows its own cards, those that were played, how many cards everybody holds, who holds the 3 of clubs if he led for
it, and what the exchange told it: the cards that it gave away are where it gave them, if they were not played, and who
gave it his best cards has none that is better left. Every way to deal the rest is equally likely; what others chose is
not weighed.
"""

from __future__ import annotations

import numpy as np

from analyzer.cards.bits import card_count
from analyzer.cards.deck import draw
from analyzer.engine.jit import device
from analyzer.games.president.control import unseen_cards
from analyzer.games.president.deals import seat_of
from analyzer.games.president.layout import (
    CARDS,
    GAVE,
    GOT,
    HELD,
    HIDDEN,
    JOKER,
    LEADER,
    NATURALS,
    OFFICE,
    PLAYED,
    RANKS,
    ROUND,
)
from analyzer.games.president.lowering import CLUB_THREE, FIRST_LEAD, PLAYERS

__all__ = ["DRAW", "draw_world", "kept_of", "known_hands", "partner_of", "pool_of", "worse_cards"]

I64 = np.int64
U64 = np.uint64

DRAW = 4
"""Slots of the address of a world."""


@device(borrows=True)
def partner_of(rules, seat, gave, got, seen):
    """The seat with which one has exchanged cards before this round; -1 if with none."""
    if gave == 0 and got == 0:
        return I64(-1)
    return seat_of(rules[PLAYERS] + 1 - seen[OFFICE + seat], rules[PLAYERS], seen)


@device(borrows=True)
def worse_cards(cards):
    """All cards that are no better than the worst of some cards, in the order in which best cards are given.

    Examples
    --------
    >>> bin(worse_cards(0b0100 << 4)), bin(worse_cards(0b0001 << 4)), worse_cards(1 << JOKER) == CARDS
    ('0b10111111', '0b1111', True)
    """
    natural = cards & NATURALS
    if natural == 0:
        return I64(CARDS)  # another joker is not better
    for rank in range(RANKS):
        alike = natural >> 4 * rank & 15
        if alike:
            # Of one rank clubs are the worst, then diamonds, spades, hearts.
            below = 0b0000 if alike & 1 else 0b0001 if alike & 2 else 0b0011 if alike & 8 else 0b1011
            return (below << 4 * rank) | ((1 << 4 * rank) - 1)
    return I64(0)


@device(borrows=True)
def kept_of(rules, seat, gave, seen):
    """Those of the cards that a seat gave away which are not played yet, so that its partner holds them."""
    if gave == 0:
        return I64(0)
    other = partner_of(rules, seat, gave, I64(0), seen)
    played = seen[PLAYED + other]
    jokers = card_count(U64(gave) >> U64(JOKER)) - card_count(U64(played) >> U64(JOKER))
    return (gave & ~played & NATURALS) | ((1 << max(jokers, 0)) - 1) << JOKER


@device(borrows=True)
def _shown_three(rules, seat, hand, seen):
    """The 3 of clubs if its holder led the first round, has not played it, and is another than a seat; else nothing."""
    leads = seen[ROUND] == 0 and rules[FIRST_LEAD] == CLUB_THREE
    if not leads or seen[LEADER] == seat or hand & 1 or seen[PLAYED + seen[LEADER]] & 1:
        return I64(0)
    return I64(1)


@device(borrows=True)
def known_hands(rules, seat, hand, gave, got, seen, known):
    """The cards whose holder a seat knows.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    seat, hand, gave, got : int
        Who looks, its cards, and what it gave and was given in the exchange.
    seen : (SEEN,) int64 array
    known : (HIDDEN,) int64 array
        Filled, see `layout`; of the exchange it has only what the seat knows.
    """
    for place in range(HIDDEN):
        known[place] = 0
    known[seat] = hand
    known[GAVE + seat], known[GOT + seat] = gave, got
    partner = partner_of(rules, seat, gave, got, seen)
    if partner >= 0:
        known[partner] = kept_of(rules, seat, gave, seen)
    if _shown_three(rules, seat, hand, seen):
        known[seen[LEADER]] |= 1


@device(borrows=True)
def pool_of(rules, seat, known, seen, pool):
    """The cards whose holder a seat does not know; how many they are.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    seat : int
    known : (HIDDEN,) int64 array
        From `known_hands`.
    seen : (SEEN,) int64 array
    pool : (54,) uint8 array
        Filled from the start.
    """
    unseen = unseen_cards(rules, known[seat], seen)
    jokers = card_count(U64(unseen) >> U64(JOKER))
    left, count = U64(unseen & NATURALS), 0
    for other in range(rules[PLAYERS]):
        if other != seat:
            left &= ~U64(known[other])
            jokers -= card_count(U64(known[other]) >> U64(JOKER))
    for card in range(JOKER):
        if left >> U64(card) & U64(1):
            pool[count] = card
            count += 1
    for _ in range(jokers):
        pool[count] = JOKER
        count += 1
    return count


@device(borrows=True)
def draw_world(rules, seat, known, seen, pool, order, seed, index, step, slot, hidden):
    """Draw the hands of all others.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    seat : int
    known : (HIDDEN,) int64 array
        From `known_hands`.
    seen : (SEEN,) int64 array
    pool : (cards,) uint8 array
        From `pool_of`, no longer than that.
    order : (cards,) uint8 array
        Scratch of the same length.
    seed, index, step, slot : int
        The address of the world; it takes `DRAW` slots.
    hidden : (HIDDEN,) int64 array
        Filled with hands; of the exchange it has only what the seat knows.
    """
    for place in range(HIDDEN):
        hidden[place] = known[place]
    gave, got = known[GAVE + seat], known[GOT + seat]
    draw(seed, index, step, slot, pool, pool.size, order)
    partner = partner_of(rules, seat, gave, got, seen)
    if partner >= 0 and seen[OFFICE + seat] < seen[OFFICE + partner]:
        worse = U64(worse_cards(got))
        missing = seen[HELD + partner] - card_count(U64(hidden[partner]))
        able = 0
        for place in range(pool.size):
            if worse >> U64(order[place]) & U64(1):
                able += 1
        if able >= missing:  # else what was told of the position does not agree, and the rule says nothing
            _deal_some(partner, missing, worse, order, hidden)
    place = 0
    for other in range(rules[PLAYERS]):
        if other != seat:
            missing = seen[HELD + other] - card_count(U64(hidden[other]))
            while missing > 0 and place < pool.size:
                if order[place] != _GONE:
                    _hold(other, order[place], hidden)
                    missing -= 1
                place += 1


_GONE = 255


@device(inline=True, borrows=True)
def _hold(seat, card, hidden):
    """Add a card to a hand."""
    number = I64(card)
    if number == JOKER:
        number += hidden[seat] >> JOKER
    hidden[seat] |= 1 << number


@device(borrows=True)
def _deal_some(seat, count, allowed, order, hidden):
    """Deal a seat the first of the cards that it may hold, and take them out."""
    for place in range(order.size):
        if count > 0 and allowed >> U64(order[place]) & U64(1):
            _hold(seat, order[place], hidden)
            order[place] = _GONE
            count -= 1
