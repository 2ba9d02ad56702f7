"""Double dummy: how many tricks a side takes when all hands are open and everybody plays best.

Hands and cards are sets of cards relabelled by trump (`relabel`). Seats are 0 to 3 clockwise; side 0 has seats 0 and 2,
side 1 seats 1 and 3.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analyzer.engine.blocks import Block, plan
from analyzer.engine.executors import map_threads
from analyzer.errors import PositionError, UsageError
from analyzer.fields import shown
from analyzer.games.euchre.relabel import legal_plays
from analyzer.games.euchre.search import search_positions

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

__all__ = ["CardValue", "best_cards", "solve_deals", "solve_play"]

CARDS = 0x07EF_00EF_00FF_00FF
"""Every card of every deck."""
DEAL_BLOCK = 1 << 12
"""Deals that a thread solves at a time."""
EVERYBODY = (0, 1, 2, 3)
U64 = np.uint64


class CardValue(NamedTuple):
    """A card that may be played, and the tricks that its side then takes, those of this and all later tricks."""

    card: int
    """A set of one card."""
    tricks: int


def solve_play(
    hands: Sequence[int],
    active: Collection[int] = EVERYBODY,
    leader: int = 0,
    table: Sequence[int] = (),
    *,
    side: int = 0,
) -> int:
    """Tricks that a side takes by best play of everybody, of those not yet finished.

    Parameters
    ----------
    hands : sequence of four int
        What each seat holds, without the cards on the table. Hands of seats that sit out are not looked at.
    active : collection of int, optional
        The seats that play: all, three of them (one is alone) or two of different sides (both are alone).
    leader : int, optional
        The seat that leads to the trick, or led to it.
    table : sequence of int, optional
        The cards of the trick so far, in the order in which they were played.
    side : int, optional
        0 for seats 0 and 2, 1 for seats 1 and 3.

    Returns
    -------
    int
        From 0 to the number of tricks that are left, the one on the table included.

    Raises
    ------
    PositionError
        If no play leads there: a card that does not exist or lies in two places, hands of wrong lengths, seats that
        cannot be, or a suit that was not followed.
    UsageError
        If there is no such side.

    Notes
    -----
    Alpha-beta search with null windows (J. Pearl, "Scout: a simple game-searching algorithm with proven optimal
    properties", AAAI 1980), one of equivalent cards, sure tricks of trump, and positions at the start of tricks kept.

    Examples
    --------
    >>> from analyzer.cards.notation import parse_cards
    >>> from analyzer.games.euchre.relabel import relabel
    >>> cards = ["Jh Kh 9h Ac Kc", "Jd Ah Ad Jc Qc", "10h Kd Qd As Ks", "Qh 10d 9d Js Qs"]
    >>> hands = [relabel(parse_cards(hand), 2) for hand in cards]  # hearts are trump
    >>> solve_play(hands, leader=0)
    4
    >>> solve_play(hands, active=(0, 1, 3), leader=1)  # seat 0 is alone, the seat on his left leads
    3
    """
    tricks_left, everything, forced = _read(hands, active, leader, table)
    _check_side(side)
    return int(_search([everything], leader, [forced], side, range(1, tricks_left + 1))[0])


def best_cards(
    hands: Sequence[int], active: Collection[int] = EVERYBODY, leader: int = 0, table: Sequence[int] = ()
) -> tuple[CardValue, ...]:
    """Every card that the seat in turn may play, and what its side takes by it; the best first.

    Parameters
    ----------
    hands, active, leader, table
        As for `solve_play`.

    Returns
    -------
    tuple of CardValue
        In descending order of tricks; equally good cards in ascending order, so that low plain cards come first.

    Raises
    ------
    PositionError
        As for `solve_play`, and if all hands are empty or the trick is complete.

    Examples
    --------
    The player with the right bower should lead a trump.

    >>> from analyzer.cards.notation import cards_text, parse_cards
    >>> from analyzer.games.euchre.relabel import physical, relabel
    >>> cards = ["Jh Kh 9h Ac Kc", "Jd Ah Ad Jc Qc", "10h Kd Qd As Ks", "Qh 10d 9d Js Qs"]
    >>> hands = [relabel(parse_cards(hand), 2) for hand in cards]
    >>> [(cards_text(physical(card, 2)), tricks) for card, tricks in best_cards(hands)]
    [('9h', 4), ('Kh', 4), ('Jh', 4), ('Kc', 3), ('Ac', 3)]
    """
    tricks_left, everything, forced = _read(hands, active, leader, table)
    order = _clockwise(active, leader)
    if not tricks_left or len(table) == len(order):
        why = "the trick is complete" if table else "all hands are empty"
        raise PositionError(f"{why}; nobody is to play, ask before the last card")
    seat = order[len(table)]
    cards = _single_cards(_legal(hands[seat], table))
    n = len(cards)
    tricks = _search([everything] * n, leader, [forced | card for card in cards], seat % 2, range(1, tricks_left + 1))
    found = [CardValue(card, int(number)) for card, number in zip(cards, tricks, strict=True)]
    return tuple(sorted(found, key=lambda value: (-value.tricks, value.card)))


def solve_deals(
    hands: ArrayLike,
    leader: ArrayLike = 0,
    side: ArrayLike = 0,
    *,
    thresholds: Sequence[int] | None = None,
    workers: int | None = None,
) -> NDArray[np.int8]:
    """Tricks that a side takes by best play of everybody, for many deals before the first lead.

    Parameters
    ----------
    hands : (deals, 4) array of uint64
        What each seat holds; 0 for seats that sit out.
    leader : int or (deals,) array of int, optional
        The seat that leads.
    side : int or (deals,) array of int, optional
        The side whose tricks are counted, such as the makers: 0 for seats 0 and 2, 1 for seats 1 and 3.
    thresholds : sequence of int, optional
        The numbers of tricks that matter, ascending; by default all. With (1, 3, 5) the result is the largest of these
        that the side reaches, or 0. This tells all points there are and takes about half the time.
    workers : int, optional
        Number of threads; by default one per processor. The result does not depend on it.

    Returns
    -------
    (deals,) array of int8

    Raises
    ------
    PositionError
        If a deal cannot be, or its leader has no cards.
    UsageError
        If shapes, sides, thresholds or the number of workers are wrong.

    Examples
    --------
    >>> from analyzer.cards.deck import deals
    >>> from analyzer.games.euchre.relabel import relabel
    >>> hands = [[relabel(hand, 2) for hand in row] for row in deals(24, seed=7, count=8).hands]  # hearts are trump
    >>> solve_deals(hands)
    array([3, 2, 5, 1, 2, 2, 0, 2], dtype=int8)
    >>> solve_deals(hands, thresholds=(3, 5))
    array([3, 0, 5, 0, 0, 0, 0, 0], dtype=int8)
    """
    sets = np.asarray(hands)
    if sets.ndim != 2 or sets.shape[1] != 4 or sets.dtype.kind not in "iu":
        raise UsageError(f"hands have shape {sets.shape} of {sets.dtype}; they must be integers of shape (deals, 4)")
    sets = sets.astype(U64)
    leaders, sides = (
        _per_deal(name, given, len(sets), most) for name, given, most in (("leader", leader, 3), ("side", side, 1))
    )
    if not len(sets):
        return np.zeros(0, np.int8)
    _check_deals(sets, leaders)
    steps = _checked_thresholds(thresholds, int(np.bitwise_count(sets).max()))
    tricks = np.empty(len(sets), np.int8)
    nothing = np.zeros(len(sets), U64)

    def solve(block: Block) -> None:
        of = slice(block.start, block.stop)
        search_positions(sets[of], leaders[of], nothing[of], sides[of], steps, tricks[of])

    map_threads(solve, plan(len(sets), DEAL_BLOCK), workers)
    return tricks


def _search(
    hands: Sequence[Sequence[int]], leader: int, forced: Sequence[int], side: int, thresholds: Sequence[int]
) -> NDArray[np.int8]:
    """What a side takes from each of some positions with the same leader."""
    n = len(hands)
    tricks = np.empty(n, np.int8)
    search_positions(
        np.array(hands, U64),
        np.full(n, leader, np.int64),
        np.array(forced, U64),
        np.full(n, side, np.int64),
        np.array(thresholds, np.int64),
        tricks,
    )
    return tricks


def _read(
    hands: Sequence[int], active: Collection[int], leader: int, table: Sequence[int]
) -> tuple[int, list[int], int]:
    """Tricks left, hands with what lies on the table, and the cards on the table, of a position that can be."""
    if len(hands) != 4:
        raise PositionError(f"there are {len(hands)} hands; give one for each of the four seats")
    _check_seats(active, leader)
    order = _clockwise(active, leader)
    if len(table) > len(order):
        raise PositionError(f"{len(table)} cards are on the table; {len(order)} seats play, take finished tricks away")
    everything = [int(hand) if seat in active else 0 for seat, hand in enumerate(hands)]
    played = [int(card) for card in table]
    if any(card < 0 or card & ~CARDS for card in everything + played):
        wrong = _hexadecimal(everything + played)
        raise PositionError(f"hands and table {wrong} have cards that do not exist; relabel them by trump")
    for place, (seat, card) in enumerate(zip(order, played, strict=False)):
        if card.bit_count() != 1:
            raise PositionError(f"{card:#x} on the table is not one card; give a set of one card")
        if not _legal(everything[seat] | card, played[:place]) & card:
            raise PositionError(f"seat {seat} played {card:#x} but can follow suit; correct the table or the hand")
    lying = dict(zip(order, played, strict=False))
    complete = [hand | lying.get(seat, 0) for seat, hand in enumerate(everything)]
    if sum(map(int.bit_count, everything + played)) != int.bit_count(_union(complete)):
        raise PositionError(f"hands and table {_hexadecimal(everything + played)} have a card twice; correct them")
    if len({complete[seat].bit_count() for seat in order}) > 1:
        raise PositionError(
            f"hands {_hexadecimal(everything)} have wrong lengths; each seat has as many cards as the others,"
            " less the one that it has on the table"
        )
    return complete[leader].bit_count(), complete, _union(played)


def _check_seats(active: Collection[int], leader: int) -> None:
    if not set(active) <= set(EVERYBODY) or len({seat % 2 for seat in active}) != 2:
        raise PositionError(f"active seats {shown(tuple(active))} cannot play; choose from 0 to 3, some of each side")
    if leader not in active:
        raise PositionError(f"leader {shown(leader)} does not play; choose one of {shown(tuple(active))}")


def _check_deals(hands: NDArray[np.uint64], leaders: NDArray[np.int64]) -> None:
    """Raise PositionError at the first deal that cannot be."""
    counts = np.bitwise_count(hands)
    union = np.bitwise_or.reduce(hands, axis=1)
    length = counts[np.arange(len(hands)), leaders]
    complaints = {
        "has cards that do not exist; relabel it by trump": (hands & ~U64(CARDS)).any(axis=1),
        "has a card twice; deal every card once": np.bitwise_count(union) != counts.sum(axis=1),
        "has no card for the leader; choose a seat that plays": length == 0,
        "has one side only; deal to seats of both": (counts[:, ::2] == 0).all(axis=1)
        | (counts[:, 1::2] == 0).all(axis=1),
        "has hands of different lengths; give as many cards to each seat that plays": (
            (counts != 0) & (counts != length[:, None])
        ).any(axis=1),
    }
    for complaint, wrong in complaints.items():
        if wrong.any():
            deal = int(np.argmax(wrong))
            raise PositionError(f"deal {deal} ({_hexadecimal(hands[deal])}) {complaint}")


def _per_deal(name: str, given: ArrayLike, deals: int, most: int) -> NDArray[np.int64]:
    values = np.asarray(given)
    if values.dtype.kind not in "iu" or values.shape not in {(), (deals,)}:
        raise UsageError(
            f"{name} has shape {values.shape} of {values.dtype}; give an integer, or one for each of {deals} deals"
        )
    wrong = values[(values < 0) | (values > most)]
    if wrong.size:
        raise UsageError(f"{name} {wrong.flat[0]} is outside 0..{most}; choose a number in that range")
    return np.broadcast_to(values, (deals,)).astype(np.int64)


def _checked_thresholds(thresholds: Sequence[int] | None, tricks: int) -> NDArray[np.int64]:
    if thresholds is None:
        return np.arange(1, tricks + 1)
    steps = np.asarray(thresholds)
    if steps.ndim != 1 or not steps.size or steps.dtype.kind not in "iu" or steps[0] < 1 or (np.diff(steps) <= 0).any():
        raise UsageError(f"thresholds are {shown(thresholds)}; give ascending numbers of tricks from 1")
    return steps.astype(np.int64)


def _check_side(side: int) -> None:
    if side not in {0, 1}:
        raise UsageError(f"side is {shown(side)}; it must be 0 (seats 0 and 2) or 1 (seats 1 and 3)")


def _clockwise(active: Collection[int], leader: int) -> list[int]:
    """The seats that play, from the leader on."""
    return [seat % 4 for seat in range(leader, leader + 4) if seat % 4 in active]


def _legal(hand: int, table: Sequence[int]) -> int:
    """The cards of a hand that may be played to what is on the table."""
    return int(legal_plays(U64(hand), U64(table[0] if table else 0)))


def _union(sets: Sequence[int]) -> int:
    return reduce(or_, sets, 0)


def _hexadecimal(sets: Iterable[int]) -> str:
    return " ".join(f"{cards:#x}" for cards in sets)


def _single_cards(cards: int) -> list[int]:
    return [1 << place for place in range(64) if cards >> place & 1]
