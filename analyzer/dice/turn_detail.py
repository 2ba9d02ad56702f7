"""One turn in full, from one column: the value of every keep at every stage, and of every entry, for advice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from analyzer.dice.decisions import TablePolicy, empty_tables
from analyzer.dice.evaluation import entry_chances
from analyzer.dice.final import end_choices, end_work, ends, gather_moves, turn_buffers
from analyzer.dice.throws import throws_of
from analyzer.dice.turn import (
    Objective,
    backward_choices,
    best_keep,
    copy_rolls,
    copy_to,
    expectation,
    gather_unions,
    mean_added,
    mean_full,
    stop_or_throw,
)
from analyzer.engine.jit import device, kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.dice.states import StateSpace, Tables


@dataclass(frozen=True, eq=False)
class TurnDetail:
    """Values and decisions of a turn from one column.

    Attributes
    ----------
    space : StateSpace
    state : int
    entry_values : float64 array (entries,)
        Value of every entry to an open line: what it gains and what the game is worth after it.
    end_values : float64 array (ends,)
        Value of ending the turn with a final roll, or with an ending (see `analyzer.dice.endings`).
    keep_values : float64 array (throws, keeps)
        `keep_values[n, keep]`: value of a keep with n throws left, a node's dice. With n = 0 only rolls have one. In
        games with endings keeps are numbered as in `analyzer.dice.endings`, and rolls have none: they end the turn.
    tables : TablePolicy
        Best decisions of the turn, in slot 0.
    """

    space: StateSpace
    state: int
    entry_values: NDArray[np.float64]
    end_values: NDArray[np.float64]
    keep_values: NDArray[np.float64]
    tables: TablePolicy

    def start_value(self) -> float:
        """Value before the first throw."""
        space, lattice = self.space, self.space.lattice
        shift = lattice.rolls if space.endings.options else 0
        if space.rules.throws == 1:
            best = self.end_values[shift : shift + lattice.rolls]
        else:
            keeps = self.tables.keeps[0, shift : shift + lattice.rolls, 0].astype(np.int64)
            best = self.keep_values[-1][np.minimum(keeps, self.keep_values.shape[1] - 1)]
            if shift:
                stops = keeps >= space.stop
                best = np.where(stops, self.end_values[np.maximum(keeps - space.stop, 0)], best)
        return float(best @ lattice.probability[lattice.first_roll :])

    def outcomes(self, keep: int, throws_left: int) -> NDArray[np.float64]:
        """Chance of every entry after keeping `keep` with so many throws left, float64 array (entries,).

        In games with endings, keeps are numbered as in `analyzer.dice.endings`.
        """
        chances = np.zeros((1, len(self.space.written)))
        first = self.space.rules.throws - throws_left
        entry_chances(self.space.tables, self.tables, throws_of(self.space).position_roll, 1, keep, first, chances)
        return chances[0]


@kernel
def gather_column(t: Tables, state, lane, objective: Objective, moved):
    """Value of every move from one column."""
    states, lanes = np.full(1, state, dtype=np.int64), np.full(1, lane, dtype=np.int64)
    gather_moves(t, states, lanes, objective, moved, 1)


@device
def stage_values(t: Tables, values, spare, result, endings, keep_values, width):
    """`keep_values[n, keep * width + lane]` becomes what a keep is worth with n throws left.

    From the worth of the final rolls in `values`, which is lost, or of the endings. For n = 0 that of rolls alone is
    there; in games with endings rolls have none.
    """
    nodes = t.removals.size
    if t.option_start.size:
        for group in range(t.class_of.shape[1] // 2):
            first, last = group * t.first_roll * width, (group + 1) * t.first_roll * width
            for n in range(1, t.throws):
                stop_or_throw(values, spare, result, endings, t, t.throws - n, group, width)
                expectation(values, t.append, width)
                mean_full(spare, t, width, values, 0)
                copy_to(values[: t.first_roll * width], keep_values[n, first:last])
                best_keep(values, t.remove, t.removals, t.first_roll, width, t.one)
        return
    copy_to(values, keep_values[0])
    for n in range(1, t.throws):
        if t.union.size and n > 1:
            for keep in range(nodes):
                missing = gather_unions(values, t, keep, spare, width)
                best_keep(spare, t.remove, t.removals, t.size_offset[missing + 1], width, t.one)
                mean_added(spare, t, missing, result, keep, width)
            copy_to(result, values)
        else:
            if n > 1:
                best_keep(values, t.remove, t.removals, nodes, width, t.one)
            expectation(values, t.append, width)
            copy_rolls(keep_values[0], values, t.first_roll, width)
        copy_to(values, keep_values[n])


@kernel
def detail_turn(t: Tables, state, objective: Objective, moved, keep_values, values_at_end, keeps, entries):
    """Fill `keep_values`, `values_at_end`, `keeps` and `entries` (see `TurnDetail`) from the values of the moves."""
    nodes = t.removals.size
    values, _, result = turn_buffers(t, 1)
    spare, choice = np.zeros(nodes), np.zeros(nodes)
    work = end_work(t, 1)
    row_entries, chosen = np.zeros(work.rows.size), np.zeros(ends(t))
    end_choices(t, state, 1, objective, moved, values, work, row_entries, chosen, 0, 1)
    for end in range(chosen.size):
        entries[end, 0] = int(chosen[end])
    copy_to(work.endings if t.option_start.size else values[t.first_roll :], values_at_end)
    stage_values(t, values, spare, result, work.endings, keep_values, 1)
    if not t.option_start.size:
        copy_to(keep_values[0], values)
    backward_choices(values, spare, result, choice, work.endings, t, 1, 1, 0, keeps)


def turn_detail(space: StateSpace, column: int, objective: Objective) -> TurnDetail:
    """Work out one turn from a column.

    Parameters
    ----------
    space : StateSpace
    column : int
        Of a scorecard with at least one open line.
    objective : Objective
        What the turn maximises.

    Returns
    -------
    TurnDetail
    """
    t = space.tables
    state = int(space.column_state[column])
    moved = np.zeros(t.move_line.size)
    gather_column(t, state, int(column - t.column_start[state]), objective, moved)
    return detail_from_moves(space, t, state, objective, moved)


def detail_from_moves(
    space: StateSpace, t: Tables, state: int, objective: Objective, moved: NDArray[np.float64]
) -> TurnDetail:
    """Work out one turn from the values of its moves; `t` tells which move an entry makes."""
    tables = empty_tables(space, 1)
    keep_values = np.zeros((space.rules.throws, space.stop + space.lattice.rolls))
    end_values = np.zeros(space.ends)
    detail_turn(t, state, objective, moved, keep_values, end_values, *tables)
    return TurnDetail(space, state, objective.worth[0] + moved[t.entry_move], end_values, keep_values, tables)
