"""Sets of cards as bits of an integer: how many there are, and where the lowest is.

All functions work in kernels and in Python, where they take and give integers of 64 bits.
"""

from __future__ import annotations

import numpy as np

from analyzer.engine.jit import device

__all__ = ["card_count", "lowest_card", "seat_after"]

U64 = np.uint64


@device(borrows=True)
def card_count(cards):
    """Number of cards of a set; compiled to one instruction where the processor has it.

    Examples
    --------
    >>> card_count(0b1011)
    3
    """
    rest, n = U64(cards), 0
    while rest:
        rest &= rest - U64(1)
        n += 1
    return n


@device(inline=True, borrows=True)
def lowest_card(cards):
    """Number of the lowest card of a set; 64 for the empty set.

    Examples
    --------
    >>> lowest_card(0b1100)
    2
    """
    return card_count((U64(cards) & (~U64(cards) + U64(1))) - U64(1))


@device(inline=True, borrows=True)
def seat_after(seat, seats):
    """The next seat of a set that is not empty, clockwise from one that may be in it or not.

    Examples
    --------
    >>> seat_after(1, 0b1101), seat_after(3, 0b1001)
    (2, 0)
    """
    later = U64(seats) >> U64(seat + 1) << U64(seat + 1)
    return lowest_card(later or U64(seats))
