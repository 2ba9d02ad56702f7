"""One game of a simulation, played again and written down: the same dice and decisions, at the same addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from analyzer.dice.decisions import entry_of, keep_after
from analyzer.dice.entries import final_score, won
from analyzer.dice.played import column_at, flips_of, legal_in, row_after
from analyzer.dice.record import GameRecord, TurnRecord
from analyzer.dice.throws import draw_words, throw, throws_of
from analyzer.dice.turn import U
from analyzer.engine.jit import kernel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from analyzer.dice.policies import Policy
    from analyzer.dice.record import Dice
    from analyzer.dice.states import StateSpace


@kernel
def trace_turn(d, policy, seed, index, turn, keeps, positions, entry):
    """Play one turn by slot 0: `keeps[s]` is what was kept before throw s, `positions[s]` where that throw led."""
    games = np.full(1, index, np.uint64)
    keep, position = np.zeros(1, np.int64), np.zeros(1, np.int64)
    drawn = np.empty((4, 1), np.uint32)
    for s in range(d.throws):
        if s > 0:
            keep_after(policy, d.stop, U(0), s - 1, keep, position, seed, games, turn)
        if s & 3 == 0:
            draw_words(seed, games, turn, s >> 2, drawn)
        throw(d, keep, s, drawn, seed, games, turn, position)
        keeps[s] = keep[0]
        positions[s] = position[0]
    if d.position_roll.size:
        position[0] = d.position_roll[position[0]]
    entry_of(policy, U(0), position, seed, games, turn, entry)


def record_game(policy: Policy, seed: int = 0, index: int = 0) -> GameRecord:
    """Write down a game that `simulate` plays.

    Parameters
    ----------
    policy : Policy
        Bound to the game.
    seed : int
        Of the simulation.
    index : int
        Number of the game, from 0.

    Returns
    -------
    GameRecord
        A game from an empty scorecard to its end, with its score. Where several flips leave the same dice, those of the
        fewest dice are written down.
    """
    space, rules = policy.space, policy.space.rules
    card: dict[str, int] = {}
    extra = 0
    turns: list[TurnRecord] = []
    while len(card) < len(rules.lines) and not won(rules, card):
        keeps, positions = np.zeros(rules.throws, np.int64), np.zeros(rules.throws, np.int64)
        entry = np.zeros(1, np.int64)
        column = column_at(space, card)
        if not policy.by_column:
            column = int(space.tables.column_start[space.column_state[column]])
        decisions = policy.tables(np.array([column]))
        where = (np.uint64(seed), np.uint64(index), np.uint64(len(turns)))
        trace_turn(throws_of(space), decisions, *where, keeps, positions, entry)
        chosen = int(entry[0])
        turn = _written(space, card, keeps.tolist(), positions.tolist(), chosen)
        turns.append(turn)
        if not turn.line:
            break
        card[turn.line] = int(space.written[chosen])
        extra += int(space.extra[chosen])
    return GameRecord(tuple(turns), rules.name, score=final_score(rules, card, extra))


def _written(
    space: StateSpace, card: Mapping[str, int], keeps: list[int], positions: list[int], entry: int
) -> TurnRecord:
    """The turn as it is written down."""
    rules, lattice = space.rules, space.lattice
    position_roll = throws_of(space).position_roll
    stopped = next((s for s, keep in enumerate(keeps) if keep >= space.stop), rules.throws)
    rolls = [
        int(position_roll[position]) if position_roll.size else position % lattice.rolls
        for position in positions[:stopped]
    ]
    throws = tuple(_dice(space, lattice.first_roll + roll) for roll in rolls)
    kept = tuple(_dice(space, keep % lattice.first_roll) for keep in keeps[1:stopped])
    declared = rules.line_names[keeps[1] // lattice.first_roll] if rules.declare and kept else ""
    line = int(space.tables.entry_line[entry])
    if line == len(rules.lines):  # won by the throw
        return TurnRecord(throws, kept, declared=declared)
    flipped: Dice = ()
    if rules.flips:
        ending = keeps[stopped] - space.stop if stopped < rules.throws else positions[-1]
        legal = legal_in(space, card)
        row = next(row for row in legal.rows_of(ending) if (entry in [e for e, _ in legal.of_row(row).values()]))
        flipped = next(some for some in flips_of(space, ending) if row_after(space, ending, some) == row)
    return TurnRecord(throws, kept, rules.line_names[line], flipped, declared)


def _dice(space: StateSpace, node: int) -> Dice:
    """Dice of a node, ascending."""
    return space.lattice.faces_of(node)[::-1]
