"""Deals of President by address, who makes the first lead, and the exchange before later rounds."""

from __future__ import annotations

import numpy as np

from analyzer.cards.bits import card_count
from analyzer.cards.deck import draw
from analyzer.engine.jit import device
from analyzer.engine.streams import bounded, words
from analyzer.games.president.layout import (
    DEALER,
    GAVE,
    GOT,
    HELD,
    HIDDEN,
    JOKER,
    LEADER,
    OFFICE,
    OWES,
    PLACE,
    POINTS,
    RANKS,
    ROUND,
    TURN,
)
from analyzer.games.president.lowering import (
    ANYBODY,
    CLUB_THREE,
    EXCHANGE,
    FIRST_LEAD,
    PAIRS,
    PLAYERS,
    PRESIDENT_LEADS,
)
from analyzer.games.president.moves import begin_round, with_jokers, without
from analyzer.games.president.randomness import LEAD

__all__ = [
    "begin_match",
    "best_cards",
    "deal_hands",
    "deal_round",
    "finish_round",
    "lowest_of",
    "make_return",
    "seat_of",
    "start_round",
]

I64 = np.int64
U64 = np.uint64


@device(borrows=True)
def deal_hands(players, dealer, deck, seed, index, step, order, hidden):
    """Deal all cards one by one, from the dealer's left on; some get a card more than others.

    Parameters
    ----------
    players, dealer : int
    deck : (cards,) uint8 array
        The cards of the deck.
    seed, index, step : int
        The address of the round.
    order : (cards,) uint8 array
        Scratch.
    hidden : (HIDDEN,) int64 array
        Filled with the hands; nothing is exchanged.
    """
    draw(seed, index, step, 0, deck, deck.size, order)
    for place in range(HIDDEN):
        hidden[place] = 0
    seat = dealer
    for place in range(deck.size):
        seat = seat + 1 if seat + 1 < players else 0
        card = I64(order[U64(place)])
        if card >= JOKER:
            card = JOKER + (hidden[seat] >> JOKER)
        hidden[seat] |= 1 << card


@device(borrows=True)
def best_cards(hand, count):
    """The best cards of a hand: jokers, then twos and so on down; of one rank hearts, spades, diamonds, clubs.

    Parameters
    ----------
    hand, count : int
        A set of cards, and how many of them, at most as many as there are.

    Examples
    --------
    >>> best_cards(0b1111 << 48, 1) == 0b0100 << 48, best_cards(1 << JOKER | 0b1010, 2) == 1 << JOKER | 0b1000
    (True, True)
    """
    jokers = min(I64(card_count(U64(hand) >> U64(JOKER))), count)
    best = ((1 << jokers) - 1) << JOKER
    count -= jokers
    for k in range(RANKS):
        shift = 4 * (RANKS - 1 - k)
        alike = hand >> shift & 15
        while alike and count:
            # Swapping the bits of hearts and spades makes the first to be given the highest bit.
            swapped = (alike & 3) | (alike & 4) << 1 | (alike & 8) >> 1
            while swapped & (swapped - 1):
                swapped &= swapped - 1
            card = (swapped & 3) | (swapped & 4) << 1 | (swapped & 8) >> 1
            best |= card << shift
            alike ^= card
            count -= 1
    return best


@device(borrows=True)
def begin_match(dealer, seen):
    """Set offices and points to the start of a match."""
    for place in range(ROUND, seen.size):
        seen[place] = 0
    seen[DEALER] = dealer


@device(borrows=True)
def deal_round(rules, deck, seed, index, order, hidden, seen):
    """Deal the next round of a match and start it; the step of its address is the number of the round."""
    step = seen[ROUND]
    deal_hands(rules[PLAYERS], seen[DEALER], deck, seed, index, step, order, hidden)
    start_round(rules, _leader(rules, seed, index, step, hidden, seen), hidden, seen)


@device(borrows=True)
def _leader(rules, seed, index, step, hidden, seen):
    """Who makes the first play of a round."""
    players = rules[PLAYERS]
    if seen[ROUND] > 0:
        return seat_of(1 if rules[PRESIDENT_LEADS] else players, players, seen)
    if rules[FIRST_LEAD] == CLUB_THREE:
        for seat in range(players):
            if hidden[seat] & 1:
                return I64(seat)
    if rules[FIRST_LEAD] == ANYBODY:
        return I64(bounded(words(seed, index, step, LEAD)[0], players, seed, index, step, LEAD, 0))
    return (seen[DEALER] + 1) % players


@device(borrows=True)
def seat_of(office, players, seen):
    """The seat that came to a place in the round before."""
    for seat in range(players):
        if seen[OFFICE + seat] == office:
            return I64(seat)
    return I64(-1)


@device(borrows=True)
def start_round(rules, leader, hidden, seen):
    """Start a round whose hands are dealt, with the exchange if there is one."""
    begin_round(rules, leader, hidden, seen)
    if rules[EXCHANGE] and seen[ROUND] > 0:
        for pair in range(PAIRS):
            if rules[EXCHANGE + pair]:
                high, low = _seats_of(rules, pair, seen)
                cards = best_cards(hidden[low], rules[EXCHANGE + pair])
                hidden[GAVE + low] = hidden[GOT + high] = cards
                _move(low, high, cards, hidden, seen)
        _next_return(rules, 0, seen)


@device(inline=True, borrows=True)
def _seats_of(rules, pair, seen):
    """The seats that exchange cards, 0 the first and the last: who gets the better cards, and who gives them."""
    players = rules[PLAYERS]
    return seat_of(1 + pair, players, seen), seat_of(players - pair, players, seen)


@device(inline=True, borrows=True)
def _next_return(rules, pair, seen):
    """Whose turn it is to give cards back, or to lead when all is exchanged."""
    if pair < PAIRS and rules[EXCHANGE + pair]:
        seen[TURN] = _seats_of(rules, pair, seen)[0]
        seen[OWES] = rules[EXCHANGE + pair]
        return
    seen[OWES] = 0
    seen[TURN] = seen[LEADER]


@device(inline=True, borrows=True)
def _move(giver, taker, cards, hidden, seen):
    """Move cards from one hand to another."""
    hidden[giver] = without(hidden[giver], cards)
    hidden[taker] = with_jokers(hidden[taker], cards)
    count = card_count(U64(cards))
    seen[HELD + giver] -= count
    seen[HELD + taker] += count


@device(borrows=True)
def make_return(rules, cards, hidden, seen):
    """Give cards back in the exchange, by the seat in turn.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    cards : int
        As many as it owes, of its hand.
    hidden, seen : arrays
        See `layout`. Changed.
    """
    pair = seen[OFFICE + seen[TURN]] - 1
    high, low = _seats_of(rules, pair, seen)
    hidden[GAVE + high] = hidden[GOT + low] = cards
    _move(high, low, cards, hidden, seen)
    _next_return(rules, pair + 1, seen)


@device(borrows=True)
def finish_round(rules, seen):
    """Count the points of a round that is over, and make its places offices."""
    players = rules[PLAYERS]
    for seat in range(players):
        seen[POINTS + seat] += players - seen[PLACE + seat]
        seen[OFFICE + seat] = seen[PLACE + seat]
    seen[ROUND] += 1
    seen[DEALER] = (seen[DEALER] + 1) % players


@device(inline=True, borrows=True)
def lowest_of(hand, count):
    """The cards of the lowest ranks of a hand; jokers are the highest.

    Examples
    --------
    >>> lowest_of(0b110101, 2)
    5
    """
    rest = U64(hand)
    for _ in range(count):
        rest &= rest - U64(1)
    return I64(U64(hand) ^ rest)
