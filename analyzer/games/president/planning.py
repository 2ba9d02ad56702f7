"""A hand of President split into the fewest plays.

Whatever is not in runs falls into groups by rank, so a split is the choice of its runs. A run that is taken may as well
take all of its *segment*: the cards of a suit that lie without a gap around it; two runs of a segment may as well be
one. So only whole segments of three or more are taken or left. A joker fills one gap between segments, or makes three
of a segment of two, or joins any play that has room; all that it may *fill* are bits again.
"""

from __future__ import annotations

import numpy as np

from analyzer.cards.bits import card_count
from analyzer.engine.jit import device
from analyzer.games.president.control import EVERY
from analyzer.games.president.layout import ALIKE, JOKER, NATURALS, RANKS, TWO
from analyzer.games.president.lowering import WITH_RUNS

__all__ = ["count_fills", "fewest_plays", "fill_at", "fill_up", "forced", "long_segments", "ranks_in"]

I64 = np.int64
U64 = np.uint64


@device(inline=True, borrows=True)
def ranks_in(cards):
    """Number of ranks of some cards, jokers not among them.

    Examples
    --------
    >>> ranks_in(0b0001_0000_0110)
    2
    """
    word = U64(cards)
    word |= word >> U64(1)
    word |= word >> U64(2)
    return I64(card_count(word & U64(EVERY)))


@device(inline=True, borrows=True)
def long_segments(cards):
    """Those of some cards that lie in segments of three or more.

    Examples
    --------
    >>> bin(long_segments(np.uint64(0b0011_0001_0101_0001)))
    '0b1000100010001'
    """
    tops = cards & cards << U64(4) & cards << U64(8)
    return tops | tops >> U64(4) | tops >> U64(8)


@device(inline=True, borrows=True)
def fill_up(begins, segments):
    """All cards of those segments that begin with one of some cards."""
    found, through = begins, segments
    for step in range(4):
        found |= through & found << U64(4 << step)
        through &= through << U64(4 << step)
    return found


@device(inline=True, borrows=True)
def forced(fill, segments):
    """The first cards of the segments that have one of some cards."""
    found, through = fill & segments, segments
    for step in range(4):
        found |= through & found >> U64(4 << step)
        through &= through >> U64(4 << step)
    return found & ~(segments << U64(4))


@device(inline=True, borrows=True)
def _gaps(cards):
    """Cards that one joker may stand for in a run that is more than a run with a joker at its end."""
    between = ~cards & cards << U64(4) & cards >> U64(4)
    # The upper card of each segment of two; the joker goes above it, or below if it is a 2.
    upper = cards & cards << U64(4) & ~(cards << U64(8)) & ~(cards >> U64(4))
    return (between | upper << U64(4) | upper >> U64(4 * TWO) << U64(4 * TWO - 8)) & U64(NATURALS)


@device(inline=True, borrows=True)
def _wide_gaps(cards):
    """The lower of the two cards that two jokers may stand for between segments."""
    return cards << U64(4) & ~cards & ~(cards >> U64(4)) & cards >> U64(8) & U64(NATURALS)


@device(inline=True, borrows=True)
def count_fills(cards, jokers):
    """In how many ways jokers may fill gaps of some cards, none of them doing so being one.

    Parameters
    ----------
    cards : uint64
        Without the jokers.
    jokers : int
    """
    if jokers == 0:
        return I64(1)
    gaps = I64(card_count(_gaps(cards)))
    if jokers == 1:
        return 1 + gaps
    return 1 + gaps + gaps * (gaps - 1) // 2 + card_count(_wide_gaps(cards))


@device(borrows=True)
def fill_at(cards, number):
    """The way in which jokers may fill gaps with a number: the cards that they stand for."""
    if number == 0:
        return U64(0)
    gaps = _gaps(cards)
    count = I64(card_count(gaps))
    number -= 1
    if number < count:
        return _bit(gaps, number)
    number -= count
    second = I64(1)
    while second < count and number >= second:
        number -= second
        second += 1
    if second < count:
        return _bit(gaps, second) | _bit(gaps, number)
    lower = _bit(_wide_gaps(cards), number)
    return lower | lower << U64(4)


@device(inline=True, borrows=True)
def _bit(cards, number):
    for _ in range(number):
        cards &= cards - U64(1)
    return cards & (~cards + U64(1))


@device(inline=True, borrows=True)
def _too_many(left, runs, taken, groups, rest):
    """Whether jokers that fill no gap find no room in the plays of a split, 0 or 1: they are one more play then."""
    if left == 0:
        return I64(0)
    room = RANKS * runs - card_count(taken) + ALIKE * groups - card_count(rest)
    return I64(room < left)


@device(borrows=True)
def fewest_plays(rules, hand):
    """The fewest plays that a hand can be split into.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    hand : int
        A set of cards.

    Returns
    -------
    int64

    Examples
    --------
    >>> from analyzer.games.president.lowering import lower
    >>> from analyzer.games.president.notation import parse_cards
    >>> from analyzer.games.president.rules import President
    >>> rules = lower(President(jokers=1))
    >>> [int(fewest_plays(rules, parse_cards(hand))) for hand in ("5h 6h 7h 7c 9h", "5h 7h 9h 7c *")]
    [3, 3]
    """
    cards = U64(hand) & U64(NATURALS)
    jokers = I64(card_count(U64(hand) >> U64(JOKER)))
    groups = ranks_in(cards)
    fewest = groups + _too_many(jokers, I64(0), U64(0), groups, cards)
    if not rules[WITH_RUNS]:
        return fewest
    for number in range(count_fills(cards, jokers)):
        fill = fill_at(cards, number) if number else U64(0)
        segments = long_segments(cards | fill)
        if segments:
            must = forced(fill, segments)
            may = segments & ~(segments << U64(4)) & ~must
            left = jokers - card_count(fill)
            some = may
            while True:
                taken = fill_up(must | some, segments)
                runs, rest = I64(card_count(must | some)), cards & ~taken
                groups = ranks_in(rest)
                fewest = min(fewest, runs + groups + _too_many(left, runs, taken, groups, rest))
                if some == 0:
                    break
                some = (some - U64(1)) & may
    return fewest
