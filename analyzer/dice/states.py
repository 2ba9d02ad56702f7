"""Lowering of scorecard rules: the states of a scorecard, its entries, and the arrays that kernels see.

A *state* is a status per line (open, or what it was filled with where that matters later), in mixed radix. Beside it
runs a *lane*: the upper total, as far as it can still decide the upper bonus. State and lane together are a *column*;
every value the solver computes is the value of a column.

The upper bonus is paid by the entry that reaches it. So totals that have reached it and totals that can no longer reach
it have the same future, and share one lane.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analyzer.dice.lattice import MAX_PAIRS, Lattice
from analyzer.errors import RulesError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.dice.scorecard import ScorecardRules

SETTLED = -1
"""Upper total of the lane in which the upper bonus is won or out of reach."""


class Tables(NamedTuple):
    """What kernels see of a game. `lines`, `rolls`, `entries`, `moves` name array lengths."""

    append: NDArray[np.uint32]
    """(partial nodes, faces) node after one more die."""
    remove: NDArray[np.uint32]
    """(nodes, faces) nodes with one die less, `removals[node]` of them."""
    removals: NDArray[np.uint8]
    probability: NDArray[np.float64]
    """(nodes,) chance of a node when as many dice as it holds are thrown."""
    size_offset: NDArray[np.int64]
    """(dice + 2,) first node of each size."""
    one: float
    """1.0, unknown to the compiler; see `analyzer.dice.turn`."""
    first_roll: int
    throws: int
    union: NDArray[np.uint32]
    """(pairs,) with locked dice: node of a keep and added dice together, see `union_start`; else empty."""
    union_start: NDArray[np.int64]
    """(nodes + 1,) keep k with added dice d is at `union_start[k] + d`; empty unless dice are locked."""
    pair_start: NDArray[np.int64]
    """(nodes + 1,) with locked dice: start of the positions of each keep, that is of keep and thrown dice together.

    Keep k after throwing its missing dice d is position `pair_start[k] + d - size_offset[missing]`.
    """
    natural: NDArray[np.uint32]
    """(rolls, lines) entry of a roll in a line by the line's own pattern."""
    alike: NDArray[np.int8]
    """(rolls,) face from 0 if all dice are alike, else -1."""
    alike_entry: NDArray[np.int32]
    """(5-line statuses x 2 x 2, lines, faces) entry when all dice are alike, -1 where the joker rule forbids it.

    The row in force is told by `analyzer.dice.final.variant`.
    """
    own_line: NDArray[np.int8]
    """(faces,) upper line of a face, or -1."""
    lower_lines: int
    """Bit mask of the lines outside the upper section."""
    five_line: int
    """Line that counts for extra fives and jokers, or -1."""
    entry_line: NDArray[np.int32]
    entry_move: NDArray[np.int32]
    """(entries,) the change of state and lane that an entry makes."""
    entry_points: NDArray[np.float64]
    """(entries,) points of the entry, extra-five bonus included, upper bonus not."""
    move_line: NDArray[np.int32]
    move_step: NDArray[np.int64]
    """(moves,) what the move adds to the state index."""
    move_upper: NDArray[np.int32]
    """(moves,) row in `lane_next`, or -1 where the lane does not change."""
    lane_next: NDArray[np.int32]
    """(upper moves, lanes of all upper sets) lane after the move."""
    lane_bonus: NDArray[np.float64]
    """(upper moves, lanes of all upper sets) upper bonus paid by the move."""
    lane_start: NDArray[np.int64]
    """(upper sets + 1,) first of an upper set's lanes in the rows of `lane_next`."""
    state_open: NDArray[np.uint32]
    """(states,) bit mask of open lines."""
    state_upper: NDArray[np.int32]
    """(states,) upper set: which upper lines are filled."""
    state_five: NDArray[np.int8]
    """(states,) status of `five_line`: 0 open, 1 filled with zero, 2 with its points; 0 without such a line."""
    column_start: NDArray[np.int64]
    """(states + 1,) first column of every state."""


@dataclass(frozen=True, eq=False)
class StateSpace:
    """Every state and lane of a scorecard game, with the tables that kernels work on.

    Attributes
    ----------
    rules : ScorecardRules
    lattice : Lattice
    tables : Tables
    written : int64 array (entries,)
        Points the entry writes into its line, without the extra-five bonus.
    extra : int64 array (entries,)
        Extra-five bonus the entry earns.
    totals : int64 array (lanes of all upper sets,)
        Upper total of a lane, `SETTLED` for the settled one.
    radix, weight : int64 arrays (lines,)
        Number of statuses per line and its place value in the state index.
    """

    rules: ScorecardRules
    lattice: Lattice
    tables: Tables
    written: NDArray[np.int64]
    extra: NDArray[np.int64]
    totals: NDArray[np.int64]
    radix: NDArray[np.int64]
    weight: NDArray[np.int64]
    merged: bool

    @staticmethod
    @lru_cache(maxsize=8)
    def of(rules: ScorecardRules, *, merged: bool = True) -> StateSpace:
        """Lower the rules.

        Parameters
        ----------
        rules : ScorecardRules
            Any scorecard game.
        merged : bool
            Share one lane between upper totals with the same future. Without it every total has its own lane, for
            policies that look at the total itself.
        """
        return _build(rules, merged)

    @property
    def states(self) -> int:
        """Number of states."""
        return len(self.tables.state_open)

    @property
    def columns(self) -> int:
        """Number of (state, lane) pairs."""
        return int(self.tables.column_start[-1])

    @cached_property
    def filled(self) -> NDArray[np.int64]:
        """Number of filled lines of every state, int64 array (states,)."""
        return len(self.rules.lines) - np.bitwise_count(self.tables.state_open).astype(np.int64)

    @cached_property
    def most_written(self) -> NDArray[np.int64]:
        """Most points that can be written in every line, jokers included, int64 array (lines,)."""
        most = np.zeros(len(self.rules.lines), dtype=np.int64)
        np.maximum.at(most, self.tables.entry_line, self.written)
        return most

    def open_lines(self) -> NDArray[np.int64]:
        """Which lines are open in every state, int64 array (states, lines) of 0 and 1."""
        return (self.tables.state_open[:, None].astype(np.int64) >> np.arange(len(self.rules.lines))) & 1

    @cached_property
    def column_state(self) -> NDArray[np.int64]:
        """State of every column, int64 array (columns,)."""
        return np.repeat(np.arange(self.states), np.diff(self.tables.column_start))

    @cached_property
    def layers(self) -> list[NDArray[np.int64]]:
        """Columns by number of filled lines, from the empty scorecard to the full one, each in ascending order."""
        filled = self.filled[self.column_state]
        order = np.argsort(filled, kind="stable")
        ends = np.cumsum(np.bincount(filled, minlength=len(self.rules.lines) + 1))
        return [np.ascontiguousarray(part) for part in np.split(order, ends[:-1])]

    def state_of(self, statuses: dict[int, int]) -> int:
        """State in which the given lines have the given statuses and all others are open."""
        return int(sum(status * self.weight[line] for line, status in statuses.items()))

    def lane_of(self, state: int, upper_total: int) -> int:
        """Lane of an upper total in a state."""
        upper = int(self.tables.state_upper[state])
        start, stop = self.tables.lane_start[upper], self.tables.lane_start[upper + 1]
        totals = self.totals[start:stop]
        where = np.flatnonzero(totals == upper_total)
        return int(where[0]) if len(where) else int(np.flatnonzero(totals == SETTLED)[0])

    def column_of(self, state: int, upper_total: int = 0) -> int:
        """Column of a state and an upper total."""
        return int(self.tables.column_start[state]) + self.lane_of(state, upper_total)


class _Pairs(NamedTuple):
    union: NDArray[np.uint32]
    start: NDArray[np.int64]
    position: NDArray[np.int64]


def _pairs(lattice: Lattice, locked: bool) -> _Pairs:
    """Every keep with every multiset of at most its missing dice: what may be kept when kept dice stay kept."""
    if not locked:
        return _Pairs(np.zeros(0, np.uint32), np.zeros(0, np.int64), np.zeros(0, np.int64))
    missing = lattice.dice - lattice.counts.sum(axis=1, dtype=np.int64)
    start = np.concatenate([[0], np.cumsum(lattice.offset[missing + 1])])
    position = np.concatenate([[0], np.cumsum(lattice.offset[missing + 1] - lattice.offset[missing])])
    if start[-1] > MAX_PAIRS:
        raise RulesError(
            f"lock_kept with {lattice.dice} dice and {lattice.faces} faces needs {start[-1]:,} pairs of kept and"
            f" thrown dice, above the limit of {MAX_PAIRS:,}; use fewer dice or faces"
        )
    union = [lattice.union(k, np.arange(lattice.offset[missing[k] + 1])) for k in range(lattice.nodes)]
    return _Pairs(np.concatenate(union).astype(np.uint32), start, position)


class _Lanes(NamedTuple):
    start: NDArray[np.int64]
    totals: NDArray[np.int64]
    following: NDArray[np.int32]
    bonus: NDArray[np.float64]


def _lanes(rules: ScorecardRules, scores: list[list[int]], moves: list[tuple[int, int]], merged: bool) -> _Lanes:
    """Lanes of every set of filled upper lines, and where each upper move (line, score) leads from them."""
    bonus = rules.upper_bonus
    sets = 1 << len(scores)
    needed = bonus.threshold + 1 if bonus and bonus.strict else bonus.threshold if bonus else 0
    most = [max(s) for s in scores]
    reachable: list[set[int]] = [set() for _ in range(sets)]
    reachable[0] = {0}
    for filled in range(1, sets):
        last = filled.bit_length() - 1
        before = reachable[filled ^ (1 << last)]
        reachable[filled] = {t + s for t in before for s in scores[last]}

    def lane_total(filled: int, total: int) -> int:
        rest = sum(m for j, m in enumerate(most) if not filled >> j & 1)
        if not merged:
            return total
        return SETTLED if bonus is None or total >= needed or total + rest < needed else total

    start = [0]
    totals: list[int] = []
    lane_at: list[dict[int, int]] = []
    for filled in range(sets):
        here = sorted({lane_total(filled, t) for t in reachable[filled]})
        lane_at.append({t: i for i, t in enumerate(here)})
        totals += here
        start.append(len(totals))
    following = np.zeros((len(moves), len(totals)), dtype=np.int32)
    paid = np.zeros((len(moves), len(totals)))
    for m, (line, score) in enumerate(moves):
        for filled in range(sets):
            if filled >> line & 1:
                continue
            after = filled | 1 << line
            for total, lane in lane_at[filled].items():
                column = start[filled] + lane
                if total == SETTLED:
                    following[m, column] = lane_at[after][SETTLED]
                    continue
                following[m, column] = lane_at[after][lane_total(after, total + score)]
                if bonus and total < needed <= total + score:
                    paid[m, column] = bonus.points
    return _Lanes(np.array(start), np.array(totals), following, paid)


class _Entries:
    """Collects the distinct entries (line, written, extra, status) and the moves they make."""

    def __init__(self, rules: ScorecardRules, upper: list[int], weight: NDArray[np.int64], five: int) -> None:
        self.upper = upper
        self.weight = weight
        self.five = five
        self.full_points = rules.lines[five].points if five >= 0 else None
        self.entries: dict[tuple[int, int, int], int] = {}
        self.move_of: dict[tuple[int, int, int], int] = {}
        self.entry_move: list[int] = []

    def add(self, line: int, written: int, extra: int = 0) -> int:
        key = (line, written, extra)
        if key not in self.entries:
            status = 1 if line != self.five or written == 0 else 2
            move = (line, status, written if line in self.upper else 0)
            self.entry_move.append(self.move_of.setdefault(move, len(self.move_of)))
            self.entries[key] = len(self.entries)
        return self.entries[key]


def _alike_entries(
    rules: ScorecardRules, natural: NDArray[np.int64], alike_rolls: list[int], own: list[int], entries: _Entries
) -> NDArray[np.int32]:
    """Entries when all dice are alike, by status of the five line, own line open, and any lower line open."""
    lines, faces = len(rules.lines), rules.faces
    table = np.full((12, lines, faces), -1, dtype=np.int32)
    five = rules.extra_five
    counts = np.eye(faces, dtype=np.int64) * rules.dice
    joker = np.array([line.joker_scores(counts, five is None or five.joker_values == "fixed") for line in rules.lines])
    lower = [line.section != "upper" for line in rules.lines]
    for status in range(3):
        extra = five.points if five and status == 2 else 0
        active = five is not None and five.joker != "none" and (status == 2 or (status == 1 and five.joker_when_zero))
        for own_open in range(2):
            for lower_open in range(2):
                variant = (status * 2 + own_open) * 2 + lower_open
                for j in range(lines):
                    for f in range(faces):
                        is_own_open = bool(own_open) and own[f] >= 0
                        score = int(natural[j, alike_rolls[f]])
                        if active and five is not None and five.joker == "forced":
                            if is_own_open:
                                legal = j == own[f]
                            elif lower_open:
                                legal = lower[j]
                            else:
                                legal = True
                            if not legal:
                                continue
                        if active and lower[j] and not is_own_open:
                            score = int(joker[j, f])
                        table[variant, j, f] = entries.add(j, score, extra)
    return table


def _build(rules: ScorecardRules, merged: bool) -> StateSpace:
    lattice = Lattice.of(rules.dice, rules.faces)
    pairs = _pairs(lattice, rules.lock_kept)
    lines = len(rules.lines)
    upper = [j for j, line in enumerate(rules.lines) if line.section == "upper"]
    five = rules.line_index(rules.extra_five.line) if rules.extra_five else -1
    radix = np.array([3 if j == five else 2 for j in range(lines)], dtype=np.int64)
    weight = np.concatenate([[1], np.cumprod(radix)[:-1]]).astype(np.int64)
    states = int(np.prod(radix))

    own = [-1] * rules.faces
    for j in upper:
        face = rules.lines[j].face
        if rules.lines[j].kind == "face" and face is not None and own[face - 1] < 0:
            own[face - 1] = j
    natural_scores = np.array([line.scores(lattice.roll_counts) for line in rules.lines], dtype=np.int64)
    alike = np.full(lattice.rolls, -1, dtype=np.int8)
    alike_rolls = [lattice.index([f + 1] * rules.dice) - lattice.first_roll for f in range(rules.faces)]
    alike[alike_rolls] = np.arange(rules.faces)

    entries = _Entries(rules, upper, weight, five)
    natural = np.empty((lines, lattice.rolls), dtype=np.uint32)
    for j in range(lines):
        scores, where = np.unique(natural_scores[j], return_inverse=True)
        natural[j] = np.array([entries.add(j, int(s)) for s in scores])[where]
    alike_entry = _alike_entries(rules, natural_scores, alike_rolls, own, entries)

    keys = np.array(list(entries.entries), dtype=np.int64)
    moves = list(entries.move_of)
    upper_moves = [m for m, (line, _, _) in enumerate(moves) if line in upper]
    move_upper = np.full(len(moves), -1, dtype=np.int32)
    move_upper[upper_moves] = np.arange(len(upper_moves))
    upper_scores = [sorted({int(w) for line, w, _ in keys if line == j} | {0}) for j in upper]
    lanes = _lanes(rules, upper_scores, [(upper.index(moves[m][0]), moves[m][2]) for m in upper_moves], merged)

    index = np.arange(states)
    status = (index[:, None] // weight) % radix
    state_open = ((status == 0) @ (1 << np.arange(lines))).astype(np.uint32)
    state_upper = ((status[:, upper] != 0) @ (1 << np.arange(len(upper)))).astype(np.int32)
    widths = np.diff(lanes.start)[state_upper]
    tables = Tables(
        append=lattice.append,
        remove=lattice.remove,
        removals=lattice.removals,
        probability=lattice.probability,
        size_offset=lattice.offset,
        one=1.0,
        first_roll=lattice.first_roll,
        throws=rules.throws,
        union=pairs.union,
        union_start=pairs.start,
        pair_start=pairs.position,
        natural=np.ascontiguousarray(natural.T),
        alike=alike,
        alike_entry=alike_entry,
        own_line=np.array(own, dtype=np.int8),
        lower_lines=sum(1 << j for j in range(lines) if j not in upper),
        five_line=five,
        entry_line=keys[:, 0].astype(np.int32),
        entry_move=np.array(entries.entry_move, dtype=np.int32),
        entry_points=(keys[:, 1] + keys[:, 2]).astype(np.float64),
        move_line=np.array([line for line, _, _ in moves], dtype=np.int32),
        move_step=np.array([status * weight[line] for line, status, _ in moves], dtype=np.int64),
        move_upper=move_upper,
        lane_next=lanes.following,
        lane_bonus=lanes.bonus,
        lane_start=lanes.start,
        state_open=state_open,
        state_upper=state_upper,
        state_five=(status[:, five] if five >= 0 else np.zeros(states)).astype(np.int8),
        column_start=np.concatenate([[0], np.cumsum(widths)]).astype(np.int64),
    )
    return StateSpace(rules, lattice, tables, keys[:, 1], keys[:, 2], lanes.totals, radix, weight, merged)
