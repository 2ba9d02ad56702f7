"""The end of a turn: the legal entries of every final roll, what they are worth, and the best of them.

The buffers, the habits that keep LLVM vectorising and the tie rule are those of `analyzer.dice.turn`.
"""

from __future__ import annotations

import numpy as np

from analyzer.dice.states import Tables
from analyzer.dice.turn import FAST, TIE, U
from analyzer.engine.jit import device


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
    """`moved[move * width + i]`: value of the column that a move leads to from lane `lanes[i]`, upper bonus added."""
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
    """Worth of every final roll in one state, that of the best legal entry.

    It goes to `count` lanes from `first_lane` on.
    """
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
