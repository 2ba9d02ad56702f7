"""Double dummy, against plain minimax and by what must hold for any deal."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from analyzer.errors import PositionError, UsageError
from analyzer.games.euchre.double_dummy import DEAL_BLOCK, best_cards, solve_deals, solve_play
from tests.games.euchre.minimax import ACTIVE, DECKS, Position, random_position, relabelled

RIGHT, LEFT, ACE, KING, QUEEN, TEN = (1 << place for place in (57, 56, 55, 54, 53, 51))
"""Trumps."""


def relabelled_deals(deck: int, count: int, seed: int, active: tuple[int, ...] = (0, 1, 2, 3)) -> NDArray[np.uint64]:
    """Random deals of five cards, hearts trump."""
    random = np.random.default_rng(seed)
    cards = np.array([relabelled(card, 2) for card in DECKS[deck]], np.uint64)
    order = random.permuted(np.tile(np.arange(cards.size), (count, 1)), axis=1)[:, :20]
    hands = np.bitwise_or.reduce(cards[order].reshape(count, 4, 5), axis=2)
    hands[:, [seat for seat in range(4) if seat not in active]] = 0
    return hands


def wrong_deals(deck: int, active: tuple[int, ...], count: int, seed: int) -> int:
    """Number of random deals, by every leader and trump, where the two disagree."""
    random = np.random.default_rng(seed)
    positions = [random_position(random, deck, active, 0) for _ in range(count)]
    expected = [position.tricks(0) for position in positions]
    hands = np.array([position.relabelled for position in positions], np.uint64)
    found = solve_deals(hands, [position.leader for position in positions], 0)
    return int((found != expected).sum())


@pytest.mark.parametrize("active", ACTIVE)
@pytest.mark.parametrize("deck", DECKS)
def test_deals_are_worth_what_minimax_finds(deck: int, active: tuple[int, ...]) -> None:
    assert wrong_deals(deck, active, 60, seed=deck) == 0


@pytest.mark.nightly
@pytest.mark.parametrize("active", ACTIVE)
@pytest.mark.parametrize("deck", DECKS)
def test_many_deals_are_worth_what_minimax_finds(deck: int, active: tuple[int, ...]) -> None:
    assert wrong_deals(deck, active, 20_000, seed=1000 + deck) == 0


def check_position(position: Position) -> None:
    """Both sides' tricks, and the value of every card that may be played, are those of minimax."""
    arguments = position.relabelled, position.active, position.leader, position.relabelled_table
    assert [solve_play(*arguments, side=side) for side in (0, 1)] == [position.tricks(0), position.tricks(1)]
    side = position.turn % 2
    cards = {relabelled(card, position.trump): position.tricks_after(card, side) for card in position.legal()}
    found = best_cards(*arguments)
    assert dict(found) == cards
    assert found == tuple(sorted(found, key=lambda value: (-value.tricks, value.card)))
    assert found[0].tricks == solve_play(*arguments, side=side)


@pytest.mark.parametrize("active", ACTIVE)
@pytest.mark.parametrize("deck", DECKS)
def test_positions_and_cards_are_worth_what_minimax_finds(deck: int, active: tuple[int, ...]) -> None:
    random = np.random.default_rng(deck)
    for plays in range(5 * len(active)):
        check_position(random_position(random, deck, active, plays))


@pytest.mark.nightly
@pytest.mark.parametrize("active", ACTIVE)
@pytest.mark.parametrize("deck", DECKS)
def test_many_positions_and_cards_are_worth_what_minimax_finds(deck: int, active: tuple[int, ...]) -> None:
    random = np.random.default_rng(2000 + deck)
    for _ in range(2_000):
        check_position(random_position(random, deck, active, int(random.integers(5 * len(active)))))


@pytest.mark.parametrize("active", ACTIVE)
def test_what_minimax_remembers_changes_nothing(active: tuple[int, ...]) -> None:
    random = np.random.default_rng(6)
    for plays in (2, 4, 5):
        position = random_position(random, 24, active, plays)
        assert position.tricks(0) == position.tricks(0, remember=False)


@pytest.mark.parametrize("active", ACTIVE)
@pytest.mark.parametrize("deck", DECKS)
def test_tricks_of_both_sides_add_up(deck: int, active: tuple[int, ...]) -> None:
    hands = relabelled_deals(deck, 3_000, seed=deck, active=active)
    for leader in active:
        both = solve_deals(hands, leader, 0) + solve_deals(hands, leader, 1)
        assert (both == 5).all()


@pytest.mark.parametrize("thresholds", [(3, 5), (1, 3, 5), (1,), (5,), (2, 4), (3, 6), (7,)])
@pytest.mark.parametrize("side", [0, 1])
def test_thresholds_tell_the_largest_that_is_reached(thresholds: tuple[int, ...], side: int) -> None:
    hands = relabelled_deals(24, 4_000, seed=4)
    leaders = np.arange(4_000) % 4
    tricks = solve_deals(hands, leaders, side)
    assert np.unique(tricks).tolist() == [0, 1, 2, 3, 4, 5]
    expected = np.max([np.where(tricks >= step, step, 0) for step in thresholds], axis=0)
    assert solve_deals(hands, leaders, side, thresholds=thresholds).tolist() == expected.tolist()


@given(st.integers(0, 2**32), st.sampled_from(sorted(DECKS)), st.sampled_from(ACTIVE), st.integers(0, 19))
@settings(max_examples=200)
def test_the_two_suits_of_the_other_colour_are_alike(seed: int, deck: int, active: tuple[int, ...], plays: int) -> None:
    position = random_position(np.random.default_rng(seed), deck, active, plays % (5 * len(active)))
    mirrored = [swapped(hand) for hand in position.relabelled]
    table = [swapped(card) for card in position.relabelled_table]
    expected = best_cards(position.relabelled, active, position.leader, position.relabelled_table)
    found = best_cards(mirrored, active, position.leader, table)
    assert {swapped(value.card): value.tricks for value in found} == dict(expected)


def swapped(cards: int) -> int:
    """Cards with fields 0 and 1 exchanged."""
    return cards & ~0xFFFF_FFFF | (cards & 0xFFFF) << 16 | cards >> 16 & 0xFFFF


@given(st.integers(0, 2**32), st.sampled_from(sorted(DECKS)), st.sampled_from(ACTIVE), st.integers(1, 3))
@settings(max_examples=100)
def test_turning_the_table_changes_nothing(seed: int, deck: int, active: tuple[int, ...], turn: int) -> None:
    position = random_position(np.random.default_rng(seed), deck, active, 0)
    hands = [position.relabelled[(seat - turn) % 4] for seat in range(4)]
    seats = [(seat + turn) % 4 for seat in active]
    here = solve_play(position.relabelled, active, position.leader)
    assert solve_play(hands, seats, (position.leader + turn) % 4, side=turn % 2) == here


def test_batches_are_the_same_for_any_number_of_workers_and_one_by_one() -> None:
    hands = relabelled_deals(32, 2 * DEAL_BLOCK + 100, seed=8)
    leaders, sides = np.arange(len(hands)) % 4, np.arange(len(hands)) // 4 % 2
    tricks = solve_deals(hands, leaders, sides, workers=1)
    for workers in (2, 7):
        assert (solve_deals(hands, leaders, sides, workers=workers) == tricks).all()
    for i in range(0, len(hands), 97):
        alone = solve_play(hands[i].tolist(), leader=int(leaders[i]), side=int(sides[i]))
        assert alone == tricks[i]


def test_neighbours_of_one_deal_share_nothing_that_is_wrong() -> None:
    """Each deal eight times in a row, with every leader and side, and again in another order."""
    hands = np.repeat(relabelled_deals(25, 300, seed=11), 8, axis=0)
    leaders, sides = np.arange(2_400) % 4, np.arange(2_400) // 4 % 2
    together = solve_deals(hands, leaders, sides)
    apart = np.arange(2_400).reshape(300, 8).T.ravel()
    assert (solve_deals(hands[apart], leaders[apart], sides[apart]) == together[apart]).all()
    assert len(np.unique(together.reshape(300, 8)[:, :4], axis=0)) > 50


def test_deals_with_different_hands_out_and_of_different_lengths() -> None:
    hands = relabelled_deals(24, 60, seed=9)
    leaders = np.empty(60, np.int64)
    for i in range(60):
        active = ACTIVE[i % len(ACTIVE)]
        leaders[i] = active[0]
        hands[i, [seat for seat in range(4) if seat not in active]] = 0
        for seat in active:
            while int(hands[i, seat]).bit_count() > 1 + i % 5:
                hands[i, seat] &= hands[i, seat] - np.uint64(1)
    tricks = solve_deals(hands, leaders)
    for i in range(60):
        active = ACTIVE[i % len(ACTIVE)]
        assert tricks[i] == solve_play(hands[i].tolist(), active, active[0])
    assert (tricks <= 1 + np.arange(60) % 5).all()


def test_hands_of_eight_cards() -> None:
    every = [relabelled(card, 0) for card in DECKS[32]]
    random = np.random.default_rng(10)
    hands = np.bitwise_or.reduce(
        random.permuted(np.tile(np.array(every, np.uint64), (30, 1)), axis=1).reshape(30, 4, 8), axis=2
    )
    ours, theirs = solve_deals(hands, 1, 0), solve_deals(hands, 1, 1)
    assert (ours + theirs == 8).all()
    assert len(np.unique(ours)) > 3


def test_five_top_trumps_take_everything_alone_and_with_a_partner() -> None:
    top = RIGHT | LEFT | ACE | KING | QUEEN
    hands = [top, 0b1111 << 2 | 1 << 18, 0b11 << 6 | 0b111 << 19, TEN | 0b11 << 22 | 0b11 << 34]
    for leader in range(4):
        assert solve_play(hands, leader=leader) == 5
    for leader in (0, 1, 3):
        assert solve_play(hands, (0, 1, 3), leader) == 5
        assert solve_play(hands, (0, 1, 3), leader, side=1) == 0
    assert solve_play(hands, (0, 1), 1) == 5


def test_a_guarded_left_bower_takes_a_trick_unless_its_owner_leads() -> None:
    hands = [RIGHT | ACE, LEFT | TEN, 0, 0]
    assert solve_play(hands, (0, 1), leader=0, side=1) == 1
    assert solve_play(hands, (0, 1), leader=1, side=1) == 0
    assert dict(best_cards(hands, (0, 1), leader=0)) == {RIGHT: 1, ACE: 1}
    assert dict(best_cards([RIGHT, LEFT | TEN, 0, 0], (0, 1), table=[ACE])) == {LEFT: 1, TEN: 0}


def test_a_complete_trick_counts_for_its_winner() -> None:
    ace, nine = 1 << 7, 1 << 2
    hands = [1 << 18, 1 << 19, 1 << 20, 1 << 21]
    table = [nine, ace, 1 << 34, 1 << 3]
    assert solve_play(hands, leader=0, table=table, side=1) == 1 + 1
    assert solve_play(hands, leader=0, table=[*table[:2], TEN, table[3]]) == 1
    assert solve_play([0] * 4, leader=2, table=table) == 0
    assert solve_play([0] * 4, leader=3, table=table) == 1


def test_no_cards_are_no_tricks() -> None:
    assert solve_play([0, 0, 0, 0]) == 0
    with pytest.raises(PositionError, match="all hands are empty; nobody is to play"):
        best_cards([0, 0, 0, 0])
    assert solve_deals(np.zeros((0, 4), np.uint64)).shape == (0,)


GOOD = [1 << 2 | 1 << 3, 1 << 4 | 1 << 5, 1 << 6 | 1 << 7, 1 << 18 | 1 << 19]
PART = [1 << 3, *GOOD[1:]]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((GOOD[:3],), "there are 3 hands; give one for each"),
        (([1 << 52 | 1, *GOOD[1:]],), "have cards that do not exist; relabel"),
        (([1 << 36 | 1, *GOOD[1:]],), "have cards that do not exist; relabel"),
        (([-1, *GOOD[1:]],), "have cards that do not exist; relabel"),
        (([GOOD[1], *GOOD[1:]],), "have a card twice"),
        (([GOOD[0] & ~4, *GOOD[1:]],), "wrong lengths"),
        ((GOOD, (0, 2)), "active seats .0, 2. cannot play"),
        ((GOOD, (0, 1, 4)), "cannot play"),
        ((GOOD, ()), "cannot play"),
        ((GOOD, (0, 1, 3), 2), "leader 2 does not play"),
        ((PART, (0, 1, 2, 3), 0, [12]), "0xc on the table is not one card"),
        ((PART, (0, 1, 2, 3), 0, [0]), "0x0 on the table is not one card"),
        ((PART, (0, 1, 2, 3), 0, [1 << 60]), "have cards that do not exist"),
        ((PART, (0, 1, 2, 3), 0, [8]), "have a card twice"),
        ((GOOD, (0, 1, 2, 3), 0, [4]), "have a card twice"),
        ((PART, (0, 1, 2, 3), 1, [4]), "wrong lengths"),
        (([8, 16, *GOOD[2:]], (0, 1, 2, 3), 0, [4, 1 << 20]), "seat 1 played 0x100000 but can follow suit"),
        ((PART, (0, 1), 0, [4, 16, 32]), "3 cards are on the table; 2 seats play"),
    ],
)
def test_positions_that_cannot_be(arguments: tuple[object, ...], complaint: str) -> None:
    for function in (solve_play, best_cards):
        with pytest.raises(PositionError, match=complaint):
            function(*arguments)  # type: ignore[operator]


def test_a_card_is_asked_for_before_the_trick_is_complete() -> None:
    with pytest.raises(PositionError, match="the trick is complete"):
        best_cards([8, 16, 64, 1 << 18], table=[4, 32, 128, 1 << 19])


@pytest.mark.parametrize(
    ("hands", "complaint"),
    [
        ([GOOD, [1 << 52 | 1, *GOOD[1:]]], "deal 1 .* has cards that do not exist"),
        ([[GOOD[1], *GOOD[1:]]], "deal 0 .* has a card twice"),
        ([GOOD, GOOD, [0, *GOOD[1:]]], "deal 2 .* has no card for the leader"),
        ([[GOOD[0], 0, GOOD[2], 0]], "deal 0 .* has one side only"),
        ([[GOOD[0], 1 << 4, *GOOD[2:]]], "deal 0 .* has hands of different lengths"),
    ],
)
def test_deals_that_cannot_be(hands: list[list[int]], complaint: str) -> None:
    with pytest.raises(PositionError, match=complaint):
        solve_deals(hands)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"hands": GOOD}, "shape .4,. of int64"),
        ({"hands": [[1.0, 2.0, 4.0, 8.0]]}, "float64"),
        ({"hands": [GOOD], "leader": 4}, "leader 4 is outside 0..3"),
        ({"hands": [GOOD], "leader": [0, 1]}, "leader has shape .2,."),
        ({"hands": [GOOD], "side": 2}, "side 2 is outside 0..1"),
        ({"hands": [GOOD], "thresholds": ()}, "thresholds are"),
        ({"hands": [GOOD], "thresholds": (3, 3)}, "thresholds are"),
        ({"hands": [GOOD], "thresholds": (0, 3)}, "thresholds are"),
        ({"hands": [GOOD], "workers": 0}, "number of workers"),
    ],
)
def test_arguments_that_make_no_sense(arguments: dict[str, object], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        solve_deals(**arguments)  # type: ignore[arg-type]


def test_there_are_two_sides() -> None:
    with pytest.raises(UsageError, match="side is 2; it must be 0"):
        solve_play(GOOD, side=2)
