"""What calls and discards of Euchre are worth, deal by deal: all options of a seat that comes to decide are played out.

A *point* is a decision of the bidding, 0 to 3 in the first round and 4 to 7 in the second, from the dealer's left on.
It is looked at in the deals in which all other seats have passed so far by the current chart; what the seat itself said
in the first round does not matter, so that the chart learns what a hand is worth that does not do what it should.
An option of a point is a *slot*: 0 to 2 pass, order, order alone; 3 pass, then the suits that may be named, in the
order of `chart_index`, then the same alone. The seat plays on by the current chart, and so do all others.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from analyzer.engine.jit import device, kernel
from analyzer.games.euchre.chart_index import chart_row, suit_order
from analyzer.games.euchre.chart_policy import (
    ACCEPTED,
    ASSISTED,
    CONTEXTS,
    DISCARDS,
    ORDERED,
    SECOND_ROUND,
    SIX,
    card_at,
    first_choice,
    second_choice,
)
from analyzer.games.euchre.hands import deal_hand, play_on
from analyzer.games.euchre.layout import (
    ASKED,
    DEALER,
    DISCARD,
    DISCARDING,
    FIRST,
    HIDDEN,
    LONELY,
    MAKER,
    NAME,
    NAME_ALONE,
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
    SEATS,
    SECOND,
    SEEN,
    STAGE,
    TRUMP,
    TURN_UP,
    TURNING,
    YES,
)
from analyzer.games.euchre.lowering import ALONE_WITH_CALL, ASSIST_ALONE, TURNED_DOWN_NAMED
from analyzer.games.euchre.moves import begin_hand, bit, legal_choices, make_choice, place_of
from analyzer.games.euchre.plans import copy_state
from analyzer.games.euchre.players import RULES, choose, decides_by
from analyzer.games.euchre.randomness import DIGITS, WORDS, draw_words
from analyzer.games.euchre.relabel import physical_card, relabel

I64 = np.int64
U64 = np.uint64
LEFT_DEALS = 3
"""The dealer, so that positions are seats."""
POINTS_OF_BIDDING = 8
SECOND_PASS = 3
"""Slot of a pass in the second round."""
BATCH = 64
"""Hands for which random words are drawn at once."""
ACCEPTED_EVERY = 4
"""Of the hands that the dealer passes, one in so many shows what he would discard."""


@device(inline=True, borrows=True)
def _suits_named(rules):
    """How many suits may be named in the second round."""
    return 3 + rules[TURNED_DOWN_NAMED]


@device(borrows=True)
def slot_of(rules, choice):
    """Slot of a choice of the second round whose suit is a place in the order of suits."""
    suits = _suits_named(rules)
    if choice < NAME_ALONE:
        return SECOND_PASS if choice == PASS else SECOND_PASS + choice - (4 - suits)
    return SECOND_PASS + 1 + suits + choice - NAME_ALONE - (4 - suits)


@device(borrows=True)
def _call_at(rules, slot, order):
    """What is said at a slot that is no pass, a set of one, and whether it means to play alone."""
    with_call = rules[ALONE_WITH_CALL]
    if slot < SECOND_PASS:
        alone = slot == ORDER_ALONE
        return bit(ORDER_ALONE if alone and with_call else ORDER), alone
    suits = _suits_named(rules)
    place = slot - SECOND_PASS - 1
    alone = place >= suits
    suit = order >> 2 * (place % suits + 4 - suits) & 3
    return bit((NAME_ALONE if alone and with_call else NAME) + suit), alone


@device(borrows=True)
def _go_to(point, seen):
    """Set a hand of which nothing was said to a point, all before having passed; the dealer is seat 3."""
    seen[STAGE] = FIRST if point < SEATS else SECOND
    seen[SEAT] = seen[ASKED] = point & 3


@device(borrows=True)
def _choose(rules, players, legal, hidden, seen, digits):
    seat = seen[SEAT]
    discard = hidden[DISCARD] if seat == seen[DEALER] else 0
    return choose(rules, players, decides_by(players, seen), legal, hidden[seat], discard, seen, digits)


@device(borrows=True)
def _make(rules, choice, hidden, seen):
    make_choice(rules, choice, hidden, seen)


@device(borrows=True)
def _settle(rules, players, alone, until, hidden, seen, digits):
    """Go on after a call to a stage; the maker plays alone or not as told, and a discard that is asked for is made."""
    while seen[STAGE] < until:
        choice = legal = legal_choices(rules, hidden[seen[SEAT]], seen)
        if legal & (legal - 1):
            if seen[STAGE] == LONELY and seen[SEAT] == seen[MAKER]:
                choice = bit(YES if alone else NO)
            elif seen[STAGE] == TURNING and until == DISCARDING:
                choice = bit(YES)
            else:
                choice = _choose(rules, players, legal, hidden, seen, digits)
        _make(rules, choice, hidden, seen)


@device(borrows=True)
def _finish(rules, players, alone, hidden, seen, digits):
    """Play a hand to its end after a call; the points of side 0 less those of side 1."""
    _settle(rules, players, alone, I64(PLAYING), hidden, seen, digits)
    play_on(rules, players, hidden, seen, digits, I64(OVER))
    return seen[POINTS] if seen[MAKER] & 1 == 0 else -seen[POINTS]


@device(borrows=True)
def _play_call(rules, players, point, slot, order, dealt, hidden, seen, digits):
    """What follows if the seat at a point makes a call: the points of side 0 less those of side 1.

    `dealt` is a tuple of the arrays of the hand as it was dealt; the others are scratch.
    """
    copy_state(dealt[0], hidden)
    copy_state(dealt[1], seen)
    _go_to(point, seen)
    choice, alone = _call_at(rules, slot, order)
    _make(rules, choice, hidden, seen)
    return _finish(rules, players, alone, hidden, seen, digits)


@device(borrows=True)
def _tally(cell, value):
    cell[0] += 1
    cell[1] += value
    cell[2] += value * value


@device(borrows=True)
def _search_calls(rules, players, reached, slots, rows, orders, dealt, options, calls, hidden, seen, digits):
    """Tally every option of the points that are reached, from the last to the first, as a pass leads to later ones."""
    then = I64(0)  # the points of side 0 less those of side 1 if all pass to the point after this one
    for back in range(POINTS_OF_BIDDING):
        point = POINTS_OF_BIDDING - 1 - back
        seat, row, slot = point & 3, U64(rows[point & 3]), slots[point]
        first, stop = (0, SECOND_PASS) if point < SEATS else (SECOND_PASS, calls.shape[2])
        value = then
        sign = 1 if seat & 1 == 0 else -1
        if reached >> point & 1:
            for option in range(first, stop):
                if option == first:
                    if options[row, U64(seat)] >> option & 1:
                        _tally(calls[row, U64(seat), U64(option)], sign * then)
                elif option == slot or options[row, U64(seat)] >> option & 1:
                    found = _play_call(rules, players, point, option, orders[seat], dealt, hidden, seen, digits)
                    _tally(calls[row, U64(seat), U64(option)], sign * (found - then))
                    if option == slot:
                        value = found
        elif slot != first:
            value = _play_call(rules, players, point, slot, orders[seat], dealt, hidden, seen, digits)
        then = value


@device(borrows=True)
def _search_discards(rules, players, maker, context, alone, row, order, dealt, discards, hidden, seen, digits, values):
    """Tally every discard of the dealer after a call of the first round, relative to the mean of all of them."""
    legal = I64(0)
    six = dealt[0][LEFT_DEALS] | bit(dealt[1][TURN_UP])
    total = I64(0)
    for place in range(SIX):
        copy_state(dealt[0], hidden)
        copy_state(dealt[1], seen)
        _go_to(maker, seen)
        choice, _ = _call_at(rules, ORDER_ALONE if alone else ORDER, order)
        _make(rules, choice, hidden, seen)
        _settle(rules, players, alone, I64(DISCARDING), hidden, seen, digits)
        if seen[STAGE] != DISCARDING:
            return  # his partner plays alone, and he does not take the turn-up
        card = I64(relabel(card_at(six, place, order), seen[TRUMP]))
        if legal_choices(rules, hidden[LEFT_DEALS], seen) & card:
            _make(rules, card, hidden, seen)
            values[place] = -_finish(rules, players, alone, hidden, seen, digits)
            total += values[place]
            legal |= bit(place)
    count = I64(0)
    for place in range(SIX):
        count += legal >> place & 1
    for place in range(SIX):
        if legal >> place & 1:
            _tally(discards[U64(row), U64(context), U64(place)], count * values[place] - total)


@kernel
def search_deals(
    rules: Any,
    players: Any,
    deck: Any,
    seed: Any,
    step: Any,
    first: Any,
    count: Any,
    options: Any,
    calls: Any,
    discards: Any,
) -> None:
    """Play out all options of the bidding of some deals.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    players : Players
        All bid by the chart of policy 0.
    deck : (cards,) uint8 array
    seed, step, first, count : int
        The address of the first deal, and how many.
    options : (rows, 4) int64 array
        Slots to be tried, a bit each, by position. The chart's own is tried in any case.
    calls : (rows, 4, slots, 3) int32 array
        Added to: deals, and the sum and the sum of squares of the own side's points less the other's. For a call they
        are relative to what a pass leads to.
    discards : (rows, 3, 6, 3) int32 array
        The same for the dealer's discards by context and place. The points are relative to the mean of all legal
        discards, and multiplied by their number.
    """
    hidden, seen, digits = np.zeros(HIDDEN, np.int64), np.zeros(SEEN, np.int64), np.zeros(DIGITS, np.int64)
    dealt = np.zeros(HIDDEN, np.int64), np.zeros(SEEN, np.int64)
    drawn = np.zeros((WORDS, BATCH), np.uint32)
    shuffled = np.empty_like(deck)
    rows, orders, values = np.zeros(SEATS, np.int64), np.zeros(SEATS, np.int64), np.zeros(SIX, np.int64)
    slots = np.zeros(POINTS_OF_BIDDING, np.int64)
    for deal in range(first, first + count):
        k = (deal - first) % BATCH
        if k == 0:
            draw_words(seed, deal, step, drawn)
        deal_hand(rules, deck, drawn, k, seed, deal, step, LEFT_DEALS, shuffled, dealt[0], dealt[1], digits)
        if dealt[1][STAGE] == NAMING:
            continue
        for seat in range(SEATS):
            orders[seat] = suit_order(dealt[0][seat], dealt[1][PROPOSED])
            rows[seat] = chart_row(players.chart_index, dealt[0][seat], dealt[1][TURN_UP], orders[seat])
            word = players.charts[U64(0), U64(rows[seat])]
            slots[seat] = first_choice(word, seat)
            slots[SEATS + seat] = slot_of(rules, second_choice(word, seat))
        reached, caller = _reached(slots)
        _search_calls(rules, players, reached, slots, rows, orders, dealt, options, calls, hidden, seen, digits)
        dealer = SEATS - 1
        if caller < dealer and deal & 1:
            context = ASSISTED if caller == 1 else ORDERED
            alone = slots[caller] == ORDER_ALONE
        elif caller >= dealer and (slots[dealer] != PASS or deal % ACCEPTED_EVERY == 0):
            context = ACCEPTED
            alone = slots[dealer] == ORDER_ALONE
            caller = dealer
        else:
            continue
        row, order = rows[dealer], orders[dealer]
        _search_discards(
            rules, players, caller, context, alone, row, order, dealt, discards, hidden, seen, digits, values
        )


@device(borrows=True)
def _reached(slots):
    """The points before which all others pass, a bit each, and the first seat that calls in the first round, or 4."""
    reached = I64(0)
    callers = I64(0)
    caller = I64(SEATS)
    for seat in range(SEATS):
        if callers == 0:
            reached |= bit(seat)
        if slots[seat] != PASS:
            callers |= bit(seat)
            caller = I64(seat) if caller == SEATS else caller
    for seat in range(SEATS):
        if callers & ~bit(seat) == 0:
            reached |= bit(SEATS + seat)
        if slots[SEATS + seat] != SECOND_PASS:
            break
    return reached, caller


@kernel
def begin_chart(rules: Any, players: Any, hands: Any, turn_ups: Any, suit: Any, words: Any, options: Any) -> None:
    """Find what may be said with each hand, and make a chart of what the policy `rules` says.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    players : Players
        Everybody bids by policy 0, which need not have a chart.
    hands, turn_ups : (rows,) int64 arrays
        From `chart_rows`.
    suit : int
        That of the turn-ups.
    words : (rows,) int64 array
        Filled.
    options : (rows, 4) int64 array
        Filled with slots, a bit each, by position.
    """
    hidden, seen, digits = np.zeros(HIDDEN, np.int64), np.zeros(SEEN, np.int64), np.zeros(DIGITS, np.int64)
    for row in range(hands.size):
        order = suit_order(hands[row], suit)
        word = I64(0)
        for point in range(POINTS_OF_BIDDING):
            seat = point & 3
            _begin_at(rules, point, hands[row], turn_ups[row], hidden, seen)
            legal = legal_choices(rules, hands[row], seen)
            options[row, seat] |= _slots(rules, point, legal, order)
            choice = place_of(_by_rules(rules, players, legal, hidden, seen, digits))
            alone = choice >= NAME_ALONE if point >= SEATS else choice == ORDER_ALONE
            if choice != PASS and not alone:
                _make(rules, bit(choice), hidden, seen)
                alone = _says_alone(rules, players, hidden, seen, digits)
            if point < SEATS:
                word |= I64(ORDER_ALONE if alone else choice) << 2 * seat
            elif choice != PASS:
                named = (choice - NAME) & 3
                place = 0
                while order >> 2 * place & 3 != named:
                    place += 1
                word |= I64((NAME_ALONE if alone else NAME) + place) << SECOND_ROUND + 4 * seat
        for context in range(CONTEXTS):
            caller = 3 if context == ACCEPTED else 1 if context == ASSISTED else 0
            _begin_at(rules, caller, 0, turn_ups[row], hidden, seen)
            hidden[LEFT_DEALS] = hands[row]
            _make(rules, bit(ORDER), hidden, seen)
            if seen[STAGE] == TURNING:
                _make(rules, bit(YES), hidden, seen)
            legal = legal_choices(rules, hidden[LEFT_DEALS], seen)
            card = _by_rules(rules, players, legal, hidden, seen, digits)
            number = physical_card(card, seen[TRUMP])
            six = hands[row] | bit(turn_ups[row])
            place = 0
            while card_at(six, place, order) != bit(I64(number)):
                place += 1
            word |= I64(place) << DISCARDS + 3 * context
        words[row] = word


@device(borrows=True)
def _begin_at(rules, point, hand, turn_up, hidden, seen):
    """Set a hand to a point, with the cards of the seat in turn only."""
    for place in range(HIDDEN):
        hidden[place] = 0
    hidden[point & 3] = hand
    begin_hand(rules, LEFT_DEALS, turn_up, seen)
    _go_to(point, seen)


@device(borrows=True)
def _slots(rules, point, legal, order):
    """The slots of a point that are legal, a bit each. Who must play alone is not offered to play together."""
    slots = I64(0)
    first, stop = (1, SECOND_PASS) if point < SEATS else (SECOND_PASS + 1, SECOND_PASS + 1 + 2 * _suits_named(rules))
    if legal & bit(PASS):
        slots |= bit(first - 1)
    must_be_alone = rules[ASSIST_ALONE] and point == 1
    for slot in range(first, stop):
        choice, alone = _call_at(rules, slot, order)
        if legal & choice and (alone or not must_be_alone):
            slots |= bit(slot)
    return slots


@device(borrows=True)
def _by_rules(rules, players, legal, hidden, seen, digits):
    if legal & (legal - 1) == 0:
        return legal
    seat = seen[SEAT]
    discard = hidden[DISCARD] if seat == seen[DEALER] else 0
    return choose(rules, players, RULES, legal, hidden[seat], discard, seen, digits)


@device(borrows=True)
def _says_alone(rules, players, hidden, seen, digits):
    """Whether the policy `rules` plays alone after its call; the dealer takes a turn-up, all others play along."""
    maker = seen[MAKER]
    while seen[STAGE] < PLAYING:
        choice = legal = legal_choices(rules, hidden[seen[SEAT]], seen)
        if seen[STAGE] == LONELY:
            if seen[SEAT] == maker:
                return _by_rules(rules, players, legal, hidden, seen, digits) == bit(YES)
            choice = bit(NO)
        elif seen[STAGE] == TURNING:
            choice = bit(YES)
        elif seen[SEAT] == maker:
            choice = _by_rules(rules, players, legal, hidden, seen, digits)
        else:
            choice = legal & -legal
        _make(rules, choice, hidden, seen)
    return False
