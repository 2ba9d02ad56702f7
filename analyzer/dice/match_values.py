"""Value functions for policies in matches, each of them computed: solved, evaluated, or learnt from simulated play."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from analyzer.dice.evaluation import PIECE, entry_chances
from analyzer.dice.match_policies import Columns, Race, Sum
from analyzer.dice.match_turn import blank_sheets, lines_of, play_party
from analyzer.dice.throws import TabulatedThrows, throws_of
from analyzer.dice.turn import LANES
from analyzer.engine.jit import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.dice.policies import Optimal
    from analyzer.dice.states import StateSpace
    from analyzer.engine.progress import Progress

LEARNT_SHEETS = 1 << 16
"""Sheets played to learn what open cells bring."""
LEARNING_SEED = 2024


def sum_policy(space: StateSpace, joint: StateSpace, values: NDArray[np.float64]) -> Sum:
    """Policy for the expected total of all columns, from the solved sheet of all columns together."""
    step = joint.tables.move_step[joint.tables.entry_move]
    return Sum(space.column_state, step, joint.tables.column_start, values)


def learn_cells(
    space: StateSpace, policy: Sum, columns: int, progress: Progress | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and variance of what an open cell will bring when sheets are filled by `policy`.

    Returns
    -------
    two float64 arrays (rounds + 1, lines, columns + 1)
        By the rounds to come, the line, and its open cells on the sheet. Where that never came up, the figure for the
        nearest number of open cells, or of rounds.
    """
    t, lines, throws = space.tables, len(space.rules.lines), throws_of(space)
    assert isinstance(throws, TabulatedThrows)
    rounds = lines * columns
    sheets = blank_sheets(LEARNT_SHEETS, 1, columns)
    entries = np.zeros(len(space.written), dtype=np.int64)
    index = np.arange(LEARNT_SHEETS, dtype=np.uint64)
    held = np.zeros((rounds + 1, LEARNT_SHEETS, lines), dtype=np.int16)
    open_cells = np.zeros((rounds + 1, LEARNT_SHEETS, lines), dtype=np.int8)
    open_cells[0] = columns
    bits = np.arange(lines)
    for turn in range(rounds):
        before = sheets.points.sum(axis=2)
        play_party(
            t, throws, lines_of(space), policy, sheets, space.column_state, space.ended, policy.joint_step,
            index, np.uint64(LEARNING_SEED), turn, 0, 1, True, entries,
        )  # fmt: skip
        state_open = t.state_open[space.column_state[sheets.column[:, 0, :]]]
        open_cells[turn + 1] = ((state_open[:, :, None] >> bits) & 1).sum(axis=1)
        filled = open_cells[turn] - open_cells[turn + 1]
        held[turn + 1] = held[turn] + filled * (sheets.points.sum(axis=2) - before)
        if progress is not None:
            progress.advance(1)
    mean = np.full((rounds + 1, lines, columns + 1), np.nan)
    variance = np.full_like(mean, np.nan)
    for turn in range(rounds):
        to_come = (held[rounds] - held[turn]).astype(np.float64)
        for line in range(lines):
            for cells in range(1, columns + 1):
                some = to_come[open_cells[turn, :, line] == cells, line]
                if len(some) > 1:
                    mean[rounds - turn, line, cells] = some.mean() / cells
                    variance[rounds - turn, line, cells] = some.var() / cells
    for table in (mean, variance):
        _fill_gaps(table)
    return mean, variance


def _fill_gaps(table: NDArray[np.float64]) -> None:
    """Replace NaN by the figure for the nearest number of open cells, then of rounds; 0 where nothing is open."""
    table[:, :, 0] = 0.0
    for cells in range(2, table.shape[2]):
        gaps = np.isnan(table[:, :, cells])
        table[:, :, cells][gaps] = table[:, :, cells - 1][gaps]
    for cells in range(table.shape[2] - 2, 0, -1):
        gaps = np.isnan(table[:, :, cells])
        table[:, :, cells][gaps] = table[:, :, cells + 1][gaps]
    for row in range(1, len(table)):
        gaps = np.isnan(table[row])
        table[row][gaps] = table[row - 1][gaps]
    for row in range(len(table) - 2, -1, -1):
        gaps = np.isnan(table[row])
        table[row][gaps] = table[row + 1][gaps]
    table[np.isnan(table)] = 0.0


def columns_policy(space: StateSpace, mean: NDArray[np.float64], variance: NDArray[np.float64]) -> Columns:
    """Policy for the expected settlement of several columns."""
    settlement = space.rules.settlement
    values = np.array(settlement.column_values, dtype=np.float64)
    return Columns(space.column_state, mean, variance, values, settlement.sweep_total - float(values.sum()))


@kernel
def gather_scores(chances, columns, there, points, following):
    """`following[c]` of some columns: the distribution of points to come, from those of the columns after a turn."""
    for i in range(columns.size):
        for e in range(points.size):
            q = chances[i, e]
            if q == 0.0:
                continue
            gained, c, after = int(points[e]), columns[i], there[i, e]
            for x in range(following.shape[1] - gained):
                following[c, x + gained] += q * following[after, x]


def race_policy(space: StateSpace, base: Optimal) -> Race:
    """Policy for the chance to win, from what `base` would still gain: exact distributions, and chances of a win."""
    t = space.tables
    step = t.move_step[t.entry_move]
    chance = np.zeros((space.columns, int(space.most_written.sum()) + 1))
    full = space.layers[-1]
    chance[full[space.ended[full] < 0], 0] = 1.0
    for layer in reversed(space.layers[:-1]):
        columns = layer[space.ended[layer] < 0]
        for low in range(0, len(columns), PIECE):
            some = columns[low : low + PIECE]
            chances = np.zeros((len(some), len(t.entry_points)))
            entry_chances(t, base.tables(some), throws_of(space).position_roll, LANES, 0, 0, chances)
            state = np.minimum(space.column_state[some][:, None] + step, space.states - 1)
            gather_scores(chances, some, t.column_start[state], t.entry_points, chance)
    below = np.cumsum(chance, axis=1) - chance / 2
    return Race(space.column_state, space.ended, 1.0 - chance.sum(axis=1), chance, below)
