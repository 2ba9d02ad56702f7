"""The exact optimum: the maximal expected score from every column, by backward induction over the scorecard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from analyzer.dice.final import end_values, end_work, gather_moves, run_alike, turn_buffers
from analyzer.dice.turn import FAST, LANES, Objective, backward
from analyzer.engine.executors import map_threads
from analyzer.engine.jit import kernel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from analyzer.dice.states import StateSpace, Tables
    from analyzer.engine.progress import Progress

PACK = 64 * LANES
"""Columns per piece of work: small enough to share out evenly, large enough to hide the cost of the call."""


@kernel(fastmath=FAST)
def solve_columns(t: Tables, columns, column_state, objective: Objective, width, out):
    """Value of each column before the first throw of a turn, written to `out[column]`."""
    values, spare, result = turn_buffers(t, width)
    work = end_work(t, width)
    moved = np.zeros(t.move_line.size * width)
    states, lanes = np.zeros(width, dtype=np.int64), np.zeros(width, dtype=np.int64)
    start = np.zeros(width)
    for first in range(0, columns.size, width):
        last = min(first + width, columns.size)
        at = first
        while at < last:
            count = run_alike(t, columns[at:last], column_state, states, lanes)
            gather_moves(t, states[:count], lanes[:count], objective, moved, width)
            end_values(t, states[0], count, objective, moved, values, work, at - first, width)
            at += count
        backward(values, spare, result, work.endings, t, width, start)
        for i in range(last - first):
            out[columns[first + i]] = start[i]


def turn_values(space: StateSpace, objective: Objective, columns: NDArray[np.int64]) -> NDArray[np.float64]:
    """Value of the objective before the first throw of a turn, from each of the given columns (ascending)."""
    out = np.zeros(space.columns)
    solve_columns(space.tables, columns, space.column_state, objective, LANES, out)
    return out[columns]


def solve(
    space: StateSpace,
    *,
    point: float = 1.0,
    win_values: Sequence[float] = (),
    workers: int | None = None,
    progress: Progress | None = None,
) -> NDArray[np.float64]:
    """Maximal expected number of points still to be gained, from every column.

    Parameters
    ----------
    space : StateSpace
        With or without merged lanes.
    point : float
        What a point is worth; with 0 only instant wins count.
    win_values : sequence of float
        What each instant win is worth, beside the points gained until then; by default nothing.
    workers : int, optional
        Threads; by default one per processor. The result does not depend on it.
    progress : Progress, optional
        Told after every round of the game how many columns are done.

    Returns
    -------
    float64 array (columns,)
        Points from the column on, upper and extra-five bonuses included.
    """
    values = np.append(np.zeros(1), list(win_values) or np.zeros(len(space.rules.instant_wins)))[space.ended + 1]
    t = space.tables
    objective = Objective(np.stack([point * t.entry_points] * 2), -1, True, values)
    for layer in reversed(space.layers[:-1]):
        columns = layer[space.ended[layer] < 0]
        state = space.column_state[columns]  # columns in which the same entries are legal are worked out together
        columns = columns[np.lexsort((t.state_five[state], t.state_open[state]))] if space.cells > 1 else columns
        pieces = [columns[i : i + PACK] for i in range(0, len(columns), PACK)]
        map_threads(
            lambda piece: solve_columns(t, piece, space.column_state, objective, LANES, values), pieces, workers
        )
        if progress is not None:
            progress.advance(len(layer))
    return values
