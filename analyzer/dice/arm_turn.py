"""One turn of one game, for the columns of a block: best decisions, all values, and what any decision is worth.

The columns of a block have the same legal entries, and a lane each. It is what `analyzer.dice.paired_turn` compares two
games by.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analyzer.dice.final import EndWork, end_choices, end_work, ends, gather_moves, turn_buffers
from analyzer.dice.states import Tables
from analyzer.dice.turn import ILLEGAL, TIE, Objective, U, backward_choices, copy_to
from analyzer.dice.turn_detail import stage_values
from analyzer.engine.jit import device

FORBIDDEN = ILLEGAL / 2
"""What is worth at most so much the rules forbid."""


class Arm(NamedTuple):
    """A game, what is maximised in it, and how its lines are numbered among those of both."""

    t: Tables
    column_state: NDArray[np.int64]
    objective: Objective
    row_roll: NDArray[np.int64]
    row_served: NDArray[np.bool_]
    shared_line: NDArray[np.int64]
    """(lines + 1,) number of a line among those of both games; -1 for the entry that wins by a throw."""
    own_line: NDArray[np.int64]
    """(lines of both,) line of this game, or -1."""


class Side(NamedTuple):
    """Buffers for the turns of one game, a lane for each pair of a block."""

    values: NDArray[np.float64]
    spare: NDArray[np.float64]
    result: NDArray[np.float64]
    choice: NDArray[np.float64]
    moved: NDArray[np.float64]
    work: EndWork
    row_entries: NDArray[np.float64]
    chosen: NDArray[np.float64]
    """(ends * width,) best entries."""
    end_values: NDArray[np.float64]
    keep_values: NDArray[np.float64]
    """(throws, keeps * width)"""
    keeps: NDArray[np.uint32]
    """(throws - 1, positions, width)"""
    after: NDArray[np.int64]
    """(moves * width,) columns that moves lead to."""
    states: NDArray[np.int64]
    lanes: NDArray[np.int64]


@device
def side_buffers(t: Tables, positions, keeps, width):
    """Buffers of one game."""
    values, _, result = turn_buffers(t, width)
    work = end_work(t, width)
    return Side(
        values,
        np.zeros(values.size),
        result,
        np.zeros(values.size),
        np.zeros(t.move_line.size * width),
        work,
        np.zeros(work.rows.size),
        np.zeros(ends(t) * width),
        np.zeros(ends(t) * width),
        np.zeros((t.throws, keeps * width)),
        np.zeros((t.throws - 1, positions, width), dtype=np.uint32),
        np.zeros(t.move_line.size * width, dtype=np.int64),
        np.zeros(width, dtype=np.int64),
        np.zeros(width, dtype=np.int64),
    )


@device
def columns_after(t: Tables, states, lanes, after, width):
    """`after[move * width + i]`: column that a move leads to from the i-th state and lane, where its line is open."""
    state_open, column_start, state_upper, lane_start = t.state_open, t.column_start, t.state_upper, t.lane_start
    move_line, move_step, move_upper, lane_next = t.move_line, t.move_step, t.move_upper, t.lane_next
    for move in range(move_line.size):
        if not (U(state_open[states[0]]) >> U(move_line[move])) & U(1):
            continue
        upper = move_upper[move]
        for i in range(states.size):
            lane = lanes[i]
            if upper >= 0:
                lane = lane_next[upper, lane_start[state_upper[states[i]]] + lanes[i]]
            after[move * width + i] = column_start[states[i] + move_step[move]] + lane


@device
def decide_turn(arm: Arm, side: Side, columns, width):
    """Decisions and values of a turn from some columns in which the same entries are legal."""
    t, column_state, objective = arm.t, arm.column_state, arm.objective
    states, lanes, values, work = side.states, side.lanes, side.values, side.work
    count = columns.size
    for i in range(count):
        states[i] = column_state[columns[i]]
        lanes[i] = columns[i] - t.column_start[states[i]]
    gather_moves(t, states[:count], lanes[:count], objective, side.moved, width)
    columns_after(t, states[:count], lanes[:count], side.after, width)
    end_choices(
        t, states[0], count, objective, side.moved, values, work, side.row_entries, side.chosen, 0, width
    )  # fmt: skip
    rolls = values[t.first_roll * width :]
    copy_to(work.endings if t.option_start.size else rolls, side.end_values)
    stage_values(t, values, side.spare, side.result, work.endings, side.keep_values, width)
    if not t.option_start.size:
        copy_to(side.end_values, rolls)
    backward_choices(
        values, side.spare, side.result, side.choice, work.endings, t, width, count, 0, side.keeps
    )  # fmt: skip


@device
def first_ends(t: Tables, s, group):
    """What to add to a roll after throw s for the way to end the turn: after a throw of some dice, and of all."""
    if not t.option_start.size:
        return 0, 0
    rolls = t.removals.size - t.first_roll
    return int(t.class_of[s, 2 * group]) * rolls, int(t.class_of[s, 2 * group + 1]) * rolls


@device
def row_at(work: EndWork, ending, lane, width):
    """Row of the best option of an ending, as `analyzer.dice.final.ending_choices` finds it."""
    options, option, rows = work.options, work.option, work.rows
    best, chosen = ILLEGAL, 0
    for i in range(options[ending]):
        row = int(option[ending, i])
        worth = rows[row * width + lane]
        if worth > best + TIE:
            best, chosen = worth, row
    return chosen


@device
def entry_like(arm: Arm, work: EndWork, end, roll, served, line):
    """Legal entry of dice laid like those of the other game in the same line, or -1; `line` is this game's."""
    row = -1
    if not work.options.size:
        row = roll if roll == end else -1
    else:
        for i in range(work.options[end]):
            option = int(work.option[end, i])
            if arm.row_roll[option] == roll and (row < 0 or arm.row_served[option] == served):
                row = option
    if row < 0 or line < 0:
        return -1
    for i in range(work.number[row]):
        entry = int(work.legal[row, i])
        if arm.t.entry_line[entry] == line:
            return entry
    return -1


@device
def entry_value(arm: Arm, side: Side, entry, lane, width):
    """Worth of an entry and of what follows."""
    return arm.objective.worth[0, entry] + side.moved[arm.t.entry_move[entry] * width + lane]


@device
def best_announced(keep_values, first_roll, groups, node, lane, width):
    """Group of the line that is best announced with a keep; the first of equally good ones."""
    best, chosen = keep_values[node * width + lane], 0
    for group in range(1, groups):
        value = keep_values[(group * first_roll + node) * width + lane]
        if value > best + TIE:
            best, chosen = value, group
    return chosen


@device
def keep_worth(keep_values, end_values, first_roll, endings, group, node, end, lane, width):
    """Worth of a keep, of stopping if the node is a roll."""
    if node >= first_roll:
        return end_values[end * width + lane]
    return keep_values[((group * first_roll if endings else 0) + node) * width + lane]
