"""Who decides in a round of President: the policies as kernels see them, and the choice of the one in turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analyzer.cards.bits import card_count
from analyzer.engine.jit import device
from analyzer.engine.streams import bounded, words
from analyzer.games.president.deals import lowest_of
from analyzer.games.president.layout import OFFICE, OWES, PILE, REVERSED, TURN, TURNS
from analyzer.games.president.lowest import lowest_play
from analyzer.games.president.plays import play_at
from analyzer.games.president.randomness import RETURNS, SLIPS, below
from analyzer.games.president.rules_policy import rules_play, rules_return

if TYPE_CHECKING:
    from numpy.typing import NDArray

ASK = 0
"""Of a policy: it is asked outside of the kernel."""
RANDOM = 1
LOWEST = 2
RULES = 3

I64 = np.int64
U64 = np.uint64


class Players(NamedTuple):
    """The policies at a table."""

    who: NDArray[np.int64]
    """(8,) the policy of each seat."""
    kinds: NDArray[np.int64]
    """(policies,) `ASK`, `RANDOM`, `LOWEST` or `RULES`."""
    slips: NDArray[np.int64]
    """(policies,) of 2**32 decisions, in how many a random choice is made instead."""


@device(borrows=True)
def choose_play(rules, players, kind, count, hand, seen, seed, index, step, drawn):
    """The play of the seat in turn.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    players : Players
    kind : int
        Of its policy, not `ASK`.
    count, hand : int
        From `count_plays`, at least 2, and its cards.
    seen : (SEEN,) int64 array
        What everybody has seen, see `layout`.
    seed, index, step, drawn
        See `randomness.below`.
    """
    slips = players.slips[players.who[seen[TURN]]]
    if kind == RANDOM or (slips and _slips(slips, seed, index, step, SLIPS + seen[TURNS])):
        number = below(count, seed, index, step, seen[TURNS], drawn)
        return play_at(rules, hand, seen[PILE], seen[REVERSED], I64(number))
    if kind == RULES:
        return rules_play(rules, hand, count, seen)
    return lowest_play(rules, hand, count, seen)


@device(borrows=True)
def choose_return(rules, players, kind, hand, seen, seed, index, step):
    """The cards that the seat in turn gives back in the exchange; the arguments are those of `choose_play`."""
    owes = seen[OWES]
    pair = seen[OFFICE + seen[TURN]] - 1
    slips = players.slips[players.who[seen[TURN]]]
    if kind == RANDOM or (slips and _slips(slips, seed, index, step, SLIPS - 1 - pair)):
        return _random_cards(hand, owes, seed, index, step, pair)
    if kind == RULES:
        return rules_return(rules, hand, owes, seen)
    return lowest_of(hand, owes)


@device(inline=True, borrows=True)
def _slips(slips, seed, index, step, slot):
    return words(seed, index, step, slot)[0] < slips


@device(borrows=True)
def _random_cards(hand, count, seed, index, step, pair):
    """One or two cards of a hand, every choice equally likely; equal jokers count as two."""
    n = I64(card_count(U64(hand)))
    choices = n if count == 1 else n * (n - 1) // 2
    number = I64(bounded(words(seed, index, step, RETURNS)[pair], choices, seed, index, step, RETURNS, pair))
    second = number
    if count == 2:
        second = I64(1)
        while number >= second:
            number -= second
            second += 1
    chosen, rest = U64(0), U64(hand)
    for place in range(second + 1):
        card = rest & (~rest + U64(1))
        if place == second or (count == 2 and place == number):
            chosen |= card
        rest ^= card
    return _canonical(I64(chosen))


@device(inline=True, borrows=True)
def _canonical(cards):
    """A set of cards in which a single joker is the lower one."""
    return cards & ~(1 << 53) | 1 << 52 if cards >> 52 == 2 else cards
