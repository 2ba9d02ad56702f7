"""The policy `lowest` of President: always the cheapest legal play, and never a pass that is not forced."""

from __future__ import annotations

import numpy as np

from analyzer.cards.bits import card_count
from analyzer.engine.jit import device
from analyzer.games.president.layout import CARDS, JOKER, JOKERS, PILE, REVERSED, TWO
from analyzer.games.president.plays import is_run, low_of, play_at, size_of

__all__ = ["lowest_play", "strength_of"]

I64 = np.int64
U64 = np.uint64


@device(inline=True, borrows=True)
def strength_of(play, turned):
    """How far up a play stands in the order in force: 0 for a group of the lowest rank, 13 for jokers alone.

    Of a run it is the rank that an answer is measured by: the highest, in a revolution the lowest.
    """
    low = low_of(play)
    if low == JOKERS:
        return low
    if turned:
        return TWO - low
    return low + (size_of(play) - 1 if is_run(play) else 0)


@device(borrows=True)
def lowest_play(rules, hand, count, seen):
    """The legal play with the fewest jokers, of these the lowest, of these the one with most cards.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    hand, count : int
        The cards of the seat in turn, and how many legal choices it has.
    seen : (SEEN,) int64 array
        See `layout`.

    Returns
    -------
    int64
        A play; 0 if only a pass is legal.
    """
    best, cost = I64(0), I64(1) << 62
    for number in range(1 if seen[PILE] else 0, count):
        play = play_at(rules, hand, seen[PILE], seen[REVERSED], number)
        jokers = I64(card_count((U64(play) & U64(CARDS)) >> U64(JOKER)))
        one = jokers << 16 | strength_of(play, seen[REVERSED]) << 8 | (64 - size_of(play))
        if one < cost:
            best, cost = play, one
    return best
