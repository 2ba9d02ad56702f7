"""The peer that anyone would write first: dice in NumPy arrays, decisions looked up, every line scored.

It is vectorised over a batch that stays in the cache, and plain otherwise. `NumpyTurns` plays single turns of
Dice Poker from an empty scorecard, `NumpyGames` whole games. Both take their decisions from tables of the
analyzer, so that both sides play the same policy.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.dice.decisions import TablePolicy
    from analyzer.dice.lattice import Lattice
    from analyzer.dice.policies import Optimal

    Ints = NDArray[np.int64]

BATCH = 20_000
"""Turns played at once, chosen by measurement."""
FACES = np.arange(1, 7)
LINES = 15


class NumpyDice:
    """Five dice thrown up to three times; tables are looked up by sorted dice."""

    def __init__(self, lattice: Lattice, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.powers = 7 ** np.arange(lattice.dice)
        self.kept = np.zeros((lattice.nodes, lattice.dice), dtype=np.int64)
        for node in range(lattice.nodes):
            faces = sorted(lattice.faces_of(node))
            self.kept[node, lattice.dice - len(faces) :] = faces
        self.roll_of = np.zeros(7**lattice.dice, dtype=np.int64)
        self.roll_of[self.kept[lattice.first_roll :] @ self.powers] = np.arange(lattice.rolls)

    def play(self, policy: TablePolicy, slot: Ints | int, size: int) -> tuple[Ints, Ints]:
        """Final dice, sorted, and final rolls of so many turns; `slot` is the column of the tables that decides."""
        dice = np.sort(self.rng.integers(1, 7, (size, self.powers.size)), axis=1)
        roll = self.roll_of[dice @ self.powers]
        for keeps in policy.keeps:
            kept = self.kept[keeps[roll, slot]]
            dice = np.sort(np.where(kept > 0, kept, self.rng.integers(1, 7, kept.shape)), axis=1)
            roll = self.roll_of[dice @ self.powers]
        return dice, roll


def score_dice_poker(dice: Ints) -> Ints:
    """Points of sorted dice (turns, 5) in each line of Dice Poker, int64 array (turns, 15); jokers are left out."""
    counts = (dice[:, :, None] == FACES).sum(axis=1)
    most = counts.max(axis=1)
    pairs = (counts >= 2).sum(axis=1)
    total = dice.sum(axis=1)
    present = counts > 0
    run_of_four = (present[:, :3] & present[:, 1:4] & present[:, 2:5] & present[:, 3:]).any(axis=1)
    run_of_five = present[:, 1:5].all(axis=1) & (most == 1)
    lower = (
        np.where(most >= 2, total, 0),
        np.where(pairs == 2, total, 0),
        np.where(most >= 3, total, 0),
        np.where(most >= 4, total, 0),
        np.where((most == 3) & (pairs == 2), 25, 0),
        np.where(run_of_four, 30, 0),
        np.where(run_of_five, 40, 0),
        np.where(most == 5, 50, 0),
        total,
    )
    return np.column_stack([counts * FACES, *lower])


class NumpyTurns:
    """Turns of Dice Poker from an empty scorecard under a table policy, with the tallies of all lines.

    Attributes
    ----------
    turns : int
        Turns played.
    chosen, points, zeros : int64 arrays (15,)
        Turns entered in the line, their points, and how many of them are zeros.
    available : int64 array (15,)
        Points that the final dice of all turns would score in the line.
    """

    def __init__(self, lattice: Lattice, policy: TablePolicy, entry_line: NDArray[np.int32], seed: int) -> None:
        self.dice = NumpyDice(lattice, seed)
        self.policy = policy
        self.line_of_roll = entry_line[policy.entries[:, 0]].astype(np.int64)
        self.turns = 0
        self.chosen, self.points, self.zeros, self.available = np.zeros((4, LINES), dtype=np.int64)

    def play(self, turns: int) -> None:
        """Play so many turns more and score each of them."""
        for low in range(0, turns, BATCH):
            dice, roll = self.dice.play(self.policy, 0, min(BATCH, turns - low))
            scores = score_dice_poker(dice)
            line = self.line_of_roll[roll]
            gained = scores[np.arange(line.size), line]
            self.chosen += np.bincount(line, minlength=LINES)
            self.points += np.bincount(line, weights=gained, minlength=LINES).astype(np.int64)
            self.zeros += np.bincount(line[gained == 0], minlength=LINES)
            self.available += scores.sum(axis=0)
        self.turns += turns

    def play_counting(self, turns: int) -> None:
        """Play so many turns more and score each of the 252 final rolls once, times how often it came up."""
        rolls = np.zeros(self.line_of_roll.size, dtype=np.int64)
        for low in range(0, turns, BATCH):
            _, roll = self.dice.play(self.policy, 0, min(BATCH, turns - low))
            rolls += np.bincount(roll, minlength=rolls.size)
        scores = score_dice_poker(self.dice.kept[-rolls.size :])
        gained = scores[np.arange(rolls.size), self.line_of_roll]
        np.add.at(self.chosen, self.line_of_roll, rolls)
        np.add.at(self.points, self.line_of_roll, rolls * gained)
        np.add.at(self.zeros, self.line_of_roll, rolls * (gained == 0))
        self.available += rolls @ scores
        self.turns += turns


class NumpyGames:
    """Whole games in lockstep. Making the decision tables of the columns that games come to is not timed.

    Attributes
    ----------
    seconds : float
        Time of the last `play`, without the tables.
    scores : int64 array (games,)
        Final scores of the last `play`.
    """

    def __init__(self, policy: Optimal, seed: int) -> None:
        self.policy = policy
        self.dice = NumpyDice(policy.space.lattice, seed)
        self.seconds = 0.0
        self.scores = np.zeros(0, dtype=np.int64)

    def play(self, games: int) -> None:
        """Play so many games from an empty scorecard."""
        column, self.scores = np.zeros((2, games), dtype=np.int64)
        self.seconds = 0.0
        for _ in self.policy.space.rules.lines:
            start = time.perf_counter()
            columns, slot = np.unique(column, return_inverse=True)
            self.seconds += time.perf_counter() - start
            tables = self.policy.tables(columns)
            start = time.perf_counter()
            for low in range(0, games, BATCH):
                part = slice(low, low + BATCH)
                _, roll = self.dice.play(tables, slot[part], slot[part].size)
                entry = tables.entries[roll, slot[part]]
                column[part], points = self._enter(column[part], entry)
                self.scores[part] += points
            self.seconds += time.perf_counter() - start

    def _enter(self, column: Ints, entry: NDArray[np.uint16]) -> tuple[Ints, Ints]:
        """Next column and points of each game, upper and extra-five bonuses included."""
        t, space = self.policy.space.tables, self.policy.space
        state = space.column_state[column]
        lane = column - t.column_start[state]
        points = t.entry_points[entry].astype(np.int64)
        move = t.entry_move[entry]
        upper = t.move_upper[move]
        some = np.flatnonzero(upper >= 0)
        at = t.lane_start[t.state_upper[state[some]]] + lane[some]
        lane[some] = t.lane_next[upper[some], at]
        points[some] += t.lane_bonus[upper[some], at].astype(np.int64)
        return t.column_start[state + t.move_step[move]] + lane, points
