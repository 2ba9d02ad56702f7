"""Decks as bit masks, and addressed deals: deal i under a seed is the same whoever plays it, by whichever rules.

A card is a number, eight times the suit (clubs, diamonds, hearts, spades: 0 to 3) plus the rank (7 8 9 10 J Q K A: 0 to
7); the joker is 32. A set of cards, such as a hand, is an integer with a bit per card.

A draw takes card after card from what is left, each equally likely. Several of these choices share a random word, as
the digits of a number below the product of their bounds: a whole deal of Euchre is one call of `words`. Its address is
the deal, or in a match the match and, as the step, the deal in it. It takes slots from the one that is given on, four
words each; a deal of Euchre takes one slot.

References
----------
N. Brackett-Rozinsky, D. Lemire, "Batched ranged random integer generation", Software: Practice and Experience 55, 2025.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from analyzer.engine.jit import device, kernel
from analyzer.engine.streams import is_biased, replaced, words
from analyzer.fields import FieldError, check_integer, shown

__all__ = ["DEAL", "DECKS", "HAND", "JOKER", "SEATS", "Deals", "cards_in", "deal", "deals", "draw"]

U8 = np.uint8
U64 = np.uint64

JOKER = 32
SEATS = 4
HAND = 5
"""Cards of a hand."""
DEAL = SEATS * HAND + 1
"""Cards that are drawn for a deal, the turn-up included."""

# Places in a row of `deal_many`, after the hands.
LEFT = 4
TURNED = 5
DEALT = 6

_LOW = 2**32 - 1
_FROM_NINE = 0xFC

DECKS: Mapping[int, int] = MappingProxyType(
    {
        24: _FROM_NINE * 0x01010101,
        25: _FROM_NINE * 0x01010101 | 1 << JOKER,
        32: 2**32 - 1,
        33: 2**33 - 1,
    }
)
"""Decks by their size: 9 to ace; 7 to ace; each of them with the joker."""


WORDS = 4
"""Random words of a deal."""


def _shares() -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """How a deal is shared out among its words, by the size of the deck: where each stops, and its bound."""
    stops, bounds = np.full((34, WORDS), DEAL), np.ones((34, WORDS), U64)
    for size in DECKS:
        place = 0
        for part in range(WORDS):
            bound = 1
            while place < DEAL and bound * (size - place) <= _LOW:
                bound *= size - place
                place += 1
            stops[size, part], bounds[size, part] = place, bound
        assert place == DEAL
    return stops, bounds


def cards_in(cards: int) -> NDArray[np.uint8]:
    """The numbers of the cards of a set, in ascending order.

    Examples
    --------
    >>> cards_in(DECKS[24])[:7].tolist()
    [2, 3, 4, 5, 6, 7, 10]
    """
    return np.array([card for card in range(cards.bit_length()) if cards >> card & 1], dtype=U8)


_STOPS, _BOUNDS = _shares()


@device(inline=True, borrows=True)
def arrange(word, order, first, stop):
    """Draw the cards of places `first` to `stop` - 1 by the digits of one random word.

    Parameters
    ----------
    word : int
        32 bits. For which words the digits are free of bias is the caller's business, see `draw`.
    order : (cards,) uint8 array
        All cards; those from `first` on are yet to be drawn. Changed in place.
    first, stop : int
        The places. The product of the numbers of cards to choose from must be below 2**32.
    """
    digits = U64(word)
    for place in range(first, stop):
        digits = (digits & U64(_LOW)) * U64(order.size - place)
        here, chosen = U64(place), U64(place) + (digits >> U64(32))
        order[here], order[chosen] = order[chosen], order[here]


@device(borrows=True)
def draw(seed, index, step, slot, deck, drawn, order):
    """Draw cards one after the other from a deck, every order of every selection exactly equally likely.

    Parameters
    ----------
    seed, index, step, slot : int
        The address of the first four random words; more take the next slots.
    deck : (cards,) uint8 array
        The cards of the deck.
    drawn : int
        How many of them to draw.
    order : (cards,) uint8 array
        Receives the drawn cards in their order, then the others in some order.
    """
    for place in range(deck.size):
        order[place] = deck[place]
    first, used = 0, 0
    a, b, c, d = words(seed, index, step, slot)
    while first < drawn:
        if used == 4:
            slot, used = slot + 1, 0
            a, b, c, d = words(seed, index, step, slot)
        word = U64(a)
        if used == 1:
            word = U64(b)
        elif used == 2:
            word = U64(c)
        elif used == 3:
            word = U64(d)
        stop, bound = first, U64(1)
        while stop < drawn and bound * U64(deck.size - stop) <= U64(_LOW):
            bound *= U64(deck.size - stop)
            stop += 1
        if is_biased(word, bound):
            word = replaced(word, bound, seed, index, step, slot, used)
        arrange(word, order, first, stop)
        first = stop
        used += 1


@device(borrows=True)
def deal(seed, index, step, deck, order):
    """One deal: a hand of five to each seat, the turn-up, and what is left.

    Parameters
    ----------
    seed, index, step : int
        The address of the deal, slot 0.
    deck : (cards,) uint8 array
        The cards of the deck, at least 21, as from `cards_in`.
    order : (cards,) uint8 array
        Scratch.

    Returns
    -------
    tuple of four uint64, uint8, uint64
        The hands of seats 0 to 3, the card that is turned up, and the set of the cards left.

    Examples
    --------
    >>> deck = cards_in(DECKS[24])
    >>> *hands, turn_up, left = deal(7, 0, 0, deck, np.zeros_like(deck))
    >>> [hand.bit_count() for hand in hands], left.bit_count()
    ([5, 5, 5, 5], 3)
    """
    a, b, c, d = words(seed, index, step, 0)
    return deal_by(a, b, c, d, seed, index, step, deck, order)


@device(borrows=True)
def deal_by(a, b, c, d, seed, index, step, deck, order):
    """The deal of `deal` from the four words of its address, for callers that draw the words of many deals at once."""
    size = U64(deck.size)
    for place in range(deck.size):
        order[U64(place)] = deck[U64(place)]
    first = 0
    for part in range(WORDS):
        word = U64(a) if part == 0 else U64(b) if part == 1 else U64(c) if part == 2 else U64(d)
        stop = _STOPS[size, U64(part)]
        bound = _BOUNDS[size, U64(part)]
        if is_biased(word, bound):
            word = replaced(word, bound, seed, index, step, 0, part)
        arrange(word, order, first, stop)
        first = stop
    return (
        _set_of(order, 0, HAND),
        _set_of(order, HAND, 2 * HAND),
        _set_of(order, 2 * HAND, 3 * HAND),
        _set_of(order, 3 * HAND, 4 * HAND),
        order[DEAL - 1],
        _set_of(order, DEAL, order.size),
    )


@device(borrows=True)
def deal_many(drawn, seed, index, step, deck, digits, places, dealt):
    """The deals of `deal` at many indices, so that the processor works on several at a time; pays from a hundred on.

    Instead of moving cards it looks for where they come from: the card of a place was drawn from another place, into
    which the card of an earlier place may have been moved, and so on back to the start.

    Parameters
    ----------
    drawn : (4 or more, deals) uint32 array
        The words of each deal.
    seed, index, step : int
        The address of the first deal; the others have the next indices.
    deck : (cards,) uint8 array
        The cards of the deck, at least 21, as from `cards_in`.
    digits : (deals,) uint64 array
        Scratch.
    places : (DEAL, deals) uint8 array
        Scratch.
    dealt : (deals, DEALT) int64 array
        Filled with the hands of seats 0 to 3, the set of the cards left, and the card that is turned up.
    """
    size = U64(deck.size)
    first = 0
    for part in range(WORDS):
        stop, bound = _STOPS[size, U64(part)], _BOUNDS[size, U64(part)]
        _accept(drawn[U64(part)], bound, seed, index, step, part, digits)
        for place in range(first, stop):
            _next_places(digits, size - U64(place), U64(place), places[U64(place)])
        first = stop
    for place in range(DEAL - 1, 0, -1):
        for earlier in range(place - 1, -1, -1):
            _follow(places[U64(place)], places[U64(earlier)], U8(earlier))
    whole = U64(0)
    for place in range(deck.size):
        whole |= U64(1) << U64(deck[U64(place)])
    for k in range(dealt.shape[0]):
        left = whole
        for seat in range(SEATS):
            cards = U64(0)
            for place in range(HAND * seat, HAND * seat + HAND):
                cards |= U64(1) << U64(deck[U64(places[U64(place), U64(k)])])
            dealt[U64(k), U64(seat)] = cards
            left ^= cards
        turn_up = deck[U64(places[U64(DEAL - 1), U64(k)])]
        dealt[U64(k), U64(LEFT)] = left ^ U64(1) << U64(turn_up)
        dealt[U64(k), U64(TURNED)] = turn_up


@device(borrows=True)
def _accept(words_, bound, seed, index, step, part, digits):
    """Replace the words of many deals that are not to be used, see `draw`; a look at all of them is the usual case."""
    lowest = U64(_LOW)
    for k in range(digits.size):
        digits[U64(k)] = U64(words_[U64(k)])
        low = (digits[U64(k)] * bound) & U64(_LOW)
        lowest = low if low < lowest else lowest  # noqa: FURB136  LLVM vectorises it, but not `min`
    if lowest < bound:
        for k in range(digits.size):
            word = digits[U64(k)]
            if is_biased(word, bound):
                digits[U64(k)] = replaced(word, bound, seed, index + U64(k), step, 0, part)


@device(borrows=True)
def _next_places(digits, choices, place, drawn_from):
    """The places that the cards of one place are drawn from, in many deals."""
    for k in range(digits.size):
        digits[U64(k)] = (digits[U64(k)] & U64(_LOW)) * choices
    for k in range(digits.size):
        drawn_from[U64(k)] = U8(place + (digits[U64(k)] >> U64(32)))


@device(borrows=True)
def _follow(places, moved, earlier):
    """Where a card was moved away from an earlier place, take that place, in many deals."""
    for k in range(places.size):
        here = places[k]
        places[k] = earlier if here == moved[k] else here


@device(inline=True, borrows=True)
def _set_of(order, first, stop):
    cards = U64(0)
    for place in range(first, stop):
        cards |= U64(1) << U64(order[place])
    return cards


class Deals(NamedTuple):
    """Deals, one per row."""

    hands: NDArray[np.uint64]
    """(deals, 4) the hand of each seat, a bit per card."""
    turn_up: NDArray[np.uint8]
    """(deals,) the number of the card that is turned up."""
    left: NDArray[np.uint64]
    """(deals,) the cards that nobody has, without the turn-up."""


def deals(deck: int, *, seed: int, first: int = 0, count: int) -> Deals:
    """Deals by their numbers.

    Parameters
    ----------
    deck
        The number of cards: 24, 25, 32 or 33.
    seed
        64 bits.
    first
        The number of the first deal.
    count
        How many.

    Raises
    ------
    RulesError
        If there is no such deck, or a number is out of range.

    Examples
    --------
    >>> some, later = deals(24, seed=7, count=9), deals(24, seed=7, first=6, count=3)
    >>> bool((some.hands[6:] == later.hands).all())
    True
    """
    if deck not in DECKS:
        raise FieldError("deck", f"= {shown(deck)} is no deck; choose from: {', '.join(map(str, DECKS))}")
    check_integer("seed", seed, 0, 2**64 - 1)
    check_integer("first", first, 0, 2**63 - 1)
    check_integer("count", count, 0, 2**32)
    made = Deals(np.empty((count, SEATS), U64), np.empty(count, U8), np.empty(count, U64))
    _deal_all(U64(seed), U64(first), cards_in(DECKS[deck]), made.hands, made.turn_up, made.left)
    return made


@kernel
def _deal_all(seed: Any, first: Any, deck: Any, hands: Any, turn_up: Any, left: Any) -> None:
    order = np.empty_like(deck)
    for row in range(hands.shape[0]):
        north, east, south, west, up, rest = deal(seed, first + U64(row), 0, deck, order)
        hands[row, 0], hands[row, 1], hands[row, 2], hands[row, 3] = north, east, south, west
        turn_up[row] = up
        left[row] = rest
