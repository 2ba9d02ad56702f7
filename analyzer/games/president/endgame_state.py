"""Positions of the endgame of President: hands, and what lies on the table, as far as they matter.

Two seats have cards, and all cards are known. A hand is a set of cards as in `layout`. What lies on the pile matters by
kind, number of cards and lowest rank alone, so it is one small number together with who played it, who has passed and
whether the order is reversed, all as the seat in turn sees it: the *state*. The options that matter are one number too,
as arrays cost much in calls.

Suits matter for runs only. Of a hand that has no run the cards of a rank are counted: they lie in the lowest suits, and
the bit `SUITLESS` says so. In other hands a card that is in no run is as good as any other such card of its rank, and
to play it in a group is at least as good as to play one that is in a run: whatever is done later with the card that was
in no run can be done with the other, and leaves the same pile.
"""

from __future__ import annotations

import numpy as np

from analyzer.cards.bits import card_count, lowest_card
from analyzer.engine.jit import device
from analyzer.games.president.layout import (
    CARDS,
    EIGHT,
    JOKER,
    JOKERS,
    LOW,
    NATURALS,
    RANKS,
    RUN,
    THREE,
    TWO,
)
from analyzer.games.president.lowering import (
    DISJOINT,
    EIGHT_BY_JOKER,
    EIGHT_STOP,
    JOKERS_AS_TWOS,
    PASS_LOCKS,
    REVOLUTION,
    RUN_REVOLUTION,
    STRICTLY,
    THREES_CLOSE,
    WITH_RUNS,
)

I64 = np.int64
U64 = np.uint64

# The options, bits of a number; then from how many cards on a group and a run reverse the order.
STRICT, _DISJOINT, AS_TWOS, _RUNS, _THREES, _EIGHTS, _JOKER_EIGHTS, LOCKS = (1 << place for place in range(8))
_GROUP_TURNS, _RUN_TURNS = 8, 16

# A state, 0 to lead in the order of ranks that is not reversed:
LOWEST = 4
"""shift of the lowest rank of the pile, after four bits for the number of its cards,"""
IS_RUN = 1 << 8
"""whether it is a run,"""
PILE_BITS = (1 << 9) - 1
TURNED = 1 << 9
"""whether the order is reversed,"""
BY = 10
"""who made the last play, two bits, of which a seat that has gone out is the one or the other by who would lead,"""
BY_OTHER, BY_ME, GONE_I_LEAD, GONE_OTHER_LEADS = range(4)
MY_PASS, OTHERS_PASS = 1 << 12, 1 << 13
"""and who has passed."""

SUITLESS = 1 << 54
"""Of a hand: it has no run, and its cards are counts."""

EVERY = 0x1111111111111
"""The lowest bit of every rank."""


@device(borrows=True)
def options_of(rules):
    """The options that matter for the endgame, as one number."""
    found = rules[STRICTLY] * STRICT | rules[DISJOINT] * _DISJOINT | rules[JOKERS_AS_TWOS] * AS_TWOS
    found |= rules[WITH_RUNS] * _RUNS | rules[THREES_CLOSE] * _THREES | rules[EIGHT_STOP] * _EIGHTS
    found |= rules[EIGHT_BY_JOKER] * _JOKER_EIGHTS | rules[PASS_LOCKS] * LOCKS
    return found | rules[REVOLUTION] << _GROUP_TURNS | rules[RUN_REVOLUTION] << _RUN_TURNS


@device(inline=True, borrows=True)
def jokers_of(hand):
    """How many jokers a hand has."""
    return (hand >> JOKER & 1) + (hand >> JOKER + 1 & 1)


@device(borrows=True)
def in_lowest_suits(hand):
    """The cards of a hand moved to the lowest suits of their ranks, jokers left out."""
    if hand & SUITLESS:
        return hand & NATURALS
    a, b, c, d = hand & EVERY, hand >> 1 & EVERY, hand >> 2 & EVERY, hand >> 3 & EVERY
    a, b, c, d = a | b, a & b, c | d, c & d
    a, c, b, d = a | c, a & c, b | d, b & d
    b, c = b | c, b & c
    return a | b << 1 | c << 2 | d << 3


@device(borrows=True)
def in_runs(options, hand):
    """The cards of a hand that are in some run of it, jokers left out."""
    if hand & SUITLESS or not options & _RUNS:
        return I64(0)
    cards, jokers = hand & NATURALS, jokers_of(hand)
    # A card that is in a run is in a run of three cards as well.
    if jokers == 0:
        begins = cards & cards >> 4 & cards >> 8
        return begins | begins << 4 | begins << 8
    if jokers == 1:
        return cards & (cards >> 4 | cards << 4 | cards >> 8 | cards << 8)
    return cards


@device(borrows=True)
def settled(options, hand):
    """A hand in the form in which it is remembered."""
    if hand & SUITLESS or in_runs(options, hand):
        return hand
    return in_lowest_suits(hand) | (hand & CARDS & ~NATURALS) | SUITLESS


@device(borrows=True)
def left_of(options, hand, play):
    """What a play leaves of a hand, 0 if nothing."""
    jokers = jokers_of(hand) - jokers_of(play)
    left = (hand & NATURALS & ~play) | ((1 << jokers) - 1) << JOKER
    if left == 0:
        return I64(0)
    return settled(options, left | (hand & SUITLESS))


@device(borrows=True)
def compressed(options, mine, theirs, state):
    """Hands without runs and a state, with the ranks that matter moved together.

    What is legal and what it leads to depends on the order of the ranks alone, and on which of them close a pile: these
    keep their places. So ranks in which nobody has cards are left out, and positions that then are the same are
    remembered once. The rank of the pile stays, or becomes that of the lowest answer if an equal play is one.
    """
    fixed = 1 << 4 * TWO | (1 if options & _THREES else 0) | (1 << 4 * EIGHT if options & _EIGHTS else 0)
    rest = ((mine | theirs) & EVERY) | fixed
    low, on = state >> LOWEST & 15, state & PILE_BITS != 0
    if on and low < JOKERS:
        if not options & STRICT:
            # The pile may as well be the first rank that answers it.
            if state & TURNED:
                below = rest & ((1 << 4 * low + 1) - 1)
                if below:
                    while below & (below - 1):
                        below &= below - 1
                    low = I64(lowest_card(U64(below))) >> 2
            else:
                low = I64(lowest_card(U64(rest >> 4 * low << 4 * low))) >> 2
        rest |= 1 << 4 * low
    a, b, to, at = mine & ~NATURALS, theirs & ~NATURALS, I64(0), low
    while rest:
        bit = rest & -rest
        rest ^= bit
        rank = I64(lowest_card(U64(bit))) >> 2
        if bit & fixed:
            to = rank
        a |= (mine >> 4 * rank & 15) << 4 * to
        b |= (theirs >> 4 * rank & 15) << 4 * to
        if rank == low:
            at = to
        to += 1
    if on:
        state = (state & ~(15 << LOWEST)) | at << LOWEST
    return a, b, state


@device(borrows=True)
def pile_of(play):
    """The part of a state that says what lies on the pile."""
    return I64(card_count(U64(play & CARDS))) | (play >> LOW & 15) << LOWEST | (play >> RUN & 1) << 8


@device(borrows=True)
def turned_by(options, pile):
    """`TURNED` if a play reverses the order, else 0."""
    size = pile & 15
    return TURNED * (size >= (options >> (_RUN_TURNS if pile & IS_RUN else _GROUP_TURNS) & 127))


@device(borrows=True)
def closes_pile(options, play, pile, turned):
    """Whether a play closes its pile; the order is that after it."""
    low = pile >> LOWEST & 15
    if pile & IS_RUN:
        passes = options & _EIGHTS and low <= EIGHT < low + (pile & 15)
        return passes and (options & _JOKER_EIGHTS or (play >> 4 * EIGHT & 15) != 0)
    return low == (THREE if turned and options & _THREES else TWO) or (options & _EIGHTS and low == EIGHT)


@device(borrows=True)
def beyond_pile(options, pile, turned):
    """The cards of the ranks with which an answer may begin; jokers alone are no rank of these."""
    low = pile >> LOWEST & 15
    if low == JOKERS:
        return I64(0)
    step = options & STRICT
    if pile & IS_RUN and options & _DISJOINT:
        step = pile & 15
    if turned:
        return (1 << 4 * max(low - step + 1, 0)) - 1
    return NATURALS & ~((1 << 4 * min(low + step, RANKS)) - 1)


@device(borrows=True)
def windows(cards, length):
    """Where runs of a length begin that lack none, one, or two of their cards."""
    whole, one, two = I64(NATURALS) >> 4 * (length - 1), I64(0), I64(0)
    for place in range(length):
        has = cards >> 4 * place
        whole, one, two = whole & has, (one & has) | (whole & ~has), (two & has) | (one & ~has)
    return whole, one, two


@device(borrows=True)
def jokers_alone(options, pile, beyond):
    """As what jokers alone may answer: the highest of all, and twos; two bits."""
    above = (pile >> LOWEST & 15) < JOKERS or not options & STRICT
    return I64(above) | I64(options & AS_TWOS and beyond >> 4 * TWO != 0) << 1


@device(borrows=True)
def can_answer(options, hand, pile, turned):
    """Whether a hand has a play on a pile.

    Parameters
    ----------
    options, hand, pile, turned : int
        See the module; the order in force, not 0 if it is reversed.
    """
    size, jokers = pile & 15, jokers_of(hand)
    beyond = beyond_pile(options, pile, turned)
    cards = hand & NATURALS
    if pile & IS_RUN:
        if hand & SUITLESS:
            return False
        whole, one, two = windows(cards, size)
        if jokers >= 1:
            whole |= one
        if jokers >= 2:
            whole |= two
        return (whole & beyond) != 0
    need = size - min(jokers, size - 1)
    if (in_lowest_suits(hand) & beyond) >> (need - 1) & EVERY:
        return True
    return jokers >= size and jokers_alone(options, pile, beyond) != 0


@device(borrows=True)
def keeps_lead(options, play, theirs, state):
    """Whether who makes a play leads next: it closes the pile, or the other may not or cannot answer."""
    pile = pile_of(play)
    turned = (state & TURNED) ^ turned_by(options, pile)
    if closes_pile(options, play, pile, turned) or (state & OTHERS_PASS and options & LOCKS):
        return True
    return not can_answer(options, theirs, pile, turned)


@device(inline=True, borrows=True)
def after_pass(state):
    """Whether the seat that passes is asked next, and the state that the next sees."""
    by, turned = state >> BY & 3, state & TURNED
    if by == BY_OTHER:
        return False, turned
    if state & OTHERS_PASS:
        return by != GONE_OTHER_LEADS, turned
    by = BY_OTHER if by == BY_ME else GONE_I_LEAD + GONE_OTHER_LEADS - by
    return False, (state & PILE_BITS) | turned | by << BY | OTHERS_PASS


@device(inline=True, borrows=True)
def after_play(options, play, keeps, state):
    """The state that the next sees after a play."""
    pile = pile_of(play)
    turned = (state & TURNED) ^ turned_by(options, pile)
    if keeps:
        return turned
    passes = OTHERS_PASS if options & LOCKS and state & MY_PASS else 0
    return pile | turned | BY_OTHER << BY | passes
