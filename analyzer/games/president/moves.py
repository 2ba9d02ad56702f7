"""What a play changes in a round of President, and who is next."""

from __future__ import annotations

import numpy as np

from analyzer.cards.bits import card_count, seat_after
from analyzer.engine.jit import device
from analyzer.games.president.layout import (
    ACTIVE,
    CARDS,
    CLOSED,
    EIGHT,
    HELD,
    JOKER,
    LAST,
    LEADER,
    NATURALS,
    OUT,
    PASSED,
    PILE,
    PILES,
    PLACE,
    PLAYED,
    PLAYS,
    REVERSED,
    REVOLUTIONS,
    ROUND,
    RUN_PILES,
    RUNS,
    THREE,
    TURN,
    TURNS,
    TWO,
)
from analyzer.games.president.lowering import (
    EIGHT_BY_JOKER,
    EIGHT_STOP,
    PASS_LOCKS,
    PLAYERS,
    REVOLUTION,
    RUN_REVOLUTION,
    THREES_CLOSE,
)
from analyzer.games.president.plays import is_run, low_of, size_of

__all__ = ["begin_round", "closes", "group_closes", "make_play", "run_closes", "turns_order", "with_jokers", "without"]

I64 = np.int64
U64 = np.uint64


@device(inline=True, borrows=True)
def without(hand, cards):
    """A hand without some of its cards.

    Examples
    --------
    >>> bin(without(0b11 << JOKER | 0b101, 0b01 << JOKER | 0b100) >> JOKER)
    '0b1'
    """
    left = card_count(U64(hand) >> U64(JOKER)) - card_count((U64(cards) & U64(CARDS)) >> U64(JOKER))
    return (hand & ~cards & NATURALS) | ((1 << left) - 1) << JOKER


@device(inline=True, borrows=True)
def with_jokers(hand, cards):
    """A hand with some more cards; as jokers cannot be told apart, those of both are counted.

    Examples
    --------
    >>> bin(with_jokers(0b1 << JOKER | 0b101, 0b01 << JOKER) >> JOKER)
    '0b11'
    """
    jokers = card_count(U64(hand) >> U64(JOKER)) + card_count((U64(cards) & U64(CARDS)) >> U64(JOKER))
    return ((hand | cards) & NATURALS) | ((1 << jokers) - 1) << JOKER


@device(inline=True, borrows=True)
def turns_order(rules, play):
    """Whether a play reverses the order.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    play : int
        Not a pass.
    """
    return size_of(play) >= (rules[RUN_REVOLUTION] if is_run(play) else rules[REVOLUTION])


@device(inline=True, borrows=True)
def group_closes(rules, rank, turned):
    """Whether groups of a rank close the pile, in the order in force."""
    closer = THREE if turned and rules[THREES_CLOSE] else TWO
    return rank == closer or (rules[EIGHT_STOP] and rank == EIGHT)


@device(inline=True, borrows=True)
def run_closes(rules, cards, low, length):
    """Whether a run closes the pile; jokers of it are not among its cards but in its length."""
    passes = rules[EIGHT_STOP] and low <= EIGHT < low + length
    return passes and (rules[EIGHT_BY_JOKER] or cards >> U64(4 * EIGHT) & U64(15) != U64(0))


@device(inline=True, borrows=True)
def closes(rules, play, turned):
    """Whether a play closes its pile.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    play : int
        Not a pass.
    turned : int
        Whether the order is reversed when the play has taken effect.
    """
    if is_run(play):
        return run_closes(rules, U64(play), low_of(play), size_of(play))
    return group_closes(rules, low_of(play), turned)


@device(borrows=True)
def begin_round(rules, leader, hidden, seen):
    """Set what is of one round to its start; hands are dealt, and who leads is known."""
    for place in range(ROUND):
        seen[place] = 0
    for seat in range(rules[PLAYERS]):
        seen[HELD + seat] = card_count(U64(hidden[seat]))
    seen[TURN] = leader
    seen[LEADER] = leader
    seen[LAST] = -1
    seen[ACTIVE] = (1 << rules[PLAYERS]) - 1


@device(borrows=True)
def make_play(rules, play, hidden, seen):
    """Play on by a choice of the seat in turn.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    play : int
        A legal play, 0 to pass.
    hidden, seen : arrays
        See `layout`. Changed.
    """
    seat = seen[TURN]
    seen[TURNS] += 1
    if play == 0:
        seen[PASSED] |= 1 << seat
        _next_turn(seat, seen)
        return
    if seen[PILE] == 0:
        seen[PILES] += 1
        seen[RUN_PILES] += is_run(play)
    seen[PLAYS] += 1
    seen[RUNS] += is_run(play)
    hand = without(hidden[seat], play)
    hidden[seat] = hand
    seen[PLAYED + seat] = with_jokers(seen[PLAYED + seat], play & CARDS)
    seen[HELD + seat] -= size_of(play)
    seen[PILE] = play
    seen[LAST] = seat
    if turns_order(rules, play):
        seen[REVERSED] ^= 1
        seen[REVOLUTIONS] += 1
    closed = closes(rules, play, seen[REVERSED])
    seen[CLOSED] += closed != 0
    if hand == 0:
        seen[OUT] += 1
        seen[PLACE + seat] = seen[OUT]
        seen[ACTIVE] &= ~(1 << seat)
        if seen[ACTIVE] & (seen[ACTIVE] - 1) == 0:
            last = I64(card_count(U64(seen[ACTIVE]) - U64(1)))
            seen[PLACE + last] = seen[OUT] + 1
            seen[TURN] = -1
            return
    if closed:
        _open_pile(seat, seen)
        return
    if not rules[PASS_LOCKS]:
        seen[PASSED] = 0
    _next_turn(seat, seen)


@device(inline=True, borrows=True)
def _next_turn(seat, seen):
    """The next seat that may play on the pile; if there is none, the pile is taken away."""
    last = seen[LAST]
    waiting = seen[ACTIVE] & ~seen[PASSED] & ~(1 << last)
    if waiting == 0:
        _open_pile(last, seen)
    else:
        seen[TURN] = seat_after(seat, waiting)


@device(inline=True, borrows=True)
def _open_pile(last, seen):
    """Take the pile away; who made the last play leads, or who comes after him if he has gone out."""
    active = seen[ACTIVE]
    seen[PILE] = 0
    seen[LAST] = -1
    seen[PASSED] = 0
    seen[TURN] = last if active >> last & 1 else seat_after(last, active)
