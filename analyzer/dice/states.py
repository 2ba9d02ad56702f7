"""Lowering of scorecard rules: the states of a scorecard, its entries, and the arrays that kernels see.

A *state* is a status per line (open, or what it was filled with where that matters later), in mixed radix. Beside it
runs a *lane*: the upper total, as far as it can still decide the upper bonus. State and lane together are a *column*;
every value the solver computes is the value of a column.

The upper bonus is paid by the entry that reaches it. So totals that have reached it and totals that can no longer reach
it have the same future, and share one lane. Likewise states in which an instant win is out of reach for different
reasons have the same future, and share their columns: `Tables.column_start` leads them there. A game that is won at
once stands in a column of its own, by the lines that are open then, so that it is known what it would have been worth.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analyzer.dice.endings import Endings, endings_of
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
    """(rows, lines) entry of a row (see `analyzer.dice.endings`) in a line by the line's own pattern."""
    alike: NDArray[np.int8]
    """(rows,) face from 0 if all dice are alike, `faces` more if they are served; else -1."""
    alike_entry: NDArray[np.int32]
    """(5-line statuses x 2 x 2, lines, 2 x faces) entry when all dice are alike, -1 where the joker rule forbids it.

    The row in force is told by `analyzer.dice.final.variant`.
    """
    own_line: NDArray[np.int8]
    """(2 x faces,) upper line of a face, or -1."""
    row_limit: NDArray[np.uint8]
    """(rows,) what may be entered, see `analyzer.dice.endings`."""
    row_win: NDArray[np.int32]
    """(rows,) entry that wins at once, or -1."""
    entry_scores: NDArray[np.uint8]
    """(entries,) 0: writes no points; 1: does; 3: does, in a line that shows a pattern."""
    strike_banned: bool
    """Whether a line may only be struck if nothing scores."""
    strike_avoidable: bool
    """Whether it may only be struck if no option of the ending scores."""
    option_start: NDArray[np.int64]
    """(endings + 1,) the options of an ending are `option_start[ending]` to `option_start[ending + 1] - 1`.

    Empty in games where endings are rolls, and rolls are rows.
    """
    option: NDArray[np.int32]
    """(options, 4) row, when it is there, and the rows after either flip alone."""
    ending_wins: NDArray[np.bool_]
    """(endings,) whether the game is won at once, whatever else could be done."""
    class_of: NDArray[np.int8]
    """(throws, 2 x groups) class of a turn that ends with a throw, see `analyzer.dice.endings`."""
    lower_lines: int
    """Bit mask of the lines outside the upper section."""
    five_line: int
    """Line that counts for extra fives, jokers and stand-ins, or -1."""
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
    """(states + 1,) first column of every state, at the end the number of columns; states may share columns."""


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
    weight : int64 array (lines,)
        Place value of the line's status in the state index.
    cuts : tuple of tuples of int
        For every line the points from which on another status holds: status 1, and one more for each cut reached.
    filled : int64 array (states,)
        Number of filled lines; a turn that wins by a throw counts as one.
    column_state : int64 array (columns,)
        State of every column, the first of those that share it.
    ended : int8 array (columns,)
        Which instant win ended the game, or -1.
    endings : Endings
        How a turn may end.
    """

    rules: ScorecardRules
    lattice: Lattice
    tables: Tables
    written: NDArray[np.int64]
    extra: NDArray[np.int64]
    totals: NDArray[np.int64]
    weight: NDArray[np.int64]
    cuts: tuple[tuple[int, ...], ...]
    filled: NDArray[np.int64]
    column_state: NDArray[np.int64]
    ended: NDArray[np.int8]
    endings: Endings
    merged: bool
    cells: int = 1

    @staticmethod
    @lru_cache(maxsize=8)
    def of(rules: ScorecardRules, *, merged: bool = True, cells: int = 1) -> StateSpace:
        """Lower the rules.

        Parameters
        ----------
        rules : ScorecardRules
            Any scorecard game.
        merged : bool
            Share one lane between upper totals with the same future. Without it every total has its own lane, for
            policies that look at the total itself.
        cells : int
            How many times every line can be filled: the columns of a sheet that are filled together. What lets dice all
            alike make other lines may then be in any column. For games without bonuses and instant wins.
        """
        return _build(rules, merged, cells)

    @property
    def states(self) -> int:
        """Number of states."""
        return len(self.tables.state_open)

    @property
    def columns(self) -> int:
        """Number of (state, lane) pairs."""
        return int(self.tables.column_start[-1])

    @property
    def ends(self) -> int:
        """Number of ways to end a turn: final rolls, or endings."""
        return len(self.endings.options) or self.lattice.rolls

    @property
    def groups(self) -> int:
        """Number of groups that keeps and positions are numbered by, see `analyzer.dice.endings`."""
        return self.endings.groups

    @property
    def stop(self) -> int:
        """First keep of who has stopped: ``stop + end``."""
        return self.groups * self.lattice.first_roll

    def ending(self, roll: int, throw: int, full: bool, group: int = 0) -> int:
        """Way to end a turn with a final roll after a throw (from 0), of all dice or not."""
        if not self.endings.options:
            return roll
        return int(self.endings.class_of[throw, 2 * group + int(full)]) * self.lattice.rolls + roll

    @cached_property
    def most_written(self) -> NDArray[np.int64]:
        """Most points that can be written in every line, jokers included, int64 array (lines,)."""
        lines = len(self.rules.lines)
        most = np.zeros(lines + 1, dtype=np.int64)  # one more for the entry that wins by a throw
        np.maximum.at(most, self.tables.entry_line, self.written)
        return most[:lines]

    def open_lines(self) -> NDArray[np.int64]:
        """Which lines are open in every state, int64 array (states, lines) of 0 and 1."""
        return (self.tables.state_open[:, None].astype(np.int64) >> np.arange(len(self.rules.lines))) & 1

    @cached_property
    def layers(self) -> list[NDArray[np.int64]]:
        """Columns by number of filled lines, from the empty scorecard to the full one, each in ascending order.

        Columns in which the game is won are among them.
        """
        filled = self.filled[self.column_state]
        order = np.argsort(filled, kind="stable")
        ends = np.cumsum(np.bincount(filled, minlength=len(self.rules.lines) + 1))
        return [np.ascontiguousarray(part) for part in np.split(order, ends[:-1])]

    def status(self, line: int, points: int) -> int:
        """Status of a line filled with so many points."""
        return 1 + sum(points >= cut for cut in self.cuts[line])

    def status_at(self, line: int) -> NDArray[np.int64]:
        """Status of a line in every column, int64 array (columns,)."""
        status: NDArray[np.int64] = (self.column_state // self.weight[line]) % (2 + len(self.cuts[line]))
        return status

    def state_of(self, card: dict[int, int]) -> int:
        """State in which the given lines hold the given points and all others are open."""
        return int(sum(self.status(line, points) * self.weight[line] for line, points in card.items()))

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
    """Collects the distinct entries (line, written, extra) and the moves (line, status, upper points) they make."""

    def __init__(self, upper: list[int], cuts: tuple[tuple[int, ...], ...]) -> None:
        self.upper = upper
        self.cuts = cuts
        self.entries: dict[tuple[int, int, int], int] = {}
        self.move_of: dict[tuple[int, int, int], int] = {}
        self.entry_move: list[int] = []

    def add(self, line: int, written: int, extra: int = 0) -> int:
        key = (line, written, extra)
        if key not in self.entries:
            status = 1 + sum(written >= cut for cut in self.cuts[line]) if line < len(self.cuts) else 1
            move = (line, status, written if line in self.upper else 0)
            self.entry_move.append(self.move_of.setdefault(move, len(self.move_of)))
            self.entries[key] = len(self.entries)
        return self.entries[key]


def _alike_entries(
    rules: ScorecardRules,
    natural: NDArray[np.int64],
    alike_rolls: list[int],
    own: list[int],
    five_line: int,
    entries: _Entries,
) -> NDArray[np.int32]:
    """Entries when all dice are alike, by status of the five line, own line open, and any lower line open.

    `natural` (2, lines, rolls) are the points of plain and of served rolls.
    """
    lines, faces = len(rules.lines), rules.faces
    table = np.full((12, lines, 2 * faces), -1, dtype=np.int32)
    five, stand_in = rules.extra_five, rules.alike_as
    counts = np.eye(faces, dtype=np.int64) * rules.dice
    joker = np.array([line.joker_scores(counts, five is None or five.joker_values == "fixed") for line in rules.lines])
    lower = [line.section != "upper" for line in rules.lines]
    for variant, (status, own_open, lower_open) in enumerate(product(range(3), (False, True), (False, True))):
        extra = five.points if five and status == 2 else 0
        active = five is not None and five.joker != "none" and (status == 2 or (status == 1 and five.joker_when_zero))
        for j, served, f in product(range(lines), (0, 1), range(faces)):
            is_own_open = own_open and own[f] >= 0
            score = int(natural[served, j, alike_rolls[f]])
            if active and five is not None and five.joker == "forced":
                legal = j == own[f] if is_own_open else lower[j] or not lower_open
                if not legal:
                    continue
            if active and lower[j] and not is_own_open:
                score = int(joker[j, f])
            line = rules.lines[j]
            if stand_in and line.name in stand_in.lines and j != five_line and alike_holds(stand_in.when, status):
                score = max(score, line.made_points(bool(served)))
            table[variant, j, served * faces + f] = entries.add(j, score, extra)
    return table


def alike_holds(when: str, status: int) -> bool:
    """Whether dice all alike make other lines, by the status of the line named by `AlikeAs` (0 open, 1 zero, 2)."""
    return when == "always" or status == 1 or (when == "filled" and status == 2)


def _cuts(rules: ScorecardRules) -> tuple[tuple[int, ...], ...]:
    """Points from which on another status of a line holds."""
    found: list[set[int]] = [set() for _ in rules.lines]
    for clause in (rules.extra_five, rules.alike_as):
        if clause:
            found[rules.line_index(clause.line)].add(1)
    for win in rules.instant_wins:
        for name, least in win.needs:
            found[rules.line_index(name)].add(least)
        for name in win.any_of:
            found[rules.line_index(name)].add(1)
    return tuple(tuple(sorted(points)) for points in found)


class _States(NamedTuple):
    open: NDArray[np.uint32]
    five: NDArray[np.int8]
    filled: NDArray[np.int64]
    column: NDArray[np.int64]
    """(states,) shared state, numbered from 0."""
    first: NDArray[np.int64]
    """(shared states,) the first state of each."""
    ended: NDArray[np.int8]
    """(shared states,) instant win, or -1."""
    upper: NDArray[np.int32]


def _states(
    rules: ScorecardRules, cuts: tuple[tuple[int, ...], ...], weight: NDArray[np.int64], radix: NDArray[np.int64]
) -> _States:
    """All states; those with the same future share one number, games that are won have the last numbers.

    The states of the second half, if there is one, are won by a throw: the state before, its lines as they were.
    """
    lines = len(rules.lines)
    index = np.arange(int(np.prod(radix)))
    status = (index[:, None] // weight) % radix
    state_open = ((status == 0) @ (1 << np.arange(lines))).astype(np.uint32)
    five_line = _five_line(rules)
    five = np.minimum(status[:, five_line], 2) if five_line >= 0 else np.zeros(len(index), dtype=np.int64)
    filled = np.asarray((status != 0).sum(axis=1))
    upper_lines = [j for j, line in enumerate(rules.lines) if line.section == "upper"]
    upper = ((status[:, upper_lines] != 0) @ (1 << np.arange(len(upper_lines)))).astype(np.int32)
    ended = np.full(len(index), -1)
    key = ((status != 0) @ (1 << np.arange(lines))) * 3 + five
    for number, win in reversed(list(enumerate(rules.instant_wins))):
        if win.throw is not None:
            continue
        dead, done = np.zeros(len(index), dtype=np.bool_), np.ones(len(index), dtype=np.bool_)
        for name, least in win.needs:
            j = rules.line_index(name)
            dead |= (status[:, j] != 0) & (status[:, j] < 2 + cuts[j].index(least))
            done &= status[:, j] != 0
        some = [rules.line_index(name) for name in win.any_of]
        held = np.minimum((status[:, some] >= 2).sum(axis=1), win.count)
        if some:
            dead |= held + (status[:, some] == 0).sum(axis=1) < win.count
            done &= held == win.count
        ended[done & ~dead] = number
        key = key * (win.count + 2) + np.where(dead, 0, held + 1)
    if not rules.instant_wins:
        return _States(state_open, five.astype(np.int8), filled, index, index, ended.astype(np.int8), upper)
    key[ended >= 0] = (status[ended >= 0] != 0) @ (1 << np.arange(lines))
    by_throw = [number for number, win in enumerate(rules.instant_wins) if win.throw is not None]
    if by_throw:
        state_open, five, upper = np.tile(state_open, 2), np.tile(five, 2), np.tile(upper, 2)
        key = np.append(key, (status != 0) @ (1 << np.arange(lines)))
        filled = np.append(filled, np.minimum(filled + 1, lines))
        ended = np.append(ended, np.full(len(index), by_throw[0]))
    order = (ended + 1) * (int(key.max()) + 1) + key
    _, first, shared = np.unique(order, return_index=True, return_inverse=True)
    return _States(state_open, five.astype(np.int8), filled, shared, first, ended[first].astype(np.int8), upper)


def _joint_states(rules: ScorecardRules, cuts: tuple[tuple[int, ...], ...], cells: int) -> _States:
    """As `_states` where every line has several cells: how many hold what, a digit for every status of every line.

    States with more than `cells` cells filled in a line do not occur; they share the last number.
    """
    base = cells + 1
    total = base ** sum(1 + len(points) for points in cuts)
    rest = np.arange(total)
    five = np.zeros(total, dtype=np.int8)
    state_open, filled = np.zeros(total, dtype=np.uint32), np.zeros(total, dtype=np.int64)
    occurs = np.ones(total, dtype=np.bool_)
    for line, points in enumerate(cuts):
        cells_filled = np.zeros(total, dtype=np.int8)
        for status in range(1, 2 + len(points)):
            rest, digit = np.divmod(rest, base)
            cells_filled += digit.astype(np.int8)
            if line == _five_line(rules):
                five[(digit > 0) & (five == 0)] = min(status, 2)
        state_open |= (cells_filled < cells).astype(np.uint32) << np.uint32(line)
        occurs &= cells_filled <= cells
        filled += cells_filled
    column = np.cumsum(occurs) - 1
    column[~occurs] = column[-1] if occurs[-1] else occurs.sum()
    first = np.append(np.flatnonzero(occurs), np.flatnonzero(~occurs)[:1])
    filled[~occurs] = cells * len(cuts)
    ended = np.full(len(first), -1, dtype=np.int8)
    return _States(state_open, five, filled, column, first, ended, np.zeros(total, dtype=np.int32))


def _five_line(rules: ScorecardRules) -> int:
    clause = rules.extra_five or rules.alike_as
    return rules.line_index(clause.line) if clause else -1


def _build(rules: ScorecardRules, merged: bool, cells: int) -> StateSpace:
    lattice = Lattice.of(rules.dice, rules.faces)
    pairs = _pairs(lattice, rules.lock_kept)
    endings = endings_of(rules, lattice)
    lines = len(rules.lines)
    upper = [j for j, line in enumerate(rules.lines) if line.section == "upper"]
    five = _five_line(rules)
    cuts = _cuts(rules)
    radix = np.array([2 + len(points) if cells == 1 else (cells + 1) ** (1 + len(points)) for points in cuts])
    weight = np.concatenate([[1], np.cumprod(radix)[:-1]]).astype(np.int64)
    states = _states(rules, cuts, weight, radix) if cells == 1 else _joint_states(rules, cuts, cells)

    own = [-1] * rules.faces
    for j in upper:
        face = rules.lines[j].face
        if rules.lines[j].kind == "face" and face is not None and own[face - 1] < 0:
            own[face - 1] = j
    counts = lattice.roll_counts
    natural_scores = np.array(
        [[line.scores(counts, served=served) for line in rules.lines] for served in (False, True)]
    )
    alike_rolls = [lattice.index([f + 1] * rules.dice) - lattice.first_roll for f in range(rules.faces)]
    alike_face = np.full(lattice.rolls, -1)
    alike_face[alike_rolls] = np.arange(rules.faces)
    row_roll = np.array([row.roll for row in endings.rows])
    row_served = np.array([int(row.served) for row in endings.rows])
    alike = np.where(alike_face[row_roll] < 0, -1, alike_face[row_roll] + row_served * rules.faces)

    entries = _Entries(upper, cuts)
    natural = np.empty((lines, len(endings.rows)), dtype=np.uint32)
    for j in range(lines):
        scores, where = np.unique(natural_scores[row_served, j, row_roll], return_inverse=True)
        natural[j] = np.array([entries.add(j, int(s)) for s in scores])[where]
    alike_entry = _alike_entries(rules, natural_scores, alike_rolls, own, five, entries)
    row_win = np.array([entries.add(lines, 0) if row.wins else -1 for row in endings.rows], dtype=np.int32)

    keys = np.array(list(entries.entries), dtype=np.int64)
    moves = list(entries.move_of)
    upper_moves = [m for m, (line, _, _) in enumerate(moves) if line in upper]
    move_upper = np.full(len(moves), -1, dtype=np.int32)
    move_upper[upper_moves] = np.arange(len(upper_moves))
    upper_scores = [sorted({int(w) for line, w, _ in keys if line == j} | {0}) for j in upper]
    lanes = _lanes(rules, upper_scores, [(upper.index(moves[m][0]), moves[m][2]) for m in upper_moves], merged)

    widths = np.diff(lanes.start)[states.upper[states.first]]
    shared_start = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
    steps = np.append(weight, int(np.prod(radix)))  # the last one is that of a win by a throw
    pattern = np.array([line.is_pattern for line in rules.lines] + [False])
    option_start = np.cumsum([0, *map(len, endings.options)]) if endings.options else np.zeros(0)
    options = [option for found in endings.options for option in found]
    # While the game goes on, the line after the last one is "open" to the entry that wins by a throw.
    goes_on = np.zeros(len(states.open), dtype=np.uint32)
    goes_on[: int(np.prod(radix))] = 1 << lines if (row_win >= 0).any() else 0
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
        alike=alike.astype(np.int8),
        alike_entry=alike_entry,
        own_line=np.array(own * 2, dtype=np.int8),
        row_limit=np.array([row.limit for row in endings.rows], dtype=np.uint8),
        row_win=row_win,
        entry_scores=np.where(keys[:, 1] > 0, 1 + 2 * pattern[keys[:, 0]], 0).astype(np.uint8),
        strike_banned=rules.strike != "free",
        strike_avoidable=rules.strike == "banned_if_avoidable",
        option_start=option_start.astype(np.int64),
        option=np.array(options, dtype=np.int32).reshape(-1, 4),
        ending_wins=endings.wins,
        class_of=endings.class_of,
        lower_lines=sum(1 << j for j in range(lines) if j not in upper),
        five_line=five,
        entry_line=keys[:, 0].astype(np.int32),
        entry_move=np.array(entries.entry_move, dtype=np.int32),
        entry_points=(keys[:, 1] + keys[:, 2]).astype(np.float64),
        move_line=np.array([line for line, _, _ in moves], dtype=np.int32),
        move_step=np.array(
            [steps[line] * (status if cells == 1 else (cells + 1) ** (status - 1)) for line, status, _ in moves],
            dtype=np.int64,
        ),
        move_upper=move_upper,
        lane_next=lanes.following,
        lane_bonus=lanes.bonus,
        lane_start=lanes.start,
        state_open=states.open | goes_on,
        state_upper=states.upper,
        state_five=states.five,
        column_start=np.append(shared_start[states.column], shared_start[-1]),
    )
    return StateSpace(
        rules=rules,
        lattice=lattice,
        tables=tables,
        written=keys[:, 1],
        extra=keys[:, 2],
        totals=lanes.totals,
        weight=weight,
        cuts=cuts,
        filled=states.filled,
        column_state=np.repeat(states.first, widths),
        ended=np.repeat(states.ended, widths),
        endings=endings,
        merged=merged,
        cells=cells,
    )
