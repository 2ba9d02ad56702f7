"""What the cards that a player of `rules` has left cost him, in thousandths of a point.

The hand is split as it costs least. What a group or a run costs tells in how many ways others can beat it, and whether
it closes the pile: weak ones wait for a lead, those that nothing beats bring it back.
"""

from __future__ import annotations

import numpy as np

from analyzer.cards.bits import card_count, lowest_card
from analyzer.engine.jit import device
from analyzer.games.president.control import group_beaters, run_beaters
from analyzer.games.president.layout import CARDS, EIGHT, JOKER, NATURALS, SHORTEST
from analyzer.games.president.lowering import WITH_RUNS
from analyzer.games.president.moves import group_closes, run_closes
from analyzer.games.president.planning import count_fills, fill_at, fill_up, forced, long_segments
from analyzer.games.president.weights import (
    BEATERS,
    CATEGORIES,
    CLOSER,
    EIGHTS,
    JOKER_LEFT,
    LENGTHS,
    LOSERS,
    PLAYS_BITS,
    PLAYS_LEFT,
    RUN_CATEGORIES,
    RUN_LEFT,
    WEIGHTS,
)

__all__ = ["burden_of", "changed_burden", "fewest_losers", "has_one_split", "split_burden"]

I64 = np.int64
U64 = np.uint64


@device(inline=True, borrows=True)
def _group_burden(rules, able, jokers, turned, size, rank, table):
    """What a group that is left costs."""
    if group_closes(rules, rank, turned):
        category = I64(EIGHTS if rank == EIGHT else CLOSER)
    else:
        category = min(I64(group_beaters(rules, able, jokers, turned, size, rank)), I64(BEATERS))
    return WEIGHTS[U64(table + CATEGORIES * (size - 1) + category)]


@device(borrows=True)
def _run_burden(rules, cards, low, length, unseen, most, turned, table):
    """What a run that is left costs; one that is longer than any other hand is beaten by none."""
    beaters = I64(0)
    if length <= most and not run_closes(rules, cards, low, length):
        beaters = run_beaters(rules, unseen, turned, low, length)
    category = min(beaters, 2 + (beaters > 3))
    longer = min(length - SHORTEST, LENGTHS - 1)
    return WEIGHTS[U64(table + RUN_LEFT + RUN_CATEGORIES * longer + category)]


@device(borrows=True)
def _groups_burden(rules, rest, unseen, able, turned, table):
    """What cards that are left as groups cost."""
    jokers = I64(card_count(U64(unseen) >> U64(JOKER)))
    found = I64(0)
    while rest:
        rank = I64(lowest_card(rest)) >> 2
        group = rest & U64(15) << U64(4 * rank)
        rest ^= group
        found += _group_burden(rules, able, jokers, turned, I64(card_count(group)), rank, table)
    return found


@device(inline=True, borrows=True)
def _jokers_burden(jokers, table):
    """What jokers that are left alone cost."""
    found = I64(0)
    if jokers:
        found = WEIGHTS[U64(table + JOKER_LEFT)] + (jokers - 1) * WEIGHTS[U64(table + JOKER_LEFT + 1)]
    return found


@device(inline=True, borrows=True)
def has_one_split(rules, hand):
    """Whether a hand, and whatever is left of it, can only be split into groups: it has neither runs nor jokers."""
    return hand >> JOKER == 0 and (not rules[WITH_RUNS] or long_segments(U64(hand)) == 0)


@device(borrows=True)
def split_burden(rules, hand, unseen, able, most, turned, table):
    """What a hand costs if it is split as it costs least, and in the lowest `PLAYS_BITS` bits its plays then.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    hand, unseen : int
        Its cards, and those that others may hold.
    able : uint64
        What groups others can make, see `control.groups_of`.
    most : int
        Cards that one of them holds at most.
    turned : int
        Whether the order is reversed.
    table : int
        Where the weights begin.
    """
    cards, jokers = U64(hand) & U64(NATURALS), I64(card_count((U64(hand) & U64(CARDS)) >> U64(JOKER)))
    least = _groups_burden(rules, cards, unseen, able, turned, table) + _jokers_burden(jokers, table)
    if not rules[WITH_RUNS]:
        return least
    for number in range(count_fills(cards, jokers)):
        fill = fill_at(cards, number) if number else U64(0)
        segments = long_segments(cards | fill)
        if segments == 0:
            continue
        must = forced(fill, segments)
        may = segments & ~(segments << U64(4)) & ~must
        left = _jokers_burden(jokers - I64(card_count(fill)), table)
        some = may
        while some | must:
            rest = cards & ~fill_up(must | some, segments)
            one = left + _groups_burden(rules, rest, unseen, able, turned, table)
            begins = must | some
            while begins:
                begin = begins & (~begins + U64(1))
                begins ^= begin
                whole = fill_up(begin, segments)
                low, length = I64(lowest_card(begin)) >> 2, I64(card_count(whole))
                one += _run_burden(rules, whole & cards, low, length, unseen, most, turned, table)
            least = min(least, one)
            if some == 0:
                break
            some = (some - U64(1)) & may
    return least


@device(inline=True, borrows=True)
def changed_burden(rules, hand, burden, size, rank, unseen, able, turned, table):
    """The `split_burden` of what is left of a hand that has one split, without a group of some size and rank.

    Parameters
    ----------
    rules, hand, unseen, able, turned, table
        As for `split_burden`.
    burden : int
        The `split_burden` of the hand.
    size, rank : int
        Of the group.
    """
    jokers = I64(card_count(U64(unseen) >> U64(JOKER)))
    has = I64(card_count(U64(hand) >> U64(4 * rank) & U64(15)))
    burden -= _group_burden(rules, able, jokers, turned, has, rank, table)
    if has > size:
        burden += _group_burden(rules, able, jokers, turned, has - size, rank, table)
    return burden


@device(inline=True, borrows=True)
def burden_of(packed, table):
    """What a hand costs, by its `split_burden`: near the end the number of its plays counts by itself."""
    plays = packed & ((1 << PLAYS_BITS) - 1)
    return (packed >> PLAYS_BITS) + WEIGHTS[U64(table + PLAYS_LEFT + min(plays, 7))]


@device(inline=True, borrows=True)
def fewest_losers(rules, hand, unseen, able, most, turned):
    """How many plays of a hand others may beat, if it is split so that these are fewest; see `split_burden`."""
    return split_burden(rules, hand, unseen, able, most, turned, I64(LOSERS))
