"""Exact evaluation of any policy: the whole distribution of the final score, and what every line contributes.

Forwards over the scorecard, a round at a time: from the chance of each column together with the points gained so far,
by the chance of each entry there, to the columns of the next round. Nothing is sampled and nothing cut off.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from analyzer.dice.decisions import TablePolicy, UniformEndings, group_of, open_groups
from analyzer.dice.throws import throws_of
from analyzer.dice.turn import LANES, missing_dice
from analyzer.engine.executors import map_threads, worker_count
from analyzer.engine.jit import device, kernel
from analyzer.errors import UsageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.dice.policies import Policy
    from analyzer.dice.states import StateSpace, Tables
    from analyzer.engine.progress import Progress

SLOTS = 2048
"""Slots whose decision tables and outcome chances are held at once."""
PIECE = 256
"""Slots that one thread works out at a time."""
MEMORY_LIMIT = 12 << 30
"""Bytes that two rounds of score distributions may need at most."""

U = np.uint64


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Exact results of a policy from one column to the end of the game.

    Attributes
    ----------
    scores : float64 array (max_score + 1,)
        Chance of every number of points gained.
    entries : float64 array (entries, lines)
        Chance that an entry is made in a turn (from 0, counted from the column's first turn).
    upper_bonus : float
        Chance that the upper bonus is earned.
    wins : float64 array (wins, lines)
        Chance that the game ends in an instant win in a turn.
    """

    scores: NDArray[np.float64]
    entries: NDArray[np.float64]
    upper_bonus: float
    wins: NDArray[np.float64]


@device
def spread(append, first_roll, mass, width):
    """Chances of partial nodes move up the lattice to the rolls: the transpose of `expectation`."""
    faces = append.shape[1]
    share = 1.0 / faces
    for k in range(first_roll):
        o = U(k) * U(width)
        for face in range(faces):
            a = U(append[k, face]) * U(width)
            for lane in range(width):
                mass[a + U(lane)] += mass[o + U(lane)] * share
        for lane in range(width):
            mass[o + U(lane)] = 0.0


@device
def ending_chances(t: Tables, policy: TablePolicy, width, keep, first_throw, chances):
    """`entry_chances` in games with endings; keeps and positions are those of `analyzer.dice.endings`."""
    rolls = t.removals.size - t.first_roll
    ends, slots = policy.entries.shape
    groups = t.class_of.shape[1] // 2
    stop, partial = groups * t.first_roll, t.first_roll * width
    kept, following = np.zeros(stop * width), np.zeros(stop * width)
    mass = np.zeros(t.removals.size * width)
    stopped = np.zeros(ends * width)
    before = np.zeros(2 * rolls)
    thrown = np.zeros(width * rolls)
    for first in range(0, slots, width):
        count = min(width, slots - first)
        kept[:] = 0.0
        stopped[:] = 0.0
        for lane in range(count):
            if keep >= stop:
                stopped[(keep - stop) * width + lane] = 1.0
            else:
                kept[keep * width + lane] = 1.0
        for s in range(first_throw if keep < stop else t.throws, t.throws):
            last = s == t.throws - 1
            following[:] = 0.0
            for group in range(groups):
                reached = False
                for i in range(partial):
                    mass[i] = kept[group * partial + i]
                    reached |= mass[i] > 0.0
                if not reached:
                    continue
                for lane in range(count):
                    whole = mass[lane]  # node 0: all dice are thrown
                    mass[lane] = 0.0
                    for roll in range(rolls):
                        thrown[lane * rolls + roll] = whole * t.probability[t.first_roll + roll]
                spread(t.append, t.first_roll, mass, width)
                for lane in range(count):
                    for roll in range(rolls):
                        place = (t.first_roll + roll) * width + lane
                        before[roll] = mass[place]
                        mass[place] = 0.0
                        before[rolls + roll] = thrown[lane * rolls + roll]
                    for i in range(2 * rolls):
                        if before[i] == 0.0:
                            continue
                        position = group * 2 * rolls + i
                        to = stop + position if last else int(policy.keeps[s, position, first + lane])
                        if to >= stop:
                            stopped[(to - stop) * width + lane] += before[i]
                        else:
                            following[to * width + lane] += before[i]
            kept, following = following, kept
        for lane in range(count):
            for end in range(ends):
                chance = stopped[end * width + lane]
                if chance > 0.0:
                    chances[first + lane, policy.entries[end, first + lane]] += chance


@kernel
def entry_chances(t: Tables, policy: TablePolicy, position_roll, width, keep, first_throw, chances):
    """`chances[slot, entry]`: how likely a turn by the slot's decisions ends with the entry.

    The turn starts with `keep` on the table before throw `first_throw` (from 0); a whole turn with node 0 before
    throw 0. Who keeps all dice has stopped.
    """
    if t.option_start.size:
        ending_chances(t, policy, width, keep, first_throw, chances)
        return
    nodes = t.removals.size
    rolls, slots = policy.entries.shape
    locked = t.union.size > 0
    mass = np.zeros(nodes * width)
    before = np.zeros(nodes)
    stopped = np.zeros(rolls * width)
    if keep >= t.first_roll:
        first_throw = t.throws
    for first in range(0, slots, width):
        count = min(width, slots - first)
        mass[:] = 0.0
        stopped[:] = 0.0
        for lane in range(count):
            mass[keep * width + lane] = 1.0
        for s in range(first_throw, t.throws):
            last = s == t.throws - 1
            if not locked:
                spread(t.append, t.first_roll, mass, width)
            for lane in range(count):
                if locked:
                    throw_locked(t, policy, s, first + lane, position_roll, lane, width, before, mass)
                elif not last:
                    for roll in range(rolls):
                        before[roll] = mass[(t.first_roll + roll) * width + lane]
                        mass[(t.first_roll + roll) * width + lane] = 0.0
                    for roll in range(rolls):
                        to = int(policy.keeps[s, roll, first + lane])
                        if to < t.first_roll:
                            mass[to * width + lane] += before[roll]
                        else:
                            stopped[roll * width + lane] += before[roll]
        for lane in range(count):
            for roll in range(rolls):
                chance = mass[(t.first_roll + roll) * width + lane] + stopped[roll * width + lane]
                chances[first + lane, policy.entries[roll, first + lane]] += chance


@device
def throw_locked(t: Tables, policy: TablePolicy, s, slot, position_roll, lane, width, before, mass):
    """With locked dice: throw s and, unless it is the last, the keep after it, for one lane."""
    for k in range(before.size):
        before[k] = mass[k * width + lane]
        mass[k * width + lane] = 0.0
    for k in range(before.size):
        if before[k] == 0.0:
            continue
        missing = missing_dice(t.size_offset, k)
        for d in range(t.size_offset[missing], t.size_offset[missing + 1]):
            position = t.pair_start[k] + d - t.size_offset[missing]
            if s == t.throws - 1:
                to = t.first_roll + int(position_roll[position])
            elif s == 0:
                to = int(policy.keeps[s, d - t.first_roll, slot])
            else:
                to = int(policy.keeps[s, position, slot])
            mass[to * width + lane] += before[k] * t.probability[d]


@kernel
def uniform_entry_chances(roll_chance, entries, entry_count, chances):
    """As `entry_chances`, for entries chosen at random among the legal ones."""
    slots, rolls = entry_count.shape
    for slot in range(slots):
        for roll in range(rolls):
            share = roll_chance[roll] / entry_count[slot, roll]
            for i in range(entry_count[slot, roll]):
                chances[slot, entries[slot, roll, i]] += share


@kernel
def uniform_ending_chances(t: Tables, policy: UniformEndings, chances):
    """As `entry_chances`, for uniformly random play in games with endings."""
    rolls = t.removals.size - t.first_roll
    ends = policy.ending_wins.size
    groups = policy.class_of.shape[1] // 2
    kept, following = np.zeros((groups, t.first_roll)), np.zeros((groups, t.first_roll))
    keep = np.zeros(t.removals.size)
    stopped = np.zeros(ends)
    for slot in range(chances.shape[0]):
        kept[:] = 0.0
        kept[0, 0] = 1.0
        stopped[:] = 0.0
        announced = open_groups(policy, slot) if groups > 1 else 1
        for s in range(t.throws):
            following[:] = 0.0
            for one in range(2 * groups):
                group, full = one // 2, one % 2
                if not full:
                    for k in range(t.first_roll):
                        keep[k] = kept[group, k]
                if full:
                    for roll in range(rolls):
                        keep[t.first_roll + roll] = keep[0] * t.probability[t.first_roll + roll]
                else:
                    aside = keep[0]
                    keep[0] = 0.0
                    spread(t.append, t.first_roll, keep, 1)
                for roll in range(rolls):
                    mass = keep[t.first_roll + roll]
                    keep[t.first_roll + roll] = 0.0
                    if mass == 0.0:
                        continue
                    ending = policy.class_of[s, one] * rolls + roll
                    if s == t.throws - 1 or policy.ending_wins[ending]:
                        stopped[ending] += mass
                        continue
                    start = policy.subset_offset[t.first_roll + roll]
                    stop = policy.subset_offset[t.first_roll + roll + 1] - 1
                    may_stop = policy.row_count[slot, ending] > 0
                    share = mass / (stop - start + may_stop)
                    if groups > 1 and s == 0:
                        for line in range(announced):
                            to = group_of(policy, slot, line)
                            for i in range(start, stop):
                                following[to, policy.subsets[i]] += share / announced
                    else:
                        for i in range(start, stop):
                            following[group, policy.subsets[i]] += share
                    if may_stop:
                        stopped[ending] += share
                if not full:
                    keep[0] = aside
            kept, following = following, kept
        for ending in range(ends):
            options = policy.row_count[slot, ending]
            for i in range(options):
                row = policy.rows[slot, ending, i]
                entries = policy.entry_count[slot, row]
                for j in range(entries):
                    chances[slot, policy.entries[slot, row, j]] += stopped[ending] / options / entries


@kernel
def push(
    t: Tables, slot_columns, slot_ends, column_state, chances, turn,
    gained, start, length, next_gained, next_start, entries, bonus, parts, part,
):  # fmt: skip
    """Move the chances of some slots' columns on to the next round, for the states that fall to `part`.

    `gained[start[c] + points]` is the chance of column c with that many points. Part 0 also adds up `entries` and
    `bonus`.
    """
    for slot in range(slot_columns.size):
        state = column_state[slot_columns[slot]]
        for c in range(slot_columns[slot], slot_ends[slot]):
            lane = c - t.column_start[state]
            low, high = 0, length[c]
            while low < high and gained[start[c] + low] == 0.0:
                low += 1
            while high > low and gained[start[c] + high - 1] == 0.0:
                high -= 1
            if low == high:
                continue
            reached = 0.0
            if part == 0:
                for i in range(low, high):
                    reached += gained[start[c] + i]
            for e in range(chances.shape[1]):
                q = chances[slot, e]
                if q == 0.0:
                    continue
                move = t.entry_move[e]
                to = t.column_start[state + t.move_step[move]]  # states may share a column
                if part == 0:
                    entries[e, turn] += q * reached
                elif to % parts != part:
                    continue
                shift = int(t.entry_points[e])
                next_lane = lane
                upper = t.move_upper[move]
                if upper >= 0:
                    at = t.lane_start[t.state_upper[state]] + lane
                    next_lane = t.lane_next[upper, at]
                    if t.lane_bonus[upper, at] > 0:
                        shift += int(t.lane_bonus[upper, at])
                        if part == 0:
                            bonus[0] += q * reached
                if to % parts != part:
                    continue
                source = U(start[c])
                target = U(next_start[to + next_lane] + shift)
                for i in range(low, high):
                    next_gained[target + U(i)] += q * gained[source + U(i)]


def uniform_roll_chances(space: StateSpace) -> NDArray[np.float64]:
    """Chance of every final roll when every legal keep is equally likely, float64 array (rolls,)."""
    lattice, t = space.lattice, space.tables
    locked = t.union.size > 0
    missing = lattice.dice - lattice.counts.sum(axis=1, dtype=np.int64)
    number = np.diff(lattice.subset_offset)
    owner = np.repeat(np.arange(lattice.nodes), number)
    keep = np.zeros(lattice.nodes)
    keep[0] = 1.0
    stopped = np.zeros(lattice.rolls)
    for s in range(space.rules.throws):
        rolls = np.zeros(lattice.nodes)
        following = np.zeros(lattice.nodes)
        last = s == space.rules.throws - 1
        for k in np.flatnonzero(keep):
            added = np.arange(lattice.offset[missing[k]], lattice.offset[missing[k] + 1])
            mass = keep[k] * lattice.probability[added]
            np.add.at(rolls, lattice.union(int(k), added), mass)
            if locked and not last:
                chosen = np.isin(owner, added)
                parts = lattice.union(int(k), lattice.subsets[chosen])
                np.add.at(following, parts, np.repeat(mass / number[added], number[added]))
        if last:
            return stopped + rolls[lattice.first_roll :]
        if not locked:
            chosen = owner >= lattice.first_roll
            np.add.at(following, lattice.subsets[chosen], (rolls / number)[owner[chosen]])
            stopped += following[lattice.first_roll :]
            following[lattice.first_roll :] = 0.0
        keep = following
    raise AssertionError("throws is at least 1")


def _spans(space: StateSpace) -> NDArray[np.int64]:
    """Most points that can be gained before a column, plus one, int64 array (columns,)."""
    extra = int(space.extra.max())
    bonus = space.rules.upper_bonus
    most = (1 - space.open_lines()) @ space.most_written + (bonus.points if bonus else 0)
    most += np.where(space.tables.state_five == 2, extra * np.maximum(space.filled - 1, 0), 0)
    return most[space.column_state] + 1


def evaluate(
    policy: Policy,
    column: int = 0,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """Evaluate a policy exactly from a column to the end of the game.

    Parameters
    ----------
    policy : Policy
        Bound to the game that it plays.
    column : int
        Where the game starts; 0 is the empty scorecard.
    workers : int, optional
        Threads; by default one per processor. The result does not depend on it.
    progress : Progress, optional
        Told after every piece how many columns are done.

    Returns
    -------
    Evaluation

    Raises
    ------
    UsageError
        The score distributions need more memory than `MEMORY_LIMIT`.
    """
    space = policy.space
    t = space.tables
    lines = len(space.rules.lines)
    parts = worker_count(workers)
    spans = _spans(space)
    layers = space.layers
    first = int(space.filled[space.column_state[column]])
    need = max(8 * int(spans[a].sum() + spans[b].sum()) for a, b in pairwise(layers))
    if need > MEMORY_LIMIT:
        raise UsageError(
            f"the exact distribution of {space.rules.title} needs {need / 2**30:.0f} GiB, above the limit of"
            f" {MEMORY_LIMIT >> 30} GiB; use simulate, or rules with fewer lines"
        )
    random = policy.family == "random" and not space.endings.options
    uniform = uniform_roll_chances(space) if random else None
    position_roll = throws_of(space).position_roll
    entries = np.zeros((len(space.written), lines))
    wins = np.zeros((len(space.rules.instant_wins), lines))
    scores = np.zeros(int(spans.max()))
    bonus = np.zeros(1)
    # One slot may serve all columns of a state, so the others of the first state point to zeros.
    start = np.full(space.columns, spans[column])
    gained = np.zeros(2 * int(spans[column]))
    gained[0] = 1.0
    reached = np.zeros(space.columns, dtype=np.bool_)
    reached[column] = True
    start[column] = 0
    for turn in range(lines - first):
        here = layers[first + turn]
        here = here[reached[here] & (space.ended[here] < 0)]
        following = layers[first + turn + 1]
        next_start = np.zeros(space.columns, dtype=np.int64)
        next_start[following] = np.cumsum(spans[following]) - spans[following]
        next_gained = np.zeros(int(spans[following].sum()))
        states, state_first = np.unique(space.column_state[here], return_index=True)
        slot_columns = here if policy.by_column else here[state_first]
        lanes = np.diff(t.lane_start)[t.state_upper[states]]
        slot_ends = here + 1 if policy.by_column else t.column_start[states] + lanes
        for low in range(0, len(slot_columns), SLOTS):
            some, ends = slot_columns[low : low + SLOTS], slot_ends[low : low + SLOTS]
            chances = _chances(policy, some, uniform, position_roll, parts)
            push_part = partial(
                push, t, some, ends, space.column_state, chances, turn,
                gained, start, spans, next_gained, next_start, entries, bonus, parts,
            )  # fmt: skip
            map_threads(push_part, range(parts), parts)
            if progress is not None:
                progress.advance(int((ends - some).sum()))
        reached[:] = False
        totals = np.add.reduceat(next_gained, next_start[following]) if len(following) else np.zeros(0)
        reached[following] = totals > 0
        gained, start = next_gained, next_start
        over = following[reached[following] & ((space.ended[following] >= 0) | (turn == lines - first - 1))]
        for c in over:
            found = gained[start[c] : start[c] + spans[c]]
            scores[: spans[c]] += found
            if space.ended[c] >= 0:
                wins[space.ended[c], turn] += found.sum()
    if first == lines:
        scores[0] = 1.0
    assert abs(scores.sum() - 1.0) < 1e-9, "chances of all scores do not add up to 1"
    return Evaluation(scores, entries, float(bonus[0]), wins)


def _chances(
    policy: Policy,
    columns: NDArray[np.int64],
    uniform: NDArray[np.float64] | None,
    position_roll: NDArray[np.uint32],
    workers: int,
) -> NDArray[np.float64]:
    space = policy.space
    chances = np.zeros((len(columns), len(space.written)))

    def piece(low: int) -> None:
        tables = policy.tables(columns[low : low + PIECE])
        if isinstance(tables, TablePolicy):
            entry_chances(space.tables, tables, position_roll, LANES, 0, 0, chances[low : low + PIECE])
        elif isinstance(tables, UniformEndings):
            uniform_ending_chances(space.tables, tables, chances[low : low + PIECE])
        else:
            uniform_entry_chances(uniform, tables.entries, tables.entry_count, chances[low : low + PIECE])

    map_threads(piece, range(0, len(columns), PIECE), workers)
    return chances
