"""The objective "reach at least so many points": the maximal chance.

It is found by backward induction over scorecard and points needed. Lanes here are the points still needed, beside the
upper total; the turn itself is worked out by the same kernels as for the expected score. Only what can be reached from
the position asked about is worked out, and only two rounds are held at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from analyzer.dice.final import end_values, end_work, turn_buffers
from analyzer.dice.turn import FAST, LANES, Objective, U, backward
from analyzer.dice.turn_detail import TurnDetail, detail_from_moves
from analyzer.engine.executors import map_threads
from analyzer.engine.jit import device, kernel
from analyzer.errors import UsageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.dice.states import StateSpace, Tables
    from analyzer.engine.progress import Progress

PIECE = 64
"""Columns (each with all its points needed) that one thread works out at a time."""
MEMORY_LIMIT = 12 << 30
"""Bytes that two rounds of chances may need at most."""


@dataclass(frozen=True, eq=False)
class TargetValue:
    """Answer of `solve_target` for one position.

    Attributes
    ----------
    probability : float
        Maximal chance to gain at least the points needed, before the first throw of the turn.
    detail : TurnDetail
        The turn in full; its values are chances.
    """

    probability: float
    detail: TurnDetail


@device
def gather_targets(t: Tables, state, lane, needed, count, chances, start, low, high, moved, width):
    """`moved[entry * width + i]`: chance after the entry, when `needed + i` points were needed before it.

    Fewer points needed than `low` are none at all, or cannot occur.
    """
    open_lines = U(t.state_open[state])
    for e in range(t.entry_line.size):
        if not (open_lines >> U(t.entry_line[e])) & U(1):
            continue
        move = t.entry_move[e]
        points = int(t.entry_points[e])
        next_lane = lane
        upper = t.move_upper[move]
        if upper >= 0:
            at = t.lane_start[t.state_upper[state]] + lane
            next_lane = t.lane_next[upper, at]
            points += int(t.lane_bonus[upper, at])
        column = t.column_start[state + t.move_step[move]] + next_lane
        o = U(e) * U(width)
        met = min(max(low[column] + points - needed, 0), count)
        open_ended = min(max(high[column] + points - needed + 1, met), count)
        source = start[column] + needed - points - low[column]
        for i in range(met):
            moved[o + U(i)] = 1.0
        for i in range(met, open_ended):
            moved[o + U(i)] = chances[U(source + i)]
        for i in range(open_ended, count):
            moved[o + U(i)] = 0.0


@kernel(fastmath=FAST)
def solve_targets(
    t: Tables, by_entry: Tables, objective: Objective, column_state, width,
    chances, start, low, high, out, out_start, out_low, out_high, columns,
):  # fmt: skip
    """Chances of some columns for every number of points needed, from those of the next round.

    A column's numbers of points needed go from `out_low` to `out_high`.
    """
    values, spare, result = turn_buffers(t, width)
    work = end_work(t, width)
    moved = np.zeros(t.entry_line.size * width)
    begin = np.zeros(width)
    where = np.zeros(width, dtype=np.int64)
    used = 0
    for column in columns:
        state = column_state[column]
        lane = column - t.column_start[state]
        needed = out_low[column]
        while needed <= out_high[column]:
            count = min(width - used, out_high[column] + 1 - needed)
            gather_targets(t, state, lane, needed, count, chances, start, low, high, moved, width)
            end_values(by_entry, state, count, objective, moved, values, work, used, width)
            for i in range(count):
                where[used + i] = out_start[column] + needed + i - out_low[column]
            needed += count
            used += count
            if used == width:
                backward(values, spare, result, work.endings, t, width, begin)
                for i in range(used):
                    out[where[i]] = begin[i]
                used = 0
    if used:
        backward(values, spare, result, work.endings, t, width, begin)
        for i in range(used):
            out[where[i]] = begin[i]


@kernel
def gather_target_column(t: Tables, state, lane, needed, chances, start, low, high, moved):
    """Chance after every entry from one column."""
    gather_targets(t, state, lane, needed, 1, chances, start, low, high, moved, 1)


def _bounds(space: StateSpace, state: int, needed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Fewest and most points that can still be needed, and matter, in every state; no state has more than `needed`."""
    t, written = space.tables, space.most_written
    extra = int(space.extra.max())
    bonus = space.rules.upper_bonus.points if space.rules.upper_bonus else 0
    is_open = space.open_lines()
    newly = is_open[state] - is_open
    gained = newly @ written + bonus + np.where(t.state_five == 2, extra * newly.sum(axis=1), 0)
    to_come = is_open @ written + bonus + np.where(t.state_five != 1, extra * is_open.sum(axis=1), 0)
    return np.maximum(needed - gained, 1), np.minimum(needed, to_come)


def _reachable(space: StateSpace, state: int) -> NDArray[np.bool_]:
    """Whether a state can follow the given one: all its filled lines are filled, and its five line is as it was."""
    t = space.tables
    before = t.state_open[state]
    same_five = (t.state_five == t.state_five[state]) | (t.state_five[state] == 0)
    return ((t.state_open & ~before) == 0) & same_five


def solve_target(
    space: StateSpace,
    column: int,
    needed: int,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> TargetValue:
    """Maximal chance to gain at least `needed` points from a column to the end of the game.

    Parameters
    ----------
    space : StateSpace
    column : int
        Where the game starts, with at least one open line.
    needed : int
        Points; if 0 or less the chance is 1.
    workers : int, optional
        Threads; by default one per processor. The result does not depend on it.
    progress : Progress, optional
        Told after every round how many columns are done.

    Returns
    -------
    TargetValue

    Raises
    ------
    UsageError
        Two rounds of chances need more memory than `MEMORY_LIMIT`.
    """
    t = space.tables
    state = int(space.column_state[column])
    fewest, most = _bounds(space, state, max(needed, 1))
    low, high = fewest[space.column_state], most[space.column_state]
    width = np.maximum(high - low + 1, 0)
    reachable = _reachable(space, state)[space.column_state]
    by_entry = t._replace(entry_move=np.arange(t.entry_line.size, dtype=np.int32))
    objective = Objective(np.zeros((2, t.entry_line.size)), -1, True, np.zeros(1))
    layers = [layer[reachable[layer]] for layer in space.layers]
    need = max(8 * int(width[a].sum() + width[b].sum()) for a, b in pairwise(layers))
    if need > MEMORY_LIMIT:
        raise UsageError(
            f"the chance to reach {needed} points needs {need / 2**30:.0f} GiB, above the limit of"
            f" {MEMORY_LIMIT >> 30} GiB; give a scorecard with fewer open lines"
        )
    chances, start = np.zeros(0), np.zeros(space.columns, dtype=np.int64)
    next_high = np.zeros(space.columns, dtype=np.int64)
    for layer in reversed(layers[int(space.filled[state]) + 1 : -1]):
        out = np.zeros(int(width[layer].sum()))
        out_start = np.zeros(space.columns, dtype=np.int64)
        out_start[layer] = np.cumsum(width[layer]) - width[layer]
        pieces = [layer[i : i + PIECE] for i in range(0, len(layer), PIECE)]
        solve_piece = partial(
            solve_targets, t, by_entry, objective, space.column_state, LANES,
            chances, start, low, next_high, out, out_start, low, high,
        )  # fmt: skip
        map_threads(solve_piece, pieces, workers)
        chances, start, next_high = out, out_start, high
        if progress is not None:
            progress.advance(len(layer))
    moved = np.zeros(t.entry_line.size)
    lane = int(column - t.column_start[state])
    gather_target_column(t, state, lane, needed, chances, start, low, next_high, moved)
    detail = detail_from_moves(space, by_entry, state, objective, moved)
    return TargetValue(detail.start_value(), detail)
