"""A hand of President split into the fewest plays.

Whatever is not in runs falls into groups by rank, so a split is the choice of its runs. A run that is taken may as well
take all of its *segment*: the cards of a suit that lie without a gap around it; two runs of a segment may as well be
one. So only whole segments of three or more are taken or left. A joker fills one gap between segments, or makes three
of a segment of two, or joins any play that has room; all that it may *fill* are bits again.
"""

from __future__ import annotations

import numpy as np

from analyzer.cards.bits import card_count, lowest_card
from analyzer.engine.jit import device
from analyzer.games.president.control import (
    EVERY,
    group_beaters,
    group_closes,
    groups_of,
    run_beaters,
    run_closes,
)
from analyzer.games.president.layout import ALIKE, JOKER, JOKERS, LOW, NATURALS, RANKS, RUN, SHORTEST, TWO
from analyzer.games.president.lowering import WITH_RUNS
from analyzer.games.president.plays import is_run, low_of, size_of

__all__ = ["PLAN", "count_fills", "fewest_plays", "fill_at", "fill_up", "forced", "long_segments", "plan", "ranks_in"]

I64 = np.int64
U64 = np.uint64

PLAN = 24
"""Size of an array for the plays of a plan."""


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


@device(borrows=True)
def plan(rules, hand, unseen, turned, plays):
    """A split of a hand into the fewest plays, of these one with the fewest losers.

    A *loser* is a play that others may beat. A card at an end of a long run goes to the group of its rank if there are
    fewer losers then. Jokers that fill no gap join the play that they save from being a loser, else the lowest one.

    Parameters
    ----------
    rules : (LOWERED,) int64 array
    hand, unseen : int
        Its cards, and those that others may hold, see `control.unseen_cards`.
    turned : int
        Whether the order is reversed.
    plays : (PLAN,) int64 array
        Filled with the plays, runs first, then groups from the lowest rank on.

    Returns
    -------
    int64
        How many plays there are.
    """
    cards, jokers = U64(hand) & U64(NATURALS), I64(card_count(U64(hand) >> U64(JOKER)))
    count = _write(rules, cards, U64(0), U64(0), jokers, unseen, turned, plays)
    least = count * PLAN + _losers(rules, unseen, turned, plays, count)
    best_fill, best_begins = U64(0), U64(0)
    for number in range(count_fills(cards, jokers) if rules[WITH_RUNS] else 0):
        fill = fill_at(cards, number)
        segments = long_segments(cards | fill)
        must = forced(fill, segments)
        may = segments & ~(segments << U64(4)) & ~must
        some = may
        while some | must:
            count = _write(rules, cards, fill, must | some, jokers, unseen, turned, plays)
            one = count * PLAN + _losers(rules, unseen, turned, plays, count)
            if one < least:
                least, best_fill, best_begins = one, fill, must | some
            if some == 0:
                break
            some = (some - U64(1)) & may
    return _write(rules, cards, best_fill, best_begins, jokers, unseen, turned, plays)


@device(borrows=True)
def _write(rules, cards, fill, begins, jokers, unseen, turned, plays):
    """Write down the plays of a split by the first cards of its runs; how many there are."""
    segments = long_segments(cards | fill)
    rest = cards & ~fill_up(begins, segments)
    count = I64(0)
    while begins:
        begin = begins & (~begins + U64(1))
        begins ^= begin
        whole = fill_up(begin, segments)
        low, length = I64(lowest_card(begin)) >> 2, I64(card_count(whole))
        for end in range(2):
            card = begin << U64(4 * (length - 1)) if end else begin
            if length > SHORTEST and card & cards and _better_in_group(rules, card, rest, length, unseen, turned):
                rest |= card
                whole ^= card
                low, length = low + 1 - end, length - 1
                begin = begin if end else begin << U64(4)
        filled = I64(card_count(whole & fill))
        plays[count] = I64(whole & cards) | ((1 << filled) - 1) << JOKER | low << LOW | 1 << RUN
        jokers -= filled
        count += 1
    while rest:
        low = I64(lowest_card(rest)) >> 2
        group = rest & U64(15) << U64(4 * low)
        rest ^= group
        plays[count] = I64(group) | low << LOW
        count += 1
    for _ in range(jokers):
        if not _join(rules, unseen, turned, plays, count):
            # The second of two jokers for which there is no room joins the first.
            if count and low_of(plays[count - 1]) == JOKERS:
                plays[count - 1] |= 2 << JOKER
            else:
                plays[count] = 1 << JOKER | JOKERS << LOW
                count += 1
    return count


@device(borrows=True)
def _better_in_group(rules, card, rest, length, unseen, turned):
    """Whether a card at an end of a run saves the group of its rank from being a loser."""
    rank = I64(lowest_card(card)) >> 2
    group = I64(card_count(rest >> U64(4 * rank) & U64(15)))
    if group == 0 or length <= SHORTEST:
        return False
    able, jokers = groups_of(unseen, ALIKE), I64(card_count(U64(unseen) >> U64(JOKER)))
    if group_closes(rules, turned, rank) or group_beaters(rules, able, jokers, turned, group, rank) == 0:
        return False
    return group_beaters(rules, able, jokers, turned, group + 1, rank) == 0


@device(borrows=True)
def _is_loser(rules, play, unseen, turned):
    """Whether others may beat a play."""
    low, size = low_of(play), I64(size_of(play))
    if is_run(play):
        if run_closes(rules, U64(play) & U64(NATURALS), low, size):
            return False
        return run_beaters(rules, unseen, turned, low, size) > 0
    if group_closes(rules, turned, low):
        return False
    jokers = I64(card_count(U64(unseen) >> U64(JOKER)))
    return group_beaters(rules, groups_of(unseen, ALIKE), jokers, turned, size, low) > 0


@device(borrows=True)
def _losers(rules, unseen, turned, plays, count):
    found = I64(0)
    for place in range(count):
        found += _is_loser(rules, plays[place], unseen, turned)
    return found


@device(borrows=True)
def _join(rules, unseen, turned, plays, count):
    """Add a joker to a play; whether there is room."""
    found = I64(-1)
    for place in range(count):
        play = plays[place]
        if low_of(play) < JOKERS and size_of(play) < (RANKS if is_run(play) else ALIKE):
            if _is_loser(rules, play, unseen, turned) and not _is_loser(rules, _joined(play), unseen, turned):
                plays[place] = _joined(play)
                return True
            if found < 0 or low_of(play) < low_of(plays[found]):
                found = I64(place)
    if found >= 0:
        plays[found] = _joined(plays[found])
    return found >= 0


@device(inline=True, borrows=True)
def _joined(play):
    """A play with one joker more; a run has it above its highest card, or below if that is a 2."""
    jokers = I64(card_count((U64(play) >> U64(JOKER)) & U64(3)))
    below = is_run(play) and low_of(play) + size_of(play) > TWO
    return (play | (1 << jokers) << JOKER) - (below << LOW)
