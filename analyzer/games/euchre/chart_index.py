"""Rows of the bidding chart of Euchre: hands and turn-ups numbered up to the symmetry of the suits.

What counts of a suit is whether it is the turn-up's, the other one of that colour, or of the other colour; the two of
the other colour are alike. So a hand is four sets of ranks, the *order* of suits being the turn-up's suit, its sister,
and of the other two the one with the greater set of ranks first. An order is kept in two bits a place.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from analyzer.cards.bits import card_count
from analyzer.cards.deck import HAND, JOKER
from analyzer.engine.jit import device

if TYPE_CHECKING:
    from numpy.typing import NDArray

I64 = np.int64
U64 = np.uint64
SUIT = 0xFF
NONE = 0

# Places in the array of an index.
LOWEST = 0
"""The lowest rank of the deck: 2 for the nine, 0 for the seven."""
START = 1
"""and the next 8: the first row of each rank of the turn-up, and of the joker."""
JOKER_UP = 8
NAMED = START + 9
"""and the next 5: sets of so many cards of the sister suit."""
PAIRS = NAMED + HAND + 1
"""and the next 5: unordered pairs of sets of so many cards of the other colour."""
PARTS = PAIRS + HAND + 1
"""and the next 143: where hands of so many cards start, by turned-up joker, other colour, turn-up's suit, joker."""
RANK = PARTS + 2 * 6 * 6 * 2
"""and the next 255: number of each set of ranks among those of its size."""
PAIR = RANK + 256
"""and on, by both sets: number of each pair of sets of ranks of the other colour among those of its size."""


class ChartRows(NamedTuple):
    """An example of each row."""

    hands: NDArray[np.int64]
    """(rows,) a set of five cards, a bit per card number."""
    turn_ups: NDArray[np.int64]
    """(rows,) number of the card that is turned up."""
    counts: NDArray[np.int64]
    """(rows,) how many pairs of hand and turn-up have this row."""


@device(borrows=True)
def suit_order(hand: Any, proposed: Any) -> Any:
    """The order of the suits for a hand: two bits a place.

    Parameters
    ----------
    hand : int
        A set of five cards, a bit per card number.
    proposed : int
        The suit of the turn-up.

    Examples
    --------
    >>> from analyzer.cards.notation import parse_cards
    >>> order = suit_order(parse_cards("Jh Ah Kd 9s Qc"), 2)
    >>> [order >> 2 * place & 3 for place in range(4)]  # hearts, diamonds, clubs, spades
    [2, 1, 0, 3]
    """
    low = I64(0 if proposed in (1, 2) else 1)
    high = 3 - low
    if hand >> 8 * high & SUIT < hand >> 8 * low & SUIT:
        low, high = high, low
    return proposed | (3 - proposed) << 2 | high << 4 | low << 6


@device(borrows=True)
def chart_row(index: Any, hand: Any, turn_up: Any, order: Any) -> Any:
    """The row of a hand.

    Parameters
    ----------
    index : (entries,) int32 array
        From `chart_index`.
    hand : int
        A set of five cards, a bit per card number.
    turn_up : int
        Number of the card.
    order : int
        From `suit_order`.

    Examples
    --------
    >>> from analyzer.cards.notation import parse_card, parse_cards
    >>> hand, mirrored = parse_cards("Jh Ah Kd 9s Qc"), parse_cards("Jd Ad Kh 9c Qs")
    >>> index = chart_index(24)
    >>> int(chart_row(index, hand, parse_card("10h"), suit_order(hand, 2)))
    25160
    >>> int(chart_row(index, mirrored, parse_card("10d"), suit_order(mirrored, 1)))
    25160
    """
    lowest = I64(index[LOWEST])
    width = 8 - lowest
    own = (hand >> 8 * (order & 3) & SUIT) >> lowest
    sister = (hand >> 8 * (order >> 2 & 3) & SUIT) >> lowest
    first = (hand >> 8 * (order >> 4 & 3) & SUIT) >> lowest
    second = (hand >> 8 * (order >> 6 & 3) & SUIT) >> lowest
    held = hand >> JOKER & 1
    kind = I64(JOKER_UP)
    up = I64(1)
    if turn_up != JOKER:
        kind, up = I64(turn_up & 7), I64(0)
        below = (1 << kind - lowest) - 1
        own = own & below | own >> 1 & ~below  # one rank of the suit cannot be held
    others = I64(card_count(U64(first))) + I64(card_count(U64(second)))
    owns = I64(card_count(U64(own)))
    named = HAND - others - owns - held
    part = index[U64(PARTS + ((up * 6 + others) * 6 + owns) * 2 + held)]
    sets = I64(index[U64(RANK + own)]) * index[U64(NAMED + named)] + index[U64(RANK + sister)]
    pair = index[U64(PAIR + (first << width) + second)]
    return index[U64(START + kind)] + part + sets * index[U64(PAIRS + others)] + pair


@cache
def chart_index(deck: int) -> NDArray[np.int32]:
    """The tables by which `chart_row` numbers rows, in one array.

    Parameters
    ----------
    deck : int
        Number of cards: 24, 25, 32 or 33.

    Returns
    -------
    (entries,) int32 array
        Read only.

    Examples
    --------
    >>> chart_index(24).shape
    (4518,)
    """
    width = _width(deck)
    index = np.zeros(PAIR + (1 << 2 * width), np.int32)
    index[LOWEST] = 8 - width
    for size in range(HAND + 1):
        index[NAMED + size] = comb(width, size)
        for number, ranks in enumerate(_sets(8, size)):
            index[RANK + ranks] = number
        pairs = _pairs(width, size)
        index[PAIRS + size] = len(pairs)
        for number, (first, second) in enumerate(pairs):
            index[PAIR + (first << width) + second] = index[PAIR + (second << width) + first] = number
    start = 0
    for turn_up in _turn_ups(deck):
        kind = JOKER_UP if turn_up == JOKER else turn_up
        index[START + kind] = start
        up = int(turn_up == JOKER)
        part = 0
        for others, owns, held, named in _parts(deck, up):
            index[PARTS + ((up * 6 + others) * 6 + owns) * 2 + held] = part
            part += comb(width - 1 + up, owns) * comb(width, named) * int(index[PAIRS + others])
        start += part
    index.flags.writeable = False
    return index


@cache
def chart_rows(deck: int, suit: int = 2) -> ChartRows:
    """An example of each row, in ascending order of the rows.

    Parameters
    ----------
    deck : int
        Number of cards.
    suit : int, optional
        The suit of all the turn-ups, and what a joker that is turned up stands for; hearts by default.

    Examples
    --------
    >>> from analyzer.cards.notation import card_name, cards_text
    >>> rows = chart_rows(24)
    >>> len(rows.hands), int(rows.counts.sum())  # 24 * C(23, 5)
    (105798, 807576)
    >>> cards_text(int(rows.hands[25160])), card_name(int(rows.turn_ups[25160]))
    ('Qs Ah Jh Kd 9c', 'Th')
    """
    width = _width(deck)
    lowest = 8 - width
    low = 0 if suit in {1, 2} else 1
    hands, turn_ups, counts = [], [], []
    for turn_up in _turn_ups(deck):
        up = int(turn_up == JOKER)
        for others, owns, held, named in _parts(deck, up):
            own = np.array(_sets(width - 1 + up, owns), np.int64)
            if not up:
                below = (1 << turn_up - lowest) - 1
                own = own & below | (own & ~below) << 1
            sister = np.array(_sets(width, named), np.int64)
            pairs = np.array(_pairs(width, others), np.int64)
            high_first = pairs[:, 0] << 8 * (3 - low) | pairs[:, 1] << 8 * low
            cards = own[:, None, None] << 8 * suit | sister[:, None] << 8 * (3 - suit) | high_first
            hands.append((cards << lowest | held << JOKER).ravel())
            turn_ups.append(np.full(cards.size, JOKER if up else 8 * suit + turn_up))
            alike = np.where(pairs[:, 0] == pairs[:, 1], 1, 2) * (1 if up else 4)
            counts.append(np.broadcast_to(alike, cards.shape).ravel())
    rows = ChartRows(np.concatenate(hands), np.concatenate(turn_ups), np.concatenate(counts))
    for array in rows:
        array.flags.writeable = False
    return rows


def _width(deck: int) -> int:
    """Ranks of a suit."""
    return 6 if deck < 32 else 8


def _turn_ups(deck: int) -> list[int]:
    """Ranks of the turn-up, and the joker."""
    return [*range(8 - _width(deck), 8), *([JOKER] if deck % 2 else [])]


def _parts(deck: int, up: int) -> list[tuple[int, int, int, int]]:
    """Numbers of cards of the other colour, of the turn-up's suit, of jokers, and of the sister suit."""
    jokers = deck % 2 - up
    width = _width(deck)
    return [
        (others, owns, held, HAND - others - owns - held)
        for others in range(HAND + 1)
        for owns in range(min(HAND - others, width - 1 + up) + 1)
        for held in range(jokers + 1)
        if HAND - others - owns - held >= 0
    ]


def _sets(width: int, size: int) -> list[int]:
    """Sets of ranks of a size, in ascending order."""
    return sorted(sum(1 << rank for rank in ranks) for ranks in combinations(range(width), size))


def _pairs(width: int, size: int) -> list[tuple[int, int]]:
    """Pairs of sets of ranks, the greater first, with so many cards in all."""
    return sorted(
        (first, second)
        for more in range(size + 1)
        for first in _sets(width, more)
        for second in _sets(width, size - more)
        if first >= second
    )
