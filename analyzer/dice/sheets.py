"""What stands on every sheet at the end of simulated games, line by line, from the log of their entries."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analyzer.dice.simulator import NO_ENTRY
from analyzer.engine.jit import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.dice.simulator import GameLog
    from analyzer.dice.states import StateSpace


class FinalSheets(NamedTuple):
    """The sheets of games, one column each."""

    points: NDArray[np.int32]
    """(lines, games) points written; 0 in a line that was not filled."""
    zero: NDArray[np.int32]
    """(lines, games) 1 where the line was filled with 0, else 0."""
    extra: NDArray[np.int32]
    """(games,) extra-five points."""
    turns: NDArray[np.int32]
    """(games,) turns played."""


@kernel
def fill_sheets(entries, entry_line, written, paid, points, zero, extra, turns):
    """Enter the log `entries` (turns, games) into the arrays of `FinalSheets`, which are zero before."""
    lines = points.shape[0]
    for turn in range(entries.shape[0]):
        for game in range(entries.shape[1]):
            entry = entries[turn, game]
            if entry == NO_ENTRY:
                continue
            turns[game] += 1
            extra[game] += paid[entry]
            line = entry_line[entry]
            if line < lines:
                points[line, game] = written[entry]
                zero[line, game] = written[entry] == 0


def sheets_of(space: StateSpace, log: GameLog) -> FinalSheets:
    """The sheets at the end of the games of a log; lines filled before the log began stay empty."""
    lines, games = len(space.rules.lines), log.score.size
    found = FinalSheets(
        np.zeros((lines, games), np.int32),
        np.zeros((lines, games), np.int32),
        np.zeros(games, np.int32),
        np.zeros(games, np.int32),
    )
    fill_sheets(log.entries, space.tables.entry_line, space.written, space.extra, *found)
    return found
