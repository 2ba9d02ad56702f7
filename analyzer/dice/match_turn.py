"""One turn of a party in many matches at once, each lane a match with its own sheet.

A party's sheet has one or more columns, each of them a scorecard with a state of its own. What an entry is worth to the
party, and in which column, is told by its policy (`analyzer.dice.match_policies`); from there the turn is worked out
backwards as in `analyzer.dice.turn`, with lanes over matches, and played with the dice at the party's addresses.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from analyzer.dice.endings import ALWAYS, IF_BETTER, IF_OPEN, PATTERNS
from analyzer.dice.states import Tables
from analyzer.dice.throws import SEAT, TabulatedThrows
from analyzer.dice.turn import FAST, ILLEGAL, LANES, NEVER, TIE, best_keep, expectation, mean_full, stop_or_throw
from analyzer.engine.jit import device, kernel
from analyzer.engine.streams import bounded, words

if TYPE_CHECKING:
    from analyzer.dice.states import StateSpace

U = np.uint64
FORBIDDEN = ILLEGAL / 2
"""What is worth less than this is forbidden."""
ATTEMPT = 1 << 4
"""Slots from the throws of the first attempt to those of the second; see also `SEAT`."""


class Lines(NamedTuple):
    """Which entries a row may be given, whatever the sheet: a *slot* is an entry, or ``entries + entry`` as stand-in.

    A stand-in is what dice all alike make where `AlikeAs` holds.
    """

    start: NDArray[np.int64]
    """(rows + 1,) the candidates of a row are `start[row]` to `start[row + 1] - 1`, in the order of the scorecard."""
    slot: NDArray[np.int64]
    scores: NDArray[np.uint8]
    """As `Tables.entry_scores`, of each candidate."""
    stand_in: NDArray[np.bool_]
    """(entries,) whether an entry can be a stand-in."""
    when: int
    """Stand-ins hold: 0 never, 1 once the line holds 0, 2 once it is filled, 3 always."""
    any_column: bool
    """Whether that line may be in any column."""
    conditional: bool
    """Whether options depend on the points of rows (see `analyzer.dice.endings`)."""
    subsets: NDArray[np.uint32]
    subset_offset: NDArray[np.int64]


class Sheets(NamedTuple):
    """The sheets of all parties in some matches."""

    column: NDArray[np.int64]
    """(matches, parties, columns) where each column of a sheet stands: a column of the state space."""
    points: NDArray[np.int64]
    """(matches, parties, columns) points so far."""
    joint: NDArray[np.int64]
    """(matches, parties) state of all columns together, for policies that look at them so."""
    over: NDArray[np.int8]
    """(matches,) instant win that ended the match, or -1."""
    winner: NDArray[np.int8]
    """(matches,) party that won so, or -1."""
    turns: NDArray[np.int64]
    """(matches,) round in which it did, from 0."""


@lru_cache(maxsize=8)
def lines_of(space: StateSpace) -> Lines:
    """Candidates of every row of a game."""
    t, rules, endings = space.tables, space.rules, space.endings
    entries = len(space.written)
    number = {
        (int(line), int(written)): e for e, (line, written) in enumerate(zip(t.entry_line, space.written, strict=True))
    }
    stand_in = np.zeros(entries, dtype=np.bool_)
    start, slots = [0], []
    for i, row in enumerate(endings.rows):
        if row.wins:
            slots.append(int(t.row_win[i]))
            start.append(len(slots))
            continue
        for j, line in enumerate(rules.lines):
            slots.append(int(t.natural[i, j]))
            if rules.alike_as and line.name in rules.alike_as.lines and t.alike[i] >= 0:
                entry = number[j, line.made_points(row.served)]
                if entry != slots[-1]:
                    stand_in[entry] = True
                    slots.append(entries + entry)
        start.append(len(slots))
    when = {"zero": 1, "filled": 2, "always": 3}[rules.alike_as.when] if rules.alike_as else 0
    options = t.option[:, 1]
    return Lines(
        np.array(start),
        np.array(slots),
        t.entry_scores[np.array(slots) % entries],
        stand_in,
        when,
        rules.settlement.alike_any_column,
        bool((options != ALWAYS).any()) or t.strike_avoidable,
        space.lattice.subsets,
        space.lattice.subset_offset,
    )


def party_worth(policy, t, lines, sheets, matches, party, width, worth, where):
    """What every slot is worth to a party in some matches, one in each lane, for kernels.

    `worth[slot * width + lane]` becomes the worth of the best column for it in match `matches[lane]`, and `where` that
    column; it stays as it is if no column takes the slot.
    """
    raise NotImplementedError("call it from a kernel")


@device
def holds(five, when):
    """Whether dice all alike make other lines, by the status of the line that decides."""
    return when == 3 or five == 1 or (five == 2 and when == 2)


@device
def stand_ins(t: Tables, lines: Lines, sheets: Sheets, matches, party, column_state, allowed):
    """`allowed[lane, k]`: whether dice all alike make other lines in column k of the party's sheet."""
    column, state_five = sheets.column, t.state_five
    when, any_column = lines.when, lines.any_column
    columns = column.shape[2]
    for lane in range(matches.size):
        anywhere = False
        for k in range(columns):
            here = when > 0 and holds(state_five[column_state[column[matches[lane], party, k]]], when)
            allowed[lane, k] = here
            anywhere |= here
        if any_column:
            for k in range(columns):
                allowed[lane, k] = anywhere


@device(fastmath=FAST)
def match_rows(t: Tables, lines: Lines, worth, width, rows):
    """`rows[row * width + lane]`: worth of every row."""
    start, slot, scores = lines.start, lines.slot, lines.scores
    banned, one = t.strike_banned, t.one
    for row in range(start.size - 1):
        o = U(row) * U(width)
        limit = t.row_limit[row]
        first, last = start[row], start[row + 1]
        if not banned and limit == 0:
            w = U(slot[first]) * U(width)
            for lane in range(width):
                rows[o + U(lane)] = worth[w + U(lane)]
            for c in range(first + 1, last):
                w = U(slot[c]) * U(width)
                for lane in range(width):
                    x, y = rows[o + U(lane)] * one, worth[w + U(lane)]
                    rows[o + U(lane)] = x if x > y else y
            continue
        least = 3 if limit == PATTERNS else 1
        if t.row_win[row] >= 0:
            least = 0
        for lane in range(width):
            rows[o + U(lane)] = NEVER
        for c in range(first, last):
            if scores[c] >= least:
                w = U(slot[c]) * U(width)
                for lane in range(width):
                    x, y = rows[o + U(lane)], worth[w + U(lane)]
                    rows[o + U(lane)] = x if x > y else y
        if limit > 0 or least == 0:
            continue
        for lane in range(width):
            if rows[o + U(lane)] > FORBIDDEN:
                continue
            best = NEVER
            for c in range(first, last):
                y = worth[U(slot[c]) * U(width) + U(lane)]
                best = max(best, y)
            rows[o + U(lane)] = best


@device
def row_gain(t: Tables, lines: Lines, worth, width, lane, row):
    """Most points that a row may write, -1 if nothing may be entered, and whether a pattern line takes it."""
    points, in_pattern = -1.0, False
    entries = t.entry_points.size
    least = 3 if t.row_limit[row] == PATTERNS else 1 if t.row_limit[row] > 0 else 0
    if t.row_win[row] >= 0:
        return 0.0, True
    for c in range(lines.start[row], lines.start[row + 1]):
        s = lines.slot[c]
        if lines.scores[c] >= least and worth[s * width + lane] > FORBIDDEN:
            points = max(points, t.entry_points[s % entries])
            in_pattern = in_pattern or lines.scores[c] == 3
    return points, in_pattern


@device
def match_options(t: Tables, lines: Lines, worth, width, lane, ending, found):
    """Number of legal options of an ending in one lane; their rows go to `found`."""
    count, scoring = 0, False
    for o in range(t.option_start[ending], t.option_start[ending + 1]):
        row, when = t.option[o, 0], t.option[o, 1]
        if lines.conditional:
            points, in_pattern = row_gain(t, lines, worth, width, lane, row)
            if points < 0.0 or (when == IF_OPEN and not in_pattern):
                continue
            if when == IF_BETTER:
                first, _ = row_gain(t, lines, worth, width, lane, t.option[o, 2])
                second, _ = row_gain(t, lines, worth, width, lane, t.option[o, 3])
                if points <= min(max(first, 0.0), max(second, 0.0)):
                    continue
            scoring |= points > 0.0 or t.row_win[row] >= 0
        found[count] = row
        count += 1
    if t.strike_avoidable and scoring:
        kept = 0
        for i in range(count):
            points, _ = row_gain(t, lines, worth, width, lane, found[i])
            if points > 0.0 or t.row_win[found[i]] >= 0:
                found[kept] = found[i]
                kept += 1
        count = kept
    return count


@device(fastmath=FAST)
def match_endings(t: Tables, lines: Lines, worth, rows, width, found, endings):
    """`endings[ending * width + lane]`: worth of every ending."""
    for ending in range(t.option_start.size - 1):
        o = U(ending) * U(width)
        for lane in range(width):
            endings[o + U(lane)] = NEVER
        if lines.conditional:
            for lane in range(width):
                for i in range(match_options(t, lines, worth, width, lane, ending, found)):
                    y = rows[found[i] * width + lane]
                    endings[o + U(lane)] = max(endings[o + U(lane)], y)
            continue
        for i in range(t.option_start[ending], t.option_start[ending + 1]):
            r = U(t.option[i, 0]) * U(width)
            for lane in range(width):
                x, y = endings[o + U(lane)], rows[r + U(lane)]
                endings[o + U(lane)] = x if x > y else y


@device(fastmath=FAST)
def work_back(t: Tables, values, full, best, endings, kept, start, width):
    """The turn backwards: `kept[s]` becomes what every keep is worth after throw s, `start` a whole turn."""
    for s in range(t.throws - 1, -1, -1):
        stop_or_throw(values, full, best, endings, t, s, 0, width)
        if s == 0:
            break
        expectation(values, t.append, width)
        mean_full(full, t, width, values, 0)
        for i in range(t.first_roll * width):
            kept[U(s - 1), U(i)] = values[U(i)]
        best_keep(values, t.remove, t.removals, t.first_roll, width, t.one)
    mean_full(full, t, width, start, 0)


class Thrown(NamedTuple):
    """The little of all tables that is needed to throw a turn: handing over more would cost more than the throw."""

    throws: int
    first_roll: int
    rolls: int
    class_of: NDArray[np.int8]
    ending_wins: NDArray[np.bool_]
    outcomes: NDArray[Any]
    first: NDArray[np.uint64]
    number: NDArray[np.uint64]
    subsets: NDArray[np.uint32]
    subset_offset: NDArray[np.int64]


@device
def throw_turn(h: Thrown, endings, kept, lane, width, seed, index, turn, slot):
    """Throw one turn of one lane by its values; returns the ending."""
    keep = U(0)
    w, u = U(width), U(lane)
    for s in range(h.throws):
        a, b, c, e = words(seed, index, turn, slot + (s >> 2))
        which = s & 3
        word = a if which == 0 else b if which == 1 else c if which == 2 else e
        place = bounded(word, h.number[keep], seed, index, turn, slot + (s >> 2), which)
        position = int(h.outcomes[h.first[keep] + place])
        if s == h.throws - 1:
            return position
        full = 1 if position >= h.rolls else 0
        roll = position - full * h.rolls
        ending = int(h.class_of[s, full]) * h.rolls + roll
        stop = endings[U(ending) * w + u]
        best, chosen = NEVER, U(0)
        node = U(h.first_roll + roll)
        for i in range(h.subset_offset[node], h.subset_offset[node + U(1)] - 1):
            k = U(h.subsets[U(i)])
            value = kept[U(s), k * w + u]
            if value > best + TIE or (value >= best - TIE and k > chosen):
                best, chosen = value, k
        if h.ending_wins[ending] or not best > stop + TIE:
            return ending
        keep = chosen
    return 0


@device
def enter_turns(
    t: Tables, lines: Lines, sheets: Sheets, worth, where, rows, width, taken, matches, column_state, ended, joint_step,
    party, turn, found, entries,
):  # fmt: skip
    """Enter the endings `taken` by the lanes: the best row's best slot, the first among equals."""
    start, slots, scores = lines.start, lines.slot, lines.scores
    option_start, option = t.option_start, t.option
    row_limit, row_win = t.row_limit, t.row_win
    entry_move, entry_points, move_step = t.entry_move, t.entry_points, t.move_step
    column_start, state_upper, move_upper = t.column_start, t.state_upper, t.move_upper
    lane_start, lane_next, lane_bonus = t.lane_start, t.lane_next, t.lane_bonus
    column, points, joint = sheets.column, sheets.points, sheets.joint
    number = entry_points.size
    for lane in range(matches.size):
        ending = taken[lane]
        options = 0
        if lines.conditional:
            options = match_options(t, lines, worth, width, lane, ending, found)
        else:
            for o in range(option_start[ending], option_start[ending + 1]):
                found[options] = option[o, 0]
                options += 1
        row, best = found[0], rows[found[0] * width + lane]
        for i in range(1, options):
            value = rows[found[i] * width + lane]
            if value > best + TIE:
                row, best = found[i], value
        least = 3 if row_limit[row] == PATTERNS else 1 if row_limit[row] > 0 or t.strike_banned else 0
        slot, best = -1, NEVER
        if row_win[row] >= 0:
            slot = int(row_win[row])
        for strike in range(2):
            if slot >= 0:
                break
            for c in range(start[row], start[row + 1]):
                value = worth[slots[c] * width + lane]
                allowed = (strike == 1 or scores[c] >= least) and value > FORBIDDEN
                if allowed and (slot < 0 or value > best + TIE):
                    slot, best = int(slots[c]), value
        entry = slot % number
        entries[entry] += 1
        m, k = matches[lane], int(where[slot * width + lane])
        here = column[m, party, k]
        state = column_state[here]
        move = entry_move[entry]
        step = here - column_start[state]
        upper = move_upper[move]
        gained = int(entry_points[entry])
        if upper >= 0:
            at = lane_start[state_upper[state]] + step
            gained += int(lane_bonus[upper, at])
            step = lane_next[upper, at]
        after = column_start[state + move_step[move]] + step
        column[m, party, k] = after
        points[m, party, k] += gained
        if joint_step.size:
            joint[m, party] += joint_step[entry]
        if ended[after] >= 0:
            sheets.over[m] = ended[after]
            sheets.winner[m] = party
            sheets.turns[m] = turn


@kernel
def play_party(
    t: Tables, d: TabulatedThrows, lines: Lines, policy, sheets: Sheets, column_state, ended, joint_step,
    index, seed, turn, party, attempts, after_both, entries,
):  # fmt: skip
    """One turn of a party in all matches that are not over.

    With two attempts (of partners, or of one player) the second is made if it promises more than what the first is
    worth; `after_both` tells whether the first result can still be entered then. `entries[entry]` counts.
    """
    width = LANES
    slots = 2 * t.entry_points.size
    worth = np.empty(slots * width)
    where = np.zeros(slots * width, np.int8)
    rows = np.empty((lines.start.size - 1) * width)
    endings = np.empty((t.option_start.size - 1) * width)
    values = np.zeros(t.removals.size * width)
    full = np.zeros((t.removals.size - t.first_roll) * width)
    best, start = np.zeros(width), np.zeros(width)
    kept = np.zeros((max(t.throws - 1, 1), t.first_roll * width))
    found = np.empty(64, np.int64)
    matches = np.empty(width, np.int64)
    rolls = t.removals.size - t.first_roll
    h = Thrown(
        t.throws, t.first_roll, rolls, t.class_of, t.ending_wins, d.outcomes, d.first, d.number, lines.subsets,
        lines.subset_offset,
    )  # fmt: skip
    taken = np.empty(width, np.int64)
    low = 0
    while low < index.size:
        used = 0
        while low < index.size and used < width:
            if sheets.over[low] < 0:
                matches[used] = low
                used += 1
            low += 1
        if used == 0:
            break
        for i in range(worth.size):
            worth[i] = NEVER
        party_worth(policy, t, lines, sheets, matches[:used], party, width, worth, where)
        match_rows(t, lines, worth, width, rows)
        match_endings(t, lines, worth, rows, width, found, endings)
        work_back(t, values, full, best, endings, kept, start, width)
        base = party * SEAT
        if attempts == 2:
            for lane in range(used):
                taken[lane] = -1
            # The first attempt need not be worse than what a second one promises.
            first_endings = endings.copy()
            for ending in range(t.option_start.size - 1):
                for lane in range(used):
                    o = ending * width + lane
                    if first_endings[o] > FORBIDDEN and first_endings[o] < start[lane]:
                        first_endings[o] = start[lane]
            promised = start.copy()
            work_back(t, values, full, best, first_endings, kept, start, width)
            for lane in range(used):
                m = matches[lane]
                taken[lane] = throw_turn(h, first_endings, kept, lane, width, seed, index[m], turn, base)
            # The second attempt has what the first is worth to fall back on.
            for ending in range(t.option_start.size - 1):
                for lane in range(used):
                    o = ending * width + lane
                    held = endings[taken[lane] * width + lane]
                    first_endings[o] = endings[o]
                    if after_both and endings[o] > FORBIDDEN and endings[o] < held and not t.ending_wins[ending]:
                        first_endings[o] = held
            work_back(t, values, full, best, first_endings, kept, start, width)
            for lane in range(used):
                m = matches[lane]
                held = endings[taken[lane] * width + lane]
                if t.ending_wins[taken[lane]] or (held >= promised[lane] and not after_both):
                    continue
                if after_both and not start[lane] > held + TIE:
                    continue
                second = throw_turn(h, first_endings, kept, lane, width, seed, index[m], turn, base + ATTEMPT)
                if not after_both or t.ending_wins[second] or endings[second * width + lane] > held + TIE:
                    taken[lane] = second
        else:
            for lane in range(used):
                taken[lane] = throw_turn(h, endings, kept, lane, width, seed, index[matches[lane]], turn, base)
        enter_turns(
            t, lines, sheets, worth, where, rows, width, taken, matches[:used], column_state, ended, joint_step,
            party, turn, found, entries,
        )  # fmt: skip


def blank_sheets(matches: int, parties: int, columns: int) -> Sheets:
    """Empty sheets."""
    shape = (matches, parties, columns)
    return Sheets(
        np.zeros(shape, np.int64),
        np.zeros(shape, np.int64),
        np.zeros((matches, parties), np.int64),
        np.full(matches, -1, np.int8),
        np.full(matches, -1, np.int8),
        np.zeros(matches, np.int64),
    )
