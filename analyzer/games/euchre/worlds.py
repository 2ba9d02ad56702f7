"""The worlds that a player must reckon with: all deals and discards that agree with what his seat has seen, in kernels.

A world says where every card lies now, `hidden` of `layout`; with the cards played it tells the deal as well (`dealt`).
Each pair of a deal and a discard of the dealer that leads to what was seen is one world, and all are equally likely
before anybody's reasons are looked at.

Worlds are counted card by card, from the last of the unseen cards to the first: in how many ways can the cards from
here on be put into the places that still have room? The largest number, of all deals of 33 cards to four hands, is
below 2**62, so that integers of 64 bits hold all of them exactly. A world is then made of its number: the first card
goes where the numbers of the ways, added up place by place, reach it, and so on. As the number is drawn evenly, all
worlds are exactly equally likely, and none is drawn in vain.

What is taken into account: the own hand, the own discard of the dealer, cards played, suits that seats have shown to be
out of, where the turn-up can be, how many cards each must have, and with `call_needs_suit` that the maker might name
the suit. After the exchange of `best_card` it is not known which cards changed hands: that the one received is the
partner's best, which one was given, and what the maker's call says of the hand before are not looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from analyzer.cards.bits import card_count
from analyzer.cards.deck import DECKS, HAND
from analyzer.engine.jit import device, kernel
from analyzer.engine.streams import bounded_wide
from analyzer.games.euchre.layout import (
    ASKED,
    DEALER,
    DISCARD,
    DISCARDING,
    GIVING,
    HIDDEN,
    IN_TRICK,
    LEFT,
    MAKER,
    PLAYED,
    PLAYING,
    PROPOSED,
    ROUND,
    SEATS,
    STAGE,
    TAKEN,
    TRICKS,
    TRUMP,
    TURN_UP,
    VOID,
)
from analyzer.games.euchre.lowering import (
    BEST_CARD,
    CALL_NEEDS_SUIT,
    DECK,
    PLAYERS,
    STICK_DEALER,
    TURN_UP_DISCARDED,
    TURNED_DOWN_NAMED,
)
from analyzer.games.euchre.moves import SUIT, is_lone
from analyzer.games.euchre.randomness import SLOTS
from analyzer.games.euchre.relabel import physical, relabel

if TYPE_CHECKING:
    from numpy.typing import NDArray

I64 = np.int64
U64 = np.uint64
DECK_OF = np.array([DECKS.get(size, 0) for size in range(max(DECKS) + 1)])
"""(34,) the cards of a deck by its size."""
FIRST_SLOT = 4 * SLOTS
"""Of the addresses of worlds; hands take those below."""
WORLDS = 1 << 16
"""Slots of a decision, and so the most worlds that are drawn for it."""


class Unseen(NamedTuple):
    """What a seat does not know, and in how many ways it may be."""

    known: NDArray[np.int64]
    """(HIDDEN,) the cards that are known to lie in each place."""
    cards: NDArray[np.int64]
    """(cards,) all others, a set of one each."""
    allowed: NDArray[np.int64]
    """(cards,) the set of places where the card may be."""
    shows: NDArray[np.int64]
    """(cards,) what it shows if the maker has the card: 2 that he has the suit he named, 1 one that he might name."""
    caller: int
    """The maker, if something is asked of his hand; else -1."""
    steps: NDArray[np.int64]
    """(HIDDEN,) what room for a card in a place adds to the state; 0 for `LEFT`, which has what is over."""
    room: NDArray[np.int64]
    """(states,) the set of places that can take a card. A state has the rooms of all places, as a mixed radix."""
    ways: NDArray[np.uint64]
    """(cards + 1, states or 3 states) in how many ways the cards from each on can be put into so much room; three times
    if something is asked of the maker's hand, by what it shows so far."""
    start: int
    """The state before the first card."""


@device
def unseen(rules, seat, hand, discard, seen):
    """Count the worlds that agree with what a seat has seen.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    seat : int
        Whose view it is; he need not be in turn.
    hand, discard : int
        His cards, and if he is the dealer his discard, sets as in `hidden`. Cards of his own that are not given, as
        those of a dealer who names trump blind, are unknown like any others.
    seen : (SEEN,) int64 array

    Returns
    -------
    Unseen
    """
    trump = seen[TRUMP]
    turn_up, deck = I64(1) << seen[TURN_UP], DECK_OF[rules[DECK]]
    if trump >= 0:
        turn_up, deck = I64(relabel(turn_up, trump)), I64(relabel(deck, trump))
    known = np.zeros(HIDDEN, np.int64)
    known[seat], known[DISCARD] = hand, discard
    missing = deck & ~(hand | discard)
    for one in range(SEATS):
        missing &= ~seen[PLAYED + one]
    if seen[TAKEN] != 1:
        missing &= ~turn_up
    n = I64(card_count(U64(missing)))
    cards, allowed, shows = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64)
    for i in range(n):
        cards[i] = missing & -missing
        missing ^= cards[i]
        allowed[i] = _allowed_places(rules, seen, cards[i], turn_up)
        shows[i] = _shown(rules, seen, cards[i])
    capacity, steps = np.zeros(HIDDEN, np.int64), np.zeros(HIDDEN, np.int64)
    possible = _set_capacity(rules, seen, known, capacity)
    states = 1
    for place in range(HIDDEN):
        if place != LEFT:
            steps[place] = states
            states *= capacity[place] + 1
    room = np.zeros(states, np.int64)
    for state in range(states):
        room[state] = 1 << LEFT
        for place in range(HIDDEN):
            if place != LEFT and state // steps[place] % (capacity[place] + 1):
                room[state] |= 1 << place
    caller = seen[MAKER] if seen[MAKER] != seat and _had_to_hold_suit(rules, seen) else -1
    start, layers = states - 1, 1
    if caller >= 0:
        start += _shown(rules, seen, seen[PLAYED + caller]) * states
        layers = 3
    ways = np.zeros((n + 1, layers * states), np.uint64)
    view = Unseen(known, cards, allowed, shows, caller, steps, room, ways, start)
    if possible:
        _count(view, rules[STICK_DEALER] and caller == seen[DEALER])
    return view


@device(borrows=True)
def _set_capacity(rules, seen, known, capacity):
    """Fill in how many unknown cards each place has; whether that can be."""
    for seat in range(rules[PLAYERS]):
        capacity[seat] = HAND - card_count(U64(seen[PLAYED + seat]))
    if seen[STAGE] == DISCARDING:
        capacity[seen[DEALER]] += 1
    elif seen[TAKEN] == 1:
        capacity[DISCARD] = 1
    possible = True
    for place in range(HIDDEN):
        if place != LEFT:
            capacity[place] -= card_count(U64(known[place]))
            possible = possible and capacity[place] >= 0
            capacity[place] = max(capacity[place], 0)
    return possible


@device(borrows=True)
def _allowed_places(rules, seen, card, turn_up):
    """Where an unknown card may be."""
    places = (1 << HIDDEN) - 1
    if card == turn_up:
        dealer = seen[DEALER]
        places = 1 << dealer
        if seen[STAGE] != DISCARDING and seen[MAKER] != dealer and rules[TURN_UP_DISCARDED]:
            places |= 1 << DISCARD
        if has_changed(rules, seen, dealer):
            places |= 1 << ((dealer + 2) & 3)
    for seat in range(SEATS):
        if card & seen[VOID + seat]:
            places &= ~(1 << seat)
    return places


@device(borrows=True)
def has_changed(rules, seen, seat):
    """Whether a seat has changed a card with its partner, either way."""
    if not rules[BEST_CARD] or seen[STAGE] < GIVING:
        return False
    for lone in (seat, (seat + 2) & 3):
        if is_lone(lone, seen):
            return seen[STAGE] == PLAYING or (lone - seen[DEALER] - 1) & 3 < seen[ASKED]
    return False


@device(borrows=True)
def _had_to_hold_suit(rules, seen):
    """Whether the maker had to hold the suit that he named, and what he held then can be told."""
    maker = seen[MAKER]
    if not rules[CALL_NEEDS_SUIT] or maker < 0 or seen[ROUND] == 0 or has_changed(rules, seen, maker):
        return False
    return seen[ROUND] == 2 or maker != seen[DEALER]


@device(borrows=True)
def _shown(rules, seen, cards):
    """What relabelled cards show if the maker had them, see `Unseen.shows`."""
    trump = seen[TRUMP]
    if trump < 0:
        return 0
    suits = I64(physical(cards, trump))
    if suits & SUIT << 8 * trump:
        return 2
    for suit in range(4):
        if suits & SUIT << 8 * suit and (suit != seen[PROPOSED] or rules[TURNED_DOWN_NAMED]):
            return 1
    return 0


@device(borrows=True)
def _count(view, free_without):
    """Fill in the ways; `free_without` tells that the maker who has no suit that he might name may name any."""
    n, states = view.cards.size, view.room.size
    layers = view.ways.shape[1] // states
    view.ways[n, (layers - 1) * states] = 1
    if free_without:
        view.ways[n, 0] = 1
    for i in range(n - 1, -1, -1):
        for state in range(layers * states):
            into = view.allowed[i] & view.room[state % states]
            total = U64(0)
            for place in range(HIDDEN):
                if into >> place & 1:
                    total += view.ways[i + 1, _state_after(view, i, place, state)]
            view.ways[i, state] = total


@device(borrows=True)
def _state_after(view, i, place, state):
    """The state when a card has been put into a place."""
    after = state - view.steps[place]
    if place == view.caller:
        states = view.room.size
        shown = state // states
        after += (max(shown, view.shows[i]) - shown) * states
    return after


@device(borrows=True)
def world_count(view):
    """In how many ways all that a seat has not seen may be; 0 if nothing agrees with what it has seen."""
    return view.ways[0, view.start]


@device(borrows=True)
def make_world(view, number, world):
    """Fill `world`, like `hidden`, with the world of a number from 0 to `world_count` - 1."""
    for place in range(HIDDEN):
        world[place] = view.known[place]
    state, states = view.start, view.room.size
    rest = U64(number)
    for i in range(view.cards.size):
        into = view.allowed[i] & view.room[state % states]
        for place in range(HIDDEN):
            if into >> place & 1:
                after = _state_after(view, i, place, state)
                here = view.ways[i + 1, after]
                if rest < here:
                    world[place] |= view.cards[i]
                    state = after
                    break
                rest -= here


@device(borrows=True)
def draw_world(view, decision, k, seed, index, step, world):
    """Fill `world` with one of all worlds, each exactly equally likely.

    Parameters
    ----------
    view : Unseen
    decision, k : int
        From `decision_number`, and which of the worlds that are drawn for it, below `WORLDS`.
    seed, index, step : int
        The address of the hand.
    world : (HIDDEN,) int64 array
        Filled.
    """
    number = bounded_wide(world_count(view), seed, index, step, FIRST_SLOT + decision * WORLDS + k)
    make_world(view, number, world)


@device(borrows=True)
def decision_number(seen):
    """A number below 128 that tells apart the decisions of a hand."""
    if seen[STAGE] == PLAYING:
        return 8 * PLAYING + SEATS * seen[TRICKS] + seen[IN_TRICK]
    return 8 * seen[STAGE] + seen[ASKED]


@device(borrows=True)
def dealt(world, seen, hands):
    """Fill `hands`, like `hidden` at the start of a hand, with the deal of a world.

    After the exchange of `best_card` the two partners have what they have after it.
    """
    trump, dealer = seen[TRUMP], seen[DEALER]
    for place in range(LEFT + 1):
        hands[place] = world[place]
    hands[DISCARD] = 0
    if trump < 0:
        return
    for seat in range(SEATS):
        hands[seat] |= seen[PLAYED + seat]
    hands[dealer] |= world[DISCARD]
    turn_up = I64(relabel(I64(1) << seen[TURN_UP], trump))
    for place in range(LEFT + 1):
        hands[place] = I64(physical(hands[place] & ~turn_up, trump))


@kernel
def count_worlds(rules: Any, seat: Any, hand: Any, discard: Any, seen: Any) -> Any:
    """In how many ways the cards that a seat has not seen may lie, discards of the dealer told apart.

    Parameters
    ----------
    rules, seat, hand, discard, seen
        As for `unseen`.

    Returns
    -------
    int
        0 if nothing agrees with what it has seen.

    Examples
    --------
    The player on the dealer's left knows his hand and the turn-up: 18 cards lie in three hands of five and the rest.

    >>> from math import factorial
    >>> from analyzer.games.euchre.hand import Hand
    >>> from analyzer.games.euchre.lowering import lower
    >>> from analyzer.games.euchre.rules import Euchre
    >>> hand = Hand.deal(Euchre(), seed=7, dealer=3)
    >>> count_worlds(lower(hand.rules), 0, hand.hidden[0], 0, hand.seen)
    617512896
    >>> factorial(18) // (factorial(5) ** 3 * factorial(3))
    617512896
    """
    return world_count(unseen(rules, seat, hand, discard, seen))


@kernel
def sample_worlds(
    rules: Any, seat: Any, hand: Any, discard: Any, seen: Any, worlds: Any, seed: Any, index: Any, step: Any
) -> Any:
    """Draw worlds, each independently and exactly evenly from all that agree with what a seat has seen.

    Parameters
    ----------
    rules, seat, hand, discard, seen
        As for `unseen`; there must be such a world, see `count_worlds`.
    worlds : int
        How many, up to `WORLDS`.
    seed, index, step : int
        The address of the hand: its number and 0, or in a match that of the match and of the hand in it.

    Returns
    -------
    (worlds, HIDDEN) int64 array
        Rows are `hidden` of `analyzer.games.euchre.layout`.

    Examples
    --------
    >>> from analyzer.games.euchre.hand import Hand
    >>> from analyzer.games.euchre.lowering import lower
    >>> from analyzer.games.euchre.rules import Euchre
    >>> hand = Hand.deal(Euchre(), seed=7, dealer=3)
    >>> worlds = sample_worlds(lower(hand.rules), 0, hand.hidden[0], 0, hand.seen, 100, 1, 0, 0)
    >>> worlds.shape, bool((worlds[:, 0] == hand.hidden[0]).all())
    ((100, 6), True)
    """
    view = unseen(rules, seat, hand, discard, seen)
    found = np.zeros((worlds, HIDDEN), np.int64)
    decision = decision_number(seen)
    for k in range(worlds):
        draw_world(view, decision, k, seed, index, step, found[k])
    return found
