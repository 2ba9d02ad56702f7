"""The random words of a hand of Euchre, and uniform choices by them: a digit per decision.

A digit in base 60 stands for one of up to six cards or answers, each exactly equally likely, as 1 to 6 divide 60; a
digit in base 2520 for one of up to nine bids. Four digits in base 60, those of a trick, or two in base 2520 come from
one random word. So a choice has its digit by its place in the hand, whatever else was chosen.
"""

from __future__ import annotations

import numpy as np

from analyzer.engine.jit import device
from analyzer.engine.streams import replaced, words
from analyzer.games.euchre.layout import ASKED, FIRST, LONELY, NAMING, PLAYING, SECOND, STAGE, TRICKS
from analyzer.games.euchre.relabel import card_count

U = np.uint64
LOW = U(2**32 - 1)
SLOTS = 4
"""Of the address of a hand: 0 for the deal, the others for choices."""
WORDS = 4 * SLOTS
"""Random words of a hand."""
BASE = 60
BASE_OF_BIDS = 2520
PLAYS, SAYS, BIDS = 0, 5, 8
"""Places of digits: for each trick; for what the dealer and lone players do, and who plays alone; for the bidding."""
DIGITS = 12


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
    """Make the words of a hand digits.

    Parameters
    ----------
    drawn, k : (WORDS, hands) uint32 array, int
        From `draw_words`, and which of the hands.
    seed, index, step : int
        The address of that hand.
    digits : (DIGITS,) uint64 array
        Filled with words whose leading digits are meant.
    """
    for place in range(DIGITS):
        bound = U(BASE**4) if place < BIDS else U(BASE_OF_BIDS**2)
        word = U(drawn[4 + place, k])
        if (word * bound) & LOW < bound:
            word = replaced(word, bound, seed, index, step, 1 + place // 4, place % 4)
        digits[place] = word


@device(borrows=True)
def random_choice(legal, seen, digits):
    """One of the legal choices, each equally likely."""
    stage = seen[STAGE]
    if stage == PLAYING:
        return random_card(legal, seen, digits)
    if stage in (FIRST, SECOND, NAMING):
        place = BIDS + (seen[ASKED] >> 1) + (2 if stage == SECOND else 0)
        return _choice_at(legal, _next_digit(digits, place, BASE_OF_BIDS) * card_count(U(legal)) // BASE_OF_BIDS)
    place = SAYS + (1 if stage == LONELY else 0)
    return _choice_at(legal, _next_digit(digits, place, BASE) * card_count(U(legal)) // BASE)


@device(inline=True, borrows=True)
def random_card(legal, seen, digits):
    """One of the cards that may be played, each equally likely; without branches that depend on chance."""
    chosen = _next_digit(digits, U(PLAYS) + U(seen[TRICKS]), BASE) * card_count(U(legal)) // BASE
    for place in range(4):
        legal &= legal - 1 if place < chosen else legal
    return legal & -legal


@device(inline=True, borrows=True)
def _next_digit(digits, place, base):
    product = digits[U(place)] * U(base)
    digits[U(place)] = product & LOW
    return np.int64(product >> U(32))


@device(borrows=True)
def _choice_at(legal, place):
    for _ in range(place):
        legal &= legal - 1
    return legal & -legal
