"""What a competent club player says in Euchre: calls, the turn-up, the discard, playing alone.

He counts the tricks that his hand is likely to take, in quarters of a trick, and compares that with what his seat
needs.
"""

from __future__ import annotations

import numpy as np

from analyzer.cards.bits import card_count
from analyzer.engine.jit import device
from analyzer.games.euchre.card_play import TRUMPS, deck_cards, least_useful
from analyzer.games.euchre.layout import (
    DEALER,
    DISCARDING,
    FIRST,
    GIVING,
    LONE,
    LONELY,
    MAKER,
    NAME,
    NAME_ALONE,
    NO,
    ORDER,
    ORDER_ALONE,
    PASS,
    PROPOSED,
    SCORE,
    SEAT,
    SEATS,
    SECOND,
    STAGE,
    TRUMP,
    TURN_UP,
    TURNING,
    YES,
)
from analyzer.games.euchre.lowering import ASSIST_ALONE, DECK, LAPS, LONE_HANDS, PAYS, PLAYERS, TARGET
from analyzer.games.euchre.relabel import field_of, relabel

I64 = np.int64
U64 = np.uint64

LEAST_FIRST = (8, 11, 10, 9)
"""Quarters of a trick that a call takes in the first round: dealer, his left, his partner, his right."""
LEAST_SECOND = (7, 7, 7, 6)
"""The same in the second round."""
LEAST_OF_TWO_FIRST = (6, 9)
LEAST_OF_TWO_SECOND = (6, 6)
LEAST_OF_THREE_FIRST = (9, 10, 11)
LEAST_OF_THREE_SECOND = (10, 10, 11)
"""The same for two and three players: dealer, his left, his right. What a call gained over passing in simulated hands
of each count told these numbers; mirrored deals improved those of four players."""
LEAST_ALONE = 13
LEAST_ALONE_FOR_PARTNER = 15
LEAST_LONE_DEFENCE = 20
NEXT = 2
"""What the suit of the colour that was turned down is worth to the dealer's opponents, and the others to his side."""


@device(borrows=True)
def likely_tricks(hand):
    """The tricks that a hand is likely to take as maker, in quarters.

    Parameters
    ----------
    hand : int
        Five relabelled cards.
    """
    trumps = hand & TRUMPS
    count = I64(card_count(U64(trumps)))
    tricks = 4 * (hand >> 58 & 1) + 4 * (hand >> 57 & 1) + 3 * (hand >> 56 & 1) + 2 * (hand >> 55 & 1)
    tricks += (hand >> 54 & 1) + max(count - 1, 0)
    if count > 2:
        tricks += count - 2
    voids = I64(0)
    for field in range(3):
        cards = hand >> 16 * field & 0xFF
        tricks += 3 * (cards >> 7)
        if cards == 0:
            voids += 1
        elif cards >> 6 == 1 and cards != 1 << 6:
            tricks += 1
    return tricks + min(voids, max(count - 1, 0))


@device(borrows=True)
def without_least(cards, choices, rules):
    """A relabelled hand of six cards without the least useful of some of them."""
    return cards ^ least_useful(choices, cards, deck_cards(rules[DECK]) & ~cards)


@device(borrows=True)
def lone_hand_pays(rules, seen, seat):
    """Whether more points than two can matter to the side of a seat."""
    if not rules[LONE_HANDS]:
        return False
    return rules[LAPS] == 1 or rules[TARGET] - seen[SCORE + (seat & 1)] > 2


@device(borrows=True)
def say(legal, calls, alone, call, alone_call):
    """The bit of a call: alone if that can be said now, else as the seat would play it, or pass."""
    if calls and alone and legal >> alone_call & 1:
        return 1 << alone_call
    if calls and legal >> call & 1:
        return 1 << call
    return 1 << PASS


@device(borrows=True)
def rules_choice(rules, legal, hand, discard, seen):
    """What a club player says before the play.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    legal, hand, discard : int
        What he may say, his cards (none if he must not look), and his discard if he is the dealer.
    seen : (SEEN,) int64 array
        What everybody has seen, see `layout`.

    Returns
    -------
    int64
        A set of one choice.
    """
    stage = seen[STAGE]
    if stage == FIRST:
        return _first_round(rules, legal, hand, seen)
    if stage == SECOND:
        return _second_round(rules, legal, hand, seen)
    if stage == LONELY:
        return 1 << YES if _plays_alone(rules, hand, seen) else 1 << NO
    return other_choice(rules, legal, hand, discard, seen)


@device(borrows=True)
def other_choice(rules, legal, hand, discard, seen):
    """The turn-up taken or left, a discard, or trump named blind, when all suits are alike."""
    stage = seen[STAGE]
    if stage == TURNING:
        turn_up = I64(relabel(1 << seen[TURN_UP], seen[TRUMP]))
        six = hand | turn_up
        return 1 << YES if without_least(six, six, rules) != hand else 1 << NO
    if stage in (DISCARDING, GIVING):
        return least_useful(legal, hand, deck_cards(rules[DECK]) & ~(hand | discard))
    return legal & -legal


@device(borrows=True)
def place_after_dealer(rules, seen):
    """0 for the dealer, 1 for his left and so on."""
    return (seen[SEAT] + rules[PLAYERS] - seen[DEALER]) % rules[PLAYERS]


@device(borrows=True)
def _least(rules, first, place):
    if rules[PLAYERS] == 2:
        return LEAST_OF_TWO_FIRST[place] if first else LEAST_OF_TWO_SECOND[place]
    if rules[PLAYERS] == 3:
        return LEAST_OF_THREE_FIRST[place] if first else LEAST_OF_THREE_SECOND[place]
    return LEAST_FIRST[place] if first else LEAST_SECOND[place]


@device(borrows=True)
def _first_round(rules, legal, hand, seen):
    place = place_after_dealer(rules, seen)
    cards = I64(relabel(hand, seen[PROPOSED]))
    turn_up = I64(relabel(1 << seen[TURN_UP], seen[PROPOSED]))
    if place == 0:
        cards = without_least(cards | turn_up, cards, rules)
    tricks = likely_tricks(cards)
    alone = tricks >= LEAST_ALONE and lone_hand_pays(rules, seen, seen[SEAT])
    worth = 3 if turn_up >> 55 else 2
    if place == 2 and rules[PLAYERS] == SEATS:
        if rules[ASSIST_ALONE]:
            return say(legal, alone, alone, ORDER, ORDER_ALONE)
        tricks += worth
    elif place:
        tricks -= worth
    return say(legal, tricks >= _least(rules, True, place), alone, ORDER, ORDER_ALONE)


@device(borrows=True)
def _second_round(rules, legal, hand, seen):
    place = place_after_dealer(rules, seen)
    opponents = rules[PLAYERS] < SEATS or place & 1
    best, most, alone = 0, -1, False
    for suit in range(4):
        if (legal >> NAME | legal >> NAME_ALONE) >> suit & 1:
            cards = I64(relabel(hand, suit))
            tricks = likely_tricks(cards)
            is_next = field_of(suit, seen[PROPOSED]) == 2
            worth = tricks + (NEXT if is_next == (opponents != 0) else 0)
            if worth > most:
                best, most = suit, worth
                alone = tricks >= LEAST_ALONE and lone_hand_pays(rules, seen, seen[SEAT])
    stuck = legal >> PASS & 1 == 0
    return say(legal, stuck or most >= _least(rules, False, place), alone, NAME + best, NAME_ALONE + best)


@device(borrows=True)
def _plays_alone(rules, hand, seen):
    seat, maker = seen[SEAT], seen[MAKER]
    tricks = likely_tricks(hand)
    if (seat ^ maker) & 1:
        lone = 2 * I64(seen[LONE] >> maker & 1)
        any_euchre = rules[PAYS + 6 * (lone + 1) + 2] < rules[PAYS + 6 * lone + 2]
        return tricks >= (LEAST_ALONE if any_euchre else LEAST_LONE_DEFENCE)
    if not lone_hand_pays(rules, seen, seat):
        return False
    return tricks >= (LEAST_ALONE if seat == maker else LEAST_ALONE_FOR_PARTNER)
