"""What may be played in the endgame of President, one of equivalent plays, and in which order it is tried."""

from __future__ import annotations

import numpy as np

from analyzer.cards.bits import card_count, lowest_card
from analyzer.engine.jit import device
from analyzer.games.president.endgame_state import (
    AS_TWOS,
    EVERY,
    IS_RUN,
    LOWEST,
    PILE_BITS,
    SUITLESS,
    TURNED,
    beyond_pile,
    can_answer,
    closes_pile,
    in_lowest_suits,
    in_runs,
    jokers_alone,
    jokers_of,
    keeps_lead,
    turned_by,
    windows,
)
from analyzer.games.president.layout import ALIKE, CARDS, JOKER, JOKERS, LOW, NATURALS, RANKS, RUN, SHORTEST, TWO

__all__ = ["KEEPS", "STACK", "STACK_END", "plainly_wins", "play_of", "plays_to_try"]

I64 = np.int64
U64 = np.uint64

STACK, STACK_END = 4, 4 + 4096
"""Where in a table of positions plays that are still to be tried are written down."""
KEEPS = 1 << 62
"""Of a play that is to be tried: its player leads next."""
_CARDS_FIRST = 60
"""Shift of the number of cards of such a play, less one, up to three."""
_LOW_FIRST = 15 << LOW

_SPACED = np.array([sum(1 << 4 * place for place in range(length)) for length in range(RANKS + 1)], I64)


@device(inline=True, borrows=True)
def _add(play, found, at):
    """Write down a play."""
    if at < STACK_END:
        found[at] = play
    return at + 1


@device(borrows=True)
def _groups(mine, runs, rank, size, found, at):
    """Write down the groups of a rank with so many cards."""
    own, jokers = mine >> 4 * rank & 15, jokers_of(mine)
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
    cards, jokers = mine & NATURALS, jokers_of(mine)
    whole, one, two = windows(cards, length)
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
    runs, jokers = in_runs(options, mine), jokers_of(mine)
    counted = in_lowest_suits(mine)
    rest = counted & EVERY
    while rest:
        rank = I64(lowest_card(U64(rest))) >> 2
        rest &= rest - 1
        most = min(I64(card_count(U64(counted >> 4 * rank & 15))) + jokers, ALIKE)
        for size in range(1, most + 1):
            at = _groups(mine, runs, rank, size, found, at)
    for size in range(1, jokers + 1):
        at = _add(((1 << size) - 1) << JOKER | JOKERS << LOW, found, at)
        if options & AS_TWOS:
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
    size, jokers = state & 15, jokers_of(mine)
    beyond = beyond_pile(options, state, state & TURNED)
    if state & IS_RUN:
        if mine & SUITLESS:
            return at
        return _runs(mine, size, beyond, found, at)
    runs = in_runs(options, mine)
    need = size - min(jokers, size - 1)
    rest = (in_lowest_suits(mine) & beyond) >> (need - 1) & EVERY
    while rest:
        rank = I64(lowest_card(U64(rest))) >> 2
        rest &= rest - 1
        at = _groups(mine, runs, rank, size, found, at)
    if jokers >= size:
        ways = jokers_alone(options, state, beyond)
        if ways & 1:
            at = _add(((1 << size) - 1) << JOKER | JOKERS << LOW, found, at)
        if ways & 2:
            at = _add(((1 << size) - 1) << JOKER | TWO << LOW, found, at)
    return at


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


@device(borrows=True)
def plainly_wins(options, mine, theirs, state):
    """Whether the seat in turn goes out at once by a group, or leads one group after another that all keep the lead.

    The last of these groups need not keep it. No group that reverses the order is among them.
    """
    counted, jokers = in_lowest_suits(mine), jokers_of(mine)
    ranks = counted & EVERY
    count = I64(card_count(U64(counted)))
    if ranks & (ranks - 1) == 0 and count + jokers <= ALIKE:
        if state & PILE_BITS == 0:
            return True
        if state & IS_RUN or state & 15 != count + jokers:
            return False
        beyond = beyond_pile(options, state, state & TURNED)
        return counted & beyond != 0 if ranks else jokers_alone(options, state, beyond) != 0
    if state & PILE_BITS:
        return False
    turned = state & TURNED
    loses = 0
    if jokers:
        pile = jokers | JOKERS << LOWEST
        loses += can_answer(options, theirs, pile, turned)
    while ranks and loses < 2:
        rank = I64(lowest_card(U64(ranks))) >> 2
        ranks &= ranks - 1
        pile = I64(card_count(U64(counted >> 4 * rank & 15))) | rank << LOWEST
        if turned_by(options, pile):
            return False
        loses += not closes_pile(options, I64(0), pile, turned) and can_answer(options, theirs, pile, turned)
    return loses < 2
