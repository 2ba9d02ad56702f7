"""Throwing dice in a kernel, for a chunk of games at once: one addressed random word and one look-up per throw.

The draw of throw s in a turn is the word at address (game, turn, s). Its leading base-`faces` digits are the dice, in
order, so two policies that throw a different number of dice still see the same first ones. Kernels hand on a turn and a
seat in one word, see `SEAT`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numba.core import types
from numba.extending import overload
from numpy.typing import NDArray

from analyzer.dice.lattice import MAX_OUTCOMES, Lattice
from analyzer.dice.states import StateSpace, Tables
from analyzer.dice.turn import missing_dice
from analyzer.engine.jit import device
from analyzer.engine.streams import bounded, words

U = np.uint64
U32 = np.uint32
SEAT = 1 << 6
"""Slots from the draws of one seat to those of the next.

In the word that names a turn the upper half is added to the slot: the turn is ``turn | seat * SEAT << 32``.
"""
SINGLE_DICE = 1 << 12
"""Slots from here on hold single dice, where all outcomes of a throw together are too many for a table."""
DECISIONS = 1 << 16
"""Slots from here on hold the decisions of policies that choose at random."""


class TabulatedThrows(NamedTuple):
    """Throws that are looked up: one random word each."""

    throws: int
    stop: int
    """First keep of all dice: who keeps so much has stopped."""
    outcomes: NDArray[Any]
    """Position after each equally likely ordered outcome: the roll, or the pair (see `Tables.pair_start`) if locked.

    In games with endings as in `analyzer.dice.endings`.
    """
    first: NDArray[np.uint64]
    """(keeps,) first outcome of a keep."""
    number: NDArray[np.uint64]
    """(keeps,) number of outcomes of a keep."""
    position_roll: NDArray[np.uint32]
    """With locked dice, roll of each position; else empty, as positions are rolls."""


class SingleThrows(NamedTuple):
    """Throws whose outcomes are too many for a table: one random word for each die."""

    throws: int
    stop: int
    """First keep of all dice: who keeps so much has stopped."""
    append: NDArray[np.uint32]
    size_offset: NDArray[np.int64]
    pair_start: NDArray[np.int64]
    position_roll: NDArray[np.uint32]
    full: int
    """What a throw of all dice adds to the position: the number of rolls in games with endings, else 0."""


@lru_cache(maxsize=8)
def throws_of(space: StateSpace) -> TabulatedThrows | SingleThrows:
    """How a game's dice are thrown."""
    lattice, t = space.lattice, space.tables
    locked = t.union.size > 0
    position_roll = _position_rolls(lattice, t) if locked else np.zeros(0, dtype=np.uint32)
    if not lattice.tabulated or space.groups * lattice.all_outcomes > MAX_OUTCOMES:
        full = lattice.rolls if space.endings.options else 0
        return SingleThrows(t.throws, space.stop, t.append, t.size_offset, t.pair_start, position_roll, full)
    outcomes = _locked_outcomes(lattice, t) if locked else lattice.outcomes
    first, number = lattice.outcome_offset, lattice.outcome_count
    if space.endings.options:
        outcomes, first, number = _ending_outcomes(lattice, space.groups, space.ends)
    small = np.min_scalar_type(int(outcomes.max()))  # what fits into the first-level cache is faster
    return TabulatedThrows(t.throws, space.stop, outcomes.astype(small), first, number, position_roll)


def _ending_outcomes(
    lattice: Lattice, groups: int, ends: int
) -> tuple[NDArray[np.uint32], NDArray[np.uint64], NDArray[np.uint64]]:
    """Outcomes where positions are those of `analyzer.dice.endings`."""
    partial = int(lattice.outcome_offset[lattice.first_roll])
    again = lattice.outcomes[:partial].astype(np.uint32)
    again[: int(lattice.outcome_count[0])] += lattice.rolls  # node 0 keeps nothing
    every = np.arange(groups)[:, None]
    outcomes = (again + every * 2 * lattice.rolls).astype(np.uint32).reshape(-1)
    first = (lattice.outcome_offset[: lattice.first_roll].astype(np.int64) + every * partial).reshape(-1)
    number = np.tile(lattice.outcome_count[: lattice.first_roll], groups)
    return (
        np.concatenate([outcomes, np.arange(ends, dtype=np.uint32)]),
        np.concatenate([first, groups * partial + np.arange(ends)]).astype(np.uint64),
        np.concatenate([number, np.ones(ends, dtype=np.uint64)]).astype(np.uint64),
    )


def _missing(lattice: Lattice) -> NDArray[np.int64]:
    return np.asarray(lattice.dice - lattice.counts.sum(axis=1, dtype=np.int64))


def _position_rolls(lattice: Lattice, t: Tables) -> NDArray[np.uint32]:
    rolls = []
    for keep, missing in enumerate(_missing(lattice)):
        added = np.arange(lattice.offset[missing], lattice.offset[missing + 1])
        rolls.append(t.union[t.union_start[keep] + added] - lattice.first_roll)
    return np.concatenate(rolls).astype(np.uint32)


def _locked_outcomes(lattice: Lattice, t: Tables) -> NDArray[np.uint32]:
    """For every keep, the pair position of each ordered outcome of its missing dice."""
    drawn = [np.zeros(1, dtype=np.int64)]
    for _ in range(lattice.dice):
        drawn.append(lattice.append[drawn[-1]].astype(np.int64).reshape(-1))
    # `append` varies fastest in the last die, so the first die thrown is the most significant digit here as well.
    parts = [t.pair_start[k] + drawn[m] - lattice.offset[m] for k, m in enumerate(_missing(lattice))]
    return np.concatenate(parts).astype(np.uint32)


def of_game(value, i):
    """What game i has: `value[i]`, or `value` itself if all games share one. For kernels."""
    raise NotImplementedError("call it from a kernel")


@overload(of_game)
def _of_game(value, i):
    if isinstance(value, types.Array):
        return lambda value, i: U(value[U(i)])
    return lambda value, i: U(value)


@device(inline=True)
def slot_in(turn, slot):
    """A slot in the seat that a turn is played in."""
    return U(slot) + (turn >> U(32))


@device
def draw_words(seed, index, turn, group, drawn):
    """`drawn[s & 3, i]` becomes the word of throw s of game `index[i]`, for the four throws of a group.

    SIMD runs over games.
    """
    for i in range(index.size):
        when = of_game(turn, i)
        a, b, c, d = words(seed, index[U(i)], when, slot_in(when, group))
        drawn[U(0), U(i)] = a
        drawn[U(1), U(i)] = b
        drawn[U(2), U(i)] = c
        drawn[U(3), U(i)] = d


def throw(d, keep, s, drawn, seed, index, turn, position):
    """Throw s of a chunk of games: `position[i]` after throwing the missing dice of `keep[i]`. For kernels."""
    raise NotImplementedError("call it from a kernel")


@device
def look_up(outcomes, first, number, keep, s, drawn, seed, index, turn, position):
    """`throw` by table. The rare word that has to be drawn anew makes a second, careful pass over the chunk."""
    again = False
    for i in range(index.size):
        k = U(keep[U(i)])
        product = U(drawn[U(s & 3), U(i)]) * number[k]
        again |= U(U32(product)) < number[k]
        position[U(i)] = outcomes[first[k] + (product >> U(32))]
    if again:
        for i in range(index.size):
            k = U(keep[i])
            when = of_game(turn, i)
            j = bounded(drawn[s & 3, i], number[k], seed, index[i], when, slot_in(when, s >> 2), s & 3)
            position[i] = outcomes[first[k] + j]


@device
def throw_singly(d: SingleThrows, keep, s, seed, index, turn, position):
    """`throw` die by die."""
    partial, faces = d.append.shape
    locked = d.pair_start.size > 0
    dice = d.size_offset.size - 2
    for i in range(index.size):
        if keep[i] >= d.stop and not locked:
            position[i] = U(keep[i]) - U(d.stop)
            continue
        group, kept = (keep[i] // partial, keep[i] % partial) if d.full else (0, keep[i])
        missing = missing_dice(d.size_offset, kept)
        node = U(0) if locked else U(kept)
        when = of_game(turn, i)
        for die in range(missing):
            slot = slot_in(when, SINGLE_DICE + s * 4 + (die >> 2))
            a, b, c, e = words(seed, index[i], when, slot)
            which = die & 3
            word = a if which == 0 else b if which == 1 else c if which == 2 else e
            node = U(d.append[node, bounded(word, faces, seed, index[i], when, slot, which)])
        if locked:
            position[i] = U(d.pair_start[keep[i]]) + node - U(d.size_offset[missing])
        else:
            position[i] = node - U(d.size_offset[dice]) + U(d.full) * U(2 * group + (1 if kept == 0 else 0))


@overload(throw)
def _throw(d, keep, s, drawn, seed, index, turn, position):
    if is_kind(d, TabulatedThrows):
        return lambda d, keep, s, drawn, seed, index, turn, position: look_up(
            d.outcomes, d.first, d.number, keep, s, drawn, seed, index, turn, position
        )
    if is_kind(d, SingleThrows):
        return lambda d, keep, s, drawn, seed, index, turn, position: throw_singly(
            d, keep, s, seed, index, turn, position
        )
    return None


def is_kind(kind: Any, named_tuple: type) -> bool:
    """Whether a numba type is that of a named tuple class: what overloads choose by."""
    return isinstance(kind, types.NamedTuple) and kind.instance_class is named_tuple
