"""What may be played in the endgame of President, each of equivalent plays once, and what a play leaves.

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
    ALIKE,
    CARDS,
    EIGHT,
    JOKER,
    JOKERS,
    LOW,
    NATURALS,
    RANKS,
    RUN,
    SHORTEST,
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

__all__ = [
    "can_answer",
    "keeps_lead",
    "left_of",
    "options_of",
    "pile_of",
    "play_of",
    "plays_to_try",
    "settled",
    "turned_by",
]

I64 = np.int64
U64 = np.uint64

# The options, bits of a number; then from how many cards on a group and a run reverse the order.
_STRICTLY, _DISJOINT, _AS_TWOS, _RUNS, _THREES, _EIGHTS, _JOKER_EIGHTS, LOCKS = (1 << place for place in range(8))
_GROUP_TURNS, _RUN_TURNS = 8, 16

# A state: the pile, or nothing to lead; then
SIZE, LOWEST = 0, 4
IS_RUN = 1 << 8
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

STACK, STACK_END = 4, 4 + 4096
"""Where in a table of positions plays that are still to be tried are written down."""
KEEPS = 1 << 62
"""Of a play that is to be tried: its player leads next."""
_CARDS_FIRST = 60
"""Shift of the number of cards of such a play, less one, up to three."""
_LOW_FIRST = 15 << LOW

_EVERY = 0x1111111111111
"""The lowest bit of every rank."""
_SPACED = np.array([sum(1 << 4 * place for place in range(length)) for length in range(RANKS + 1)], I64)


@device(borrows=True)
def options_of(rules):
    """The options that matter for the endgame, as one number."""
    found = rules[STRICTLY] * _STRICTLY | rules[DISJOINT] * _DISJOINT | rules[JOKERS_AS_TWOS] * _AS_TWOS
    found |= rules[WITH_RUNS] * _RUNS | rules[THREES_CLOSE] * _THREES | rules[EIGHT_STOP] * _EIGHTS
    found |= rules[EIGHT_BY_JOKER] * _JOKER_EIGHTS | rules[PASS_LOCKS] * LOCKS
    return found | rules[REVOLUTION] << _GROUP_TURNS | rules[RUN_REVOLUTION] << _RUN_TURNS


@device(inline=True, borrows=True)
def _jokers_of(hand):
    """How many jokers a hand has."""
    return (hand >> JOKER & 1) + (hand >> JOKER + 1 & 1)


@device(borrows=True)
def _counted(hand):
    """The cards of a hand moved to the lowest suits of their ranks, jokers left out."""
    a, b, c, d = hand & _EVERY, hand >> 1 & _EVERY, hand >> 2 & _EVERY, hand >> 3 & _EVERY
    a, b, c, d = a | b, a & b, c | d, c & d
    a, c, b, d = a | c, a & c, b | d, b & d
    b, c = b | c, b & c
    return a | b << 1 | c << 2 | d << 3


@device(borrows=True)
def _in_runs(options, hand):
    """The cards of a hand that are in some run of it, jokers left out."""
    if hand & SUITLESS or not options & _RUNS:
        return I64(0)
    cards, jokers = hand & NATURALS, _jokers_of(hand)
    # A card that is in a run is in one of three cards as well.
    if jokers == 0:
        begins = cards & cards >> 4 & cards >> 8
        return begins | begins << 4 | begins << 8
    if jokers == 1:
        return cards & (cards >> 4 | cards << 4 | cards >> 8 | cards << 8)
    return cards


@device(borrows=True)
def settled(options, hand):
    """A hand in the form in which it is remembered."""
    if hand & SUITLESS or _in_runs(options, hand):
        return hand
    return _counted(hand) | (hand & CARDS & ~NATURALS) | SUITLESS


@device(borrows=True)
def left_of(options, hand, play):
    """What a play leaves of a hand, 0 if nothing."""
    jokers = _jokers_of(hand) - _jokers_of(play)
    left = (hand & NATURALS & ~play) | ((1 << jokers) - 1) << JOKER
    if left == 0:
        return I64(0)
    return settled(options, left | (hand & SUITLESS))


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
def _closes(options, play, pile, turned):
    """Whether a play closes its pile; the order is that after it."""
    low = pile >> LOWEST & 15
    if pile & IS_RUN:
        passes = options & _EIGHTS and low <= EIGHT < low + (pile & 15)
        return passes and (options & _JOKER_EIGHTS or (play >> 4 * EIGHT & 15) != 0)
    return low == (THREE if turned and options & _THREES else TWO) or (options & _EIGHTS and low == EIGHT)


@device(borrows=True)
def _beyond(options, pile, turned):
    """The cards of the ranks with which an answer may begin; jokers alone are no rank of these."""
    low = pile >> LOWEST & 15
    if low == JOKERS:
        return I64(0)
    step = options & _STRICTLY
    if pile & IS_RUN and options & _DISJOINT:
        step = pile & 15
    if turned:
        return (1 << 4 * max(low - step + 1, 0)) - 1
    return NATURALS & ~((1 << 4 * min(low + step, RANKS)) - 1)


@device(borrows=True)
def _windows(cards, length):
    """Where runs of a length begin that lack none, one, or two of their cards."""
    whole, one, two = I64(NATURALS) >> 4 * (length - 1), I64(0), I64(0)
    for place in range(length):
        has = cards >> 4 * place
        whole, one, two = whole & has, (one & has) | (whole & ~has), (two & has) | (one & ~has)
    return whole, one, two


@device(borrows=True)
def can_answer(options, hand, pile, turned):
    """Whether a hand has a play on a pile.

    Parameters
    ----------
    options, hand, pile, turned : int
        See the module; the order in force, not 0 if it is reversed.
    """
    size, jokers = pile & 15, _jokers_of(hand)
    beyond = _beyond(options, pile, turned)
    cards = hand & NATURALS
    if pile & IS_RUN:
        if hand & SUITLESS:
            return False
        whole, one, two = _windows(cards, size)
        if jokers >= 1:
            whole |= one
        if jokers >= 2:
            whole |= two
        return (whole & beyond) != 0
    need = size - min(jokers, size - 1)
    if (_counted(cards) & beyond) >> (need - 1) & _EVERY:
        return True
    return jokers >= size and _alone(options, pile, beyond) != 0


@device(borrows=True)
def _alone(options, pile, beyond):
    """As what jokers alone may answer: the highest of all, and twos; two bits."""
    above = (pile >> LOWEST & 15) < JOKERS or not options & _STRICTLY
    return I64(above) | I64(options & _AS_TWOS and beyond >> 4 * TWO != 0) << 1


@device(borrows=True)
def keeps_lead(options, play, theirs, state):
    """Whether who makes a play leads next: it closes the pile, or the other may not or cannot answer."""
    pile = pile_of(play)
    turned = (state & TURNED) ^ turned_by(options, pile)
    if _closes(options, play, pile, turned) or (state & OTHERS_PASS and options & LOCKS):
        return True
    return not can_answer(options, theirs, pile, turned)


@device(inline=True, borrows=True)
def _add(play, found, at):
    """Write down a play."""
    if at < STACK_END:
        found[at] = play
    return at + 1


@device(borrows=True)
def _rated(options, play, theirs, state):
    """A play with how soon it is to be tried: those that keep the lead, many cards, low ranks."""
    many = I64(min(card_count(U64(play & CARDS)) - 1, 3))
    first = KEEPS if keeps_lead(options, play, theirs, state) else 0
    return (play ^ (0 if state & TURNED else _LOW_FIRST)) | many << _CARDS_FIRST | first


@device(borrows=True)
def play_of(tried, state):
    """The play that `plays_to_try` wrote down."""
    return (tried & ((1 << _CARDS_FIRST) - 1)) ^ (0 if state & TURNED else _LOW_FIRST)


@device(borrows=True)
def _groups(mine, runs, rank, size, found, at):
    """Write down the groups of a rank with so many cards."""
    own, jokers = mine >> 4 * rank & 15, _jokers_of(mine)
    tied = runs >> 4 * rank & 15
    free = own & ~tied
    spare = I64(card_count(U64(free)))
    for used in range(min(jokers, size - 1) + 1):
        need = size - used
        if need > card_count(U64(own)):
            continue
        more = need - spare
        cards = free
        for _ in range(-more):
            cards &= cards - 1
        tail = ((1 << used) - 1) << JOKER | rank << LOW
        if more <= 0:
            at = _add(cards << 4 * rank | tail, found, at)
            continue
        some = -tied & tied
        while some:
            if card_count(U64(some)) == more:
                at = _add((cards | some) << 4 * rank | tail, found, at)
            some = (some - tied) & tied
    return at


@device(borrows=True)
def _runs(mine, length, fit, found, at):
    """Write down the runs of a length that begin at some places."""
    cards, jokers = mine & NATURALS, _jokers_of(mine)
    whole, one, two = _windows(cards, length)
    begins = whole
    if jokers >= 1:
        begins |= one
    if jokers >= 2:
        begins |= two
    begins &= fit
    while begins:
        begin = I64(lowest_card(U64(begins)))
        begins &= begins - 1
        own = cards & _SPACED[length] << begin
        tail = (begin >> 2) << LOW | 1 << RUN
        spare = jokers - (length - I64(card_count(U64(own))))
        used = ((1 << jokers - spare) - 1) << JOKER
        at = _add(own | used | tail, found, at)
        # Jokers that are left may take the places of cards.
        if spare >= 1:
            used = ((1 << jokers - spare + 1) - 1) << JOKER
            first = own
            while first:
                kept = own & ~(first & -first)
                first &= first - 1
                at = _add(kept | used | tail, found, at)
                if spare >= 2:
                    second = first
                    while second:
                        both = kept & ~(second & -second)
                        second &= second - 1
                        at = _add(both | 3 << JOKER | tail, found, at)
    return at


@device(borrows=True)
def _leads(options, mine, found, at):
    """Write down the plays to lead."""
    runs, jokers = _in_runs(options, mine), _jokers_of(mine)
    counted = _counted(mine)
    rest = counted & _EVERY
    while rest:
        rank = I64(lowest_card(U64(rest))) >> 2
        rest &= rest - 1
        most = min(I64(card_count(U64(counted >> 4 * rank & 15))) + jokers, ALIKE)
        for size in range(1, most + 1):
            at = _groups(mine, runs, rank, size, found, at)
    for size in range(1, jokers + 1):
        at = _add(((1 << size) - 1) << JOKER | JOKERS << LOW, found, at)
        if options & _AS_TWOS:
            at = _add(((1 << size) - 1) << JOKER | TWO << LOW, found, at)
    if runs:
        for length in range(SHORTEST, RANKS + 1):
            before = at
            at = _runs(mine, length, I64(NATURALS), found, at)
            if at == before:
                break
    return at


@device(borrows=True)
def _answers(options, mine, state, found, at):
    """Write down the plays on the pile."""
    size, jokers = state & 15, _jokers_of(mine)
    beyond = _beyond(options, state, state & TURNED)
    if state & IS_RUN:
        if mine & SUITLESS:
            return at
        return _runs(mine, size, beyond, found, at)
    runs = _in_runs(options, mine)
    need = size - min(jokers, size - 1)
    rest = (_counted(mine) & beyond) >> (need - 1) & _EVERY
    while rest:
        rank = I64(lowest_card(U64(rest))) >> 2
        rest &= rest - 1
        at = _groups(mine, runs, rank, size, found, at)
    if jokers >= size:
        ways = _alone(options, state, beyond)
        if ways & 1:
            at = _add(((1 << size) - 1) << JOKER | JOKERS << LOW, found, at)
        if ways & 2:
            at = _add(((1 << size) - 1) << JOKER | TWO << LOW, found, at)
    return at


@device(borrows=True)
def plays_to_try(options, mine, theirs, state, found, at):
    """Write down what may be played, one of equivalent plays, from a place on; the pass is not among it.

    Parameters
    ----------
    options, mine, theirs, state : int
        See the module.
    found : int64 array
        A table of positions. Plays behind `STACK_END` are only counted.
    at : int

    Returns
    -------
    int
        The place behind the last.
    """
    stop = _answers(options, mine, state, found, at) if state & PILE_BITS else _leads(options, mine, found, at)
    for k in range(at, min(stop, STACK_END)):
        found[k] = _rated(options, found[k], theirs, state)
    return stop
