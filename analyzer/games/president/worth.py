"""What ways to use cards are worth in President: the same position played on after one choice and after another.

Rounds are played by the policies of a table. Where a *question* arises for the first time in a round, in each of its
*classes*, the round is played on twice from there, and the place of who decides is noted both times; the round itself
goes on by the choice of the policy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from analyzer.cards.bits import card_count
from analyzer.engine.jit import device, kernel
from analyzer.games.president.deals import begin_match, deal_round, finish_round, lowest_of, make_return
from analyzer.games.president.layout import (
    CARDS,
    EIGHT,
    HELD,
    HIDDEN,
    JOKER,
    LOW,
    NATURALS,
    OWES,
    PILE,
    PLACE,
    RANKS,
    REVERSED,
    RUN,
    SEEN,
    TURN,
    TWO,
)
from analyzer.games.president.lowering import EIGHT_STOP, PLAYERS, REVOLUTION, ROUNDS, WITH_RUNS
from analyzer.games.president.moves import make_play, turns_order, without
from analyzer.games.president.planning import fewest_plays
from analyzer.games.president.players import choose_play, choose_return
from analyzer.games.president.plays import count_plays, is_run, low_of, play_at
from analyzer.games.president.randomness import WORDS
from analyzer.games.president.rounds import exchange_on, play_on

__all__ = ["CLASSES", "FOUND", "QUESTIONS", "weigh_choices"]

I64 = np.int64
U64 = np.uint64

# Questions.
RUN_OR_SINGLE = 0
"""To lead the longest run, or its lowest card; by length: 3, 4, 5 or more."""
EIGHT_NOW = 1
"""To answer by 8s where they close, or by what the policy plays, which is a pass if it plays them; by cards held: 9 or
more, 5 to 8, fewer."""
TWO_NOW = 2
"""The same of 2s."""
TURN_ORDER = 3
"""To lead four of a rank in a revolution, or what the policy leads, which is the lowest single of another rank if it
turns the order; by cards held."""
RETURN = 4
"""To give back two cards in some way, or the two lowest; by the way: `_returned`."""
QUESTIONS = 5
CLASSES = 3

# What is found of the positions of a class in a match.
TIMES = 0
FIRST = 1
"""Points after the first choice."""
SECOND = 2
FOUND = 3


@device(inline=True, borrows=True)
def _by_cards(held):
    return 0 if held >= 9 else 1 if held >= 5 else 2


@device(borrows=True)
def _longest_run(hand):
    """The longest run without jokers, of several the lowest; 0 if there is none."""
    begins, length = U64(hand) & U64(NATURALS), 0
    longest = begins
    while begins:
        longest = begins
        length += 1
        begins &= (U64(hand) & U64(NATURALS)) >> U64(4 * length)
    if length < 3:
        return I64(0)
    begin = I64(card_count((longest & (~longest + U64(1))) - U64(1)))
    cards = I64(0)
    for place in range(length):
        cards |= I64(1) << (begin + 4 * place)
    return cards | (begin >> 2) << LOW | 1 << RUN


@device(borrows=True)
def _single(hand, avoided):
    """The lowest card of a hand as a play, if it can be not of a rank."""
    others = hand & NATURALS & ~(15 << 4 * avoided)
    card = lowest_of(others or hand & NATURALS, 1)
    rank = I64(card_count(U64(card) - U64(1))) >> 2
    return card | rank << LOW


@device(borrows=True)
def _answer_of(rules, hand, count, rank, seen):
    """The first legal group of a rank without jokers; 0 if there is none."""
    for number in range(1, count):
        play = play_at(rules, hand, seen[PILE], seen[REVERSED], number)
        if not is_run(play) and low_of(play) == rank and (play & CARDS) >> JOKER == 0:
            return play
    return I64(0)


@device(borrows=True)
def _four_alike(hand):
    """Four cards of the lowest rank of which there are so many, as a play; 0 if there are none."""
    for rank in range(RANKS):
        if hand >> 4 * rank & 15 == 15:
            return I64(15) << 4 * rank | rank << LOW
    return I64(0)


@device(borrows=True)
def _returned(rules, hand, way):
    """Two cards that are given back in a way; nothing where there are none such.

    Ways: 0 as few plays as can be are left, of such cards the lowest; 1 the lowest pair; 2 the lowest two that are in
    no run.
    """
    best, cost = I64(0), I64(1) << 62
    free = hand
    if way == 2:
        run = _longest_run(hand)
        while run:
            free &= ~(run & CARDS)
            run = _longest_run(free)
    one = U64(free)
    while one:
        first = one & (~one + U64(1))
        one ^= first
        two = one
        while two:
            second = two & (~two + U64(1))
            two ^= second
            cards = I64(first | second)
            alike = card_count(U64(first) - U64(1)) >> 2 == card_count(U64(second) - U64(1)) >> 2
            if way != 1 or alike:
                needed = fewest_plays(rules, without(hand, cards)) if way == 0 else 0
                this = needed << 55 | cards
                if this < cost:
                    best, cost = cards, this
    return best


@device(borrows=True)
def _note(question, kind, first, second, found):
    """Add the points after two choices to those of a class."""
    row = found[question, kind]
    row[TIMES] += 1
    row[FIRST] += first
    row[SECOND] += second


@device(borrows=True)
def _points_after(rules, players, choice, hidden, seen, seed, index, step, drawn, other_hidden, other_seen):
    """The points of the seat in turn if it makes a choice and everybody plays on."""
    seat = seen[TURN]
    for place in range(HIDDEN):
        other_hidden[place] = hidden[place]
    for place in range(SEEN):
        other_seen[place] = seen[place]
    if seen[OWES]:
        make_return(rules, choice, other_hidden, other_seen)
        exchange_on(rules, players, other_hidden, other_seen, seed, index, step)
    else:
        make_play(rules, choice, other_hidden, other_seen)
    drawn[-1] = -1
    play_on(rules, players, other_hidden, other_seen, seed, index, step, drawn)
    return rules[PLAYERS] - other_seen[PLACE + seat]


@device(borrows=True)
def _question_of(rules, hand, count, play, seen, question):
    """The class of a question in a position, its two choices; the class is -1 where the question does not arise."""
    none = I64(0)
    kind = I64(_by_cards(seen[HELD + seen[TURN]]))
    if question == RUN_OR_SINGLE:
        run = _longest_run(hand) if rules[WITH_RUNS] and not seen[PILE] else none
        if run == 0:
            return I64(-1), none, none
        length = card_count(U64(run & CARDS))
        return I64(2 if length > 4 else length - 3), run, (run & CARDS & -(run & CARDS)) | (low_of(run) << LOW)
    if question in (EIGHT_NOW, TWO_NOW):
        rank = EIGHT if question == EIGHT_NOW else TWO
        if not seen[PILE] or is_run(seen[PILE]) or (question == EIGHT_NOW and not rules[EIGHT_STOP]):
            return I64(-1), none, none
        answer = _answer_of(rules, hand, count, rank, seen)
        if answer == 0:
            return I64(-1), none, none
        return kind, answer, none if low_of(play) == rank else play
    if seen[PILE] or rules[REVOLUTION] > 4:
        return I64(-1), none, none
    four = _four_alike(hand)
    if four == 0:
        return I64(-1), none, none
    return kind, four, _single(hand, low_of(four)) if turns_order(rules, play) else play


@device(borrows=True)
def _ask(rules, players, hand, count, play, hidden, seen, seed, index, step, drawn, asked, scratch, found):
    """Answer the questions that arise with a play of a policy and were not asked in this round."""
    for question in range(RETURN):
        kind, first, second = _question_of(rules, hand, count, play, seen, question)
        if kind >= 0 and first != second and not asked[question, kind]:
            asked[question, kind] = 1
            a = _points_after(rules, players, first, hidden, seen, seed, index, step, drawn, scratch[0], scratch[1])
            b = _points_after(rules, players, second, hidden, seen, seed, index, step, drawn, scratch[0], scratch[1])
            _note(question, kind, a, b, found)


@device(borrows=True)
def _ask_returns(rules, players, hand, hidden, seen, seed, index, step, drawn, scratch, found):
    """Answer what ways to give two cards back are worth."""
    lowest = lowest_of(hand, 2)
    b = _points_after(rules, players, lowest, hidden, seen, seed, index, step, drawn, scratch[0], scratch[1])
    for way in range(CLASSES):
        cards = _returned(rules, hand, way)
        if cards and cards != lowest:
            a = _points_after(rules, players, cards, hidden, seen, seed, index, step, drawn, scratch[0], scratch[1])
            _note(RETURN, way, a, b, found)


@kernel
def weigh_choices(rules: Any, deck: Any, players: Any, seed: Any, first: Any, found: Any) -> None:
    """Play matches and answer all questions.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    deck : (cards,) uint8 array
    players : Players
        Of kernels.
    seed, first : int
        The address: the number of the first match.
    found : (matches, QUESTIONS, CLASSES, FOUND) int64 array
        Zeros; filled.
    """
    hidden, seen, drawn = np.zeros(HIDDEN, np.int64), np.zeros(SEEN, np.int64), np.zeros(WORDS, np.int64)
    own, order = np.zeros(WORDS, np.int64), np.empty_like(deck)
    asked, scratch = np.zeros((QUESTIONS, CLASSES), np.int64), np.zeros((2, SEEN), np.int64)
    for number in range(found.shape[0]):
        match = first + number
        index, of_match = np.uint64(match), found[number]
        begin_match(match % rules[PLAYERS], seen)
        for step in range(rules[ROUNDS]):
            deal_round(rules, deck, seed, index, order, hidden, seen)
            for question in range(QUESTIONS):
                for kind in range(CLASSES):
                    asked[question, kind] = 0
            own[-1] = -1
            while seen[OWES]:
                hand = hidden[seen[TURN]]
                if seen[OWES] == 2:
                    _ask_returns(rules, players, hand, hidden, seen, seed, index, step, drawn, scratch, of_match)
                kind = players.kinds[players.who[seen[TURN]]]
                make_return(rules, choose_return(rules, players, kind, hand, seen, seed, index, step), hidden, seen)
            while seen[TURN] >= 0:
                hand = hidden[seen[TURN]]
                count = count_plays(rules, hand, seen[PILE], seen[REVERSED])
                kind = players.kinds[players.who[seen[TURN]]]
                play = play_at(rules, hand, seen[PILE], seen[REVERSED], I64(0))
                if count > 1:
                    play = choose_play(rules, players, kind, count, hand, seen, seed, index, step, own)
                    _ask(
                        rules,
                        players,
                        hand,
                        count,
                        play,
                        hidden,
                        seen,
                        seed,
                        index,
                        step,
                        drawn,
                        asked,
                        scratch,
                        of_match,
                    )
                make_play(rules, play, hidden, seen)
            finish_round(rules, seen)
