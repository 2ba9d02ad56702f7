"""Policies of a party in a match, as kernels see them: what every entry is worth, given all sheets.

Where a value function is needed that cannot be solved exactly - the settlement of several columns, the race of several
players - it is put together from what can be computed: exact values of one column or of all columns together, and means
and variances of what open cells will bring, from exact recursion or from simulated play.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from analyzer.dice.match_turn import Lines, Sheets, party_worth, stand_ins
from analyzer.dice.states import Tables
from analyzer.dice.throws import is_kind
from analyzer.engine.jit import device

U = np.uint64


class ByColumn(NamedTuple):
    """Worth of an entry by itself and by the column it leads to, whatever the other columns and players do."""

    column_state: NDArray[np.int64]
    entry: NDArray[np.float64]
    """(entries,) what the entry is worth by itself."""
    future: NDArray[np.float64]
    """(columns of the state space,) what the rest of the game is worth from there."""


class Sum(NamedTuple):
    """Expected total of all columns: the sheet as one scorecard whose lines are filled several times."""

    column_state: NDArray[np.int64]
    joint_step: NDArray[np.int64]
    """(entries,) what the entry adds to the state of all columns together."""
    joint_column: NDArray[np.int64]
    """(states of all columns together,) place in `values`."""
    values: NDArray[np.float64]


class Columns(NamedTuple):
    """Expected settlement, from normal totals of every column.

    An open cell of a line is expected to bring `mean`, with `variance`, by the rounds to come and the open cells of
    that line on the sheet.
    """

    column_state: NDArray[np.int64]
    mean: NDArray[np.float64]
    """(rounds + 1, lines, columns + 1)"""
    variance: NDArray[np.float64]
    values: NDArray[np.float64]
    """(columns,) what each column is worth."""
    sweep: float
    """What all columns together are worth beyond that."""


class Race(NamedTuple):
    """Chance to win: at once, or by the higher total in the end, against what the opponents' sheets promise.

    Distributions are of the points to come, together with nobody's winning at once: they add up to the chance of that.
    """

    column_state: NDArray[np.int64]
    ended: NDArray[np.int8]
    instant: NDArray[np.float64]
    """(columns of the state space,) chance to win at once from there."""
    chance: NDArray[np.float64]
    """(columns of the state space, points) chance of so many points to come."""
    below: NDArray[np.float64]
    """(columns of the state space, points) chance of fewer points, and half of that of just as many."""


@device
def offer(worth, where, place, other, k, value):
    """Column k offers `value` for the slot at `place`, and at `other` as a stand-in; the first best offer counts.

    Columns are asked from the last, the most valuable one, to the first.
    """
    if value > worth[place]:
        worth[place] = value
        where[place] = k
    if other >= 0 and value > worth[other]:
        worth[other] = value
        where[other] = k


@device
def worth_by_column(policy: ByColumn, t: Tables, lines: Lines, sheets: Sheets, matches, party, width, worth, where):
    """`party_worth` of `ByColumn`."""
    column_state, entry, future = policy.column_state, policy.entry, policy.future
    entry_line, entry_move, move_step, move_upper = t.entry_line, t.entry_move, t.move_step, t.move_upper
    state_open, column_start, state_upper = t.state_open, t.column_start, t.state_upper
    lane_start, lane_next = t.lane_start, t.lane_next
    column, can_stand_in = sheets.column, lines.stand_in
    all_lines = t.natural.shape[1]
    allowed = np.zeros((matches.size, column.shape[2]), np.bool_)
    stand_ins(t, lines, sheets, matches, party, column_state, allowed)
    for lane in range(matches.size):
        for k in range(column.shape[2] - 1, -1, -1):
            here = column[matches[lane], party, k]
            state = column_state[here]
            open_lines = U(state_open[state]) | (U(1) << U(all_lines))
            for e in range(entry.size):
                if not (open_lines >> U(entry_line[e])) & U(1):
                    continue
                move = entry_move[e]
                step = here - column_start[state]
                upper = move_upper[move]
                if upper >= 0:
                    step = lane_next[upper, lane_start[state_upper[state]] + step]
                value = entry[e] + future[column_start[state + move_step[move]] + step] - future[here]
                other = (entry.size + e) * width + lane if allowed[lane, k] and can_stand_in[e] else -1
                offer(worth, where, e * width + lane, other, k, value)


@device
def worth_of_sum(policy: Sum, t: Tables, lines: Lines, sheets: Sheets, matches, party, width, worth, where):
    """`party_worth` of `Sum`."""
    column_state, joint_step, joint_column = policy.column_state, policy.joint_step, policy.joint_column
    values, points, entry_line, state_open = policy.values, t.entry_points, t.entry_line, t.state_open
    column, can_stand_in = sheets.column, lines.stand_in
    allowed = np.zeros((matches.size, column.shape[2]), np.bool_)
    stand_ins(t, lines, sheets, matches, party, column_state, allowed)
    found = np.empty(points.size)
    for lane in range(matches.size):
        joint = sheets.joint[matches[lane], party]
        some_open = U(0)
        for k in range(column.shape[2]):
            some_open |= U(state_open[column_state[column[matches[lane], party, k]]])
        for e in range(points.size):
            if (some_open >> U(entry_line[e])) & U(1):
                found[e] = points[e] + values[joint_column[joint + joint_step[e]]]
        for k in range(column.shape[2] - 1, -1, -1):
            open_lines = U(state_open[column_state[column[matches[lane], party, k]]])
            for e in range(points.size):
                if (open_lines >> U(entry_line[e])) & U(1):
                    other = (points.size + e) * width + lane if allowed[lane, k] and can_stand_in[e] else -1
                    offer(worth, where, e * width + lane, other, k, found[e])


@device
def normal(difference, variance):
    """Chance that a normal difference is positive; half if it is surely 0."""
    if variance <= 0.0:
        return 1.0 if difference > 0.0 else 0.5 if difference == 0.0 else 0.0
    return 0.5 * math.erfc(-difference / math.sqrt(2.0 * variance))


@device
def worth_of_columns(policy: Columns, t: Tables, lines: Lines, sheets: Sheets, matches, party, width, worth, where):
    """`party_worth` of `Columns`: the expected settlement after each entry."""
    column_state, cell_mean, cell_variance = policy.column_state, policy.mean, policy.variance
    points, entry_line, state_open = t.entry_points, t.entry_line, t.state_open
    column, held, can_stand_in = sheets.column, sheets.points, lines.stand_in
    all_lines, parties, columns = t.natural.shape[1], column.shape[1], column.shape[2]
    allowed = np.zeros((matches.size, columns), np.bool_)
    stand_ins(t, lines, sheets, matches, party, column_state, allowed)
    mean, variance = np.empty((parties, columns)), np.empty((parties, columns))
    number = np.empty((parties, all_lines), np.int64)
    win, others = np.empty(columns), np.empty((columns, parties))
    ahead, were = np.empty(parties), np.empty(parties)
    for lane in range(matches.size):
        match = matches[lane]
        rounds = 0
        for p in range(parties):
            cells = 0
            for line in range(all_lines):
                number[p, line] = 0
                for k in range(columns):
                    number[p, line] += (state_open[column_state[column[match, p, k]]] >> np.uint32(line)) & np.uint32(1)
                cells += number[p, line]
            if p == party:
                cells -= 1  # this turn is as good as played
                rounds = cells
            for k in range(columns):
                mean[p, k], variance[p, k] = float(held[match, p, k]), 0.0
                open_lines = U(state_open[column_state[column[match, p, k]]])
                for line in range(all_lines):
                    if (open_lines >> U(line)) & U(1):
                        mean[p, k] += cell_mean[cells, line, number[p, line]]
                        variance[p, k] += cell_variance[cells, line, number[p, line]]
        for k in range(columns):
            win[k] = column_chances(mean, variance, party, k, mean[party, k], variance[party, k], ahead, others)
        for k in range(columns - 1, -1, -1):
            open_lines = U(state_open[column_state[column[match, party, k]]])
            was = win[k]
            for p in range(parties):
                were[p] = others[k, p]
            for e in range(points.size):
                line = entry_line[e]
                if line >= all_lines or not (open_lines >> U(line)) & U(1):
                    continue
                m = mean[party, k] - cell_mean[rounds, line, number[party, line]] + points[e]
                v = max(variance[party, k] - cell_variance[rounds, line, number[party, line]], 0.0)
                win[k] = column_chances(mean, variance, party, k, m, v, ahead, others)
                value = settlement_value(policy.values, policy.sweep, win, others, party)
                other = (points.size + e) * width + lane if allowed[lane, k] and can_stand_in[e] else -1
                offer(worth, where, e * width + lane, other, k, value)
            win[k] = was
            for p in range(parties):
                others[k, p] = were[p]


@device
def column_chances(mean, variance, party, k, own_mean, own_variance, ahead, others):
    """Chance that the party wins column k with such a total; `others[k, p]`: that another party does."""
    parties = mean.shape[0]
    win = 1.0
    for p in range(parties):
        if p != party:
            ahead[p] = normal(own_mean - mean[p, k], own_variance + variance[p, k])
            win *= ahead[p]
    for p in range(parties):
        if p == party:
            continue
        chance = 1.0 - ahead[p]
        for q in range(parties):
            if q not in (p, party):
                chance *= normal(mean[p, k] - mean[q, k], variance[p, k] + variance[q, k])
        others[k, p] = chance
    return win


@device
def settlement_value(values, sweep, win, others, party):
    """Expected settlement of a party, columns taken as independent."""
    columns, parties = others.shape
    total, all_won = 0.0, 1.0
    for k in range(columns):
        total += values[k] * (parties - 1) * win[k]
        all_won *= win[k]
    total += sweep * (parties - 1) * all_won
    for p in range(parties):
        if p == party:
            continue
        all_lost = 1.0
        for k in range(columns):
            total -= values[k] * others[k, p]
            all_lost *= others[k, p]
        total -= sweep * all_lost
    return total


@device
def worth_of_race(policy: Race, t: Tables, lines: Lines, sheets: Sheets, matches, party, width, worth, where):
    """`party_worth` of `Race`: the chance to win after each entry."""
    column_state, ended, instant = policy.column_state, policy.ended, policy.instant
    chance, below = policy.chance, policy.below
    span = chance.shape[1]
    points, entry_line, entry_move, move_step = t.entry_points, t.entry_line, t.entry_move, t.move_step
    state_open, column_start = t.state_open, t.column_start
    column, held, can_stand_in = sheets.column, sheets.points, lines.stand_in
    all_lines, parties = t.natural.shape[1], column.shape[1]
    allowed = np.zeros((matches.size, 1), np.bool_)
    stand_ins(t, lines, sheets, matches, party, column_state, allowed)
    beaten = np.empty(2 * span)  # by the total: chance that all opponents have less, ties counted half
    for lane in range(matches.size):
        match = matches[lane]
        state = column_state[column[match, party, 0]]
        own = held[match, party, 0]
        for y in range(2 * span):
            beaten[y] = 1.0
        for p in range(parties):
            if p != party:
                c = column[match, p, 0]
                shift = own - held[match, p, 0]
                for y in range(2 * span):
                    x = y + shift
                    beaten[y] *= 0.0 if x < 0 else 1.0 - instant[c] if x >= span else below[c, x]
        open_lines = U(state_open[state]) | (U(1) << U(all_lines))
        nobody = 1.0  # chance that no opponent wins at once
        for p in range(parties):
            if p != party:
                nobody *= 1.0 - instant[column[match, p, 0]]
        for e in range(points.size):
            if not (open_lines >> U(entry_line[e])) & U(1):
                continue
            there = column_start[state + move_step[entry_move[e]]]
            value = 1.0
            if ended[there] < 0:
                gained = int(points[e])
                ahead = 0.0
                for x in range(span):
                    ahead += chance[there, x] * beaten[gained + x]
                # Who is first, if both would win at once, is even.
                value = instant[there] * (0.5 + 0.5 * nobody) + ahead
            other = (points.size + e) * width + lane if allowed[lane, 0] and can_stand_in[e] else -1
            offer(worth, where, e * width + lane, other, 0, value)


@overload(party_worth)
def _party_worth(policy, t, lines, sheets, matches, party, width, worth, where):
    if is_kind(policy, ByColumn):
        return lambda policy, t, lines, sheets, matches, party, width, worth, where: worth_by_column(
            policy, t, lines, sheets, matches, party, width, worth, where
        )
    if is_kind(policy, Sum):
        return lambda policy, t, lines, sheets, matches, party, width, worth, where: worth_of_sum(
            policy, t, lines, sheets, matches, party, width, worth, where
        )
    if is_kind(policy, Columns):
        return lambda policy, t, lines, sheets, matches, party, width, worth, where: worth_of_columns(
            policy, t, lines, sheets, matches, party, width, worth, where
        )
    if is_kind(policy, Race):
        return lambda policy, t, lines, sheets, matches, party, width, worth, where: worth_of_race(
            policy, t, lines, sheets, matches, party, width, worth, where
        )
    return None
