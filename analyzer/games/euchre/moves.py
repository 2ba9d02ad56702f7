"""What may be chosen in a hand of Euchre, and what a choice changes, in kernels; the arrays are those of `layout`."""

from __future__ import annotations

from typing import Any

import numpy as np

from analyzer.cards.bits import card_count
from analyzer.cards.deck import JOKER
from analyzer.engine.jit import device
from analyzer.games.euchre.layout import (
    ACTIVE,
    ASKED,
    BEST,
    BEST_SEAT,
    DEALER,
    DISCARD,
    DISCARDING,
    DOWN,
    FIRST,
    GIVING,
    HAND,
    IN_TRICK,
    LEADER,
    LED,
    LEFT,
    LONE,
    LONELY,
    MADE,
    MAKER,
    NAME,
    NAME_ALONE,
    NAMING,
    NO,
    ORDER,
    ORDER_ALONE,
    OVER,
    PASS,
    PLAYED,
    PLAYING,
    POINTS,
    PROPOSED,
    ROUND,
    SEAT,
    SEATS,
    SECOND,
    SEEN,
    STAGE,
    TAKEN,
    TRICKS,
    TRUMP,
    TURN_UP,
    TURNING,
    VOID,
    YES,
)
from analyzer.games.euchre.lowering import (
    ALONE_WITH_CALL,
    ANYONE_ALONE,
    ASSIST_ALONE,
    BEST_CARD,
    CALL_NEEDS_SUIT,
    DEALERS_LEFT_LEADS,
    JOKER_SUIT,
    LONE_HANDS,
    PAYS,
    PICKUP_MANDATORY,
    PLAYERS,
    STICK_DEALER,
    TURN_UP_DISCARDED,
    TURNED_DOWN_NAMED,
)
from analyzer.games.euchre.relabel import led_field, legal_plays, relabel
from analyzer.games.euchre.rules import TRICKS as ALL_TRICKS

I64 = np.int64
U64 = np.uint64
NONE = 0
SUIT = 0xFF
TRUMP_CARDS = 0x7FFF << 48
NEXT_SEAT = np.array(
    [
        [next((seat + k & 3 for k in (1, 2, 3, 4) if active >> (seat + k & 3) & 1), seat) for seat in range(SEATS)]
        for active in range(1 << SEATS)
    ]
)
"""(16, 4) by the set of active seats and the seat."""


@device(inline=True, borrows=True)
def bit(place):
    """A set of one."""
    return 1 << place


@device(borrows=True)
def place_of(one):
    """The place of the bit of a set of one."""
    return I64(card_count(U64(one) - U64(1)))


@device(inline=True, borrows=True)
def next_seat(seat, active):
    """The next seat clockwise among a set of seats."""
    return NEXT_SEAT[U64(active), U64(seat)]


@device(inline=True, borrows=True)
def side_of(seat: Any, players: Any) -> Any:
    """The party that a seat belongs to, by whose score it wins."""
    return seat & 1 if players == SEATS else seat


@device(inline=True, borrows=True)
def is_makers(seat, seen, players):
    """Whether a seat is on the makers' side."""
    return side_of(seat, players) == side_of(seen[MAKER], players)


@device(inline=True, borrows=True)
def is_lone(seat, seen):
    """Whether a seat plays alone."""
    return seen[LONE] >> seat & 1 == 1


@device(inline=True, borrows=True)
def has_lone_partner(seat, seen):
    """Whether a seat sits out."""
    return seen[LONE] >> ((seat + 2) & 3) & 1 == 1


@device(borrows=True)
def begin_hand(rules, dealer, turn_up, seen):
    """Set the public array to the start of a hand: dealt and not a word said. Scores and numbers of hands stay."""
    for place in range(HAND):
        seen[place] = 0
    for place in range(LED, SEEN):
        seen[place] = 0
    seen[DEALER] = dealer
    seen[TURN_UP] = turn_up
    seen[PROPOSED] = rules[JOKER_SUIT] if turn_up == JOKER else turn_up >> 3
    seen[ROUND] = seen[TRUMP] = seen[MAKER] = seen[TAKEN] = -1
    seen[ACTIVE] = (1 << rules[PLAYERS]) - 1
    if seen[PROPOSED] < 0:
        seen[STAGE], seen[SEAT] = NAMING, dealer
    else:
        seen[STAGE], seen[SEAT] = FIRST, next_seat(dealer, seen[ACTIVE])


@device(inline=True, borrows=True)
def legal_choices(rules, hand, seen):
    """What the seat in turn may choose, a bit each; `hand` is its own.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
        From `lower`.
    hand : int
        A set of cards, physical before trump is made and relabelled afterwards.
    seen : (SEEN,) int64 array
        See `layout`.

    Returns
    -------
    int64
    """
    stage = seen[STAGE]
    if stage == LONELY:
        return bit(YES) if rules[ASSIST_ALONE] and _assisted(seen) else bit(NO) | bit(YES)
    if stage == FIRST:
        return _first_round(rules, hand, seen)
    if stage == PLAYING:
        return I64(legal_plays(hand, seen[LED]))
    if stage == SECOND:
        return _second_round(rules, hand, seen)
    if stage == NAMING:
        return 0b1111 << NAME
    if stage == DISCARDING:
        keeps_it = seen[MAKER] == seen[DEALER] or not rules[TURN_UP_DISCARDED]
        return hand & ~I64(relabel(bit(seen[TURN_UP]), seen[TRUMP])) if keeps_it else hand
    if stage == GIVING:
        return hand
    return bit(NO) | bit(YES)


@device(inline=True, borrows=True)
def _assisted(seen):
    """Whether the seat in turn is the dealer's partner and ordered the turn-up."""
    seat = seen[SEAT]
    return seat == seen[MAKER] and seen[ROUND] == 1 and seat == (seen[DEALER] + 2) & 3


@device(inline=True, borrows=True)
def _first_round(rules, hand, seen):
    seat, dealer = seen[SEAT], seen[DEALER]
    if rules[CALL_NEEDS_SUIT] and seat != dealer and hand & SUIT << 8 * seen[PROPOSED] == NONE:
        return bit(PASS)
    if not rules[ALONE_WITH_CALL]:
        return bit(PASS) | bit(ORDER)
    if rules[ASSIST_ALONE] and seat == (dealer + 2) & 3:
        return bit(PASS) | bit(ORDER_ALONE)
    return bit(PASS) | bit(ORDER) | bit(ORDER_ALONE)


@device(inline=True, borrows=True)
def _second_round(rules, hand, seen):
    stuck = rules[STICK_DEALER] and seen[SEAT] == seen[DEALER]
    allowed = 0b1111
    if not rules[TURNED_DOWN_NAMED]:
        allowed &= ~bit(seen[PROPOSED])
    suits = allowed
    if rules[CALL_NEEDS_SUIT]:
        for suit in range(4):
            if hand & SUIT << 8 * suit == NONE:
                suits &= ~bit(suit)
        if stuck and suits == NONE:
            suits = allowed
    calls = suits << NAME
    if rules[ALONE_WITH_CALL]:
        calls |= suits << NAME_ALONE
    return calls if stuck else calls | bit(PASS)


@device(inline=True, borrows=True)
def make_choice(rules, choice, hidden, seen):
    """Play on by a choice of the seat in turn, up to the next decision or the end of the hand."""
    stage = seen[STAGE]
    settled = False  # whether all but who plays alone is settled
    if stage == LONELY:
        seen[LONE] |= (1 << seen[SEAT]) * (choice == bit(YES))
        seen[ASKED] += 1
        settled = True
    elif stage in (FIRST, SECOND, NAMING):
        if choice == bit(PASS):
            _pass(rules, seen)
        else:
            settled = _make_trump(rules, stage, choice, hidden, seen)
    elif stage == PLAYING:
        play_card(rules, choice, hidden, seen)
    elif stage == TURNING:
        settled = choice == bit(NO)
        if settled:
            seen[TAKEN] = 0
        else:
            _take_turn_up(hidden, seen)
    elif stage == DISCARDING:
        hidden[seen[DEALER]] ^= choice
        hidden[DISCARD] = choice
        settled = True
    else:
        _give(rules, choice, hidden, seen)
    if settled:
        seen[ASKED] = seen[ASKED] if stage == LONELY else 0
        _next_about_lone_hands(rules, seen)


@device(inline=True, borrows=True)
def _pass(rules, seen):
    seen[ASKED] += 1
    if seen[ASKED] < rules[PLAYERS]:
        seen[SEAT] = next_seat(seen[SEAT], seen[ACTIVE])
    elif seen[STAGE] == FIRST:
        seen[STAGE], seen[ASKED] = SECOND, 0
        seen[SEAT] = next_seat(seen[SEAT], seen[ACTIVE])
    else:
        seen[STAGE] = OVER


@device(inline=True, borrows=True)
def _make_trump(rules, stage, choice, hidden, seen):
    """Make trump by a call; whether the dealer has nothing to do with the turn-up."""
    seat, dealer = seen[SEAT], seen[DEALER]
    if stage == FIRST:
        suit, alone = seen[PROPOSED], choice == bit(ORDER_ALONE)
    else:
        place = place_of(choice) - NAME
        suit, alone = place & 3, place > 3
    seen[ROUND] = 1 if stage == FIRST else 2 if stage == SECOND else 0
    seen[TRUMP], seen[MAKER] = suit, seat
    for place in range(LEFT + 1):
        hidden[place] = relabel(hidden[place], suit)
    seen[LONE] = (1 << seat) * alone
    if stage == SECOND or (seat != dealer and has_lone_partner(dealer, seen)):
        seen[TAKEN] = 0
        return True
    if seat == dealer or rules[PICKUP_MANDATORY]:
        _take_turn_up(hidden, seen)
    else:
        seen[STAGE], seen[SEAT] = TURNING, dealer
    return False


@device(inline=True, borrows=True)
def _take_turn_up(hidden, seen):
    dealer = seen[DEALER]
    seen[TAKEN] = 1
    hidden[dealer] |= I64(relabel(bit(seen[TURN_UP]), seen[TRUMP]))
    seen[STAGE], seen[SEAT] = DISCARDING, dealer


@device(inline=True, borrows=True)
def _next_about_lone_hands(rules, seen):
    """Find who is to say next whether he plays alone: clockwise, or the maker and then each of his opponents."""
    maker, lone = seen[MAKER], seen[LONE]
    out = (lone << 2 | lone >> 2) & 0b1111  # those whose partner plays alone
    said = rules[ALONE_WITH_CALL] and seen[ROUND] != 0
    silent = out | (bit(maker) if said else NONE)
    first = seen[DEALER] + 1 & 3
    if not rules[ANYONE_ALONE]:
        first = first + ((seen[DEALER] ^ maker) & 1) & 3  # the first opponent of the maker
    asks = ~((silent | silent << 4) >> first)  # from that seat on
    if not rules[ANYONE_ALONE]:
        opponents = asks << 1 & 0b010 | asks & 0b100
        asks = ~(silent >> maker) & 0b001 | (opponents if is_lone(maker, seen) else NONE)
    asks &= 0b1111 & -1 << seen[ASKED]
    if rules[LONE_HANDS] and asks != NONE:
        turn = place_of(asks & -asks)
        seat = first + turn & 3
        if not rules[ANYONE_ALONE]:
            seat = first + 2 * (turn - 1) & 3 if turn else maker
        seen[STAGE], seen[SEAT], seen[ASKED] = LONELY, seat, turn
        return
    seen[ACTIVE] &= ~out
    seen[ASKED] = 0
    if rules[BEST_CARD]:
        _next_exchange(rules, seen)
    else:
        _start_play(rules, seen)


@device(borrows=True)
def _next_exchange(rules, seen):
    """Find the next lone player clockwise who is to change a card."""
    while seen[ASKED] < SEATS:
        seat = (seen[DEALER] + 1 + seen[ASKED]) & 3
        if is_lone(seat, seen):
            seen[STAGE], seen[SEAT] = GIVING, seat
            return
        seen[ASKED] += 1
    _start_play(rules, seen)


@device(inline=True, borrows=True)
def _give(rules, choice, hidden, seen):
    seat = seen[SEAT]
    partner = (seat + 2) & 3
    best = best_card(hidden[partner])
    hidden[seat] = hidden[seat] ^ choice | best
    hidden[partner] = hidden[partner] ^ best | choice
    seen[ASKED] += 1
    _next_exchange(rules, seen)


@device(borrows=True)
def best_card(hand):
    """The highest trump of a relabelled hand, or the plain card of the highest rank, of several that of field 2 first.

    Examples
    --------
    >>> from analyzer.cards.notation import cards_text, parse_cards
    >>> from analyzer.games.euchre.relabel import physical
    >>> cards_text(physical(best_card(relabel(parse_cards("Ac As Kd 9s"), 2)), 2))  # hearts are trump
    'As'
    """
    rest: Any = I64(hand)
    if rest >> 48:
        best: Any = NONE
        while rest != NONE:
            best = rest & -rest
            rest ^= best
        return best
    found: Any = NONE
    highest = -1
    while rest != NONE:
        card = rest & -rest
        rest ^= card
        rank = place_of(card) & 15
        if rank >= highest:
            found, highest = card, rank
    return found


@device(borrows=True)
def _start_play(rules, seen):
    dealer, lone = seen[DEALER], seen[LONE]
    leader = next_seat(dealer, seen[ACTIVE])
    if lone and not rules[DEALERS_LEFT_LEADS]:
        defending = lone & (0b1010 if seen[MAKER] & 1 == 0 else 0b0101)
        leader = place_of(defending) if lone & (lone - 1) else (place_of(lone) + 1) & 3
    seen[STAGE] = PLAYING
    seen[SEAT] = seen[LEADER] = leader


@device(inline=True, borrows=True)
def makers_points(rules, made, seen):
    """The makers' points, or below 0 the defenders', if the makers take so many of all tricks."""
    lone, maker_side = seen[LONE], 0b0101 << (seen[MAKER] & 1)
    alone = 2 * int(lone & maker_side != 0) + int(lone & ~maker_side & 15 != 0)
    return rules[PAYS + alone * (ALL_TRICKS + 1) + made]


@device(inline=True, borrows=True)
def play_card(rules, card, hidden, seen):
    """Play a card of the seat in turn. Without branches that depend on chance, which cost more than they save."""
    seat = U64(seen[SEAT])  # unsigned places need no test for negative ones
    hidden[seat] ^= card
    seen[U64(PLAYED) + seat] |= card
    seen[U64(DOWN) + seat] = card
    led = seen[LED] if seen[LED] != NONE else card
    suit = I64(led_field(led))
    seen[U64(VOID) + seat] |= suit if card & suit == NONE else NONE
    best = seen[BEST]
    beats = (card & (suit | TRUMP_CARDS) != NONE) & (card > best)
    seen[LED] = led
    seen[BEST] = card if beats else best
    seen[BEST_SEAT] = I64(seat) if beats else seen[BEST_SEAT]
    seen[IN_TRICK] += 1
    if seen[IN_TRICK] < card_count(np.uint64(seen[ACTIVE])):
        seen[SEAT] = next_seat(seat, seen[ACTIVE])
        return
    winner = seen[BEST_SEAT]
    seen[TRICKS] += 1
    seen[MADE] += int(is_makers(winner, seen, rules[PLAYERS]))
    seen[IN_TRICK] = 0
    seen[LED] = seen[BEST] = NONE
    for one in range(SEATS):
        seen[DOWN + one] = NONE
    seen[SEAT] = seen[LEADER] = winner
    if seen[TRICKS] == ALL_TRICKS:
        seen[STAGE] = OVER
        seen[POINTS] = makers_points(rules, seen[MADE], seen)
