"""The end of a turn: the legal entries of every final roll, what they are worth, and the best of them.

The buffers, the habits that keep LLVM vectorising and the tie rule are those of `analyzer.dice.turn`. What is legal is
listed once per state, in one call: to hand over all `Tables` in a call for every row would cost more than the rest.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analyzer.dice.endings import IF_BETTER, IF_OPEN, ONLY, PATTERNS
from analyzer.dice.states import Tables
from analyzer.dice.turn import FAST, ILLEGAL, TIE, U
from analyzer.engine.jit import device, kernel

MOST_OPTIONS = 64
"""Options of an ending at most: none flipped, one of ten dice, or two of them."""


@device
def variant(t: Tables, state):
    """Row of `alike_entry` in force in a state, apart from whether the face's own line is open."""
    open_lines = t.state_open[state]
    return t.state_five[state] * 4 + (1 if open_lines & U(t.lower_lines) else 0)


@device
def run_alike(t: Tables, columns, column_state, states, lanes):
    """Number of leading columns in which the same entries are legal; their states and lanes go to `states`, `lanes`."""
    state_open, state_five, column_start = t.state_open, t.state_five, t.column_start
    first = column_state[columns[0]]
    count = 0
    while count < columns.size:
        state = column_state[columns[count]]
        if state_open[state] != state_open[first] or state_five[state] != state_five[first]:
            break
        states[count] = state
        lanes[count] = columns[count] - column_start[state]
        count += 1
    return count


@device
def gather_moves(t: Tables, states, lanes, objective, moved, width):
    """`moved[move * width + i]`: value of the column that a move leads to from the i-th state and lane, bonus added.

    In all of the states the same lines are open.
    """
    open_lines = U(t.state_open[states[0]])
    row = t.lane_start[t.state_upper[states[0]]]
    alike = True
    for i in range(states.size):
        alike &= states[i] == states[0]
    for m in range(t.move_line.size):
        if not (open_lines >> U(t.move_line[m])) & U(1):
            continue
        o = U(m) * U(width)
        if not objective.future:
            for i in range(lanes.size):
                moved[o + U(i)] = 0.0
            continue
        step = t.move_step[m]
        start = t.column_start[states[0] + step]
        upper = t.move_upper[m]
        if upper >= 0:
            for i in range(lanes.size):
                at = row + lanes[i]
                here = start if alike else t.column_start[states[i] + step]
                moved[o + U(i)] = objective.values[here + t.lane_next[upper, at]] + t.lane_bonus[upper, at]
        elif alike:
            for i in range(lanes.size):
                moved[o + U(i)] = objective.values[start + lanes[i]]
        else:
            for i in range(lanes.size):
                moved[o + U(i)] = objective.values[t.column_start[states[i] + step] + lanes[i]]


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


class EndWork(NamedTuple):
    """Buffers for the end of a turn; the last six are empty in plain games, where ends are final rolls.

    With `width` lanes, values of rows and endings are at ``row * width + lane``.
    """

    legal: NDArray[np.uint16]
    """(rows, lines + 3) legal entries of a row, `number[row]` of them, in order; then the first thrice more."""
    number: NDArray[np.int64]
    option: NDArray[np.uint16]
    """(endings, MOST_OPTIONS) rows of the legal options of an ending, `options[ending]` of them, in order."""
    options: NDArray[np.int64]
    points: NDArray[np.float64]
    """(rows,) most points that a row may write, -1 if none may be entered."""
    in_pattern: NDArray[np.bool_]
    """(rows,) whether an open line that shows a pattern takes the row."""
    rows: NDArray[np.float64]
    endings: NDArray[np.float64]


@device
def end_work(t: Tables, width):
    """Buffers for the end of a turn."""
    rows, lines = t.natural.shape
    endings = max(t.option_start.size - 1, 0)
    some = rows if endings > 0 else 0
    return EndWork(
        np.empty((rows, lines + 3), np.uint16),
        np.zeros(rows, np.int64),
        np.empty((endings, MOST_OPTIONS), np.uint16),
        np.zeros(endings, np.int64),
        np.zeros(some),
        np.zeros(some, np.bool_),
        np.zeros(some * width),
        np.zeros(endings * width),
    )


@device
def turn_buffers(t: Tables, width):
    """Buffers `values`, `spare` and `result` of `analyzer.dice.turn.backward`."""
    size = t.removals.size * width
    extra = size if t.union.size or t.option_start.size else 0
    return np.zeros(size), np.zeros(extra), np.zeros(extra)


@device
def ends(t: Tables):
    """Number of ways to end a turn: final rolls, or endings."""
    return t.option_start.size - 1 if t.option_start.size else t.natural.shape[0]


@device
def list_legal(t: Tables, state, work: EndWork):
    """Fill `work` with what may be entered, and with the options of every ending, in one state."""
    natural, alike, alike_entry, own_line = t.natural, t.alike, t.alike_entry, t.own_line
    row_win, row_limit, entry_scores = t.row_win, t.row_limit, t.entry_scores
    legal, count = work.legal, work.number
    open_lines = U(t.state_open[state])
    how = variant(t, state)
    rows, lines = natural.shape
    listed = np.empty(lines, dtype=np.uint32)
    open_count = list_open(open_lines, lines, listed)
    has_five = t.five_line >= 0
    banned = t.strike_banned
    for row in range(rows):
        r = U(row)
        found = 0
        if row_win[r] >= 0:
            legal[r, U(0)] = row_win[r]
            found = 1
        elif row_limit[r] >= ONLY:
            entry = only_entry(t, row, open_lines, how)
            if entry >= 0:
                legal[r, U(0)] = entry
                found = 1
        elif alike[r] < 0 or not has_five:
            for i in range(open_count):
                legal[r, U(i)] = natural[r, U(listed[U(i)])]
            found = open_count
        else:
            face = alike[r]
            own = own_line[face]
            own_open = 2 if own >= 0 and (open_lines >> U(own)) & U(1) else 0
            for i in range(open_count):
                entry = alike_entry[how + own_open, listed[U(i)], face]
                if entry >= 0:
                    legal[r, U(found)] = entry
                    found += 1
        if (banned or row_limit[r] > 0) and row_limit[r] < ONLY and row_win[r] < 0:
            least = 3 if row_limit[r] == PATTERNS else 1
            scoring = 0
            for i in range(found):
                entry = legal[r, U(i)]
                if entry_scores[entry] >= least:
                    legal[r, U(scoring)] = entry
                    scoring += 1
            if scoring > 0 or row_limit[r] > 0:
                found = scoring
        count[r] = found
        for i in range(found, found + 3):
            legal[r, U(i)] = legal[r, U(0)]
    if work.options.size:
        list_options(t, work)


@device
def only_entry(t: Tables, row, open_lines, how):
    """Entry of a row in the one line that it may be entered in; -1 if that is filled."""
    line = int(t.row_limit[row]) - ONLY
    if not (open_lines >> U(line)) & U(1):
        return -1
    face = t.alike[row]
    if face < 0 or t.five_line < 0:
        return int(t.natural[row, line])
    own = t.own_line[face]
    own_open = 2 if own >= 0 and (open_lines >> U(own)) & U(1) else 0
    return int(t.alike_entry[how + own_open, line, face])


@device
def list_options(t: Tables, work: EndWork):
    """Fill `work` with the options of every ending that the rules allow, from the legal entries."""
    option_start, option = t.option_start, t.option
    entry_points, entry_scores, row_win = t.entry_points, t.entry_scores, t.row_win
    points, in_pattern = work.points, work.in_pattern
    for row in range(points.size):
        points[row] = -1.0
        in_pattern[row] = row_win[row] >= 0
        for i in range(work.number[row]):
            entry = work.legal[row, i]
            points[row] = max(points[row], entry_points[entry])
            if entry_scores[entry] == 3:
                in_pattern[row] = True
    for ending in range(work.options.size):
        count = 0
        scoring = False
        for o in range(option_start[ending], option_start[ending + 1]):
            row = option[o, 0]
            when = option[o, 1]
            if points[row] < 0.0 or (when == IF_OPEN and not in_pattern[row]):
                continue
            if when == IF_BETTER:
                first, second = max(points[option[o, 2]], 0.0), max(points[option[o, 3]], 0.0)
                if points[row] <= min(first, second):
                    continue
            known = False
            for i in range(count):
                known |= work.option[ending, i] == row
            if known:
                continue
            work.option[ending, count] = row
            count += 1
            scoring |= points[row] > 0.0 or row_win[row] >= 0
        if t.strike_avoidable and scoring:
            kept = 0
            for i in range(count):
                row = work.option[ending, i]
                if points[row] > 0.0 or row_win[row] >= 0:
                    work.option[ending, kept] = row
                    kept += 1
            count = kept
        work.options[ending] = count


@device(fastmath=FAST)
def row_values(t: Tables, state, count, objective, moved, work: EndWork, values, first_node, first_lane, width):
    """Worth of every row in one state, that of the best legal entry, to `values` from `first_node` on.

    It goes to `count` lanes from `first_lane` on.
    """
    worth = open_worth(objective, U(t.state_open[state]))
    entry_move, legal, counts = t.entry_move, work.legal, work.number
    one = t.one
    for row in range(counts.size):
        o = (U(first_node) + U(row)) * U(width) + U(first_lane)
        candidates = counts[U(row)]
        if candidates == 0:
            for lane in range(count):
                values[o + U(lane)] = ILLEGAL
        for c in range(0, candidates, 4):
            a, b = U(legal[U(row), U(c)]), U(legal[U(row), U(c + 1)])
            d, e = U(legal[U(row), U(c + 2)]), U(legal[U(row), U(c + 3)])
            p, q, r, s = worth[a], worth[b], worth[d], worth[e]
            i, j = U(entry_move[a]) * U(width), U(entry_move[b]) * U(width)
            k, m = U(entry_move[d]) * U(width), U(entry_move[e]) * U(width)
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
                    z = values[o + u] * one
                    values[o + u] = x if x > z else z


@device(fastmath=FAST)
def row_choices(
    t: Tables, state, count, objective, moved, work: EndWork, values, entries, first_node, first_lane, width
):
    """As `row_values`, and `entries[row * width + lane]` becomes the entry that attains it under the tie rule."""
    worth = open_worth(objective, U(t.state_open[state]))
    entry_move, legal, counts = t.entry_move, work.legal, work.number
    one = t.one
    for row in range(counts.size):
        o = (U(first_node) + U(row)) * U(width) + U(first_lane)
        at = U(row) * U(width) + U(first_lane)
        candidates = counts[U(row)]
        if candidates == 0:
            for lane in range(count):
                values[o + U(lane)] = ILLEGAL
                entries[at + U(lane)] = 0.0
        for c in range(0, candidates, 4):
            a, b = U(legal[U(row), U(c)]), U(legal[U(row), U(c + 1)])
            d, e = U(legal[U(row), U(c + 2)]), U(legal[U(row), U(c + 3)])
            p, q, r, s = worth[a], worth[b], worth[d], worth[e]
            i, j = U(entry_move[a]) * U(width), U(entry_move[b]) * U(width)
            k, m = U(entry_move[d]) * U(width), U(entry_move[e]) * U(width)
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
                    x, n = values[o + u] * one, entries[at + u] * one
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


@device(fastmath=FAST)
def ending_values(count, work: EndWork, first_lane, width):
    """Worth of every ending in one state, that of its best option, from the worth of the rows."""
    rows, endings, option = work.rows, work.endings, work.option
    for ending in range(work.options.size):
        o = U(ending) * U(width) + U(first_lane)
        for lane in range(count):
            endings[o + U(lane)] = ILLEGAL
        for i in range(work.options[ending]):
            r = U(option[U(ending), U(i)]) * U(width) + U(first_lane)
            for lane in range(count):
                u = U(lane)
                x, y = rows[r + u], endings[o + u]
                endings[o + u] = x if x > y else y


@device(fastmath=FAST)
def ending_choices(count, work: EndWork, row_entries, entries, first_lane, width):
    """As `ending_values`, and `entries[ending * width + lane]` becomes the entry of the option that attains it.

    Among equally good options the first is taken: fewest dice flipped, then the lowest.
    """
    rows, endings, option = work.rows, work.endings, work.option
    for ending in range(work.options.size):
        o = U(ending) * U(width) + U(first_lane)
        for lane in range(count):
            endings[o + U(lane)] = ILLEGAL
            entries[o + U(lane)] = 0.0
        for i in range(work.options[ending]):
            r = U(option[U(ending), U(i)]) * U(width) + U(first_lane)
            for lane in range(count):
                u = U(lane)
                if rows[r + u] > endings[o + u] + TIE:
                    endings[o + u] = rows[r + u]
                    entries[o + u] = row_entries[r + u]


@device
def end_values(t: Tables, state, count, objective, moved, values, work: EndWork, first_lane, width):
    """Worth of every way to end a turn in one state: of the final rolls in `values`, or of the endings in `work`.

    It goes to `count` lanes from `first_lane` on.
    """
    list_legal(t, state, work)
    if t.option_start.size:
        row_values(t, state, count, objective, moved, work, work.rows, 0, first_lane, width)
        ending_values(count, work, first_lane, width)
    else:
        row_values(t, state, count, objective, moved, work, values, t.first_roll, first_lane, width)


@device
def end_choices(t: Tables, state, count, objective, moved, values, work: EndWork, row_entries, entries, lane, width):
    """As `end_values`, and `entries[end * width + lane]` becomes the best entry of the final roll, or the ending."""
    list_legal(t, state, work)
    if t.option_start.size:
        row_choices(t, state, count, objective, moved, work, work.rows, row_entries, 0, lane, width)
        ending_choices(count, work, row_entries, entries, lane, width)
    else:
        row_choices(t, state, count, objective, moved, work, values, entries, t.first_roll, lane, width)


@kernel
def list_ends(t: Tables, states, rows, row_count, entries, entry_count):
    """What may be done at the end of a turn in some states.

    `rows[i, ending, j]` are the rows of an ending's options, `row_count[i, ending]` of them, in order;
    `entries[i, row, j]` are the legal entries of a row, `entry_count[i, row]` of them, in the order of the scorecard.
    In plain games `rows` and `row_count` are empty.
    """
    work = end_work(t, 1)
    for i in range(states.size):
        list_legal(t, states[i], work)
        for row in range(work.number.size):
            entry_count[i, row] = work.number[row]
            for j in range(work.number[row]):
                entries[i, row, j] = work.legal[row, j]
        for ending in range(work.options.size):
            row_count[i, ending] = work.options[ending]
            for j in range(work.options[ending]):
                rows[i, ending, j] = work.option[ending, j]
