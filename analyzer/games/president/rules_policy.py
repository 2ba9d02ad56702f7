"""How a strong club player plays President.

He looks one play ahead. What he has left after it costs him something (`burden`); that the play may win the pile is
worth something, by the ways in which those who may still answer can beat it, and more if what is left is bad. Against
that stands the pass. Two things he does not weigh: he goes out when he can, and he plays what nobody can beat if all
that is left but one play cannot be beaten either.
"""

from __future__ import annotations

import numpy as np

from analyzer.cards.bits import card_count, lowest_card
from analyzer.engine.jit import device
from analyzer.games.president.burden import burden_of, changed_burden, fewest_losers, has_one_split, split_burden
from analyzer.games.president.control import group_beaters, groups_of, most_held, run_beaters, unseen_cards
from analyzer.games.president.layout import (
    ACTIVE,
    ALIKE,
    HELD,
    JOKER,
    JOKERS,
    LOW,
    NATURALS,
    PASSED,
    PILE,
    REVERSED,
    RUN,
    SHORTEST,
    TURN,
    TWO,
)
from analyzer.games.president.lowering import JOKERS_AS_TWOS, PASS_LOCKS, STRICTLY, WITH_RUNS
from analyzer.games.president.moves import closes, turns_order, without
from analyzer.games.president.planning import count_fills, fill_at, fill_up, long_segments
from analyzer.games.president.plays import is_run, low_of, play_at, size_of
from analyzer.games.president.weights import (
    ANSWER,
    DANGER,
    NEED,
    PASSING,
    PHASE,
    WAITING,
    WEIGHTS,
    WIN,
    WIN_STEPS,
)

__all__ = ["rules_play", "rules_return"]

I64 = np.int64
U64 = np.uint64

OUT = 1 << 40
"""Worth of going out, more than all else."""
SURE = 1 << 39
"""Worth of a play after which nobody can keep the player from going out next, or after others like it."""


@device(borrows=True)
def rules_play(rules, hand, count, seen):
    """What a strong club player plays.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    hand, count : int
        The cards of the seat in turn, and how many legal choices it has.
    seen : (SEEN,) int64 array
        What everybody has seen, see `layout`.

    Returns
    -------
    int64
        A legal play; 0 to pass.
    """
    others = seen[ACTIVE] & ~(1 << seen[TURN])
    unseen = unseen_cards(rules, hand, seen)
    most = most_held(others, seen)
    able = groups_of(unseen, most)
    table = _phase(_least_held(others, seen)) * PHASE
    burden = split_burden(rules, hand, unseen, able, most, seen[REVERSED], table)
    if seen[PILE] == 0:
        return _lead(rules, hand, burden, unseen, able, most, others, table, seen)
    waiting = others & ~seen[PASSED] if rules[PASS_LOCKS] else others
    return _follow(rules, hand, count, burden, unseen, able, most, waiting, table, seen)


@device(inline=True, borrows=True)
def _phase(held):
    """How near the end the round is, 0 to 2, by the fewest cards that another player holds."""
    return I64(0) if held > 7 else I64(1) if held > 3 else I64(2)


@device(borrows=True)
def _least_held(seats, seen):
    """The fewest cards that one of some seats holds."""
    found, rest = I64(99), U64(seats)
    while rest:
        found = min(found, seen[U64(HELD + lowest_card(rest))])
        rest &= rest - U64(1)
    return found


@device(borrows=True)
def _count_able(seats, size, seen):
    """How many of some seats hold so many cards."""
    found, rest = I64(0), U64(seats)
    while rest:
        found += seen[U64(HELD + lowest_card(rest))] >= size
        rest &= rest - U64(1)
    return found


@device(inline=True, borrows=True)
def _kind(play):
    """0 for a single, 1 for a pair, 2 for three or four, 3 for a run."""
    return I64(3) if is_run(play) else min(I64(size_of(play)) - 1, 2)


@device(borrows=True)
def _worth(rules, play, hand, burden, unseen, able, most, waiting, table, seen):
    """What a play is worth to the seat in turn, in thousandths of a point.

    Parameters
    ----------
    rules, hand, unseen, able, most, table
        As for `split_burden`.
    play, burden : int
        The play, and the `split_burden` of the hand before it.
    waiting : int
        Set of the seats that may answer.
    seen : (SEEN,) int64 array
    """
    left = without(hand, play)
    if left == 0:
        return I64(OUT)
    size, low, turned = I64(size_of(play)), low_of(play), seen[REVERSED]
    turns = turns_order(rules, play)
    turned ^= I64(turns)
    beaters, rivals = I64(0), _count_able(waiting, size, seen)
    if rivals and not closes(rules, play, turned):
        if is_run(play):
            beaters = run_beaters(rules, unseen, turned, low, size)
        else:
            jokers = I64(card_count(U64(unseen) >> U64(JOKER)))
            beaters = I64(group_beaters(rules, able, jokers, turned, size, low))
    sure = beaters * rivals == 0
    if sure and fewest_losers(rules, left, unseen, able, most, turned) <= 1:
        return SURE + size
    if not turns and low < JOKERS and has_one_split(rules, hand):
        burden = changed_burden(rules, hand, burden, size, low, unseen, able, turned, table)
    else:
        burden = split_burden(rules, left, unseen, able, most, turned, table)
    cost = burden_of(burden, table)
    win = WEIGHTS[U64(table + WIN + WIN_STEPS * _kind(play) + min(beaters * rivals, WIN_STEPS - 1))]
    if sure:
        win += WEIGHTS[U64(table + NEED)] * cost >> 8
    elif _least_held(waiting, seen) == size:
        win -= WEIGHTS[U64(table + DANGER + min(size, 3))]
    return win - cost


@device(borrows=True)
def _pass_worth(hand_burden, pile, waiting, others, table, seen):
    """What a pass is worth."""
    near = WEIGHTS[U64(table + PASSING + min(_least_held(others, seen), 7))]
    behind = WEIGHTS[U64(table + WAITING + min(I64(card_count(U64(waiting))), 3) - 1)]
    return -(burden_of(hand_burden, table) + near + behind + WEIGHTS[U64(table + ANSWER + _kind(pile))])


@device(borrows=True)
def _follow(rules, hand, count, burden, unseen, able, most, waiting, table, seen):
    """The best answer to a pile, or a pass: of runs all, of groups one of each rank, and jokers alone."""
    turned, pile = seen[REVERSED], seen[PILE]
    best, others = I64(0), seen[ACTIVE] & ~(1 << seen[TURN])
    value = _pass_worth(burden, pile, waiting, others, table, seen)
    size, rank, run = I64(size_of(pile)), low_of(pile), is_run(pile)
    # Runs have numbers among the plays; groups have ranks, and above these are jokers alone and jokers as twos.
    first, stop = I64(1), count
    low = I64(0) if turned else rank + rules[STRICTLY]
    high = rank - rules[STRICTLY] if turned else I64(TWO)
    if rank == JOKERS:  # alone; in a reversed order too no rank beats them
        high = I64(-1)
    if not run:
        first, stop = low, I64(JOKERS + 2)
    for number in range(first, stop):
        if run:
            play = play_at(rules, hand, pile, turned, number)
        elif number <= TWO:
            play = _group(hand, number, size) if number <= high else I64(0)
        elif number == JOKERS:
            play = _group(hand, I64(JOKERS), size) if rank < JOKERS or not rules[STRICTLY] else I64(0)
        else:
            play = _jokers_as_twos(rules, hand, size) if low <= TWO <= high else I64(0)
        if play:
            one = _worth(rules, play, hand, burden, unseen, able, most, waiting, table, seen)
            if one > value:
                best, value = play, one
    return best


@device(borrows=True)
def _group(hand, rank, size):
    """A group of a rank, with no more jokers than it needs, first of cards that lie in no long segment; 0 if none."""
    jokers = I64(card_count(U64(hand) >> U64(JOKER)))
    if rank == JOKERS:
        return ((1 << size) - 1) << JOKER | JOKERS << LOW if jokers >= size else I64(0)
    cards = U64(hand) & U64(NATURALS)
    group = cards & U64(15) << U64(4 * rank)
    has = I64(card_count(group))
    used = max(size - has, 0)
    if has == 0 or used > jokers:
        return I64(0)
    first, found = group & ~long_segments(cards), U64(0)
    for _ in range(size - used):
        if first == 0:
            first = group & ~found
        card = first & (~first + U64(1))
        first ^= card
        found |= card
    return I64(found) | ((1 << used) - 1) << JOKER | rank << LOW


@device(inline=True, borrows=True)
def _jokers_as_twos(rules, hand, size):
    """Jokers alone that are twos; 0 if there are too few or the rules do not have it."""
    if rules[JOKERS_AS_TWOS] and card_count(U64(hand) >> U64(JOKER)) >= size:
        return I64(((1 << size) - 1) << JOKER | TWO << LOW)
    return I64(0)


@device(borrows=True)
def _lead(rules, hand, burden, unseen, able, most, waiting, table, seen):
    """The best lead: groups of each rank and size, those with jokers whole, jokers alone, and runs."""
    best, value = I64(0), -I64(OUT)
    for rank in range(JOKERS + 2):
        for size in range(1, ALIKE + 1):
            play = _group(hand, I64(rank), I64(size)) if rank <= JOKERS else _jokers_as_twos(rules, hand, size)
            if play == 0:
                break
            one = _worth(rules, play, hand, burden, unseen, able, most, waiting, table, seen)
            if one > value:
                best, value = play, one
    if rules[WITH_RUNS]:
        return _lead_run(rules, hand, burden, unseen, able, most, waiting, table, seen, best, value)
    return best


@device(borrows=True)
def _lead_run(rules, hand, burden, unseen, able, most, waiting, table, seen, best, value):
    """The best of some lead with a value and of all runs without jokers and whole segments with them."""
    cards, jokers = U64(hand) & U64(NATURALS), I64(card_count(U64(hand) >> U64(JOKER)))
    for number in range(count_fills(cards, jokers)):
        fill = fill_at(cards, number) if number else U64(0)
        places = cards | fill
        ends = places & ~(places >> U64(4))
        length, windows = I64(SHORTEST), places & places >> U64(4) & places >> U64(8)
        while windows:
            rest = windows
            if number:  # those that begin where a segment does, and end where one does
                rest &= ~(places << U64(4)) & ends >> U64(4 * (length - 1))
            while rest:
                begin = rest & (~rest + U64(1))
                rest ^= begin
                run = fill_up(begin, places) & ((begin << U64(4 * length)) - U64(1))
                if fill & ~run:
                    continue
                one = _worth(rules, _run(run, cards), hand, burden, unseen, able, most, waiting, table, seen)
                if one > value:
                    best, value = _run(run, cards), one
            windows &= places >> U64(4 * length)
            length += 1
    return best


@device(inline=True, borrows=True)
def _run(places, cards):
    """The run of some places, with jokers where a card is missing."""
    jokers = card_count(places & ~cards)
    return I64(places & cards) | ((1 << jokers) - 1) << JOKER | I64(lowest_card(places)) >> 2 << LOW | 1 << RUN


@device(borrows=True)
def rules_return(rules, hand, owes, seen):
    """The cards without which the hand costs least.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    hand, owes : int
        The cards of the seat in turn, and how many it is to give back, 1 or 2.
    seen : (SEEN,) int64 array

    Returns
    -------
    int64
        A set of cards.
    """
    others = seen[ACTIVE] & ~(1 << seen[TURN])
    unseen = unseen_cards(rules, hand, seen)
    most = most_held(others, seen)
    able = groups_of(unseen, most)
    best, least, first = I64(0), I64(1) << 60, U64(hand) & U64(NATURALS)
    while first:
        one = first & (~first + U64(1))
        first ^= one
        second = first if owes == 2 else one
        while second:
            two = second & (~second + U64(1))
            second ^= two
            burden = split_burden(rules, without(hand, I64(one | two)), unseen, able, most, I64(0), I64(0))
            if burden < least:
                best, least = I64(one | two), burden
    return best
