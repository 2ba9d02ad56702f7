"""Monte Carlo: blocks of independent turns, and blocks of whole games in lockstep.

In a round, games with the same column (or state, where the policy does not look at the upper total) share one slot of
decision tables, which is computed when the first of them gets there. Draws are addressed by game and turn, so a block's
tallies depend on nothing but the task and the block.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analyzer.dice.decisions import (
    CHUNK,
    UNDECIDED,
    Decisions,
    TablePolicy,
    chunk_buffers,
    entry_of,
    play_throws,
    play_turn,
)
from analyzer.dice.throws import SEAT, draw_words, throw, throws_of
from analyzer.engine.executors import map_threads
from analyzer.engine.jit import device, kernel
from analyzer.engine.tallies import Tally

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.dice.policies import Policy
    from analyzer.dice.states import StateSpace, Tables
    from analyzer.engine.blocks import Block

GAME_BLOCK = 1 << 24
"""Games per block: large, as the games of a block share decision tables; chosen by measurement."""
SLOTS = 256
"""Slots whose decision tables are held at once."""
TURN_BLOCK = 1 << 22
"""Turns per block."""
NO_ENTRY = 0xFFFF
"""What a log holds where the game was over already."""

U = np.uint64


@kernel
def play_turns(d, policy, seed, start, stop, rolls, entries):
    """Play turns `start` to `stop - 1` by slot 0; their final rolls are counted in `rolls`, their entries in `entries`.

    `rolls` has four rows to be added up: counting into one would wait for the count before. `entries` may be empty,
    where the entry follows from the roll.
    """
    buffers = chunk_buffers()
    index = np.empty(CHUNK, np.uint64)
    entry = np.empty(CHUNK, np.int64)
    for low in range(0, int(stop - start), CHUNK):
        n = min(CHUNK, int(stop - start) - low)
        for i in range(n):
            index[U(i)] = start + U(low + i)
        roll = play_throws(d, policy, U(0), seed, index[:n], U(0), buffers)
        for i in range(n):
            rolls[U(i & 3), U(roll[U(i)])] += 1
        if entries.size:
            entry_of(policy, U(0), roll, seed, index[:n], U(0), entry[:n])
            for i in range(n):
                entries[U(entry[U(i)])] += 1


@kernel
def group_games(column, game, score, columns):
    """Games sorted by column, with the columns that occur and where each one's games start.

    Whatever belongs to a game moves along, so that the next turn reads and writes it in order.
    """
    count = np.zeros(columns + 1, dtype=np.int64)
    for c in column:
        count[U(c + 1)] += 1
    present = 0
    for c in range(columns):
        present += count[c + 1] > 0
    which = np.empty(present, dtype=np.int64)
    starts = np.empty(present + 1, dtype=np.int64)
    i = 0
    for c in range(columns):
        if count[c + 1] > 0:
            which[i] = c
            starts[i] = count[c]
            i += 1
        count[c + 1] += count[c]
    starts[present] = column.size
    column_now, game_now, score_now = np.empty_like(column), np.empty_like(game), np.empty_like(score)
    for i in range(column.size):
        c = U(column[U(i)])
        at = U(count[c])
        count[c] += 1
        column_now[at] = column[U(i)]
        game_now[at] = game[U(i)]
        score_now[at] = score[U(i)]
    return column_now, game_now, score_now, which, starts


@device(inline=True)
def turn_in_seat(turn, seats, game):
    """A turn of a game in the seat of its player, as `SEAT` says; `seats` may be empty, where all sit in seat 0."""
    return U(turn) | (U(seats[U(game)]) * U(SEAT)) << U(32) if seats.size else U(turn)


@kernel
def play_slots(
    t: Tables, d, policy, starts, game, column_state, column, score, seed, first, turn, seats, entries, bonuses, made
):
    """One turn of the games of consecutive slots of a block: entry, score and next column.

    Game i is played in seat `seats[i]`, or all in seat 0 if that is empty. `made[i]` becomes the entry of game i, if it
    has room for all of them.
    """
    points, entry_move, step = t.entry_points, t.entry_move, t.move_step
    move_upper, lane_next, lane_bonus, lane_start = t.move_upper, t.lane_next, t.lane_bonus, t.lane_start
    state_upper, column_start = t.state_upper, t.column_start
    buffers = chunk_buffers()
    slots = np.empty(CHUNK, np.int64)
    index = np.empty(CHUNK, np.uint64)
    when = np.empty(CHUNK, np.uint64)
    chosen = np.empty(CHUNK, np.int64)
    slot = 0
    for low in range(starts[0], starts[starts.size - 1], CHUNK):
        n = min(CHUNK, starts[starts.size - 1] - low)
        for i in range(n):
            while starts[slot + 1] <= low + i:
                slot += 1
            slots[U(i)] = slot
            index[U(i)] = U(first) + U(game[U(low + i)])
            when[U(i)] = turn_in_seat(turn, seats, game[U(low + i)])
        play_turn(d, policy, slots[:n], seed, index[:n], when[:n], buffers, chosen[:n])
        for i in range(n):
            place = U(low + i)
            entry = U(chosen[U(i)])
            entries[entry] += 1
            if made.size:
                made[game[place]] = entry
            gained = int(points[entry])
            move = U(entry_move[entry])
            here = column[place]
            state = U(column_state[U(here)])
            lane = here - column_start[state]
            upper = move_upper[move]
            if upper >= 0:
                at = U(lane_start[U(state_upper[state])] + lane)
                lane = lane_next[U(upper), at]
                bonus = lane_bonus[U(upper), at]
                if bonus > 0:
                    gained += int(bonus)
                    bonuses[0] += 1
            score[place] += gained
            column[place] = column_start[U(int(state) + step[move])] + lane


@kernel
def find_undecided(d, policy: TablePolicy, undecided, keeps, entries, starts, order, seed, first, turn, seats):
    """Mark in `keeps` and `entries` the first decision of each game that the tables do not hold.

    Returns how many games wait for one.
    """
    drawn = np.empty((4, CHUNK), np.uint32)
    keep, position = np.zeros(1, np.int64), np.zeros(1, np.int64)
    index = np.empty(1, np.uint64)
    waiting = 0
    for slot in range(starts.size - 1):
        for i in range(starts[slot], starts[slot + 1]):
            index[0] = U(first) + U(order[i])
            when = turn_in_seat(turn, seats, order[i])
            keep[0] = 0
            decided = True
            for s in range(d.throws):
                if s > 0 and keep[0] < d.stop:
                    keep[0] = policy.keeps[s - 1, position[0], slot]
                    if keep[0] == undecided:
                        keeps[s - 1, position[0], slot] = True
                        decided = False
                        break
                if s & 3 == 0:
                    draw_words(seed, index, when, s >> 2, drawn)
                throw(d, keep, s, drawn, seed, index, when, position)
            if decided:
                roll = d.position_roll[position[0]] if d.position_roll.size else position[0]
                if policy.entries[roll, slot] == UNDECIDED:
                    entries[roll, slot] = True
                    decided = False
            waiting += not decided
    return waiting


def max_score(space: StateSpace) -> int:
    """No game scores more than this."""
    t = space.tables
    best = np.zeros(len(space.rules.lines) + 1)  # one more for the entry that wins by a throw
    np.maximum.at(best, t.entry_line, t.entry_points)
    bonus = space.rules.upper_bonus
    return int(best.sum()) + (bonus.points if bonus else 0)


def turn_block(space: StateSpace, policy: Decisions, seed: int, block: Block) -> Tally:
    """Tally of a block of turns; `policy` has their column in slot 0.

    Returns
    -------
    Tally
        `rolls` (ends,) and `entries` (entries,): how often a turn ended so.
    """
    rolls = np.zeros((4, space.ends), dtype=np.int64)
    entries = np.zeros(len(space.written), dtype=np.int64)
    by_table = isinstance(policy, TablePolicy)
    counted = entries[:0] if by_table else entries
    play_turns(throws_of(space), policy, U(seed), U(block.start), U(block.stop), rolls, counted)
    if by_table:
        np.add.at(entries, policy.entries[:, 0], rolls.sum(axis=0))
    return Tally({"rolls": rolls.sum(axis=0), "entries": entries})


class GameLog(NamedTuple):
    """Every game of a block, by its number."""

    entries: NDArray[np.uint16]
    """(turns, games) entry of every turn, `NO_ENTRY` where the game was over."""
    score: NDArray[np.int64]
    """(games,) points gained."""
    ended: NDArray[np.int8]
    """(games,) instant win that ended the game, or -1."""


class _Games(NamedTuple):
    """The games of a block at their end, in an order of their own, and what was counted on the way."""

    column: NDArray[np.int32]
    game: NDArray[np.uint32]
    score: NDArray[np.int32]
    entries: NDArray[np.int64]
    bonuses: int
    won: NDArray[np.int64]


def game_block(policy: Policy, column: int, seed: int, block: Block, *, workers: int | None = 1) -> Tally:
    """Tally of a block of whole games from one column.

    Parameters
    ----------
    policy : Policy
    column : int
        Where all games start.
    seed : int
    block : Block
    workers : int, optional
        Threads that share out the slots of a turn; by default one per processor.

    Returns
    -------
    Tally
        `scores` (max_score + 1,): games by points gained; `entries` (entries, lines): entries by turn (from 0, counted
        from the column's first turn); `upper_bonus` (): games that earned it; in games with
        instant wins also `wins` (wins, lines): games that ended in one, by turn.
    """
    played = _play_games(policy, column, seed, block, workers, np.zeros(0, np.uint8), np.zeros((0, 0), np.uint16))
    scores = np.bincount(played.score, minlength=max_score(policy.space) + 1)
    tally = Tally({"scores": scores, "entries": played.entries, "upper_bonus": np.int64(played.bonuses)})
    return Tally({**tally, "wins": played.won}) if len(played.won) else tally


def game_log(
    policy: Policy,
    column: int,
    seed: int,
    block: Block,
    *,
    workers: int | None = 1,
    seat: int | NDArray[np.integer] = 0,
) -> GameLog:
    """Every game of a block, one by one; the games are those of `game_block`.

    Parameters
    ----------
    policy, column, seed, block, workers
        As for `game_block`.
    seat : int or integer array (games,)
        The player's seat in all games, or in each. In every seat other dice are thrown; seat 0 has those of
        `game_block`.
    """
    space = policy.space
    seats = np.full(block.size, seat, dtype=np.uint8)
    made = np.full((turns_left(space, column), block.size), NO_ENTRY, dtype=np.uint16)
    played = _play_games(policy, column, seed, block, workers, seats, made)
    score, ended = np.empty(block.size, np.int64), np.empty(block.size, np.int8)
    score[played.game] = played.score
    ended[played.game] = space.ended[played.column]
    return GameLog(made, score, ended)


def turns_left(space: StateSpace, column: int) -> int:
    """Most turns that can still be played from a column on."""
    return len(space.rules.lines) - int(space.filled[space.column_state[column]])


def _play_games(
    policy: Policy,
    column: int,
    seed: int,
    block: Block,
    workers: int | None,
    seats: NDArray[np.uint8],
    made: NDArray[np.uint16],
) -> _Games:
    """Play a block of games in their `seats`; `made` (turns, games) becomes the entry of every turn.

    Either may be empty, for seat 0 and for nobody who wants to know.
    """
    space = policy.space
    lines = len(space.rules.lines)
    here = np.full(block.size, column, dtype=np.int32)
    game = np.arange(block.size, dtype=np.uint32)
    score = np.zeros(block.size, dtype=np.int32)
    entries = np.zeros((len(space.written), lines), dtype=np.int64)
    won = np.zeros((len(space.rules.instant_wins), lines), dtype=np.int64)
    bonuses = 0
    playing = space.columns - int((space.ended >= 0).sum())  # columns in which the game is won come last
    for turn in range(turns_left(space, column)):
        here, game, score, columns, starts = group_games(here, game, score, space.columns)
        going = int(np.searchsorted(columns, playing))
        columns, starts = columns[:going], starts[: going + 1]
        if going == 0:
            break
        columns, starts = slots_of(policy, columns, starts)
        now = made[turn] if made.size else np.zeros(0, np.uint16)
        address = (U(seed), U(block.start), U(turn), seats)
        play = partial(_play_part, policy, columns, starts, here, game, score, address, now)
        for counted, paid in map_threads(play, range(0, len(columns), SLOTS), workers):
            entries[:, turn] += counted
            bonuses += paid
        if len(won):
            ended = space.ended[here]
            won[:, turn] = np.bincount(ended[ended >= 0], minlength=len(won)) - won[:, :turn].sum(axis=1)
    return _Games(here, game, score, entries, bonuses, won)


def _play_part(
    policy: Policy,
    columns: NDArray[np.int64],
    starts: NDArray[np.int64],
    column: NDArray[np.int32],
    game: NDArray[np.uint32],
    score: NDArray[np.int32],
    address: tuple[np.uint64, np.uint64, np.uint64, NDArray[np.uint8]],
    made: NDArray[np.uint16],
    low: int,
) -> tuple[NDArray[np.int64], int]:
    """One turn of the games of the `SLOTS` slots from `low` on; returns how often each entry was made, and bonuses.

    The address is the seed, the first game, the turn, and the seats.
    """
    space = policy.space
    some = columns[low : low + SLOTS]
    ends = starts[low : low + len(some) + 1]
    tables = policy.tables_for_games(some, ends, game, *address)
    entries, bonuses = np.zeros(len(space.written), dtype=np.int64), np.zeros(1, dtype=np.int64)
    play_slots(
        space.tables, throws_of(space), tables, ends, game, space.column_state, column, score, *address, entries,
        bonuses, made,
    )  # fmt: skip
    return entries, int(bonuses[0])


def slots_of(
    policy: Policy, columns: NDArray[np.int64], starts: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """One column per slot and the slots' starts: all columns, or one per state where the policy looks at no more."""
    if policy.by_column:
        return columns, starts
    states = policy.space.column_state[columns]
    first = np.flatnonzero(np.concatenate([[True], states[1:] != states[:-1]]))
    return columns[first], np.append(starts[first], starts[-1])
