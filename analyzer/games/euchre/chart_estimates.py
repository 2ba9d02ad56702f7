"""From tallies of played-out calls to a chart: means drawn towards those of like hands, and the best choices by them.

A row of the chart is seen in a few hundred deals at most, too few to tell 0.1 points. So the mean of a row is drawn
towards the mean of its class, the hands with as many trumps, the same bowers, ace of trump or not, as many aces and
voids of other suits, and a turn-up of the same kind. With n values of mean m in the row, a variance v of values in rows
and a variance t of true means between the rows of the class (both by the method of moments from the class's tallies),
and the class's mean c, the estimate is

    c + w (m - c),  w = n t / (n t + v),

and its squared error t (1 - w) + (1 - w)^2 e, where e = v / N + t sum(n^2) / N^2 is that of the class's mean, N all
values of the class: an empirical-Bayes estimate.

References
----------
B. Efron, C. Morris, "Data analysis using Stein's estimator and its generalizations", JASA 70, 1975.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from analyzer.cards.deck import JOKER
from analyzer.games.euchre.chart_index import chart_rows
from analyzer.games.euchre.chart_policy import ACCEPTED, CONTEXTS, DISCARDS, SECOND_ROUND, SIX
from analyzer.games.euchre.chart_search import SECOND_PASS
from analyzer.games.euchre.layout import SEATS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

SUITS_OF_ROWS = (2, 1, 3, 0)
"""Suits of `chart_rows`, which has hearts turned up, in the order of `chart_index`."""
SIGNIFICANT = 1.0
"""Standard errors by which a choice must be better than that of the policy `rules`, else the latter is kept."""
HOPELESS = 3.0
"""Standard errors by which an option must be worse than the best not to be tried again."""
JACK, ACE = 4, 7
FEW = 30
"""Values below which a class has the variance of all."""
KINDS = ("other", "ace", "jack", "joker")
"""Kinds of turn-ups."""


def hand_features(hands: Ints, turn_ups: Ints, suit: int) -> dict[str, Ints]:
    """What counts in hands if a suit is trump: trumps, bowers, aces and voids of other suits, kind of the turn-up.

    Parameters
    ----------
    hands, turn_ups : (rows,) int64 arrays
        From `chart_rows`.
    suit : int
        Trump.

    Returns
    -------
    dict of str to (rows,) int64 array
        ``bowers`` counts the joker as one; ``best`` has a bit each for right bower, left bower, joker and ace of trump.

    Examples
    --------
    >>> from analyzer.cards.notation import parse_card, parse_cards
    >>> hand, turn_up = np.array([parse_cards("Jh Jd 9h Ac Kc")]), np.array([parse_card("Ah")])
    >>> {name: int(value[0]) for name, value in hand_features(hand, turn_up, 2).items()}
    {'turn_up': 1, 'trumps': 3, 'bowers': 2, 'off_aces': 1, 'voids': 2, 'best': 3}
    """
    of_suit = [hands >> 8 * one & 0xFF for one in range(4)]
    own, sister = of_suit[suit], of_suit[3 - suit]
    right, left, joker = own >> JACK & 1, sister >> JACK & 1, hands >> JOKER & 1
    of_suit[3 - suit] = sister & ~(1 << JACK)
    plain = [cards for one, cards in enumerate(of_suit) if one != suit]
    rank = turn_ups & 7
    up = np.where(turn_ups == JOKER, 3, np.where(rank == JACK, 2, np.where(rank == ACE, 1, 0)))
    return {
        "turn_up": up.astype(np.int64),
        "trumps": np.bitwise_count(own).astype(np.int64) + left + joker,
        "bowers": right + left + joker,
        "off_aces": sum((cards >> ACE & 1 for cards in plain), np.zeros_like(hands)),
        "voids": sum(((cards == 0).astype(np.int64) for cards in plain), np.zeros_like(hands)),
        "best": right | left << 1 | joker << 2 | (own >> ACE & 1) << 3,
    }


@cache
def _hand_classes(deck: int, place: int) -> Ints:
    """(rows,) the class of each row if the suit at a place of the order is trump."""
    rows = chart_rows(deck)
    found = hand_features(rows.hands, rows.turn_ups, SUITS_OF_ROWS[place])
    key = np.zeros(len(rows.hands), np.int64)
    for name in ("turn_up", "trumps", "off_aces", "voids", "best"):
        key = key << 4 | found[name]
    return np.unique(key, return_inverse=True)[1].astype(np.int64)


@cache
def six_cards(deck: int) -> Ints:
    """(rows, 6) the dealer's cards with the turn-up, card numbers in the order that the chart's discards count by."""
    rows = chart_rows(deck)
    six = rows.hands | np.int64(1) << rows.turn_ups
    ordered = np.zeros_like(six)
    for place, suit in enumerate(SUITS_OF_ROWS):
        ordered |= (six >> 8 * suit & 0xFF) << 8 * place
    ordered |= six & np.int64(1) << JOKER
    cards = np.empty((len(six), SIX), np.int64)
    to_suit = np.array([*SUITS_OF_ROWS, 4])
    for place in range(SIX):
        lowest = ordered & -ordered
        ordered ^= lowest
        number = np.bitwise_count(lowest - 1).astype(np.int64)
        cards[:, place] = 8 * to_suit[number >> 3] + (number & 7)
    cards.flags.writeable = False
    return cards


@cache
def _card_classes(deck: int) -> Ints:
    """(rows, 6) the class of each discard: which trump, or its rank and how many of its suit, and all trumps."""
    cards = six_cards(deck)
    suits, ranks = cards >> 3, cards & 7
    trump = SUITS_OF_ROWS[0]
    left = (suits == 3 - trump) & (ranks == JACK)
    is_trump = (suits == trump) | left | (cards == JOKER)
    plain = np.where(is_trump, -1, suits)
    alike = (plain[:, :, None] == plain[:, None, :]).sum(axis=2)
    strength = np.where(cards == JOKER, 10, np.where(left, 8, np.where(ranks == JACK, 9, ranks)))
    kind = np.where(is_trump, strength, 16 + 4 * ranks + np.minimum(alike, 3))
    key = kind << 3 | is_trump.sum(axis=1, keepdims=True)
    return np.unique(key, return_inverse=True)[1].reshape(cards.shape).astype(np.int64)


def drawn_together(tallies: NDArray[np.floating], classes: Ints) -> tuple[Floats, Floats]:
    """Means drawn towards those of their classes, by the formula at the head of this file.

    Parameters
    ----------
    tallies : (rows, 3) array
        Number, sum and sum of squares of the values of each row.
    classes : (rows,) int64 array
        From 0 on.

    Returns
    -------
    tuple of (rows,) arrays
        Means, and their standard errors. Where a class has no values: not a number, and infinite.

    Examples
    --------
    >>> tallies = np.array([[4.0, 8.0, 20.0], [4.0, 0.0, 4.0], [0.0, 0.0, 0.0]])
    >>> means, errors = drawn_together(tallies, np.zeros(3, np.int64))
    >>> means.round(2), errors.round(2)
    (array([1.83, 0.17, 1.  ]), array([0.55, 0.55, 1.63]))
    """
    n, sums, squares = (np.asarray(column, np.float64) for column in tallies.T)
    some = n > 0
    mean = np.divide(sums, n, out=np.zeros_like(n), where=some)

    def of_class(values: Floats) -> Floats:
        return np.bincount(classes, values, minlength=int(classes.max()) + 1).astype(np.float64)

    with np.errstate(invalid="ignore", divide="ignore"):
        total, rows = of_class(n), of_class(some.astype(np.float64))
        spare, inside = np.maximum(total - rows, 0), of_class(squares - sums * mean)
        pooled = inside.sum() / max(spare.sum(), 1.0)
        variance = np.where(spare >= FEW, inside / spare, pooled)
        centre = of_class(sums) / total
        apart = of_class(n * (mean - centre[classes]) ** 2 * some)
        n_squared = of_class(n * n)
        between = (apart - (rows - 1) * variance) / (total - n_squared / total)
        between = np.where(rows > 1, np.maximum(between, 0), 0)
        uncertain = variance / total + between * n_squared / total**2
    spread = between[classes]
    weight = n * spread / np.maximum(n * spread + variance[classes], 1e-9)
    found = centre[classes] + weight * (mean - np.nan_to_num(centre[classes]))
    error = np.sqrt(spread * (1 - weight) + (1 - weight) ** 2 * uncertain[classes])
    known = total[classes] > 0
    return np.where(known, found, np.nan), np.where(known, error, np.inf)


def estimate_calls(deck: int, calls: NDArray[np.floating]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Estimates and their standard errors of what a pass leads to, and by how much each call is better.

    Parameters
    ----------
    deck : int
        Number of cards.
    calls : (rows, 4, slots, 3) array
        From `search_deals`.

    Returns
    -------
    tuple of (rows, 4, slots) float32 arrays
    """
    means, errors = np.empty(calls.shape[:3], np.float32), np.empty(calls.shape[:3], np.float32)
    for slot in range(calls.shape[2]):
        classes = _hand_classes(deck, suit_place(slot, calls.shape[2]))
        for seat in range(SEATS):
            means[:, seat, slot], errors[:, seat, slot] = drawn_together(calls[:, seat, slot], classes)
    return means, errors


def estimate_discards(
    deck: int, discards: NDArray[np.floating], turn_up_discarded: bool
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Estimates and their standard errors of by how much each discard is better than the mean of all.

    Parameters
    ----------
    deck : int
        Number of cards.
    discards : (rows, 3, 6, 3) array
        From `search_deals`.
    turn_up_discarded : bool
        Whether the dealer may discard a turn-up that another player ordered.

    Returns
    -------
    tuple of (rows, 3, 6) float32 arrays
        Not a number and infinite for discards that are not legal.
    """
    classes, cards = _card_classes(deck), six_cards(deck)
    is_turn_up = cards == chart_rows(deck).turn_ups[:, None]
    means, errors = np.empty(discards.shape[:3], np.float32), np.empty(discards.shape[:3], np.float32)
    for context in range(CONTEXTS):
        forbidden = is_turn_up & (context == ACCEPTED or not turn_up_discarded)
        found, error = drawn_together(discards[:, context].reshape(-1, 3), classes.ravel())
        legal = SIX - forbidden.sum(axis=1, keepdims=True)  # the tallies are multiplied by this number
        means[:, context] = np.where(forbidden, np.nan, found.reshape(-1, SIX) / legal)
        errors[:, context] = np.where(forbidden, np.inf, error.reshape(-1, SIX) / legal)
    return means, errors


def suit_place(slot: int, slots: int) -> int:
    """The place in the order of suits of the suit that a slot would make trump; passes go with the turn-up's.

    Examples
    --------
    >>> [suit_place(slot, 10) for slot in range(10)]
    [0, 0, 0, 0, 1, 2, 3, 1, 2, 3]
    """
    if slot <= SECOND_PASS:
        return 0
    suits = (slots - SECOND_PASS - 1) // 2
    return (slot - SECOND_PASS - 1) % suits + 4 - suits


def slots_of_words(words: Ints, slots: int) -> Ints:
    """(rows, 4, 2) the slots that a chart's words choose, by position and round."""
    suits = (slots - SECOND_PASS - 1) // 2
    found = np.empty((len(words), SEATS, 2), np.int64)
    for seat in range(SEATS):
        found[:, seat, 0] = words >> 2 * seat & 3
        choice = words >> SECOND_ROUND + 4 * seat & 15
        alone = choice > 4
        named = choice - 1 - 4 * alone - (4 - suits) + suits * alone
        found[:, seat, 1] = np.where(choice == 0, SECOND_PASS, SECOND_PASS + 1 + named)
    return found


def words_of_slots(chosen: Ints, discards: Ints, slots: int) -> Ints:
    """(rows,) a chart's words that choose slots and, by context, discards."""
    suits = (slots - SECOND_PASS - 1) // 2
    words = np.zeros(len(chosen), np.int64)
    for seat in range(SEATS):
        named = chosen[:, seat, 1] - SECOND_PASS - 1
        alone = named >= suits
        choice = np.where(named < 0, 0, 1 + named % suits + 4 - suits + 4 * alone)
        words |= chosen[:, seat, 0] << 2 * seat | choice << SECOND_ROUND + 4 * seat
    for context in range(CONTEXTS):
        words |= discards[:, context] << DISCARDS + 3 * context
    return words


def improved(
    words: Ints,
    legal: Ints,
    calls: tuple[NDArray[np.float32], NDArray[np.float32]],
    discards: tuple[NDArray[np.float32], NDArray[np.float32]],
) -> tuple[Ints, Ints]:
    """The best chart by estimates, and what is worth trying in the next deals.

    Parameters
    ----------
    words : (rows,) int64 array
        The chart that is kept where no choice is significantly better, that of the policy `rules`.
    legal : (rows, 4) int64 array
        The slots that are legal, a bit each, by position.
    calls, discards : tuple of two arrays
        From `estimate_calls` and `estimate_discards`.

    Returns
    -------
    words : (rows,) int64 array
    options : (rows, 4) int64 array
        Legal slots that may be best.
    """
    slots = calls[0].shape[2]
    kept, chosen = slots_of_words(words, slots), np.empty((len(words), SEATS, 2), np.int64)
    options = np.zeros_like(legal)
    for seat in range(SEATS):
        for which, (first, stop) in enumerate(((0, SECOND_PASS), (SECOND_PASS, slots))):
            value, error = (array[:, seat, first:stop].astype(np.float64) for array in calls)
            value[:, 0], error[:, 0] = 0, 0  # calls are relative to it
            may = (legal[:, seat, None] >> np.arange(first, stop) & 1).astype(bool)
            best = _better(value, error, may, kept[:, seat, which] - first)
            chosen[:, seat, which] = first + best
            top = np.take_along_axis(value, best[:, None], 1)
            hopeful = may & ~(value + HOPELESS * error < top)
            options[:, seat] |= (hopeful.astype(np.int64) << np.arange(first, stop)).sum(axis=1)
    cards = np.empty((len(words), CONTEXTS), np.int64)
    for context in range(CONTEXTS):
        value, error = (array[:, context].astype(np.float64) for array in discards)
        cards[:, context] = _better(value, error, ~np.isnan(value), words >> DISCARDS + 3 * context & 7)
    return words_of_slots(chosen, cards, slots), options


def _better(value: Floats, error: Floats, legal: NDArray[np.bool_], kept: Ints) -> Ints:
    """(rows,) the best legal option where it is significantly better than the kept one, else the kept one."""
    known = np.where(legal & np.isfinite(error), value, -np.inf)
    best = known.argmax(axis=1)
    row = np.arange(len(best))
    with np.errstate(invalid="ignore"):
        gain = known[row, best] - known[row, kept]
    doubt = np.sqrt(error[row, best] ** 2 + error[row, kept] ** 2)
    return np.where(np.isfinite(gain) & (gain > SIGNIFICANT * doubt), best, kept)
