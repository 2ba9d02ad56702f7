"""The legal plays of a hand of President by their numbers: how many there are, and the one with a number.

No list is made. The cards of a group or a run are a fixed pattern of bits from some bit on: two cards of a rank are
apart by one, two or three bits, the cards of a run by four. So all places where a pattern begins are found at once, as
the bits of an integer, and to count plays is to count bits. A pattern that a run lacks one or two bits of is found in
the same way and filled with jokers.

A play is told apart from others by its kind, its declared ranks and its cards: jokers may stand for cards that the hand
has as well.
"""

from __future__ import annotations

import numpy as np

from analyzer.cards.bits import card_count, lowest_card
from analyzer.engine.jit import device
from analyzer.games.president.layout import ALIKE, CARDS, JOKER, JOKERS, LOW, NATURALS, RANKS, RUN, SHORTEST, TWO
from analyzer.games.president.lowering import DISJOINT, JOKERS_AS_TWOS, STRICTLY, WITH_RUNS

__all__ = ["count_plays", "extend_windows", "is_run", "low_of", "play_at", "size_of", "with_pattern"]

I64 = np.int64
U64 = np.uint64

_EVERY = 0x1111111111111
"""The lowest bit of every rank."""
PATTERNS = 8
"""Sets of cards of one rank, the lowest of them at bit 0; by size, see `_FIRST`."""
_CARDS = np.array([0b1, 0b11, 0b101, 0b1001, 0b111, 0b1011, 0b1101, 0b1111], U64)
_SECOND = np.array([0, 1, 2, 3, 1, 1, 2, 1], U64)
_THIRD = np.array([0, 0, 0, 0, 2, 3, 3, 2], U64)
_FOURTH = np.array([0, 0, 0, 0, 0, 0, 0, 3], U64)
_FITS = np.array([0xF, 0x7, 0x3, 0x1, 0x3, 0x1, 0x1, 0x1], U64) * U64(_EVERY)
_FIRST = np.array([0, 0, 1, 4, 7, 8], I64)
"""The first pattern of each size; that of the next size stops them."""
_SPACED = np.array([sum(1 << 4 * place for place in range(length)) for length in range(RANKS + 1)], U64)
"""The cards of a run of each length, the lowest at bit 0."""


@device(inline=True, borrows=True)
def size_of(play):
    """Number of cards of a play.

    Examples
    --------
    >>> size_of(0b11 << 20 | 5 << LOW)
    2
    """
    return card_count(U64(play) & U64(CARDS))


@device(inline=True, borrows=True)
def low_of(play):
    """The lowest rank that a play is declared to have; 13 for jokers alone.

    Examples
    --------
    >>> low_of(0b11 << 20 | 5 << LOW)
    5
    """
    return play >> LOW & 15


@device(inline=True, borrows=True)
def is_run(play):
    """Whether a play is a run, 0 or 1.

    Examples
    --------
    >>> is_run(0b11 << 20 | 5 << LOW)
    0
    """
    return play >> RUN & 1


@device(inline=True, borrows=True)
def with_pattern(cards, pattern):
    """Where a pattern begins in some cards of the deck, jokers not among them: a bit for each place."""
    p = U64(pattern)
    fits = cards & _FITS[p]
    return fits & cards >> _SECOND[p] & cards >> _THIRD[p] & cards >> _FOURTH[p]


@device(inline=True, borrows=True)
def _from(low, high):
    """All cards of some ranks, both ends included; none if the first is above the last."""
    below = (U64(1) << U64(4 * low)) - U64(1)
    return ((U64(1) << U64(4 * high + 4)) - U64(1)) & ~below


@device(inline=True, borrows=True)
def _step(rules, pile):
    """By how many ranks a play must be beyond the pile at least."""
    if is_run(pile) and rules[DISJOINT]:
        return I64(size_of(pile))
    return rules[STRICTLY]


@device(inline=True, borrows=True)
def _beyond(rules, pile, turned):
    """The cards of the ranks that a play on a pile may begin with; jokers alone are no rank of these."""
    rank = low_of(pile)
    if rank == JOKERS:
        return U64(0)
    if turned:
        return _from(0, max(rank - _step(rules, pile), -1))
    return _from(rank + _step(rules, pile), TWO)


@device(inline=True, borrows=True)
def _jokers_alone(rules, pile, beyond):
    """As how many things jokers alone may be played on a pile: the highest of all, and twos; two bits."""
    above = low_of(pile) < JOKERS or not rules[STRICTLY]
    twos = rules[JOKERS_AS_TWOS] and beyond >> U64(4 * TWO) != 0
    return I64(above) | I64(twos) << 1


@device(inline=True, borrows=True)
def _chosen(places, number):
    """The bit at a place among the bits of a set."""
    for _ in range(number):
        places &= places - U64(1)
    return lowest_card(places)


@device(inline=True, borrows=True)
def _count_pattern_sizes(cards, size):
    """How many sets of so many cards of one rank there are."""
    found = I64(0)
    for pattern in range(_FIRST[size], _FIRST[size + 1]):
        found += card_count(with_pattern(cards, pattern))
    return found


@device(inline=True, borrows=True)
def _run_weights(length, jokers):
    """How many runs a window of ranks makes that lacks none, one, or two of its cards."""
    whole, one, two = 1, 0, 0
    if jokers >= 1:
        whole, one = 1 + length, 1
    if jokers >= 2:
        whole, one, two = whole + length * (length - 1) // 2, length, 1
    return I64(whole), I64(one), I64(two)


@device(inline=True, borrows=True)
def extend_windows(cards, length, whole, one, two):
    """Extend windows of ranks by the one at a place: those that lack none, one, or two of their cards.

    A window is the bit of its lowest card, of its suit. Before the first place all windows are whole.
    """
    has = cards >> U64(4 * length)
    return whole & has, (one & has) | (whole & ~has), (two & has) | (one & ~has)


@device(borrows=True)
def count_plays(rules, hand, pile, turned):
    """Number of legal choices, the pass included if there is a pile.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    hand, pile : int
        A set of cards, and the play on top, 0 to lead.
    turned : int
        Whether the order is reversed.
    """
    cards = U64(hand) & U64(NATURALS)
    jokers = I64(card_count(U64(hand) >> U64(JOKER)))
    if pile:
        return 1 + _count_answers(rules, cards, jokers, pile, turned)
    return _count_leads(rules, cards, jokers)


@device(inline=True, borrows=True)
def _count_answers(rules, cards, jokers, pile, turned):
    """Number of plays on a pile."""
    beyond = _beyond(rules, pile, turned)
    size = I64(size_of(pile))
    if is_run(pile):
        whole, one, two = _FULL, U64(0), U64(0)
        for place in range(size):
            whole, one, two = extend_windows(cards, place, whole, one, two)
        fit = beyond & _from(0, RANKS - size)
        a, b, c = _run_weights(size, jokers)
        return a * card_count(whole & fit) + b * card_count(one & fit) + c * card_count(two & fit)
    cards &= beyond
    found = _count_pattern_sizes(cards, size)
    for used in range(1, min(jokers, size - 1) + 1):
        found += _count_pattern_sizes(cards, size - used)
    if jokers >= size:
        found += card_count(U64(_jokers_alone(rules, pile, beyond)))
    return found


@device(inline=True, borrows=True)
def _count_leads(rules, cards, jokers):
    """Number of plays without a pile."""
    found = I64(0)
    for size in range(1, ALIKE + 1):
        found += _count_pattern_sizes(cards, size) * (1 + min(jokers, ALIKE - size))
    found += jokers * (1 + rules[JOKERS_AS_TWOS])
    if rules[WITH_RUNS]:
        whole, one, two = _FULL, U64(0), U64(0)
        for length in range(1, RANKS + 1):
            whole, one, two = extend_windows(cards, length - 1, whole, one, two)
            if length >= SHORTEST:
                fit = _from(0, RANKS - length)
                a, b, c = _run_weights(length, jokers)
                more = a * card_count(whole & fit) + b * card_count(one & fit) + c * card_count(two & fit)
                if more == 0:
                    break
                found += more
    return found


_FULL = U64(NATURALS)


@device(inline=True, borrows=True)
def _group(cards, jokers, low):
    return I64(cards) | ((1 << jokers) - 1) << JOKER | low << LOW


@device(inline=True, borrows=True)
def _without(cards, number):
    """A set without the card at a place among them."""
    return cards ^ U64(1) << U64(_chosen(cards, number))


@device(borrows=True)
def _run(cards, begin, length, number):
    """The run with a number among those of a window."""
    low = I64(begin) >> 2
    own = cards & _SPACED[U64(length)] << U64(begin)
    has = I64(card_count(own))
    jokers = length - has
    if number:
        number -= 1
        jokers += 1
        if number < has:
            own = _without(own, number)
        else:
            number -= has
            jokers += 1
            first = 0
            while number >= has - 1 - first:
                number -= has - 1 - first
                first += 1
            own = _without(_without(own, first + 1 + number), first)
    return I64(own) | ((1 << jokers) - 1) << JOKER | low << LOW | 1 << RUN


@device(inline=True, borrows=True)
def _run_of(cards, jokers, length, whole, one, two, number):
    """The run with a number among those of a length."""
    a, b, c = _run_weights(length, jokers)
    more = a * card_count(whole)
    if number < more:
        return _run(cards, _chosen(whole, number // a), length, number % a)
    number -= more
    more = b * card_count(one)
    if number < more:
        return _run(cards, _chosen(one, number // b), length, number % b)
    return _run(cards, _chosen(two, (number - more) // c), length, 0)


@device(borrows=True)
def play_at(rules, hand, pile, turned, number):
    """The legal choice with a number.

    Parameters
    ----------
    rules, hand, pile, turned
        As for `count_plays`.
    number : int
        From 0 up to what `count_plays` gives, less one. On a pile 0 is the pass.
    """
    cards = U64(hand) & U64(NATURALS)
    jokers = I64(card_count(U64(hand) >> U64(JOKER)))
    if pile:
        return _answer_at(rules, cards, jokers, pile, turned, number - 1) if number else I64(0)
    return _lead_at(rules, cards, jokers, number)


@device(inline=True, borrows=True)
def _answer_at(rules, cards, jokers, pile, turned, number):
    """The play on a pile with a number."""
    beyond = _beyond(rules, pile, turned)
    size = I64(size_of(pile))
    if is_run(pile):
        whole, one, two = _FULL, U64(0), U64(0)
        for place in range(size):
            whole, one, two = extend_windows(cards, place, whole, one, two)
        fit = beyond & _from(0, RANKS - size)
        return _run_of(cards, jokers, size, whole & fit, one & fit, two & fit, number)
    cards &= beyond
    for used in range(min(jokers, size - 1) + 1):
        for pattern in range(_FIRST[size - used], _FIRST[size - used + 1]):
            places = with_pattern(cards, pattern)
            more = I64(card_count(places))
            if number < more:
                begin = _chosen(places, number)
                return _group(_CARDS[pattern] << U64(begin), used, I64(begin) >> 2)
            number -= more
    ways = _jokers_alone(rules, pile, beyond)
    return _group(0, size, JOKERS if number == 0 and ways & 1 else TWO)


@device(inline=True, borrows=True)
def _lead_at(rules, cards, jokers, number):
    """The play without a pile with a number."""
    for size in range(1, ALIKE + 1):
        ways = 1 + min(jokers, ALIKE - size)
        for pattern in range(_FIRST[size], _FIRST[size + 1]):
            places = with_pattern(cards, pattern)
            more = ways * card_count(places)
            if number < more:
                begin = _chosen(places, number // ways)
                return _group(_CARDS[pattern] << U64(begin), number % ways, I64(begin) >> 2)
            number -= more
    alone = jokers * (1 + rules[JOKERS_AS_TWOS])
    if number < alone:
        return _group(0, 1 + number % jokers, JOKERS if number < jokers else TWO)
    number -= alone
    whole, one, two = _FULL, U64(0), U64(0)
    for length in range(1, RANKS + 1):
        whole, one, two = extend_windows(cards, length - 1, whole, one, two)
        if length >= SHORTEST:
            fit = _from(0, RANKS - length)
            a, b, c = _run_weights(length, jokers)
            more = a * card_count(whole & fit) + b * card_count(one & fit) + c * card_count(two & fit)
            if number < more:
                return _run_of(cards, jokers, length, whole & fit, one & fit, two & fit, number)
            number -= more
    return I64(-1)
