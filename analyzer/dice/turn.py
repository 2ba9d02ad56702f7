"""One turn, backwards: from what each final roll is worth to what each keep is worth, for many columns at once.

Buffers are flat arrays of lattice nodes x `LANES`; the lanes are columns of the state space, next to each other so
that SIMD runs over them. Three habits keep LLVM vectorising, each worth a factor of three to five: index arithmetic is
unsigned (no wrap-around test), the lane count is an argument (a constant one is unrolled into scalar code), and a kept
value is multiplied by `Tables.one` (storing back what was loaded is no store, and makes the other branch's store
conditional).

Ties are settled by one rule, so that every figure is one number: among keeps within `TIE` of each other the node with
the higher index is taken (more dice, then higher dice), among entries the line that stands first on the scorecard.
What the final rolls are worth is in `analyzer.dice.final`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analyzer.dice.states import Tables
from analyzer.engine.jit import device

LANES = 64
"""Columns worked on at once, chosen by measurement: the buffer of 5 dice (236 KB) stays in the second-level cache."""

TIE = 1e-9
"""Decisions closer than this, in units of the objective, count as equally good."""

ILLEGAL = -1e30
"""Worth of what the rules forbid."""

NEVER = -2e30
"""Worth of what cannot be done; less than that of what the rules forbid."""

FAST = {"nnan", "ninf", "nsz", "contract"}
U = np.uint64


class Objective(NamedTuple):
    """What a policy maximises in a turn.

    `worth[1, entry]` is the worth of an entry while line `focus` is open, `worth[0, entry]` afterwards (always, if
    `focus` is -1). With `future`, the value of the column that the entry leads to, and the upper bonus it pays, are
    added.
    """

    worth: NDArray[np.float64]
    focus: int
    future: bool
    values: NDArray[np.float64]


@device(fastmath=FAST)
def expectation(values, append, width):
    """Before a throw: every partial node becomes the mean over its missing dice."""
    partial, faces = append.shape
    scale = 1.0 / faces
    for k in range(partial - 1, -1, -1):
        o = U(k) * U(width)
        a = U(append[k, 0]) * U(width)
        b = U(append[k, 1]) * U(width)
        if faces == 6:
            c, d = U(append[k, 2]) * U(width), U(append[k, 3]) * U(width)
            e, f = U(append[k, 4]) * U(width), U(append[k, 5]) * U(width)
            for lane in range(width):
                u = U(lane)
                total = (values[a + u] + values[b + u]) + (values[c + u] + values[d + u])
                values[o + u] = (total + (values[e + u] + values[f + u])) * scale
            continue
        for lane in range(width):
            values[o + U(lane)] = values[a + U(lane)] + values[b + U(lane)]
        for face in range(2, faces):
            a = U(append[k, face]) * U(width)
            for lane in range(width):
                values[o + U(lane)] += values[a + U(lane)]
        for lane in range(width):
            values[o + U(lane)] *= scale


@device(fastmath=FAST)
def best_keep(values, remove, removals, nodes, width, one):
    """Every node below `nodes` becomes the best of its keeps: a running maximum up the lattice."""
    for k in range(1, nodes):
        o = U(k) * U(width)
        left = int(removals[k])
        j = 0
        while left > 0:
            a = U(remove[k, j]) * U(width)
            if left == 1:
                for lane in range(width):
                    u = U(lane)
                    x = values[o + u] * one
                    y = values[a + u]
                    values[o + u] = x if x > y else y
                break
            b = U(remove[k, j + 1]) * U(width)
            if left == 2:
                for lane in range(width):
                    u = U(lane)
                    x = values[o + u] * one
                    y, z = values[a + u], values[b + u]
                    x = x if x > y else y
                    values[o + u] = x if x > z else z
                break
            c = U(remove[k, j + 2]) * U(width)
            if left == 3:
                for lane in range(width):
                    u = U(lane)
                    x = values[o + u] * one
                    y, z, w = values[a + u], values[b + u], values[c + u]
                    x = x if x > y else y
                    z = z if z > w else w
                    values[o + u] = x if x > z else z
                break
            d = U(remove[k, j + 3]) * U(width)
            for lane in range(width):
                u = U(lane)
                x = values[o + u] * one
                y, z, w, v = values[a + u], values[b + u], values[c + u], values[d + u]
                x = x if x > y else y
                z = z if z > w else w
                x = x if x > v else v
                values[o + u] = x if x > z else z
            left -= 4
            j += 4


@device(fastmath=FAST)
def choose_keep(values, choice, remove, removals, nodes, width, one):
    """As `best_keep`, and `choice` becomes the keep that attains it under the tie rule.

    It is a float, to share SIMD lanes with the values.
    """
    for k in range(nodes):
        o = U(k) * U(width)
        for lane in range(width):
            choice[o + U(lane)] = k
        for j in range(removals[k]):
            r = U(remove[k, j]) * U(width)
            for lane in range(width):
                u = U(lane)
                x = values[o + u] * one
                y = values[r + u]
                i = choice[o + u] * one
                n = choice[r + u]
                better = (y > x + TIE) | ((y >= x - TIE) & (n > i))
                values[o + u] = y if better else x
                choice[o + u] = n if better else i


@device(fastmath=FAST)
def start_value(values, t: Tables, width, out):
    """`out[lane]`: the mean of the rolls' values over the first throw."""
    for lane in range(width):
        out[U(lane)] = 0.0
    for k in range(t.first_roll, t.removals.size):
        o = U(k) * U(width)
        p = t.probability[k]
        for lane in range(width):
            out[U(lane)] += p * values[o + U(lane)]


@device
def missing_dice(size_offset, node):
    """Number of dice that a node lacks."""
    size = 0
    while node >= size_offset[size + 1]:
        size += 1
    return size_offset.size - 2 - size


@device
def gather_unions(values, t: Tables, keep, added, width):
    """With locked dice: `added[d]` becomes the value of `keep` with the added dice d.

    Returns the number of dice missing in `keep`.
    """
    missing = missing_dice(t.size_offset, keep)
    for d in range(t.size_offset[missing + 1]):
        o = U(d) * U(width)
        a = U(t.union[t.union_start[keep] + d]) * U(width)
        for lane in range(width):
            added[o + U(lane)] = values[a + U(lane)]
    return missing


@device(fastmath=FAST)
def mean_added(added, t: Tables, missing, result, keep, width):
    """`result[keep]`: the mean of `added[d]` over the missing dice d thrown."""
    o = U(keep) * U(width)
    for lane in range(width):
        result[o + U(lane)] = 0.0
    for d in range(t.size_offset[missing], t.size_offset[missing + 1]):
        a = U(d) * U(width)
        p = t.probability[d]
        for lane in range(width):
            result[o + U(lane)] += p * added[a + U(lane)]


@device
def copy_rolls(source, target, first_roll, width):
    """Copy the values of all rolls."""
    for i in range(first_roll * width, source.size):
        target[U(i)] = source[U(i)]


@device
def copy_to(source, target):
    """Copy an array; whole-array assignment compiles for seconds."""
    for i in range(source.size):
        target[i] = source[i]


@device(fastmath=FAST)
def mean_full(full, t: Tables, width, out, first):
    """`out[first + lane]`: the mean of the worth of rolls over a throw of all dice."""
    for lane in range(width):
        out[U(first + lane)] = 0.0
    for roll in range(t.removals.size - t.first_roll):
        o = U(roll) * U(width)
        p = t.probability[t.first_roll + roll]
        for lane in range(width):
            out[U(first + lane)] += p * full[o + U(lane)]


@device(fastmath=FAST)
def stop_or_throw(values, full, best, endings, t: Tables, s, group, width):
    """After throw s (from 0), what every roll is worth in a group: the better of stopping and of throwing again.

    `values` receives that for throws of some dice, `full` for throws of all; `best` is a buffer of one row.
    """
    rolls = t.removals.size - t.first_roll
    some, whole = t.class_of[s, 2 * group], t.class_of[s, 2 * group + 1]
    last = s == t.throws - 1
    for roll in range(rolls):
        o = (U(t.first_roll) + U(roll)) * U(width)
        f = U(roll) * U(width)
        if last:
            for lane in range(width):
                best[U(lane)] = NEVER
        else:
            for j in range(t.removals[t.first_roll + roll]):
                a = U(t.remove[t.first_roll + roll, j]) * U(width)
                if j == 0:
                    for lane in range(width):
                        best[U(lane)] = values[a + U(lane)]
                else:
                    for lane in range(width):
                        x, y = best[U(lane)] * t.one, values[a + U(lane)]
                        best[U(lane)] = x if x > y else y
        if some >= 0:
            e = (U(some) * U(rolls) + U(roll)) * U(width)
            for lane in range(width):
                x, y = best[U(lane)], endings[e + U(lane)]
                values[o + U(lane)] = x if x > y else y
        if whole >= 0:
            e = (U(whole) * U(rolls) + U(roll)) * U(width)
            if t.ending_wins[whole * rolls + roll]:
                for lane in range(width):
                    full[f + U(lane)] = endings[e + U(lane)]
            else:
                for lane in range(width):
                    x, y = best[U(lane)], endings[e + U(lane)]
                    full[f + U(lane)] = x if x > y else y


@device
def is_closed(endings, t: Tables, group, width):
    """Whether the line of a group can be announced in no lane."""
    o = U(t.class_of[t.throws - 1, 2 * group]) * U(t.removals.size - t.first_roll) * U(width)
    best = NEVER
    for lane in range(width):
        best = max(best, endings[o + U(lane)])
    return best <= ILLEGAL


@device(fastmath=FAST)
def best_group(values, over, group, nodes, width, one):
    """`over` becomes the best of what keeps are worth in the groups so far, `values` in this one."""
    for i in range(nodes * width):
        x, y = over[U(i)] * one, values[U(i)]
        over[U(i)] = y if group == 0 or y > x else x


@device(fastmath=FAST)
def choose_group(values, over, chosen, group, nodes, width, one):
    """As `best_group`, and `chosen` becomes the group that attains it: the first of equally good ones."""
    for i in range(nodes * width):
        x, y = over[U(i)] * one, values[U(i)]
        n = chosen[U(i)] * one
        better = group == 0 or y > x + TIE
        over[U(i)] = y if better else x
        chosen[U(i)] = group if better else n


@device
def backward_endings(values, full, best, endings, t: Tables, width, out):
    """As `backward`, from the worth of endings."""
    groups = t.class_of.shape[1] // 2
    over = best[2 * width :]
    for group in range(groups):
        if group > 0 and is_closed(endings, t, group, width):
            continue
        for s in range(t.throws - 1, 0, -1):
            stop_or_throw(values, full, best, endings, t, s, group, width)
            expectation(values, t.append, width)
            mean_full(full, t, width, values, 0)  # node 0 keeps nothing
            if s > 1:
                best_keep(values, t.remove, t.removals, t.first_roll, width, t.one)
        if groups > 1:
            best_group(values, over, group, t.first_roll, width, t.one)
    if groups > 1:
        copy_to(over[: t.first_roll * width], values)
    if t.throws > 1:
        best_keep(values, t.remove, t.removals, t.first_roll, width, t.one)
    stop_or_throw(values, full, best, endings, t, 0, 0, width)
    mean_full(full, t, width, out, 0)


@device
def backward(values, spare, result, endings, t: Tables, width, out):
    """From values of the final rolls, or of endings, to `out[lane]`, the value before the first throw.

    `spare` and `result` are buffers like `values`.
    """
    if t.option_start.size:
        backward_endings(values, spare, result, endings, t, width, out)
        return
    nodes = t.removals.size
    locked = t.union.size > 0
    if t.throws > 1:
        expectation(values, t.append, width)
    for _ in range(t.throws - 2):
        if locked:
            for keep in range(nodes):
                missing = gather_unions(values, t, keep, spare, width)
                best_keep(spare, t.remove, t.removals, t.size_offset[missing + 1], width, t.one)
                mean_added(spare, t, missing, result, keep, width)
            copy_to(result, values)
        else:
            best_keep(values, t.remove, t.removals, nodes, width, t.one)
            expectation(values, t.append, width)
    if t.throws > 1:
        best_keep(values, t.remove, t.removals, nodes, width, t.one)
    start_value(values, t, width, out)


@device(fastmath=FAST)
def stop_or_keep(values, full, best, choice, endings, t: Tables, s, group, width, count, first, keeps):
    """As `stop_or_throw` before the last throw, for the decisions; `best` has two rows.

    The groups that keeps of the first throw lead to, if there are several, are in `full` behind the rolls.
    """
    rolls = t.removals.size - t.first_roll
    groups = t.class_of.shape[1] // 2
    w = U(width)
    for roll in range(rolls):
        for j in range(t.removals[t.first_roll + roll]):
            a = U(t.remove[t.first_roll + roll, j]) * w
            for lane in range(width):
                u = U(lane)
                y, n = values[a + u], choice[a + u]
                x, i = best[u], best[w + u]
                better = j == 0 or (y > x + TIE) | ((y >= x - TIE) & (n > i))
                best[u] = y if better else x
                best[w + u] = n if better else i
        for all_thrown in range(2):
            one = t.class_of[s, 2 * group + all_thrown]
            if one < 0:
                continue
            ending = one * rolls + roll
            e = U(ending) * w
            wins = t.ending_wins[ending]
            for lane in range(width):
                u = U(lane)
                stop = wins or not best[u] > endings[e + u] + TIE
                value = endings[e + u] if stop else best[u]
                if all_thrown:
                    full[U(roll) * w + u] = value
                else:
                    values[U(t.first_roll + roll) * w + u] = value
                if lane < count:
                    node = int(best[w + u])
                    to = int(full[U(rolls + node) * w + u]) if groups > 1 and s == 0 else group
                    keep = groups * t.first_roll + ending if stop else to * t.first_roll + node
                    keeps[s, (2 * group + all_thrown) * rolls + roll, first + lane] = keep


@device
def endings_choices(values, full, best, choice, endings, t: Tables, width, count, first, keeps):
    """As `backward_choices`, from the worth of endings; keeps and positions are those of `analyzer.dice.endings`."""
    groups = t.class_of.shape[1] // 2
    last = t.throws - 1
    over, chosen = best[2 * width :], full[(t.removals.size - t.first_roll) * width :]
    for group in range(groups):
        stop_or_throw(values, full, best, endings, t, last, group, width)
        for s in range(last - 1, -1, -1):
            expectation(values, t.append, width)
            mean_full(full, t, width, values, 0)
            if s > 0 or groups == 1:
                choose_keep(values, choice, t.remove, t.removals, t.first_roll, width, t.one)
                stop_or_keep(values, full, best, choice, endings, t, s, group, width, count, first, keeps)
        if groups > 1:
            choose_group(values, over, chosen, group, t.first_roll, width, t.one)
    if groups > 1:
        copy_to(over[: t.first_roll * width], values)
        choose_keep(values, choice, t.remove, t.removals, t.first_roll, width, t.one)
        stop_or_keep(values, full, best, choice, endings, t, 0, 0, width, count, first, keeps)


@device
def backward_choices(values, spare, result, choice, endings, t: Tables, width, count, first, keeps):
    """As `backward`, for the decisions: `keeps[s, position, first + lane]` is the keep after throw s (from 0), a node.

    A position is a roll, with locked dice a pair of kept and thrown dice (`Tables.pair_start`) from the second throw
    on. Keeping all dice ends the turn, so a roll is always worth what its entry is.
    """
    if t.option_start.size:
        endings_choices(values, spare, result, choice, endings, t, width, count, first, keeps)
        return
    nodes = t.removals.size
    locked = t.union.size > 0
    if not locked:
        copy_rolls(values, spare, t.first_roll, width)
    if t.throws > 1:
        expectation(values, t.append, width)
    for s in range(t.throws - 2, -1, -1):
        if locked and s > 0:
            for keep in range(nodes):
                missing = gather_unions(values, t, keep, spare, width)
                choose_keep(spare, choice, t.remove, t.removals, t.size_offset[missing + 1], width, t.one)
                mean_added(spare, t, missing, result, keep, width)
                for d in range(t.size_offset[missing], t.size_offset[missing + 1]):
                    position = t.pair_start[keep] + d - t.size_offset[missing]
                    for lane in range(count):
                        added = int(choice[d * width + lane])
                        keeps[s, position, first + lane] = t.union[t.union_start[keep] + added]
            copy_to(result, values)
            continue
        choose_keep(values, choice, t.remove, t.removals, nodes, width, t.one)
        for roll in range(nodes - t.first_roll):
            o = U(t.first_roll + roll) * U(width)
            for lane in range(count):
                keeps[U(s), U(roll), U(first + lane)] = np.int32(choice[o + U(lane)])
        if s > 0:
            expectation(values, t.append, width)
            copy_rolls(spare, values, t.first_roll, width)
