"""One turn in full, from one column: the value of every keep at every stage, and of every entry, for advice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from analyzer.dice.decisions import TablePolicy, empty_tables
from analyzer.dice.evaluation import entry_chances
from analyzer.dice.final import final_choices, gather_moves
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
)
from analyzer.engine.jit import kernel

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
    keep_values : float64 array (throws, nodes)
        `keep_values[n, node]`: value of keeping the node's dice with n throws left. With n = 0 only rolls have one.
    tables : TablePolicy
        Best decisions of the turn, in slot 0.
    """

    space: StateSpace
    state: int
    entry_values: NDArray[np.float64]
    keep_values: NDArray[np.float64]
    tables: TablePolicy

    def outcomes(self, keep: int, throws_left: int) -> NDArray[np.float64]:
        """Chance of every entry after keeping `keep` with so many throws left, float64 array (entries,)."""
        chances = np.zeros((1, len(self.space.written)))
        first = self.space.rules.throws - throws_left
        entry_chances(self.space.tables, self.tables, throws_of(self.space).position_roll, 1, keep, first, chances)
        return chances[0]


@kernel
def gather_column(t: Tables, state, lane, objective: Objective, moved):
    """Value of every move from one column."""
    lanes = np.full(1, lane, dtype=np.int64)
    gather_moves(t, state, lanes, objective, moved, 1)


@kernel
def detail_turn(t: Tables, state, objective: Objective, moved, keep_values, keeps, entries):
    """Fill `keep_values`, `keeps` and `entries` (see `TurnDetail`) from the values of the moves."""
    nodes = t.removals.size
    extra = nodes if t.union.size else 0
    values, spare, result, choice = np.zeros(nodes), np.zeros(nodes), np.zeros(extra), np.zeros(nodes)
    chosen = np.zeros(t.natural.shape[0])
    final_choices(t, state, 1, objective, moved, values, chosen, 0, 1)
    for roll in range(chosen.size):
        entries[roll, 0] = int(chosen[roll])
    copy_to(values, keep_values[0])
    for n in range(1, t.throws):
        if t.union.size and n > 1:
            for keep in range(nodes):
                missing = gather_unions(values, t, keep, spare, 1)
                best_keep(spare, t.remove, t.removals, t.size_offset[missing + 1], 1, t.one)
                mean_added(spare, t, missing, result, keep, 1)
            copy_to(result, values)
        else:
            if n > 1:
                best_keep(values, t.remove, t.removals, nodes, 1, t.one)
            expectation(values, t.append, 1)
            copy_rolls(keep_values[0], values, t.first_roll, 1)
        copy_to(values, keep_values[n])
    copy_to(keep_values[0], values)
    backward_choices(values, spare, result, choice, t, 1, 1, 0, keeps)


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
    keep_values = np.zeros((space.rules.throws, space.lattice.nodes))
    detail_turn(t, state, objective, moved, keep_values, *tables)
    return TurnDetail(space, state, objective.worth[0] + moved[t.entry_move], keep_values, tables)
