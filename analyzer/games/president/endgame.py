"""The endgame of President: two seats have cards, each knows those of the other, and one of them goes out first.

With best play it is certain who. The search asks whether the seat in turn goes out first. It tries one of equivalent
plays (`endgame_plays`), first those after which who made them leads again, and remembers positions (`endgame_state`) in
a table. A play that the other cannot answer counts as one that closes the pile. What the table holds from an earlier
question is not looked at, so that it changes nothing, not even how many positions a question takes.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.cards.bits import lowest_card, seat_after
from analyzer.engine.jit import device, kernel
from analyzer.errors import PositionError, UsageError
from analyzer.fields import shown
from analyzer.games.president.endgame_plays import KEEPS, STACK, STACK_END, plainly_wins, play_of, plays_to_try
from analyzer.games.president.endgame_state import (
    BY,
    BY_ME,
    BY_OTHER,
    GONE_I_LEAD,
    GONE_OTHER_LEADS,
    MY_PASS,
    OTHERS_PASS,
    PILE_BITS,
    SUITLESS,
    TURNED,
    after_pass,
    after_play,
    compressed,
    keeps_lead,
    left_of,
    options_of,
    pile_of,
    settled,
)
from analyzer.games.president.layout import ACTIVE, LAST, OWES, PASSED, PILE, REVERSED, TURN
from analyzer.games.president.lowering import lower

if TYPE_CHECKING:
    from collections.abc import Mapping

    from analyzer.games.president.round import Round

__all__ = [
    "UNKNOWN",
    "Endgame",
    "endgame_play",
    "endgame_table",
    "is_endgame",
    "solve_endgame",
    "wins_endgame",
]

I64 = np.int64
U64 = np.uint64

UNKNOWN = -1
"""What the search says when it gives up."""

# Places in a table of positions, before the stack of plays.
_STAMP, _SEARCHED, _BUDGET, _LOG_PLACES = range(STACK)
_ENTRY = 3
"""Words of an entry: the two hands, each with half of the state, and the stamp of the question with the answer."""
_HALF = 7
"""Bits of half a state."""
_HAND = 55
_LARGE = 18
"""Logarithm of the places of a table for one position."""
_SCATTER = U64(0x9E37_79B9_7F4A_7C15)
"""Odd multiplier of Fibonacci hashing (Knuth, The Art of Computer Programming, volume 3, section 6.4)."""


@device
def endgame_table(log_places):
    """A table of positions for the search; to be made once, as no search needs it empty.

    Parameters
    ----------
    log_places : int
        Binary logarithm of the number of places, of 24 bytes each.

    Returns
    -------
    int64 array

    Examples
    --------
    >>> endgame_table(12).nbytes
    131104
    """
    table = np.zeros(STACK_END + (_ENTRY << log_places), np.int64)
    table[_LOG_PLACES] = log_places
    return table


@device(inline=True, borrows=True)
def is_endgame(seen):
    """Whether two seats have cards, and nothing is to be exchanged.

    Parameters
    ----------
    seen : (SEEN,) int64 array
        See `layout`.
    """
    rest = seen[ACTIVE] & (seen[ACTIVE] - 1)
    return seen[TURN] >= 0 and seen[OWES] == 0 and rest != 0 and rest & (rest - 1) == 0


@device(borrows=True)
def _wins(options, mine, theirs, state, table, top):
    """Whether the seat in turn goes out first: 1, 0, or `UNKNOWN`; hands are settled.

    Positions that are won plainly are neither counted nor remembered. Plays still to be tried are kept in the table
    from `top` on.
    """
    if mine & theirs & SUITLESS:
        mine, theirs, state = compressed(options, mine, theirs, state)
    first = mine | (state & ((1 << _HALF) - 1)) << _HAND
    second = theirs | state >> _HALF << _HAND
    place = I64((U64(first) * _SCATTER ^ U64(second)) * _SCATTER >> U64(64 - table[_LOG_PLACES]))
    at = STACK_END + _ENTRY * place
    if table[at] == first and table[at + 1] == second and table[at + 2] >> 1 == table[_STAMP]:
        return table[at + 2] & 1
    if plainly_wins(options, mine, theirs, state):
        return I64(1)
    table[_SEARCHED] += 1
    if table[_SEARCHED] > table[_BUDGET]:
        return I64(UNKNOWN)
    stop = plays_to_try(options, mine, theirs, state, table, top)
    if stop > STACK_END:
        table[_BUDGET] = 0
        return I64(UNKNOWN)
    won = I64(0)
    while stop > top and won == 0:
        best = top
        for k in range(top + 1, stop):
            if table[k] > table[best]:
                best = k
        tried = table[best]
        stop -= 1
        table[best] = table[stop]
        play = play_of(tried, state)
        left = left_of(options, mine, play)
        if left == 0:
            won = I64(1)
        elif tried & KEEPS:
            won = _wins(options, left, theirs, after_play(options, play, True, state), table, stop)
        else:
            won = _wins(options, theirs, left, after_play(options, play, False, state), table, stop)
            if won >= 0:
                won = 1 - won
    if won == 0 and state & PILE_BITS:
        again, after = after_pass(state)
        if again:
            won = _wins(options, mine, theirs, after, table, top)
        else:
            won = _wins(options, theirs, mine, after, table, top)
            if won >= 0:
                won = 1 - won
    if won >= 0:
        table[at], table[at + 1], table[at + 2] = first, second, table[_STAMP] << 1 | won
    return won


@device(borrows=True)
def _value(options, mine, theirs, state, play, table, top):
    """Whether the seat in turn goes out first after a choice of its, a play or 0 to pass."""
    if play:
        left = left_of(options, mine, play)
        again = keeps_lead(options, play, theirs, state)
        after = after_play(options, play, again, state)
        if left == 0:
            return I64(1)
    else:
        left = settled(options, mine)
        again, after = after_pass(state)
    if again:
        return _wins(options, left, theirs, after, table, top)
    found = _wins(options, theirs, left, after, table, top)
    return 1 - found if found >= 0 else found


@device(borrows=True)
def _begin(rules, hidden, seen, table, budget):
    """Ask a new question: the options, the hands as they are held, and the state."""
    table[_STAMP] += 1
    table[_SEARCHED] = 0
    table[_BUDGET] = budget
    me, last = seen[TURN], seen[LAST]
    other = I64(lowest_card(U64(seen[ACTIVE] & ~(1 << me))))
    passed = seen[PASSED]
    state = TURNED * (seen[REVERSED] != 0) | MY_PASS * (passed >> me & 1) | OTHERS_PASS * (passed >> other & 1)
    if seen[PILE]:
        by = BY_OTHER
        if last == me:
            by = BY_ME
        elif last != other:
            by = GONE_I_LEAD if seat_after(last, seen[ACTIVE]) == me else GONE_OTHER_LEADS
        state |= pile_of(seen[PILE]) | by << BY
    return options_of(rules), hidden[me], hidden[other], I64(state)


@device(borrows=True)
def wins_endgame(rules, hidden, seen, table, budget):
    """Whether the seat in turn goes out before the other one that has cards, if both play best.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    hidden, seen : arrays
        See `layout`; `is_endgame` must hold.
    table : int64 array
        From `endgame_table`. What it holds does not matter.
    budget : int
        Most positions to look at.

    Returns
    -------
    int
        1, 0, or `UNKNOWN` if the budget is not enough.
    """
    options, mine, theirs, state = _begin(rules, hidden, seen, table, budget)
    return _wins(options, settled(options, mine), settled(options, theirs), state, table, I64(STACK))


@device(borrows=True)
def endgame_play(rules, hidden, seen, table, budget):
    """A choice of the seat in turn that wins the endgame; if there is none, one that is hard to answer.

    That is a choice after which the smallest share of the other's choices wins, all if it is not asked. Equivalent
    plays count once.

    Parameters
    ----------
    rules, hidden, seen, table, budget
        As for `wins_endgame`.

    Returns
    -------
    int
        A play, 0 to pass, or `UNKNOWN`.
    """
    options, mine, held, state = _begin(rules, hidden, seen, table, budget)
    theirs = settled(options, held)
    stop = plays_to_try(options, mine, theirs, state, table, I64(STACK))
    if state & PILE_BITS and stop < STACK_END:
        table[stop] = 0
        stop += 1
    if stop > STACK_END:
        return I64(UNKNOWN)
    _sort(table, STACK, stop)
    for k in range(STACK, stop):
        play = play_of(table[k], state) if table[k] else I64(0)
        found = _value(options, mine, theirs, state, play, table, stop)
        if found:
            return play if found == 1 else I64(UNKNOWN)
    chosen, fewest, among = I64(UNKNOWN), I64(2), I64(1)
    for k in range(STACK, stop):
        play = play_of(table[k], state) if table[k] else I64(0)
        wins, choices = _winning_share(options, mine, theirs, state, play, table, stop)
        if wins * among < fewest * choices:
            chosen, fewest, among = play, wins, choices
    return chosen


@device(borrows=True)
def _sort(table, start, stop):
    """Sort plays that are to be tried, the first to try first."""
    for k in range(start + 1, stop):
        one, at = table[k], k
        while at > start and table[at - 1] < one:
            table[at] = table[at - 1]
            at -= 1
        table[at] = one


@device(borrows=True)
def _winning_share(options, mine, theirs, state, play, table, top):
    """How many of the other's choices win after a choice that loses, and how many there are."""
    if play:
        left = left_of(options, mine, play)
        again = keeps_lead(options, play, theirs, state)
        after = after_play(options, play, again, state)
    else:
        left = settled(options, mine)
        again, after = after_pass(state)
    if again:
        return I64(1), I64(1)
    stop = plays_to_try(options, theirs, left, after, table, top)
    if stop > STACK_END:
        return I64(1), I64(1)
    wins, choices = I64(0), stop - top
    for k in range(top, stop):
        answer = play_of(table[k], after)
        wins += _value(options, theirs, left, after, answer, table, stop) != 0
    if after & PILE_BITS:
        choices += 1
        wins += _value(options, theirs, left, after, I64(0), table, stop) != 0
    return wins, choices


@kernel
def solve_now(rules: Any, hidden: Any, seen: Any, plays: Any, table: Any, budget: Any, values: Any) -> Any:
    """Fill the value of each of some legal choices; how many positions that took, and the choice of `endgame_play`."""
    options, mine, held, state = _begin(rules, hidden, seen, table, budget)
    theirs = settled(options, held)
    for k in range(plays.size):
        values[k] = _value(options, mine, theirs, state, plays[k], table, I64(STACK))
    searched = min(table[_SEARCHED], budget)
    return searched, endgame_play(rules, hidden, seen, table, budget)


@dataclass(frozen=True)
class Endgame:
    """How an endgame goes with best play."""

    winner: int | None
    """The seat that goes out before the other; None if the search gave up."""
    best: str
    """A choice that wins; if there is none, that of `endgame_play`; empty if neither is known."""
    wins: Mapping[str, bool | None]
    """For every legal choice, in words, whether the seat in turn goes out first after it; None if not known."""
    positions: int
    """Positions that were looked at for that."""


def solve_endgame(round_: Round, *, budget: int = 5_000_000) -> Endgame:
    """Who goes out first when two seats have cards and know those of each other, and by which choices.

    Parameters
    ----------
    round_ : Round
        It is not changed.
    budget : int
        Most positions to look at, a few million in a second.

    Returns
    -------
    Endgame

    Raises
    ------
    PositionError
        If not exactly two seats have cards, or cards are being exchanged.
    UsageError
        If the budget is not positive.

    Examples
    --------
    >>> from analyzer.games.president.round import Round
    >>> from analyzer.games.president.rules import President
    >>> some = Round.start(President(players=3), ["3c 4c 5c 9d", "Th Jd", ""], turn=0)
    >>> found = solve_endgame(some)
    >>> found.winner, found.best, found.wins["3c"]
    (0, '3c 4c 5c', False)
    """
    seats = [seat for seat in range(round_.rules.players) if round_.hidden[seat]]
    if len(seats) != 2:
        problem = "the endgame is played by two, give a round in which two have cards left"
        raise PositionError(f"seats with cards are {shown(seats)}; {problem}")
    if round_.owes:
        raise PositionError(f"seat {round_.turn} is to give back {round_.owes} cards; choose what before the endgame")
    if budget < 1:
        raise UsageError(f"budget is {shown(budget)}; it must be 1 or more positions")
    choices = round_.choices
    plays, values = np.array(list(choices.values()), np.int64), np.empty(len(choices), np.int64)
    table = endgame_table(_LARGE)
    positions, played = solve_now(lower(round_.rules), round_.hidden, round_.seen, plays, table, budget, values)
    known = (False, True, None)
    wins = {text: known[value] for text, value in zip(choices, values.tolist(), strict=True)}
    best = next((text for text, value in wins.items() if value), "")
    winner: int | None = round_.turn
    if not best:
        winner = None
        if None not in wins.values():
            (winner,) = set(seats) - {round_.turn}
            best = next(text for text, play in choices.items() if play == played)
    return Endgame(winner, best, MappingProxyType(wins), positions)
