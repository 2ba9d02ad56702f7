"""Policies as kernels see them: how a turn is decided, by a table or at random.

A kernel calls `keep_after` and `entry_of`; numba picks the implementation by the policy's type.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from analyzer.dice.final import (
    end_choices,
    end_work,
    ends,
    gather_moves,
    list_ends,
    run_alike,
    turn_buffers,
)
from analyzer.dice.states import StateSpace, Tables
from analyzer.dice.throws import DECISIONS, draw_words, is_kind, of_game, slot_in, throw
from analyzer.dice.turn import LANES, Objective, U, backward_choices, missing_dice
from analyzer.engine.jit import device, kernel
from analyzer.engine.streams import bounded, words

UNDECIDED = 0xFFFF
"""Entry that a policy has not been asked for yet; for keeps it is the largest number of their type."""


CHUNK = 1024
"""Games played a stage at a time; their buffers stay in the first-level cache."""
LAST = 255
"""The entry, among the decisions of a turn; before it how the dice are laid."""
ANNOUNCED = 253
"""The line announced after the first throw, among the decisions of a turn."""


class TablePolicy(NamedTuple):
    """Decisions looked up in tables; a slot is a column, or a state for policies that ignore the upper total."""

    keeps: NDArray[Any]
    """(throws - 1, positions, slots) node kept after each throw but the last."""
    entries: NDArray[np.uint16]
    """(ends, slots) entry of the final roll, or of the ending (see `analyzer.dice.endings`)."""


class UniformPolicy(NamedTuple):
    """Every legal keep equally likely, then every legal entry equally likely; a slot is a state."""

    subsets: NDArray[np.uint32]
    """Keeps of every node, see `Lattice.subsets`."""
    subset_offset: NDArray[np.int64]
    size_offset: NDArray[np.int64]
    union: NDArray[np.uint32]
    union_start: NDArray[np.int64]
    pair_start: NDArray[np.int64]
    entries: NDArray[np.uint16]
    """(slots, rolls, lines) the legal entries of a roll, `entry_count` of them."""
    entry_count: NDArray[np.uint8]
    """(slots, rolls)"""


class UniformEndings(NamedTuple):
    """As `UniformPolicy` for games with endings: then every different legal way to lay the dice is equally likely.

    Who may not stop keeps less than all dice. Who has to announce a line takes any open one.
    """

    subsets: NDArray[np.uint32]
    subset_offset: NDArray[np.int64]
    class_of: NDArray[np.int8]
    """See `Tables`."""
    ending_wins: NDArray[np.bool_]
    rows: NDArray[np.uint16]
    """(slots, endings, options) see `analyzer.dice.final.list_ends`."""
    row_count: NDArray[np.uint8]
    entries: NDArray[np.uint16]
    entry_count: NDArray[np.uint8]


Decisions: TypeAlias = TablePolicy | UniformPolicy | UniformEndings


def keep_after(policy, stop, slot, s, keep, position, seed, index, turn):
    """What is kept after throw s (from 0), for kernels.

    `keep[i]`, before the node kept until then, becomes the node kept at `position[i]`.
    """
    raise NotImplementedError("call it from a kernel")


def entry_of(policy, slot, roll, seed, index, turn, entry):
    """`entry[i]` becomes the entry of the final roll `roll[i]`. For kernels."""
    raise NotImplementedError("call it from a kernel")


@device
def pick(count, s, seed, game, turn):
    """One of `count` decisions, each equally likely; s tells the decisions of a turn apart."""
    slot = slot_in(turn, DECISIONS + s)
    word, _, _, _ = words(seed, game, turn, slot)
    return bounded(word, count, seed, game, turn, slot, 0)


@device
def look_up_keeps(keeps, stop, slot, s, keep, position):
    """`keep_after` by table."""
    for i in range(keep.size):
        before = keep[U(i)]
        after = int(keeps[U(s), U(position[U(i)]), of_game(slot, i)])
        keep[U(i)] = after if before < stop else before


@device
def look_up_entries(entries, slot, roll, entry):
    """`entry_of` by table."""
    for i in range(entry.size):
        entry[U(i)] = entries[U(roll[U(i)]), of_game(slot, i)]


@device
def uniform_keeps(policy: UniformPolicy, stop, s, keep, position, seed, index, turn):
    """A uniform choice among the different keeps of the roll, with locked dice among those that hold `keep`."""
    dice = policy.size_offset.size - 2
    locked = policy.union.size > 0 and s > 0
    for i in range(index.size):
        if keep[i] >= stop:
            continue
        if locked:
            missing = missing_dice(policy.size_offset, keep[i])
            node = position[i] - policy.pair_start[keep[i]] + policy.size_offset[missing]
        else:
            node = policy.size_offset[dice] + position[i]
        start = policy.subset_offset[node]
        count = policy.subset_offset[node + 1] - start
        part = policy.subsets[start + int(pick(count, s, seed, index[i], of_game(turn, i)))]
        keep[i] = policy.union[policy.union_start[keep[i]] + part] if locked else part


@device
def may_announce(policy: UniformEndings, slot, group):
    """Whether the line of a group is open: then a turn that ends with it has something to enter."""
    rolls = policy.ending_wins.size // (policy.class_of.max() + 1)
    return policy.row_count[slot, policy.class_of[policy.class_of.shape[0] - 1, 2 * group] * rolls] > 0


@device
def open_groups(policy: UniformEndings, slot):
    """Number of lines that may be announced."""
    found = 0
    for group in range(policy.class_of.shape[1] // 2):
        found += may_announce(policy, slot, group)
    return found


@device
def group_of(policy: UniformEndings, slot, number):
    """Group of one of the lines that may be announced, numbered from 0."""
    group = 0
    while number > 0 or not may_announce(policy, slot, group):
        number -= may_announce(policy, slot, group)
        group += 1
    return group


@device
def uniform_ending_keeps(policy: UniformEndings, stop, slot, s, keep, position, seed, index, turn):
    """A uniform choice among the different keeps of the roll, all dice included if one may stop."""
    rolls = policy.ending_wins.size // (policy.class_of.max() + 1)
    groups = policy.class_of.shape[1] // 2
    first_roll = stop // groups
    for i in range(index.size):
        if keep[i] >= stop:
            continue
        one = position[i] // rolls
        roll = position[i] - one * rolls
        ending = policy.class_of[s, one] * rolls + roll
        start = policy.subset_offset[first_roll + roll]
        count = policy.subset_offset[first_roll + roll + 1] - start  # the last subset is the roll itself
        may_stop = policy.row_count[of_game(slot, i), ending] > 0
        chosen = int(pick(count if may_stop else count - 1, s, seed, index[i], of_game(turn, i)))
        if chosen == count - 1 or policy.ending_wins[ending]:
            keep[i] = stop + ending
            continue
        group = one // 2
        if groups > 1 and s == 0:
            line = int(pick(open_groups(policy, of_game(slot, i)), ANNOUNCED, seed, index[i], of_game(turn, i)))
            group = group_of(policy, of_game(slot, i), line)
        keep[i] = group * first_roll + policy.subsets[start + chosen]


@device
def uniform_ending_entries(policy: UniformEndings, slot, ending, seed, index, turn, entry):
    """A uniform choice among the ways to lay the dice, then among the legal entries."""
    for i in range(index.size):
        k, when = of_game(slot, i), of_game(turn, i)
        row = policy.rows[k, ending[i], pick(policy.row_count[k, ending[i]], LAST - 1, seed, index[i], when)]
        entry[i] = policy.entries[k, row, pick(policy.entry_count[k, row], LAST, seed, index[i], when)]


@device
def uniform_entries(policy: UniformPolicy, slot, roll, seed, index, turn, entry):
    """A uniform choice among the legal entries."""
    for i in range(index.size):
        count = policy.entry_count[of_game(slot, i), roll[i]]
        entry[i] = policy.entries[of_game(slot, i), roll[i], pick(count, LAST, seed, index[i], of_game(turn, i))]


@overload(keep_after)
def _keep_after(policy, stop, slot, s, keep, position, seed, index, turn):
    if is_kind(policy, TablePolicy):
        return lambda policy, stop, slot, s, keep, position, seed, index, turn: look_up_keeps(
            policy.keeps, stop, slot, s, keep, position
        )
    if is_kind(policy, UniformPolicy):
        return lambda policy, stop, slot, s, keep, position, seed, index, turn: uniform_keeps(
            policy, stop, s, keep, position, seed, index, turn
        )
    if is_kind(policy, UniformEndings):
        return lambda policy, stop, slot, s, keep, position, seed, index, turn: uniform_ending_keeps(
            policy, stop, slot, s, keep, position, seed, index, turn
        )
    return None


@overload(entry_of)
def _entry_of(policy, slot, roll, seed, index, turn, entry):
    if is_kind(policy, TablePolicy):
        return lambda policy, slot, roll, seed, index, turn, entry: look_up_entries(policy.entries, slot, roll, entry)
    if is_kind(policy, UniformPolicy):
        return lambda policy, slot, roll, seed, index, turn, entry: uniform_entries(
            policy, slot, roll, seed, index, turn, entry
        )
    if is_kind(policy, UniformEndings):
        return lambda policy, slot, roll, seed, index, turn, entry: uniform_ending_entries(
            policy, slot, roll, seed, index, turn, entry
        )
    return None


@device
def decide(t: Tables, columns, column_state, objective: Objective, width, work, first, keeps, entries):
    """Decision tables of up to `width` columns, in slots `first`, ... of `keeps` and `entries`.

    `work` comes from `workspace`.
    """
    values, spare, result, choice, row_entries, chosen, moved, end = work
    states, lanes = np.zeros(width, dtype=np.int64), np.zeros(width, dtype=np.int64)
    at = 0
    while at < columns.size:
        count = run_alike(t, columns[at:], column_state, states, lanes)
        gather_moves(t, states[:count], lanes[:count], objective, moved, width)
        end_choices(t, states[0], count, objective, moved, values, end, row_entries, chosen, at, width)
        at += count
    for e in range(entries.shape[0]):
        o = U(e) * U(width)
        for i in range(columns.size):
            entries[U(e), U(first + i)] = np.int32(chosen[o + U(i)])
    backward_choices(values, spare, result, choice, end.endings, t, width, columns.size, first, keeps)


@device
def workspace(t: Tables, width):
    """Buffers of `decide`."""
    values, _, result = turn_buffers(t, width)
    end = end_work(t, width)
    return (
        values,
        np.zeros(values.size),
        result,
        np.zeros(values.size),
        np.zeros(end.rows.size),
        np.zeros(ends(t) * width),
        np.zeros(t.move_line.size * width),
        end,
    )


@device
def chunk_buffers():
    """Buffers of `play_turn`: words, keeps, positions."""
    return np.empty((4, CHUNK), np.uint32), np.zeros(CHUNK, np.int64), np.zeros(CHUNK, np.int64)


@device
def play_throws(d, policy, slot, seed, index, turn, buffers):
    """All throws of a turn of up to `CHUNK` games, a stage at a time over all of them, so that look-ups overlap.

    Game `index[i]` plays by `slot[i]`. Returns the final rolls, a view of a buffer.
    """
    drawn, keep, position = buffers
    n = index.size
    keep, position = keep[:n], position[:n]
    keep[:] = 0
    for s in range(d.throws):
        if s > 0:
            keep_after(policy, d.stop, slot, s - 1, keep, position, seed, index, turn)
        if s & 3 == 0:
            draw_words(seed, index, turn, s >> 2, drawn)
        throw(d, keep, s, drawn, seed, index, turn, position)
    if d.position_roll.size:
        for i in range(n):
            position[i] = d.position_roll[position[i]]
    return position


@device
def play_turn(d, policy, slot, seed, index, turn, buffers, entry):
    """As `play_throws`, and `entry[i]` becomes the entry of game `index[i]`."""
    roll = play_throws(d, policy, slot, seed, index, turn, buffers)
    entry_of(policy, slot, roll, seed, index, turn, entry)
    return roll


@kernel
def decide_columns(t: Tables, columns, column_state, objective: Objective, width, keeps, entries):
    """Decision tables of any number of columns, see `decide`."""
    work = workspace(t, width)
    for first in range(0, columns.size, width):
        last = min(first + width, columns.size)
        decide(t, columns[first:last], column_state, objective, width, work, first, keeps, entries)


def positions(space: StateSpace) -> int:
    """Number of positions in which a keep is decided, see `Tables.pair_start`."""
    t = space.tables
    if t.union.size:
        return int(t.pair_start[-1])
    return space.lattice.rolls * (2 * space.groups if t.option_start.size else 1)


def empty_tables(space: StateSpace, slots: int) -> TablePolicy:
    """Room for the decisions of some slots, all undecided."""
    nodes = np.uint16 if space.stop + space.ends < UNDECIDED else np.uint32
    shape = (space.rules.throws - 1, positions(space), slots)
    keeps = np.full(shape, np.iinfo(nodes).max, dtype=nodes)
    return TablePolicy(keeps, np.full((space.ends, slots), UNDECIDED, dtype=np.uint16))


def best_decisions(space: StateSpace, objective: Objective, columns: NDArray[np.int64]) -> TablePolicy:
    """Decisions that maximise an objective, one slot for each of the given columns."""
    tables = empty_tables(space, len(columns))
    decide_columns(space.tables, columns, space.column_state, objective, LANES, *tables)
    return tables


class LegalEnds(NamedTuple):
    """What may be done at the end of a turn, for some columns; see `analyzer.dice.final.list_ends`."""

    rows: NDArray[np.uint16]
    row_count: NDArray[np.uint8]
    entries: NDArray[np.uint16]
    entry_count: NDArray[np.uint8]


def legal_ends(space: StateSpace, columns: NDArray[np.int64]) -> LegalEnds:
    """Options of every ending, and legal entries of every row, for the given columns."""
    slots, (rows, lines) = len(columns), space.tables.natural.shape
    endings = len(space.endings.options)
    most = max(map(len, space.endings.options), default=0)
    found = LegalEnds(
        np.zeros((slots, endings, most), np.uint16),
        np.zeros((slots, endings), np.uint8),
        np.zeros((slots, rows, lines), np.uint16),
        np.zeros((slots, rows), np.uint8),
    )
    list_ends(space.tables, space.column_state[columns], *found)
    return found


def uniform_decisions(space: StateSpace, columns: NDArray[np.int64]) -> UniformPolicy | UniformEndings:
    """Uniformly random decisions, one slot for each of the given columns.

    Raises
    ------
    PositionError
        The dice are too many to list every keep.
    """
    t, lattice = space.tables, space.lattice
    legal = legal_ends(space, columns)
    if space.endings.options:
        return UniformEndings(lattice.subsets, lattice.subset_offset, t.class_of, t.ending_wins, *legal)
    pairs = (t.union, t.union_start, t.pair_start)
    return UniformPolicy(
        lattice.subsets, lattice.subset_offset, lattice.offset, *pairs, legal.entries, legal.entry_count
    )
