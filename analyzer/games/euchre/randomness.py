"""The random digits of a hand of Euchre, a digit for every decision, and uniform choices by them.

A digit in base 60 stands for one of up to six cards or answers, each exactly equally likely, as 1 to 6 divide 60; a
digit in base 2520 for one of up to nine bids. Four digits in base 60, those of a trick, or two in base 2520 come from
one random word. So a choice has its digit by its place in the hand, whoever else chooses at random, and whatever.
"""

from __future__ import annotations

import numpy as np

from analyzer.cards.bits import card_count
from analyzer.engine.jit import device
from analyzer.engine.streams import is_biased, replaced, words
from analyzer.games.euchre.layout import (
    ASKED,
    DISCARDING,
    FIRST,
    IN_TRICK,
    LONELY,
    NAMING,
    PLAYING,
    SEAT,
    SECOND,
    STAGE,
    TRICKS,
    TURNING,
)

U = np.uint64
LOW = U(2**32 - 1)
SLOTS = 4
"""Of the address of a hand: 0 for the deal, the others for choices."""
WORDS = 4 * SLOTS
"""Random words of a hand."""
BASE = 60
BASE_OF_BIDS = 2520

# Places of digits.
PLAYS = 0
"""and the next 19: four for each trick."""
SAYS = 20
"""Whether the dealer takes the turn-up; then his discard; then what a lone player of each side discards."""
ALONE = 24
"""and the next three: whether to play alone, in the order in which that is asked."""
BIDS = 28
"""and the next three: the first round, or the blind call; then four of the second round."""
DIGITS = 36


@device(borrows=True)
def draw_words(seed, index, step, drawn):
    """Draw the words of some hands one after the other.

    Parameters
    ----------
    seed, index, step : int
        The address of the first; the others have the next indices.
    drawn : (WORDS, hands) uint32 array
        Filled.
    """
    for slot in range(SLOTS):
        for k in range(drawn.shape[1]):
            a, b, c, d = words(seed, index + k, step, slot)
            drawn[4 * slot, k] = a
            drawn[4 * slot + 1, k] = b
            drawn[4 * slot + 2, k] = c
            drawn[4 * slot + 3, k] = d


@device(borrows=True)
def read_digits(drawn, k, seed, index, step, digits):
    """Make the words of a hand digits; the leading digit of a word is that of the first decision.

    Parameters
    ----------
    drawn, k : (WORDS, hands) uint32 array, int
        From `draw_words`, and which of the hands.
    seed, index, step : int
        The address of that hand.
    digits : (DIGITS,) int64 array
        Filled.
    """
    for place in range(BIDS // 4):
        rest = _word(drawn, 4 + place, k, U(BASE**4), seed, index, step)
        for digit in range(4):
            rest = (rest & LOW) * U(BASE)
            digits[U(4 * place + digit)] = rest >> U(32)
    for place in range(4):
        rest = _word(drawn, 12 + place, k, U(BASE_OF_BIDS**2), seed, index, step)
        for digit in range(2):
            rest = (rest & LOW) * U(BASE_OF_BIDS)
            digits[U(BIDS + 2 * place + digit)] = rest >> U(32)


@device(inline=True, borrows=True)
def _word(drawn, place, k, bound, seed, index, step):
    """A word whose digits are free of bias."""
    word = U(drawn[U(place), U(k)])
    if is_biased(word, bound):
        word = replaced(word, bound, seed, index, step, place // 4, place % 4)
    return word


@device(inline=True, borrows=True)
def random_choice(legal, seen, digits):
    """One of the legal choices, each equally likely."""
    stage, count = seen[STAGE], card_count(U(legal))
    if stage == LONELY:
        return _choice_at(legal, _share(digits[U(ALONE) + U(seen[ASKED])], count, BASE), count)
    if stage in (FIRST, SECOND, NAMING):
        place = BIDS + seen[ASKED] + (4 if stage == SECOND else 0)
        return _choice_at(legal, _share(digits[U(place)], count, BASE_OF_BIDS), count)
    if stage == PLAYING:
        return random_card(legal, seen, digits)
    place = SAYS + (0 if stage == TURNING else 1 if stage == DISCARDING else 2 + (seen[SEAT] & 1))
    return _choice_at(legal, _share(digits[U(place)], count, BASE), count)


@device(inline=True, borrows=True)
def random_card(legal, seen, digits):
    """One of the cards that may be played, each equally likely; without branches that depend on chance."""
    digit = digits[U(PLAYS) + U(4) * U(seen[TRICKS]) + U(seen[IN_TRICK])]
    return _choice_at(legal, _share(digit, card_count(U(legal)), BASE), 5)


@device(inline=True, borrows=True)
def _share(digit, count, base):
    """The number below a count that a digit stands for."""
    return np.int64(U(digit) * U(count) // U(base))


@device(inline=True, borrows=True)
def _choice_at(legal, chosen, count):
    """The choice at a place among so many; the loop has as many turns whichever it is, as those can be foreseen."""
    for place in range(count - 1):
        legal &= legal - 1 if place < chosen else legal
    return legal & -legal
