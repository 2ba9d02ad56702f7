"""Deals: exactly uniform by construction, equal to a plain reference, addressed, and as they were (golden)."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from analyzer.cards.deck import (
    DEAL,
    DEALT,
    DECKS,
    HAND,
    JOKER,
    LEFT,
    SEATS,
    TURNED,
    Deals,
    arrange,
    cards_in,
    deal,
    deal_by,
    deal_many,
    deals,
    draw,
)
from analyzer.cards.notation import card_name, cards_text
from analyzer.errors import RulesError
from tests.engine.test_streams import FALSE_ALARM, multiply_shift, reference_bounded, reference_words

U32 = 2**32
MANY = 100_000

u64 = st.integers(0, 2**64 - 1)
sizes = st.integers(1, 60)


def word_bounds(size: int, drawn: int) -> list[list[int]]:
    """The bounds of the choices that share a random word, word by word: as many as keep their product below 2**32."""
    groups: list[list[int]] = []
    product = U32
    for bound in range(size, size - drawn, -1):
        product *= bound
        if product >= U32:
            groups.append([])
            product = bound
        groups[-1].append(bound)
    return groups


def reference_draw(seed: int, index: int, step: int, slot: int, deck: list[int], drawn: int) -> tuple[list[int], int]:
    """The drawn cards, and how many words were rejected."""
    cards, rejected, place = list(deck), 0, 0
    for number, bounds in enumerate(word_bounds(len(deck), drawn)):
        address = (seed, index, step, slot + number // 4)
        product = int(np.prod(bounds, dtype=object))
        word = reference_words(*address)[number % 4]
        rejected += multiply_shift(word, product, 32) is None
        value = reference_bounded(word, product, address, number % 4)
        for bound in bounds:
            product //= bound
            choice, value = divmod(value, product)
            cards[place], cards[place + choice] = cards[place + choice], cards[place]
            place += 1
    return cards[:drawn], rejected


def drawn_cards(seed: int, index: int, step: int, slot: int, deck: list[int], drawn: int) -> list[int]:
    order = np.zeros(len(deck), np.uint8)
    typed = (np.uint64(seed), np.uint64(index), np.uint32(step), np.int64(slot))
    draw(*typed, np.array(deck, np.uint8), drawn, order)
    assert sorted(order.tolist()) == sorted(deck)
    return order[:drawn].tolist()


def test_decks_hold_the_cards_of_their_names() -> None:
    ranks = {24: "9TJQKA", 25: "9TJQKA", 32: "789TJQKA", 33: "789TJQKA"}
    assert DECKS.keys() == ranks.keys()
    for size, cards in DECKS.items():
        names = {rank + suit for suit in "cdhs" for rank in ranks[size]} | ({"*"} if size % 2 else set())
        assert {card_name(card) for card in cards_in(cards).tolist()} == names
        assert len(names) == size == cards.bit_count()
    assert cards_in(1 << JOKER | 1).tolist() == [0, JOKER]


@pytest.mark.parametrize(("size", "first"), [(1, 0), (4, 0), (5, 0), (5, 2), (6, 0)])
def test_the_numbers_of_a_word_are_all_orders_once(size: int, first: int) -> None:
    """The words of a number, from its first to its last, give one order; different numbers give different ones."""
    bound = int(np.prod(range(1, size - first + 1), dtype=object))
    seen = set()
    for number in range(bound):
        lowest, highest = -(-number * U32 // bound), -(-(number + 1) * U32 // bound) - 1
        orders = []
        for word in (lowest, (lowest + highest) // 2, highest):
            order = np.arange(size, dtype=np.uint8)
            arrange(np.uint64(word), order, first, size)
            orders.append(tuple(order.tolist()))
        assert orders[0] == orders[1] == orders[2]
        assert orders[0][:first] == tuple(range(first))
        seen.add(orders[0])
    assert len(seen) == bound


@given(u64, u64, st.integers(0, U32 - 1), st.integers(0, 1000), sizes, st.data())
def test_draws_equal_the_reference(seed: int, index: int, step: int, slot: int, size: int, data: st.DataObject) -> None:
    drawn = data.draw(st.integers(0, size))
    deck = list(range(100, 100 + size))
    assert drawn_cards(seed, index, step, slot, deck, drawn) == reference_draw(seed, index, step, slot, deck, drawn)[0]


def test_rejected_words_are_replaced_as_in_the_reference() -> None:
    deck = list(range(32))
    rejections = 0
    for index in range(300):
        expected, rejected = reference_draw(5, index, 0, 0, deck, DEAL)
        rejections += rejected
        assert drawn_cards(5, index, 0, 0, deck, DEAL) == expected
    assert rejections > 20  # the first word alone is rejected in one deal of eleven


def test_a_deal_takes_one_slot() -> None:
    assert all(len(word_bounds(size, DEAL)) <= 4 for size in DECKS)


@pytest.mark.parametrize("size", DECKS)
def test_deals_give_every_card_a_place(size: int) -> None:
    made = deals(size, seed=3, count=500)
    ups = np.uint64(1) << made.turn_up.astype(np.uint64)
    parts = np.column_stack([made.hands, ups, made.left])
    assert (np.bitwise_or.reduce(parts, axis=1) == DECKS[size]).all()
    assert (np.bitwise_count(parts) == [HAND] * SEATS + [1, size - DEAL]).all()


def test_deals_are_addressed() -> None:
    whole = deals(32, seed=11, count=40)
    later = deals(32, seed=11, first=25, count=15)
    for one, other in zip(whole, later, strict=True):
        assert np.array_equal(one[25:], other)
    deck = cards_in(DECKS[32])
    single = deal(11, 30, 0, deck, np.zeros_like(deck))
    assert single == (*whole.hands[30].tolist(), whole.turn_up[30], whole.left[30])
    assert deal(11, 30, 1, deck, np.zeros_like(deck)) != single
    assert not np.array_equal(deals(32, seed=12, count=40).hands, whole.hands)


@pytest.mark.parametrize("size", DECKS)
def test_words_at_hand_give_the_deal_of_their_address(size: int) -> None:
    """Rejected words included: their spare words are looked up by the address."""
    deck = cards_in(DECKS[size])
    for index in range(40):
        words = map(np.uint32, reference_words(11, index, 2, 0))
        made = deal_by(*words, 11, index, 2, deck, np.zeros_like(deck))
        assert made == deal(11, index, 2, deck, np.zeros_like(deck))
        cards, _ = reference_draw(11, index, 2, 0, deck.tolist(), DEAL)
        hands = [sum(1 << card for card in cards[HAND * seat : HAND * seat + HAND]) for seat in range(SEATS)]
        assert made == (*hands, cards[-1], DECKS[size] - sum(hands) - (1 << cards[-1]))


@pytest.mark.parametrize("size", DECKS)
@pytest.mark.parametrize("count", [1, 300])
def test_many_deals_are_the_single_ones(size: int, count: int) -> None:
    """Some of their words are rejected: the first one alone in one deal of eleven or more."""
    deck = cards_in(DECKS[size])
    drawn = np.array([reference_words(11, 70 + k, 2, 0) for k in range(count)], np.uint32).T.copy()
    dealt, places = np.full((count, DEALT), -1), np.empty((DEAL, count), np.uint8)
    deal_many(drawn, np.uint64(11), np.uint64(70), 2, deck, np.empty(count, np.uint64), places, dealt)
    for k, row in enumerate(dealt):
        *hands, turn_up, left = deal(11, 70 + k, 2, deck, np.zeros_like(deck))
        assert [*row[:SEATS], row[TURNED], row[LEFT]] == [*hands, turn_up, left]


def placed(made: Deals, deck: list[int]) -> np.ndarray:
    """(cards, 6) how often each card was in each hand, turned up, or left."""
    ups = np.uint64(1) << made.turn_up.astype(np.uint64)
    parts = np.column_stack([made.hands, ups, made.left])
    return np.array([((parts >> np.uint64(card)) & np.uint64(1)).sum(axis=0) for card in deck])


@pytest.mark.parametrize("size", DECKS)
def test_every_card_is_everywhere_equally_often(size: int) -> None:
    deck = cards_in(DECKS[size]).tolist()
    counts = placed(deals(size, seed=2, count=MANY), deck)
    expected = MANY * np.array([HAND] * SEATS + [1, size - DEAL]) / size
    # Cards exclude each other from a place: that shrinks the statistic's degrees of freedom and stretches its scale.
    statistic = ((counts - expected) ** 2 / expected).sum() * (size - 1) / size
    assert stats.chi2.sf(statistic, (size - 1) * (SEATS + 1)) > FALSE_ALARM


@pytest.mark.parametrize("size", DECKS)
def test_suits_fall_together_by_chance_only(size: int) -> None:
    """Numbers of hearts in two hands of the same deal: the multivariate hypergeometric law."""
    made = deals(size, seed=4, count=MANY)
    hearts = DECKS[size] & 0xFF0000
    pairs = np.bitwise_count(made.hands[:, [1, 2]] & np.uint64(hearts))
    ways = hearts.bit_count()
    others = size - ways
    observed, expected = [], []
    for first in range(HAND + 1):
        for second in range(HAND + 1):
            share = comb(ways, first) * comb(others, HAND - first) / comb(size, HAND)
            if first + second > ways:
                assert not ((pairs == [first, second]).all(axis=1)).any()
                continue
            share *= comb(ways - first, second) * comb(others - HAND + first, HAND - second) / comb(size - HAND, HAND)
            observed.append(int((pairs == [first, second]).all(axis=1).sum()))
            expected.append(share * MANY)
    rare = np.array(expected) < 25
    seen, hoped = np.array(observed), np.array(expected)
    seen = np.append(seen[~rare], seen[rare].sum())
    hoped = np.append(hoped[~rare], hoped[rare].sum())
    assert stats.chisquare(seen, hoped).pvalue > FALSE_ALARM


GOLDEN = {
    24: [
        "As Js Ah Td 9c | Ks Qh Jh Ad Jd | Kh Th 9h Qd Qc | Ts 9s 9d Ac Tc | Kc | Qs Kd Jc",
        "Ks 9s Ah Kh Qc | Qs Js Td 9d Tc | Qh Jh Qd Jd Ac | Ts 9h Kd Jc 9c | As | Th Ad Kc",
    ],
    25: [
        "As Js 9s Kh Jh | Qs 9h Qd Ac Jc | Qh Td 9d Qc 9c | Ks Ts Ad Kc Tc | Jd | * Ah Th Kd",
        "Js 9s Kh Qh 9d | Ks Kd Jd Tc 9c | * Qs Ts Th Ac | As Jh 9h Td Jc | Qc | Ah Ad Qd Kc",
    ],
    32: [
        "8s Ah Ad Td Tc | Qs Qh Qd 9d Ac | As Ts 9s 7h Kc | Js Th 8h Qc Jc | Kd | Ks 7s Kh Jh 9h Jd 8d 7d 9c 8c 7c",
        "Kh Qh Jh 7h Kd | Js 9s 8s Jd 7d | As Th 8h Jc Tc | Ts 9d Ac Kc Qc | Td | Ks Qs 7s Ah 9h Ad Qd 8d 9c 8c 7c",
    ],
    33: [
        "Qs 8s 9h Qd Qc | Ks 9s Td 8d 7d | 7s Th Kd 9d Jc | Js Ts 7h Ad Jd | * | As Ah Kh Qh Jh 8h Ac Kc Tc 9c 8c 7c",
        "Kh Qh Th Kc Qc | Qs 8s 7s Ah 7c | * As Js Td 9c | 9s Ad Kd 7d Tc | Ac | Ks Ts Jh 9h 8h 7h Qd Jd 9d 8d Jc 8c",
    ],
}
"""The hands of seats 0 to 3, the turn-up and what is left, of deals 0 and 1 under seed 1."""


@pytest.mark.parametrize("size", DECKS)
def test_golden_deals(size: int) -> None:
    """They change only together with STREAM_VERSION."""
    made = deals(size, seed=1, count=2)
    shown = []
    for row in range(2):
        sets = [cards_text(int(cards)) for cards in (*made.hands[row], made.left[row])]
        shown.append(" | ".join([*sets[:4], card_name(int(made.turn_up[row])), sets[4]]))
    assert shown == GOLDEN[size]


def test_no_deals() -> None:
    assert deals(24, seed=0, count=0).hands.shape == (0, 4)


@pytest.mark.parametrize(
    ("deck", "seed", "first", "count", "complaint"),
    [
        (52, 0, 0, 1, "deck = 52 is no deck; choose from: 24, 25, 32, 33"),
        (24, -1, 0, 1, "seed = -1 is outside"),
        (24, 0, 2**63, 1, "first = 9223372036854775808 is outside"),
        (24, 0, 0, 1.5, "count = 1.5 is not a whole number"),
    ],
)
def test_numbers_out_of_range(deck: int, seed: int, first: int, count: int, complaint: str) -> None:
    with pytest.raises(RulesError, match=complaint):
        deals(deck, seed=seed, first=first, count=count)
