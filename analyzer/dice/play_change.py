"""How best play differs between two games: pairs of columns, followed forwards through all turns as the base plays.

A pair is a column of each game; its two sheets hold the same results, the same dice entered in the same lines, each
scored by its own rules. All pairs of a round have as many filled lines in the base. A line that one game alone has
stays as it is in the sheet of the other, so a column may be paired with several. Nothing is sampled.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from analyzer.dice.arm_turn import Arm
from analyzer.dice.decisions import positions
from analyzer.dice.paired_turn import (
    CHANCE,
    FIGURES,
    LARGEST,
    OVER,
    ROUNDS,
    SUM_COST,
    SUMS,
    WON,
    Pairs,
    Places,
    play_pairs,
)
from analyzer.dice.turn import LANES
from analyzer.engine.executors import map_threads
from analyzer.errors import RulesError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from analyzer.dice.lattice import Lattice
    from analyzer.dice.lines import Line
    from analyzer.dice.policies import Optimal
    from analyzer.dice.scorecard import ScorecardRules
    from analyzer.dice.states import StateSpace
    from analyzer.engine.progress import Progress

PACK = 64 * LANES
"""Pairs per piece of work, about."""

WIDTHS = (8, 16, 32, LANES)
"""Lanes of a block: few pairs share one where few columns have the same lines open."""

MOST_CODES = 1 << 62


class Difference(NamedTuple):
    """A pair of decisions that differ, in all columns together."""

    kind: int
    """Throw (from 0) after which dice are kept; ``throws - 1`` for entries."""
    full: bool
    """Whether the last throw threw all dice; false where that does not matter."""
    roll: int
    node: int
    """Dice that the base keeps; for entries the dice as they are laid."""
    line: int
    """Line, among those of both games, that the base enters or announces; -1 for none."""
    other_node: int
    other_line: int
    chance: float
    """Expected number of times a game."""
    cost: float
    """What the base's decision is short of the best in the other game, summed over the times that it is allowed."""
    base_cost: float
    """What the other game's decision is short of the best in the base, likewise."""
    barred: float
    """Expected number of times that the other game does not allow the base's decision."""
    base_barred: float
    """The reverse."""
    round: float
    """Mean round, from 1."""
    column: int
    other_column: int
    """The likeliest pair of columns."""


@dataclass(frozen=True, eq=False)
class PairedPlay:
    """What came of following two games.

    Attributes
    ----------
    figures : float64 array (rounds, kinds, FIGURES)
        See `analyzer.dice.paired_turn.DECISIONS`; kinds are the throws after which dice are kept, then entries.
    won : float
        Chance that a game of the base is won at once.
    over : float
        Chance that the other game is over (won, or its sheet full) while the base goes on; it is followed no further.
    dropped : float
        Chance of the pairs that were dropped as too unlikely.
    pairs : int
        Number of pairs followed.
    lines : tuple of Line
        Those of the base, then those that the other game alone has.
    lattice : Lattice
        The dice.
    """

    figures: NDArray[np.float64]
    won: float
    over: float
    dropped: float
    pairs: int
    lines: tuple[Line, ...]
    lattice: Lattice
    _keys: NDArray[np.int64]
    _sums: NDArray[np.float64]
    _notes: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self._keys)

    def ranked(self, by: str) -> NDArray[np.int64]:
        """Indices of all differences, those with the highest `cost` or `chance` a game first."""
        first, second = (SUM_COST, CHANCE) if by == "cost" else (CHANCE, SUM_COST)
        return np.lexsort((self._keys, -self._sums[:, second], -self._sums[:, first]))

    def differences(self, which: NDArray[np.int64]) -> Iterator[Difference]:
        """Some of the differences."""
        each = self.lattice.nodes * (len(self.lines) + 1)
        for i in which.tolist():
            rest, theirs = divmod(int(self._keys[i]), each)
            place, ours = divmod(rest, each)
            place, roll = divmod(place, self.lattice.rolls)
            node, line = divmod(ours, len(self.lines) + 1)
            other_node, other_line = divmod(theirs, len(self.lines) + 1)
            chance, cost, base_cost, barred, base_barred = self._sums[i, :5].tolist()
            turns = float(self._sums[i, ROUNDS]) / chance
            yield Difference(
                place // 2, bool(place % 2), roll, node, line - 1, other_node, other_line - 1,
                chance, cost, base_cost, barred, base_barred, turns, int(self._notes[i, 0]), int(self._notes[i, 1]),
            )  # fmt: skip


def check_comparable(base: ScorecardRules, other: ScorecardRules) -> None:
    """Refuse games whose turns cannot be compared.

    Raises
    ------
    RulesError
        Different dice, faces or throws; lines announced in both, but not the same; or too many dice.
    """
    for name in ("dice", "faces", "throws"):
        mine, theirs = getattr(base, name), getattr(other, name)
        if mine != theirs:
            raise RulesError(
                f"{name} = {theirs} of {other.title} cannot be compared with {mine} of {base.title}; give games with"
                " the same dice, faces and throws"
            )
    if base.declare and other.declare and set(base.line_names) != set(other.line_names):
        raise RulesError(
            f"{base.title} and {other.title} both have lines announced, but not the same lines; compare games with the"
            " same lines, or without announcing"
        )


def follow(
    base: Optimal,
    other: Optimal,
    *,
    least: float = 0.0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> PairedPlay:
    """Follow the base's play through both games.

    Parameters
    ----------
    base, other : Optimal
        Best play of both games, for whatever it maximises.
    least : float
        Pairs of a round with a chance below this are dropped.
    workers : int, optional
        Threads; by default one per processor. The result does not depend on it.
    progress : Progress, optional
        Told after every round how many columns of the base it had.

    Raises
    ------
    RulesError
        See `check_comparable`.
    """
    space, theirs = base.space, other.space
    rules = space.rules
    check_comparable(rules, theirs.rules)
    lines = (*rules.lines, *(line for line in theirs.rules.lines if line.name not in rules.line_names))
    names = [line.name for line in lines]
    if rules.throws * 2 * space.lattice.rolls * (space.lattice.nodes * (len(names) + 1)) ** 2 > MOST_CODES:
        raise RulesError(f"{rules.dice} dice with {rules.faces} faces are too many to tell decisions apart; use fewer")
    arms = _arm(base, names), _arm(other, names)
    play = partial(
        play_pairs, *arms, _places(space, theirs),
        sizes_a=_sizes(space), sizes_b=_sizes(theirs), groups=max(space.groups, theirs.groups), columns=theirs.columns,
    )  # fmt: skip
    here, chance = np.zeros(1, dtype=np.int64), np.ones(1)
    figures = np.zeros((len(rules.lines), rules.throws, FIGURES))
    found = _no_entries(SUMS, 2)
    won = over = dropped = 0.0
    followed = 0
    for turn in range(len(rules.lines)):
        columns, other_columns = np.divmod(here, theirs.columns)
        goes_on = space.ended[columns] < 0
        won += float(chance[~goes_on].sum())
        ends = goes_on & ((theirs.ended[other_columns] >= 0) | (_open(theirs)[theirs.column_state[other_columns]] == 0))
        over += float(chance[ends].sum())
        rare = goes_on & ~ends & (chance < least)
        dropped += float(chance[rare].sum())
        kept = goes_on & ~ends & ~rare
        followed += int(kept.sum())
        pieces = _pieces(space, theirs, columns[kept], other_columns[kept], chance[kept])
        parts = map_threads(partial(_play, play, turn), pieces, workers)
        found = _merged([found, *(part.found for part in parts)])
        here, sums, _ = _merged([_no_entries(1, 0), *(part.reached for part in parts)])
        chance = sums[:, 0]
        for part in parts:
            figures[turn] += part.figures
            won += float(part.over[WON])
            over += float(part.over[OVER])
        if progress is not None:
            progress.advance(len(space.layers[turn]))
    columns, _ = np.divmod(here, theirs.columns)
    won += float(chance[space.ended[columns] >= 0].sum())
    return PairedPlay(figures, won, over, dropped, followed, lines, space.lattice, *found)


Entries: TypeAlias = "tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]"
"""Keys, sums and notes, see `analyzer.engine.keyed_sums`."""


class _Part(NamedTuple):
    """What `play_pairs` returns for a piece of work, its tables packed."""

    found: Entries
    reached: Entries
    figures: NDArray[np.float64]
    over: NDArray[np.float64]


def _play(play: Callable[..., Any], turn: int, piece: tuple[Pairs, int]) -> _Part:
    pairs, width = piece
    found, reached, figures, over = play(pairs=pairs, width=width, turn=turn)
    return _Part(found.entries(), reached.entries(), figures, over)


def _no_entries(figures: int, integers: int) -> Entries:
    return np.zeros(0, dtype=np.int64), np.zeros((0, figures)), np.zeros((0, integers), dtype=np.int64)


def _arm(policy: Optimal, names: Sequence[str]) -> Arm:
    space = policy.space
    own = {name: number for number, name in enumerate(space.rules.line_names)}
    return Arm(
        t=space.tables,
        column_state=space.column_state,
        objective=policy.objective,
        row_roll=np.array([row.roll for row in space.endings.rows], dtype=np.int64),
        row_served=np.array([row.served for row in space.endings.rows], dtype=np.bool_),
        shared_line=np.array([*(names.index(name) for name in own), -1], dtype=np.int64),
        own_line=np.array([own.get(name, -1) for name in names], dtype=np.int64),
    )


def _sizes(space: StateSpace) -> tuple[int, int]:
    """Numbers of positions and of keeps."""
    return positions(space), space.stop + space.lattice.rolls


def _open(space: StateSpace) -> NDArray[np.uint32]:
    """Bit mask of open lines of every state, without the bit of a win by a throw."""
    every = np.uint32((1 << len(space.rules.lines)) - 1)
    return space.tables.state_open & every


def _places(base: StateSpace, other: StateSpace) -> Places:
    """Where a throw may lead, see `analyzer.dice.paired_turn`."""
    lattice = base.lattice
    locked = next((space.tables.pair_start for space in (base, other) if space.tables.union.size), None)
    split = bool(base.endings.options or other.endings.options)
    if locked is None:
        roll = np.tile(np.arange(lattice.rolls), 1 + split)
        full = np.repeat(np.arange(1 + split), lattice.rolls)
        return Places(roll, full, np.zeros_like(roll), np.zeros(0, dtype=np.int64), split, lattice.counts)
    held = np.repeat(np.arange(lattice.nodes), np.diff(locked))
    missing = lattice.dice - lattice.counts.sum(axis=1, dtype=np.int64)
    thrown = [np.arange(lattice.offset[n], lattice.offset[n + 1]) for n in missing]
    roll = np.concatenate([lattice.union(node, added) for node, added in enumerate(thrown)]) - lattice.first_roll
    return Places(roll, ((held == 0) & split).astype(np.int64), held, locked, split, lattice.counts)


def _pieces(
    space: StateSpace,
    theirs: StateSpace,
    columns: NDArray[np.int64],
    other_columns: NDArray[np.int64],
    chance: NDArray[np.float64],
) -> list[tuple[Pairs, int]]:
    """Pairs in blocks in which the same entries are legal, and the lanes that they need."""
    state, other_state = space.column_state[columns], theirs.column_state[other_columns]
    t, u = space.tables, theirs.tables
    legal = (t.state_open[state], t.state_five[state], u.state_open[other_state], u.state_five[other_state])
    order = np.lexsort((other_columns, columns, *legal))
    columns, other_columns, chance = columns[order], other_columns[order], chance[order]
    changes = np.zeros(len(order), dtype=np.bool_)
    for what in legal:
        changes[1:] |= what[order][1:] != what[order][:-1]
    runs = np.concatenate([[0], np.flatnonzero(changes), [len(order)]])
    start = np.concatenate([np.arange(a, b, LANES) for a, b in pairwise(runs)])
    stop = np.append(start, len(order))[1:]
    pieces = []
    for narrower, width in zip((0, *WIDTHS), WIDTHS, strict=False):
        blocks = np.flatnonzero((stop - start > narrower) & (stop - start <= width))
        for first in range(0, len(blocks), max(PACK // width, 1)):
            some = blocks[first : first + PACK // width]
            pieces.append((Pairs(columns, other_columns, chance, start[some], stop[some]), width))
    return pieces


def _merged(parts: Sequence[Entries]) -> Entries:
    """Sums of several tables by key; notes are those of the part with the largest chance."""
    keys: NDArray[np.int64] = np.concatenate([part[0] for part in parts])
    sums: NDArray[np.float64] = np.concatenate([part[1] for part in parts])
    notes: NDArray[np.int64] = np.concatenate([part[2] for part in parts])
    found, where = np.unique(keys, return_inverse=True)
    total = np.stack([np.bincount(where, figure, len(found)).astype(np.float64) for figure in sums.T], axis=1)
    if not notes.shape[1]:
        return found, total, notes[: len(found)]
    order = np.lexsort((-sums[:, LARGEST], where))
    best = order[np.searchsorted(where[order], np.arange(len(found)))]
    total[:, LARGEST] = sums[best, LARGEST]
    return found, total, notes[best]
