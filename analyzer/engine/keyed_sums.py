"""Sums by key in kernels: an open-addressed table that grows, for keys too many for an array of which few occur."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analyzer.engine.jit import device

SCATTER = 0x9E3779B97F4A7C15
"""Odd multiplier of Fibonacci hashing (Knuth, The Art of Computer Programming, volume 3, section 6.4)."""

U = np.uint64


class KeyedSums(NamedTuple):
    """Sums of some figures by key, and with every key a note of integers, such as where it was met.

    In kernels: call `reserve` and go on with the table that it returns, then `slot_of` for no more new keys than that.
    """

    keys: NDArray[np.int64]
    """(capacity,) keys from 0, -1 where there is none; the capacity is a power of two."""
    sums: NDArray[np.float64]
    """(capacity, figures)"""
    notes: NDArray[np.int64]
    """(capacity, integers)"""
    number: NDArray[np.int64]
    """(1,) number of keys."""

    def entries(self) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
        """Keys in ascending order, with their sums and notes."""
        used = np.flatnonzero(self.keys >= 0)
        order = used[np.argsort(self.keys[used])]
        return self.keys[order], self.sums[order], self.notes[order]


@device
def empty_sums(capacity, figures, integers):
    """A table without keys; `capacity` is a power of two."""
    return KeyedSums(
        np.full(capacity, -1, dtype=np.int64),
        np.zeros((capacity, figures)),
        np.zeros((capacity, integers), dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )


@device
def slot_of(keys, number, key):
    """Place of a key, which is there from now on."""
    mask = U(keys.size - 1)
    at = ((U(key) * U(SCATTER)) >> U(32)) & mask
    while keys[at] != key:
        if keys[at] < 0:
            keys[at] = key
            number[0] += 1
            break
        at = (at + U(1)) & mask
    return at


@device
def reserve(table, more):
    """The table, or a larger copy, with room for so many new keys while at most half of it is taken."""
    capacity = table.keys.size
    if 2 * (table.number[0] + more) <= capacity:
        return table
    while 2 * (table.number[0] + more) > capacity:
        capacity *= 2
    grown = empty_sums(capacity, table.sums.shape[1], table.notes.shape[1])
    for i in range(table.keys.size):
        if table.keys[i] < 0:
            continue
        at = slot_of(grown.keys, grown.number, table.keys[i])
        for j in range(table.sums.shape[1]):
            grown.sums[at, j] = table.sums[i, j]
        for j in range(table.notes.shape[1]):
            grown.notes[at, j] = table.notes[i, j]
    return grown
