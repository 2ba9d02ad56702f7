"""Hands that are played on from a plan: what a seat does next is given, all else is left to the policies at the table.

A plan has a choice by stage (see `layout`): a set of one, or nothing where the policy decides. The seat follows it when
it is in turn in that stage for the first time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from analyzer.engine.jit import device, kernel
from analyzer.games.euchre.hand_log import HAND_CLASS, ROW, log_classes
from analyzer.games.euchre.hands import deal_hand, play_on
from analyzer.games.euchre.layout import (
    DEALER,
    DISCARD,
    FIRST,
    HIDDEN,
    LONELY,
    MAKER,
    NAMING,
    NO,
    ORDER,
    ORDER_ALONE,
    OVER,
    PASS,
    PLAYING,
    POINTS,
    PROPOSED,
    SEAT,
    SEEN,
    STAGE,
    YES,
)
from analyzer.games.euchre.lowering import ALONE_WITH_CALL, ASSIST_ALONE, LONE_HANDS, PLAYERS
from analyzer.games.euchre.moves import bit, is_makers, legal_choices, make_choice
from analyzer.games.euchre.players import choose, decides_by
from analyzer.games.euchre.randomness import DIGITS, WORDS, draw_words, read_digits

STAGES = 8
MOST_POINTS = 4
OUTCOMES = 2 * MOST_POINTS + 1
"""Own points less the other side's, from -4 to 4."""
CALLS = 3
"""Pass, order, order alone."""


@device(borrows=True)
def copy_state(source, target):
    """Copy an array over another one."""
    for place in range(source.size):
        target[place] = source[place]


@device(borrows=True)
def follow_plan(rules, players, plan, seat, until, hidden, seen, digits):
    """Play on to a stage; a seat follows a plan, of which what was done is taken away.

    Parameters
    ----------
    rules, players, hidden, seen, digits
        As for `analyzer.games.euchre.hands.play_on`; nobody at the table is asked outside of the kernel.
    plan : (STAGES,) int64 array
    seat : int
    until : int
        The stage before which to stop.
    """
    while seen[STAGE] < until:
        stage, turn = seen[STAGE], seen[SEAT]
        hand = 0 if stage == NAMING else hidden[turn]
        choice = legal = legal_choices(rules, hand, seen)
        if legal & (legal - 1):
            planned = plan[stage] if turn == seat else 0
            if planned & legal:
                choice = planned & legal
            else:
                discard = hidden[DISCARD] if turn == seen[DEALER] else 0
                choice = choose(rules, players, decides_by(players, seen), legal, hand, discard, seen, digits)
        if turn == seat:
            plan[stage] = 0
        make_choice(rules, choice, hidden, seen)


@device(borrows=True)
def finish_by_plan(rules, players, plan, seat, hidden, seen, digits):
    """Play a hand to its end by a plan; the seat's points less those of the other side."""
    follow_plan(rules, players, plan, seat, np.int64(PLAYING), hidden, seen, digits)
    if seen[STAGE] == PLAYING and plan[PLAYING]:
        follow_plan(rules, players, plan, seat, np.int64(OVER), hidden, seen, digits)
    else:
        play_on(rules, players, hidden, seen, digits, np.int64(OVER))
    return seen[POINTS] if seen[MAKER] < 0 or is_makers(seat, seen, rules[PLAYERS]) else -seen[POINTS]


@kernel
def roll_out(
    rules: Any, players: Any, plans: Any, seat: Any, worlds: Any, seen: Any, seed: Any, points: Any, made: Any
) -> None:
    """Play every plan of a seat in every world.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    players : Players
        Who plays on.
    plans : (plans, STAGES) int64 array
    seat : int
    worlds : (worlds, HIDDEN) int64 array
        What is hidden, in each.
    seen : (SEEN,) int64 array
        What everybody has seen.
    seed : int
        Random choices in world i are those of hand i under this seed.
    points : (worlds, plans) int64 array
        Filled with the seat's points less those of the other side.
    made : (worlds, plans) bool array
        Filled with whether the seat's side made trump.
    """
    hidden, now, digits = np.empty(HIDDEN, np.int64), np.empty(SEEN, np.int64), np.empty(DIGITS, np.int64)
    drawn, plan = np.empty((WORDS, 1), np.uint32), np.empty(STAGES, np.int64)
    for i in range(worlds.shape[0]):
        index = np.uint64(i)
        draw_words(seed, index, 0, drawn)
        read_digits(drawn, 0, seed, index, 0, digits)
        for k in range(plans.shape[0]):
            copy_state(worlds[i], hidden)
            copy_state(seen, now)
            copy_state(plans[k], plan)
            points[i, k] = finish_by_plan(rules, players, plan, seat, hidden, now, digits)
            made[i, k] = now[MAKER] >= 0 and is_makers(seat, now, rules[PLAYERS])


@device(borrows=True)
def plan_call(rules, call, assists, plan):
    """Set a plan to one of the three things that may be said in the first round; whether the rules allow it.

    `assists`: whether the dealer's partner says it.
    """
    for stage in range(STAGES):
        plan[stage] = 0
    if call == PASS:
        plan[FIRST] = bit(PASS)
        return True
    alone = call == ORDER_ALONE
    with_call = alone and rules[ALONE_WITH_CALL]
    plan[FIRST] = bit(ORDER_ALONE if with_call else ORDER)
    plan[LONELY] = bit(YES if alone else NO)
    if not alone:
        return not (assists and rules[ASSIST_ALONE])
    return rules[LONE_HANDS] == 1


@kernel
def count_calls(rules: Any, deck: Any, players: Any, seed: Any, first: Any, hands: Any, outcomes: Any) -> None:
    """Count what each position's calls in the first round lead to, if all before it pass.

    Hand i is dealt by seat i modulo the number of players, as in `analyzer.games.euchre.play.play_hands`.

    Parameters
    ----------
    rules, deck, players, seed
        As for `play_hands`; nobody is asked outside of the kernel.
    first, hands : int
        Number of the first hand, and how many.
    outcomes : (4, CLASSES, CALLS, OUTCOMES) int64 array
        By position, hand class and call: added to, one for each hand in which the call is legal.
    """
    hidden, seen, digits = np.zeros(HIDDEN, np.int64), np.zeros(SEEN, np.int64), np.zeros(DIGITS, np.int64)
    dealt, start, order = np.empty(HIDDEN, np.int64), np.zeros(SEEN, np.int64), np.empty_like(deck)
    drawn, plan, row = np.empty((WORDS, 1), np.uint32), np.zeros(STAGES, np.int64), np.empty(ROW, np.int64)
    for i in range(hands):
        index = np.uint64(first + i)
        draw_words(seed, index, 0, drawn)
        dealer = (first + i) % rules[PLAYERS]
        deal_hand(rules, deck, drawn, 0, seed, index, 0, dealer, order, dealt, start, digits)
        if start[PROPOSED] < 0:
            continue  # a joker, and the dealer names trump blind
        log_classes(rules, dealt, start, True, row)
        for position in range(rules[PLAYERS]):
            seat = start[SEAT]
            for call in range(CALLS):
                allowed = plan_call(rules, call, position == 1, plan)
                if not allowed or not plan[FIRST] & legal_choices(rules, dealt[seat], start):
                    continue
                copy_state(dealt, hidden)
                copy_state(start, seen)
                points = finish_by_plan(rules, players, plan, seat, hidden, seen, digits)
                outcomes[position, row[HAND_CLASS + position], call, points + MOST_POINTS] += 1
            make_choice(rules, bit(PASS), dealt, start)
