"""Addressed random numbers: Philox4x32-10, a pure function from (seed, address) to four random words.

A draw is not consumed from a stream but looked up at its address (index, step, slot), for instance (game,
turn, throw). So two policies or two variants see the same dice whatever they decide, and any game can be
replayed alone. Seed and index have 64 bits, the step 32. Slots below 2**24 are for the caller; the slots from
2**31 on hold the spare words with which `bounded` stays free of bias.

A loop that only stores `words` in a buffer becomes SIMD code, several times as fast as one that also holds
the rare branch of `bounded`. So hot kernels fill a buffer for many games first, and then bound and use it.

References
----------
J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.

D. Lemire, "Fast random integer generation in an interval", ACM TOMACS 29(1), 2019.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from analyzer.engine.jit import device

__all__ = ["STREAM_VERSION", "bounded", "bounded_wide", "is_biased", "philox", "replaced", "words"]

STREAM_VERSION = 1
"""Changes whenever the same seed and address would give another number; part of every task's id."""

SPARE = 2**31
"""Bit of the slot that marks the addresses of spare words."""

U32 = np.uint32
U64 = np.uint64
Integer: TypeAlias = int | np.integer
Words: TypeAlias = tuple[np.uint32, np.uint32, np.uint32, np.uint32]


@device(inline=True)
def philox(c0: Integer, c1: Integer, c2: Integer, c3: Integer, k0: Integer, k1: Integer) -> Words:
    """Philox4x32-10: ten rounds of a keyed bijection on 128 bits.

    Parameters
    ----------
    c0, c1, c2, c3 : int
        The counter, four words of 32 bits; higher bits are ignored.
    k0, k1 : int
        The key, two words of 32 bits; higher bits are ignored.

    Returns
    -------
    tuple of four uint32
        Independent uniform words.

    Examples
    --------
    >>> [f"{word:08x}" for word in philox(0, 0, 0, 0, 0, 0)]
    ['6627e8d5', 'e169c58d', 'bc57ac4c', '9b00dbd8']
    """
    a, b, c, d = U32(c0), U32(c1), U32(c2), U32(c3)
    x, y = U32(k0), U32(k1)
    for _ in range(10):
        p = U64(0xD2511F53) * U64(a)
        q = U64(0xCD9E8D57) * U64(c)
        a, b = U32(U32(q >> U64(32)) ^ b ^ x), U32(q)
        c, d = U32(U32(p >> U64(32)) ^ d ^ y), U32(p)
        x = U32(x + U32(0x9E3779B9))
        y = U32(y + U32(0xBB67AE85))
    return a, b, c, d


@device(inline=True)
def words(seed: Integer, index: Integer, step: Integer, slot: Integer) -> Words:
    """Four random words at an address.

    Parameters
    ----------
    seed : int
        The user's seed, 64 bits: the key.
    index : int
        64 bits: the game or the deal.
    step : int
        32 bits: the turn, the trick.
    slot : int
        Below 2**24: the throw or the decision, and the player where several draw in the same step.

    Returns
    -------
    tuple of four uint32
        Independent of the words at any other address and under any other seed.

    Examples
    --------
    >>> [int(word) for word in words(7, 0, 0, 0)] == [int(word) for word in words(7, 0, 0, 0)]
    True
    """
    s, i = U64(seed), U64(index)
    return philox(i, i >> U64(32), step, slot, s, s >> U64(32))


@device(inline=True)
def bounded(
    word: Integer,
    bound: Integer,
    seed: Integer,
    index: Integer,
    step: Integer,
    slot: Integer,
    position: Integer,
) -> np.uint64:
    """Integer in [0, bound) from a random word, every value exactly equally likely.

    The high half of ``word * bound`` is the answer (Lemire 2019). Of the 2**32 words, ``2**32 % bound`` would
    make some answers likelier than others; these are rejected in favour of a spare word that belongs to the
    same address, so that no other draw moves.

    Parameters
    ----------
    word : int
        The word that `words` gave for this address at `position`.
    bound : int
        From 1 to 2**32 - 1.
    seed, index, step, slot : int
        The address of `word`; slot below 2**24.
    position : int
        Which of the four words `word` is, 0 to 3.

    Returns
    -------
    uint64
        From 0 to bound - 1.

    Examples
    --------
    >>> first, second, third, fourth = words(7, 0, 0, 0)
    >>> 1 + int(bounded(second, 6, 7, 0, 0, 0, 1)) in {1, 2, 3, 4, 5, 6}
    True
    """
    product = U64(word) * U64(bound)
    if U64(U32(product)) < U64(bound):
        product = _accepted(product, bound, seed, index, step, slot, position)
    return product >> U64(32)


@device(inline=True, borrows=True)
def is_biased(word: Integer, bound: Integer) -> np.bool:
    """Whether a word may favour some numbers below a bound, so that `replaced` must be asked.

    True of `bound` of the 2**32 words, among them all that `bounded` rejects.

    Parameters
    ----------
    word, bound : int
        As for `bounded`.

    Returns
    -------
    bool

    Examples
    --------
    >>> bool(is_biased(0, 60)), bool(is_biased(1, 60))
    (True, False)
    """
    return U64(U32(U64(word) * U64(bound))) < U64(bound)


@device
def replaced(
    word: np.uint64,
    bound: np.uint64,
    seed: Integer,
    index: Integer,
    step: Integer,
    slot: Integer,
    position: Integer,
) -> np.uint64:
    """A word that stands, without bias, for the number below a bound that `bounded` gives at an address.

    For callers that take a number apart into digits by multiplying the word: where `is_biased` says so they go on with
    this word instead.

    Parameters
    ----------
    word, bound, seed, index, step, slot, position : int
        As for `bounded`.

    Returns
    -------
    uint64
        Below 2**32.

    Examples
    --------
    >>> word, bound = words(7, 0, 0, 0)[0], 60
    >>> number = bounded(word, bound, 7, 0, 0, 0, 0)
    >>> int(replaced(word, bound, 7, 0, 0, 0, 0)) * bound >> 32 == int(number)
    True
    """
    number = bounded(word, bound, seed, index, step, slot, position)
    return ((number << U64(32)) + U64(bound) - U64(1)) // U64(bound)


@device
def bounded_wide(
    bound: Integer,
    seed: Integer,
    index: Integer,
    step: Integer,
    slot: Integer,
) -> np.uint64:
    """Integer in [0, bound), for bounds of up to 64 bits, every value exactly equally likely.

    Parameters
    ----------
    bound : int
        From 1 to 2**64 - 1.
    seed, index, step, slot : int
        The address, all four words of which are taken; slot below 2**24. If both their pairs are among the surplus of
        2**64 over the multiples of the bound, spare words of the address follow, as in `bounded`.

    Returns
    -------
    uint64
        From 0 to bound - 1.

    Examples
    --------
    >>> int(bounded_wide(10**18, 7, 0, 0, 0)) < 10**18
    True
    """
    width = U64(bound)
    stop = U64(2**64 - 1) // width * width
    where, attempt = U64(slot), U64(0)
    while True:
        a, b, c, d = words(seed, index, step, where)
        number = U64(a) << U64(32) | U64(b)
        if number >= stop:
            number = U64(c) << U64(32) | U64(d)
        if number < stop:
            return number % width
        where = U64(SPARE) | ((attempt & U64(127)) << U64(24)) | U64(slot)
        attempt += U64(1)


@device
def _accepted(
    product: np.uint64,
    bound: Integer,
    seed: Integer,
    index: Integer,
    step: Integer,
    slot: Integer,
    position: Integer,
) -> np.uint64:
    """Product of the bound and the first word at this address that is not to be rejected."""
    surplus = U64(2**32) % U64(bound)
    attempt = U64(0)
    while U64(U32(product)) < surplus:
        # Seven bits of attempts: all 128 spare words are rejected with a probability below 2**-128.
        spare = U64(SPARE) | ((attempt & U64(127)) << U64(24)) | U64(slot)
        a, b, c, d = words(seed, index, step, spare)
        if position == 0:
            chosen = a
        elif position == 1:
            chosen = b
        elif position == 2:
            chosen = c
        else:
            chosen = d
        product = U64(chosen) * U64(bound)
        attempt += U64(1)
    return product
