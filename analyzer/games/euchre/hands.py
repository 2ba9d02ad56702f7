"""Hands and matches of Euchre from deal to score, in kernels."""

from __future__ import annotations

import numpy as np

from analyzer.cards.deck import SEATS, deal_by
from analyzer.engine.jit import device
from analyzer.games.euchre.card_play import rules_card
from analyzer.games.euchre.layout import (
    DEALER,
    DISCARD,
    GAMES,
    HAND,
    LED,
    LEFT,
    MAKER,
    NAMING,
    PLAYING,
    POINTS,
    SCORE,
    SEAT,
    STAGE,
    WON,
)
from analyzer.games.euchre.lowering import GAMES_IN_MATCH, LAPS, PLAYERS, SLAM, TARGET
from analyzer.games.euchre.moves import begin_hand, legal_choices, make_choice, play_card, side_of
from analyzer.games.euchre.players import ASK, RANDOM, choose, decides_by
from analyzer.games.euchre.randomness import random_card, random_choice, read_digits
from analyzer.games.euchre.relabel import legal_plays


@device(borrows=True)
def deal_hand(rules, deck, drawn, k, seed, index, step, dealer, order, hidden, seen, digits):
    """Deal, and set all arrays to the start of the hand.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    deck : (cards,) uint8 array
        The cards of the deck.
    drawn, k : (WORDS, hands) uint32 array, int
        From `draw_words`, and which of the hands.
    seed, index, step : int
        The address of that hand: for single hands the number of the hand and 0, in a match its number and that of the
        hand in it.
    dealer : int
        Seat.
    order : (cards,) uint8 array
        Scratch.
    hidden, seen, digits : arrays
        See `layout` and `randomness`. Filled.
    """
    north, east, south, west, turn_up, left = deal_by(
        drawn[0, k], drawn[1, k], drawn[2, k], drawn[3, k], seed, index, step, deck, order
    )
    hidden[0], hidden[1], hidden[2], hidden[3], hidden[LEFT] = north, east, south, west, left
    begin_deal(rules, dealer, np.int64(turn_up), hidden, seen)
    read_digits(drawn, k, seed, index, step, digits)


@device(inline=True, borrows=True)
def begin_deal(rules, dealer, turn_up, hidden, seen):
    """Begin a hand of four seats that are dealt: where fewer play, the hands of the others are left over."""
    for seat in range(rules[PLAYERS], SEATS):
        hidden[LEFT] |= hidden[seat]
        hidden[seat] = 0
    hidden[DISCARD] = 0
    begin_hand(rules, dealer, turn_up, seen)


@device(borrows=True)
def play_on(rules, players, hidden, seen, digits, until):
    """Play on to the end of the hand, to a stage, or to a decision outside of the kernel.

    Parameters
    ----------
    until : int
        The stage before which to stop, such as `PLAYING`; `OVER` for the end of the hand.

    Returns
    -------
    int64
        What the seat in turn may choose, if it is asked; else nothing.
    """
    while seen[STAGE] < until:
        if seen[STAGE] == PLAYING:
            return play_cards(rules, players, hidden, seen, digits)
        seat = seen[SEAT]
        hand = 0 if seen[STAGE] == NAMING else hidden[seat]
        choice = legal = legal_choices(rules, hand, seen)
        if legal & (legal - 1):
            kind = decides_by(players, seen)
            if kind == ASK:
                return legal
            if kind == RANDOM:
                choice = random_choice(legal, seen, digits)
            else:
                discard = hidden[DISCARD] if seat == seen[DEALER] else 0
                choice = choose(rules, players, kind, legal, hand, discard, seen, digits)
        make_choice(rules, choice, hidden, seen)
    return 0


@device(inline=True, borrows=True)
def play_cards(rules, players, hidden, seen, digits):
    """Play cards to the end of the hand or to a decision outside of the kernel; returns what `play_on` does."""
    while seen[STAGE] == PLAYING:
        seat = np.uint64(seen[SEAT])
        hand = hidden[seat]
        choice = legal = np.int64(legal_plays(hand, seen[LED]))
        kind = players.playing[np.uint64(players.who[seat])]
        if kind == RANDOM:
            choice = random_card(legal, seen, digits)
        elif legal & (legal - 1):
            if kind == ASK:
                return legal
            discard = hidden[DISCARD] if seen[SEAT] == seen[DEALER] else 0
            choice = rules_card(rules, legal, hand, discard, seen)  # as `choose`, without passing on all policies
        play_card(rules, choice, hidden, seen)
    return 0


@device(borrows=True)
def score_hand(rules, seen):
    """Count the points of a hand that is over, and start the next game if one is won; whether the match goes on."""
    points = seen[POINTS]
    maker = seen[MAKER]
    parties = 2 if rules[PLAYERS] == SEATS else rules[PLAYERS]
    highest, others = 0, 0
    for party in range(parties):
        made = maker >= 0 and side_of(maker, rules[PLAYERS]) == party
        gained = points if made else -points
        if gained > 0:
            seen[SCORE + party] += gained
        highest = max(highest, seen[SCORE + party])
    if highest < rules[TARGET]:
        return True
    for party in range(parties):
        others += seen[SCORE + party] if seen[SCORE + party] < highest else 0
    seen[GAMES] += 1
    over = seen[GAMES] == rules[GAMES_IN_MATCH]
    for party in range(parties):
        won = seen[SCORE + party] == highest
        if won:
            seen[WON + party] += 2 if rules[SLAM] and others == 0 else 1
        if not over:
            seen[SCORE + party] = highest - rules[TARGET] if won and rules[LAPS] else 0
    return not over


@device(borrows=True)
def begin_match(seen):
    """Set scores and counts to the start of a match."""
    for place in range(HAND, seen.size):
        seen[place] = 0


@device(borrows=True)
def next_dealer(rules, seen):
    """Who deals the next hand."""
    return (seen[DEALER] + 1) % rules[PLAYERS]
