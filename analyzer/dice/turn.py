"""One turn, backwards: from what each final roll is worth to what each keep is worth, for many columns at once.

Buffers are flat arrays of lattice nodes x `LANES`; the lanes are columns of the state space, next to each other so
that SIMD runs over them. Three habits keep LLVM vectorising, each worth a factor of three to five: index arithmetic is
unsigned (no wrap-around test), the lane count is an argument (a constant one is unrolled into scalar code), and a kept
value is multiplied by `Tables.one` (storing back what was loaded is no store, and makes the other branch's conditional).

Ties are settled here, so that every figure is one number: among keeps within `TIE` of each other the node with the
higher index is taken (more dice, then higher dice), among entries the line that stands first on the scorecard.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analyzer.dice.states import Tables
from analyzer.engine.jit import device

LANES = 64
"""Columns worked on at once, chosen by measurement: the buffer of five dice (236 KB) stays in the second-level cache."""

TIE = 1e-9
"""Decisions closer than this, in units of the objective, count as equally good."""

FAST = {"nnan", "ninf", "nsz", "contract"}
U = np.uint64


class Objective(NamedTuple):
    """What a policy maximises in a turn.

    `worth[1, entry]` is the worth of an entry while line `focus` is open, `worth[0, entry]` afterwards (always, if
    `focus` is -1). With `future`, the value of the column that the entry leads to, and the upper bonus it pays, are added.
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
    """As `best_keep`, and `choice` becomes the keep that attains it under the tie rule (a float, to share SIMD lanes)."""
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
def gather_unions(values, t: Tables, keep, added, width):
    """With locked dice: `added[d]` becomes the value of `keep` with the added dice d; returns the missing dice of `keep`."""
    missing = 0
    while t.union_start[keep + 1] - t.union_start[keep] != t.size_offset[missing + 1]:
        missing += 1
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
def backward(values, spare, result, t: Tables, width, out):
    """From values of the final rolls to `out[lane]`, the value before the first throw. `spare`, `result`: buffers like `values`."""
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
            values[:] = result
        else:
            best_keep(values, t.remove, t.removals, nodes, width, t.one)
            expectation(values, t.append, width)
    if t.throws > 1:
        best_keep(values, t.remove, t.removals, nodes, width, t.one)
    start_value(values, t, width, out)


@device
def backward_choices(values, spare, result, choice, t: Tables, width, count, first, keeps):
    """As `backward`, for the decisions: `keeps[s, position, first + lane]` is the keep after throw s (from 0), a node.

    A position is a roll, with locked dice a pair of kept and thrown dice (`Tables.pair_start`) from the second throw on.
    """
    nodes = t.removals.size
    locked = t.union.size > 0
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
            values[:] = result
            continue
        choose_keep(values, choice, t.remove, t.removals, nodes, width, t.one)
        for roll in range(nodes - t.first_roll):
            o = U(t.first_roll + roll) * U(width)
            for lane in range(count):
                keeps[U(s), U(roll), U(first + lane)] = np.int32(choice[o + U(lane)])
        if s > 0:
            expectation(values, t.append, width)


@device
def variant(t: Tables, state):
    """Row of `alike_entry` in force in a state, apart from whether the face's own line is open."""
    open_lines = t.state_open[state]
    return t.state_five[state] * 4 + (1 if open_lines & U(t.lower_lines) else 0)


@device
def run_of_state(t: Tables, columns, column_state, lanes):
    """Number of leading columns that belong to the first one's state; their lanes go to `lanes`."""
    state = column_state[columns[0]]
    count = 0
    while count < columns.size and column_state[columns[count]] == state:
        lanes[count] = columns[count] - t.column_start[state]
        count += 1
    return count


@device
def gather_moves(t: Tables, state, lanes, objective, moved, width):
    """`moved[move * width + i]`: value of the column that a move leads to from lane `lanes[i]`, upper bonus included."""
    open_lines = U(t.state_open[state])
    row = t.lane_start[t.state_upper[state]]
    for m in range(t.move_line.size):
        if not (open_lines >> U(t.move_line[m])) & U(1):
            continue
        o = U(m) * U(width)
        if not objective.future:
            for i in range(lanes.size):
                moved[o + U(i)] = 0.0
            continue
        start = t.column_start[state + t.move_step[m]]
        upper = t.move_upper[m]
        if upper < 0:
            for i in range(lanes.size):
                moved[o + U(i)] = objective.values[start + lanes[i]]
        else:
            for i in range(lanes.size):
                at = row + lanes[i]
                moved[o + U(i)] = objective.values[start + t.lane_next[upper, at]] + t.lane_bonus[upper, at]


@device
def open_worth(objective, open_lines):
    """Row of `objective.worth` in force."""
    return objective.worth[1 if objective.focus >= 0 and (open_lines >> U(objective.focus)) & U(1) else 0]


@device
def list_open(open_lines, lines, listed):
    """Number of open lines; their indices go to `listed`."""
    count = 0
    for line in range(lines):
        if (open_lines >> U(line)) & U(1):
            listed[U(count)] = line
            count += 1
    return count


@device
def legal_entries(t: Tables, row, open_lines, listed, count, roll, legal):
    """Number of legal entries of a roll, one per open line in order; they go to `legal`."""
    if t.alike[roll] < 0 or t.five_line < 0:
        for i in range(count):
            legal[U(i)] = t.natural[U(roll), U(listed[U(i)])]
        return count
    found = 0
    face = t.alike[roll]
    own = t.own_line[face]
    own_open = 2 if own >= 0 and (open_lines >> U(own)) & U(1) else 0
    for i in range(count):
        entry = t.alike_entry[row + own_open, listed[U(i)], face]
        if entry >= 0:
            legal[U(found)] = entry
            found += 1
    return found


@device(fastmath=FAST)
def final_values(t: Tables, state, count, objective, moved, values, first_lane, width):
    """Worth of every final roll in one state, the best legal entry, in lanes `first_lane` to `first_lane + count - 1`."""
    open_lines = U(t.state_open[state])
    row = variant(t, state)
    worth = open_worth(objective, open_lines)
    rolls, lines = t.natural.shape
    listed = np.empty(lines, dtype=np.uint32)
    open_count = list_open(open_lines, lines, listed)
    legal = np.empty(lines + 3, dtype=np.uint32)
    for roll in range(rolls):
        o = (U(t.first_roll) + U(roll)) * U(width) + U(first_lane)
        candidates = legal_entries(t, row, open_lines, listed, open_count, roll, legal)
        for c in range(candidates, candidates + 3):
            legal[U(c)] = legal[U(0)]
        for c in range(0, candidates, 4):
            a, b, d, e = U(legal[U(c)]), U(legal[U(c + 1)]), U(legal[U(c + 2)]), U(legal[U(c + 3)])
            p, q, r, s = worth[a], worth[b], worth[d], worth[e]
            i, j = U(t.entry_move[a]) * U(width), U(t.entry_move[b]) * U(width)
            k, m = U(t.entry_move[d]) * U(width), U(t.entry_move[e]) * U(width)
            if c == 0:
                for lane in range(count):
                    u = U(lane)
                    x, y, z, w = p + moved[i + u], q + moved[j + u], r + moved[k + u], s + moved[m + u]
                    x = x if x > y else y
                    z = z if z > w else w
                    values[o + u] = x if x > z else z
            else:
                for lane in range(count):
                    u = U(lane)
                    x, y, z, w = p + moved[i + u], q + moved[j + u], r + moved[k + u], s + moved[m + u]
                    x = x if x > y else y
                    z = z if z > w else w
                    x = x if x > z else z
                    z = values[o + u] * t.one
                    values[o + u] = x if x > z else z


@device(fastmath=FAST)
def final_choices(t: Tables, state, count, objective, moved, values, entries, first_lane, width):
    """As `final_values`, and `entries[roll * width + lane]` becomes the entry that attains it under the tie rule."""
    open_lines = U(t.state_open[state])
    row = variant(t, state)
    worth = open_worth(objective, open_lines)
    rolls, lines = t.natural.shape
    listed = np.empty(lines, dtype=np.uint32)
    open_count = list_open(open_lines, lines, listed)
    legal = np.empty(lines + 3, dtype=np.uint32)
    for roll in range(rolls):
        o = (U(t.first_roll) + U(roll)) * U(width) + U(first_lane)
        at = U(roll) * U(width) + U(first_lane)
        candidates = legal_entries(t, row, open_lines, listed, open_count, roll, legal)
        for c in range(candidates, candidates + 3):
            legal[U(c)] = legal[U(0)]
        for c in range(0, candidates, 4):
            a, b, d, e = U(legal[U(c)]), U(legal[U(c + 1)]), U(legal[U(c + 2)]), U(legal[U(c + 3)])
            p, q, r, s = worth[a], worth[b], worth[d], worth[e]
            i, j = U(t.entry_move[a]) * U(width), U(t.entry_move[b]) * U(width)
            k, m = U(t.entry_move[d]) * U(width), U(t.entry_move[e]) * U(width)
            fa, fb, fd, fe = float(a), float(b), float(d), float(e)
            if c == 0:
                for lane in range(count):
                    u = U(lane)
                    x, n = p + moved[i + u], fa
                    y = q + moved[j + u]
                    n = fb if y > x + TIE else n
                    x = y if y > x + TIE else x
                    y = r + moved[k + u]
                    n = fd if y > x + TIE else n
                    x = y if y > x + TIE else x
                    y = s + moved[m + u]
                    entries[at + u] = fe if y > x + TIE else n
                    values[o + u] = y if y > x + TIE else x
            else:
                for lane in range(count):
                    u = U(lane)
                    x, n = values[o + u] * t.one, entries[at + u] * t.one
                    y = p + moved[i + u]
                    n = fa if y > x + TIE else n
                    x = y if y > x + TIE else x
                    y = q + moved[j + u]
                    n = fb if y > x + TIE else n
                    x = y if y > x + TIE else x
                    y = r + moved[k + u]
                    n = fd if y > x + TIE else n
                    x = y if y > x + TIE else x
                    y = s + moved[m + u]
                    entries[at + u] = fe if y > x + TIE else n
                    values[o + u] = y if y > x + TIE else x
