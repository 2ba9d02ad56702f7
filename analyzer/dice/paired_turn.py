"""One turn of two games at once: the same dice, played by the first game's decisions, judged by both.

A pair is a column of the first game, the base, and a column of the other, whose sheets hold the same results. For each
pair both games' decisions and values are worked out (`decide_turn`); then the chances of a turn are followed forwards
as the base plays it. Wherever both have a decision to make the two are compared: what that of the base is short of the
best in the other game, and the reverse. Pairs in which the same entries are legal share a block, a lane for each.

Within a turn, chances are kept by joint group (see `analyzer.dice.endings`; where only one game announces a line its
groups are the joint ones) and keep, then by joint group and *place*: the roll, and `rolls` more after a throw of all
dice where one of the games cares; with locked dice the pair of kept and thrown dice (`Tables.pair_start`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analyzer.dice.arm_turn import (
    FORBIDDEN,
    Arm,
    Side,
    best_announced,
    decide_turn,
    entry_like,
    entry_value,
    first_ends,
    keep_worth,
    row_at,
    side_buffers,
)
from analyzer.dice.evaluation import spread
from analyzer.dice.states import Tables
from analyzer.dice.turn import TIE, U, copy_to, missing_dice
from analyzer.engine.jit import device, kernel
from analyzer.engine.keyed_sums import empty_sums, reserve, slot_of

BARRED_COST = -1.0
"""Stands for the cost of a decision that the rules forbid."""

FIGURES = 8
DECISIONS, DIFFERENT, COST, BASE_COST, BARRED, BASE_BARRED, TIED_COST, TIED_BARRED = range(FIGURES)
"""What is added up for a kind of decision.

Chances of compared decisions, and of those that differ; what the base's decisions cost in the other game, and the
reverse; chances of differences where the other game forbids the base's decision, and the reverse. The last two are the
cost, and the chance to be forbidden, where the two decisions are equally good in the base: no difference, but the base
plays one of them.
"""

SUMS = 7
CHANCE, SUM_COST, SUM_BASE_COST, SUM_BARRED, SUM_BASE_BARRED, ROUNDS, LARGEST = range(SUMS)
"""What is added up for a difference; `LARGEST` is its largest chance in a pair of columns."""

WON, OVER = range(2)
"""Chances that a turn ends the game: it is won at once in the base, or in the other game alone."""


class Places(NamedTuple):
    """Where a throw may lead."""

    roll: NDArray[np.int64]
    full: NDArray[np.int64]
    """1 after a throw of all dice, where that matters."""
    held: NDArray[np.int64]
    """Node that was kept, with locked dice; else 0."""
    start: NDArray[np.int64]
    """(nodes + 1,) first place of a keep, with locked dice; else empty."""
    split: bool
    """Whether throws of all dice have places of their own."""
    counts: NDArray[np.uint8]
    """(nodes, faces) dice of the nodes."""


class Pairs(NamedTuple):
    """Pairs of columns, and the blocks of them in which the same entries are legal."""

    base: NDArray[np.int64]
    other: NDArray[np.int64]
    chance: NDArray[np.float64]
    start: NDArray[np.int64]
    stop: NDArray[np.int64]


@device
def holds(counts, node, held):
    """Whether a node holds all dice of another."""
    found = True
    for face in range(counts.shape[1]):
        found &= counts[node, face] >= counts[held, face]
    return found


@device
def is_difference(figures, chance, here, there):
    """Whether two decisions differ: neither is as good as the other in one of the games.

    `there` is what that of the base costs in the other game, `here` the reverse. The figures are added to.
    """
    barred, base_barred = there == BARRED_COST, here == BARRED_COST
    if there <= TIE and not barred:
        return False
    if here <= TIE and not base_barred:
        figures[TIED_BARRED if barred else TIED_COST] += chance if barred else chance * there
        return False
    figures[DIFFERENT] += chance
    figures[BARRED if barred else COST] += chance if barred else chance * there
    figures[BASE_BARRED if base_barred else BASE_COST] += chance if base_barred else chance * here
    return True


@device
def add_difference(keys, sums, notes, number, key, chance, here, there, turn, base, other):
    """Add a difference that has come up in a pair of columns."""
    at = slot_of(keys, number, key)
    sums[at, CHANCE] += chance
    sums[at, SUM_COST] += chance * max(there, 0.0)
    sums[at, SUM_BASE_COST] += chance * max(here, 0.0)
    sums[at, SUM_BARRED] += chance if there == BARRED_COST else 0.0
    sums[at, SUM_BASE_BARRED] += chance if here == BARRED_COST else 0.0
    sums[at, ROUNDS] += chance * (turn + 1)
    if chance > sums[at, LARGEST]:
        sums[at, LARGEST] = chance
        notes[at, 0] = base
        notes[at, 1] = other


@device
def compare_keeps(
    a: Arm, b: Arm, x: Side, y: Side, places: Places, s, joint, group_a, group_b, width, columns_a, columns_b,
    chance, following, stopped, found, figures, turn,
):  # fmt: skip
    """The keeps after throw s: compare them, and move the chances on as the base keeps.

    Returns the differences found so far.
    """
    first_roll, left = a.t.first_roll, a.t.throws - 1 - s
    endings_a, endings_b = a.t.option_start.size > 0, b.t.option_start.size > 0
    many_a, many_b = endings_a and a.t.class_of.shape[1] > 2, endings_b and b.t.class_of.shape[1] > 2
    stop_a = first_roll * (a.t.class_of.shape[1] // 2 if endings_a else 1)
    stop_b = first_roll * (b.t.class_of.shape[1] // 2 if endings_b else 1)
    locked_a, locked_b = a.t.union.size > 0 and s > 0, b.t.union.size > 0 and s > 0
    rolls, nodes, lines = a.t.removals.size - first_roll, a.t.removals.size, a.own_line.size
    keeps_a, keeps_b, values_a, values_b = x.keeps[s], y.keeps[s], x.keep_values[left], y.keep_values[left]
    ends_a, ends_b = x.end_values, y.end_values
    some_a, full_a = first_ends(a.t, s, group_a)
    some_b, full_b = first_ends(b.t, s, group_b)
    wins_a, wins_b, shared_a, shared_b = a.t.ending_wins, b.t.ending_wins, a.shared_line, b.shared_line
    place_roll, place_full, place_held, counts = places.roll, places.full, places.held, places.counts
    count = columns_a.size
    found = reserve(found, place_roll.size * count)
    keys, sums, notes, number = found.keys, found.sums, found.notes, found.number
    compared = 0.0
    for place in range(place_roll.size):
        roll, full, held = place_roll[place], place_full[place], place_held[place]
        reached = False
        for lane in range(count):
            stopped[place * width + lane] = 0.0
            reached |= chance[place * width + lane] > 0.0
        if not reached:
            continue
        end_a, end_b = roll + (full_a if full else some_a), roll + (full_b if full else some_b)
        if (endings_a and wins_a[end_a]) or (endings_b and wins_b[end_b]):
            for lane in range(count):
                stopped[place * width + lane] = chance[place * width + lane]
            continue
        at_a = (2 * group_a + full) * rolls + roll if endings_a else place if locked_a else roll
        at_b = (2 * group_b + full) * rolls + roll if endings_b else place if locked_b else roll
        key = (s * 2 + full) * rolls + roll
        for lane in range(count):
            p = chance[place * width + lane]
            if p == 0.0:
                continue
            keep_a, keep_b = int(keeps_a[at_a, lane]), int(keeps_b[at_b, lane])
            node_a = (keep_a % first_roll if keep_a < stop_a else first_roll + roll) if endings_a else keep_a
            node_b = (keep_b % first_roll if keep_b < stop_b else first_roll + roll) if endings_b else keep_b
            line_a = shared_a[keep_a // first_roll] if many_a and s == 0 and node_a < first_roll else -1
            line_b = shared_b[keep_b // first_roll] if many_b and s == 0 and node_b < first_roll else -1
            like_a, like_b = group_a, group_b
            if s == 0 and many_b and node_a < first_roll:
                if many_a:
                    like_b = b.own_line[line_a]
                elif node_a == node_b:
                    like_b = keep_b // first_roll
                else:
                    like_b = best_announced(values_b, first_roll, stop_b // first_roll, node_a, lane, width)
            compared += p
            if node_a != node_b or (many_a and many_b and line_a != line_b):
                if s == 0 and many_a and node_b < first_roll:
                    if many_b:
                        like_a = a.own_line[line_b]
                    else:
                        like_a = best_announced(values_a, first_roll, stop_a // first_roll, node_b, lane, width)
                own_a = keep_a // first_roll if endings_a else 0
                own_b = keep_b // first_roll if endings_b else 0
                there = keep_worth(values_b, ends_b, first_roll, endings_b, like_b, node_a, end_b, lane, width)
                here = keep_worth(values_a, ends_a, first_roll, endings_a, like_a, node_b, end_a, lane, width)
                best_b = keep_worth(values_b, ends_b, first_roll, endings_b, own_b, node_b, end_b, lane, width)
                best_a = keep_worth(values_a, ends_a, first_roll, endings_a, own_a, node_a, end_a, lane, width)
                no_a = here <= FORBIDDEN or (locked_a and not holds(counts, node_b, held))
                no_b = there <= FORBIDDEN or (locked_b and not holds(counts, node_a, held))
                there = BARRED_COST if no_b else best_b - there
                here = BARRED_COST if no_a else best_a - here
                if is_difference(figures, p, here, there):
                    how = (node_a * (lines + 1) + line_a + 1) * nodes * (lines + 1) + node_b * (lines + 1) + line_b + 1
                    code = key * (nodes * (lines + 1)) * (nodes * (lines + 1)) + how
                    add_difference(
                        keys, sums, notes, number, code, p, here, there, turn, columns_a[lane], columns_b[lane]
                    )
            if node_a >= first_roll:
                stopped[place * width + lane] = p
            else:
                to = joint if s > 0 else keep_a // first_roll if many_a else like_b if many_b else 0
                following[(to * first_roll + node_a) * width + lane] += p
    figures[DECISIONS] += compared
    return found


@device
def compare_entries(
    a: Arm, b: Arm, x: Side, y: Side, places: Places, s, group_a, group_b, width, columns_a, columns_b, columns,
    stopped, found, reached, figures, over, turn,
):  # fmt: skip
    """The entries of turns that stop after throw s: compare them, and follow the base's to the next pairs of columns.

    Returns the differences and the next pairs so far.
    """
    first_roll, rolls = a.t.first_roll, a.t.removals.size - a.t.first_roll
    nodes, lines, count = a.t.removals.size, a.own_line.size, columns_a.size
    endings_a, endings_b = a.t.option_start.size > 0, b.t.option_start.size > 0
    some_a, full_a = first_ends(a.t, s, group_a)
    some_b, full_b = first_ends(b.t, s, group_b)
    wins_a, wins_b, chosen_a, chosen_b = a.t.ending_wins, b.t.ending_wins, x.chosen, y.chosen
    rolls_a, rolls_b, ends_a, ends_b = a.row_roll, b.row_roll, x.end_values, y.end_values
    line_of_a, line_of_b = a.shared_line[a.t.entry_line], b.shared_line[b.t.entry_line]
    move_a, move_b, after_a, after_b = a.t.entry_move, b.t.entry_move, x.after, y.after
    place_roll, place_full = places.roll, places.full
    found, reached = reserve(found, place_roll.size * count), reserve(reached, place_roll.size * count)
    keys, sums, notes, number = found.keys, found.sums, found.notes, found.number
    next_keys, next_sums, next_number = reached.keys, reached.sums, reached.number
    compared = 0.0
    for place in range(place_roll.size):
        roll, full = place_roll[place], place_full[place]
        total = 0.0
        for lane in range(count):
            total += stopped[place * width + lane]
        if total == 0.0:
            continue
        end_a, end_b = roll + (full_a if full else some_a), roll + (full_b if full else some_b)
        if endings_a and wins_a[end_a]:
            over[WON] += total
            continue
        if endings_b and wins_b[end_b]:
            over[OVER] += total
            continue
        key = ((a.t.throws - 1) * 2 + full) * rolls + roll
        for lane in range(count):
            p = stopped[place * width + lane]
            if p == 0.0:
                continue
            row_a = row_at(x.work, end_a, lane, width) if endings_a else end_a
            row_b = row_at(y.work, end_b, lane, width) if endings_b else end_b
            entry_a, entry_b = int(chosen_a[end_a * width + lane]), int(chosen_b[end_b * width + lane])
            line_a, line_b = line_of_a[entry_a], line_of_b[entry_b]
            laid_a, laid_b = rolls_a[row_a], rolls_b[row_b]
            best_b = ends_b[end_b * width + lane]
            may_stop = best_b > FORBIDDEN
            if may_stop:
                compared += p
            like = entry_b
            if not may_stop or laid_a != laid_b or line_a != line_b:
                like = entry_like(b, y.work, end_b, laid_a, a.row_served[row_a], b.own_line[line_a])
                there = best_b - entry_value(b, y, like, lane, width) if like >= 0 else BARRED_COST
                back = entry_like(a, x.work, end_a, laid_b, b.row_served[row_b], a.own_line[line_b])
                best_a = ends_a[end_a * width + lane]
                here = best_a - entry_value(a, x, back, lane, width) if back >= 0 else BARRED_COST
                if may_stop and is_difference(figures, p, here, there):
                    how_a = (first_roll + laid_a) * (lines + 1) + line_a + 1
                    how_b = (first_roll + laid_b) * (lines + 1) + line_b + 1
                    code = (key * (nodes * (lines + 1)) + how_a) * (nodes * (lines + 1)) + how_b
                    add_difference(
                        keys, sums, notes, number, code, p, here, there, turn, columns_a[lane], columns_b[lane]
                    )
                if like < 0 and b.own_line[line_a] >= 0:  # the sheet shows what the line makes of the dice
                    like = int(b.t.natural[laid_a, b.own_line[line_a]])
            to = after_a[move_a[entry_a] * width + lane] * columns
            to += after_b[move_b[like] * width + lane] if like >= 0 else columns_b[lane]
            next_sums[slot_of(next_keys, next_number, to), 0] += p
    figures[DECISIONS] += compared
    return found, reached


@device
def throw_missing(t: Tables, places: Places, kept, mass, chance, width):
    """`chance[place * width + lane]` after throwing the missing dice of the keeps, from `kept[node * width + lane]`."""
    rolls, first = t.removals.size - t.first_roll, t.first_roll * width
    if places.start.size:
        for i in range(chance.size):
            chance[i] = 0.0
        for node in range(t.first_roll):
            missing = missing_dice(t.size_offset, node)
            size = t.size_offset[missing + 1] - t.size_offset[missing]
            for lane in range(width):
                p = kept[node * width + lane]
                for d in range(size if p > 0.0 else 0):
                    place = places.start[node] + d
                    chance[place * width + lane] = p * t.probability[t.size_offset[missing] + d]
        return
    copy_to(kept, mass[:first])
    if places.split:
        for roll in range(rolls):
            for lane in range(width):
                chance[(rolls + roll) * width + lane] = mass[lane] * t.probability[t.first_roll + roll]
        for lane in range(width):
            mass[lane] = 0.0
    spread(t.append, t.first_roll, mass, width)
    for i in range(rolls * width):
        chance[U(i)] = mass[U(first + i)]
        mass[U(first + i)] = 0.0


@device
def joint_group(a: Arm, b: Arm, joint, s):
    """Groups of both games in a joint group at throw s."""
    if s == 0:
        return 0, 0
    many_a = a.t.option_start.size > 0 and a.t.class_of.shape[1] > 2
    many_b = b.t.option_start.size > 0 and b.t.class_of.shape[1] > 2
    if many_a and many_b:
        return joint, int(b.own_line[a.shared_line[joint]])
    return (joint if many_a else 0), (joint if many_b else 0)


@kernel
def play_pairs(a: Arm, b: Arm, places: Places, pairs: Pairs, sizes_a, sizes_b, groups, columns, width, turn):
    """One turn from every pair.

    `sizes_a`, `sizes_b` are the numbers of positions and of keeps of the games, `groups` that of joint groups,
    `columns` that of the other game's columns.

    Returns
    -------
    found : KeyedSums
        Differences, see `analyzer.dice.play_change.Difference`.
    reached : KeyedSums
        Chances of the next pairs, by ``base column * columns + other column``.
    figures : float64 array (throws, FIGURES)
        By kind of decision, see `DECISIONS`.
    over : float64 array (2,)
        See `WON`.
    """
    throws, first_roll = a.t.throws, a.t.first_roll
    found, reached = empty_sums(1024, SUMS, 2), empty_sums(1024, 1, 0)
    figures, over = np.zeros((throws, FIGURES)), np.zeros(2)
    x, y = side_buffers(a.t, sizes_a[0], sizes_a[1], width), side_buffers(b.t, sizes_b[0], sizes_b[1], width)
    mass = np.zeros(a.t.removals.size * width)
    kept, following = np.zeros(groups * first_roll * width), np.zeros(groups * first_roll * width)
    chance, stopped = np.zeros(places.roll.size * width), np.zeros(places.roll.size * width)
    part = first_roll * width
    for block in range(pairs.start.size):
        low, high = pairs.start[block], pairs.stop[block]
        columns_a, columns_b = pairs.base[low:high], pairs.other[low:high]
        decide_turn(a, x, columns_a, width)
        decide_turn(b, y, columns_b, width)
        kept[:] = 0.0
        for lane in range(high - low):
            kept[lane] = pairs.chance[low + lane]
        for s in range(throws):
            following[:] = 0.0
            for joint in range(groups if s > 0 else 1):
                here = kept[joint * part : (joint + 1) * part]
                if here.max() == 0.0:
                    continue
                group_a, group_b = joint_group(a, b, joint, s)
                throw_missing(a.t, places, here, mass, chance, width)
                if s < throws - 1:
                    found = compare_keeps(
                        a, b, x, y, places, s, joint, group_a, group_b, width, columns_a, columns_b,
                        chance, following, stopped, found, figures[s], turn,
                    )  # fmt: skip
                found, reached = compare_entries(
                    a, b, x, y, places, s, group_a, group_b, width, columns_a, columns_b, columns,
                    stopped if s < throws - 1 else chance, found, reached, figures[throws - 1], over, turn,
                )  # fmt: skip
            kept, following = following, kept
    return found, reached, figures, over
