from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from math import comb, factorial, prod

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from analyzer.cards.deck import JOKER
from analyzer.engine.jit import kernel
from analyzer.games.euchre.hand import Hand
from analyzer.games.euchre.layout import DEALER, DISCARD, GIVING, HIDDEN, LEFT, LONE, STAGE, TAKEN, TURN_UP
from analyzer.games.euchre.lowering import lower
from analyzer.games.euchre.relabel import physical, relabel
from analyzer.games.euchre.rules import Euchre
from analyzer.games.euchre.worlds import (
    count_worlds,
    dealt,
    decision_number,
    make_world,
    sample_worlds,
    unseen,
    world_count,
)
from tests.games.euchre.random_hands import Played, played_at_random, rules_at_random
from tests.games.euchre_referee import RANKS, SUITS, suit_in_play

FALSE_ALARM = 1e-6
World = tuple[int, ...]
"""What lies in each place, physical sets of cards."""


@kernel
def all_worlds(rules, seat, hand, discard, seen):
    """Every world, by its number."""
    view = unseen(rules, seat, hand, discard, seen)
    found = np.zeros((world_count(view), HIDDEN), np.int64)
    for number in range(found.shape[0]):
        make_world(view, number, found[number])
    return found


def known_to(hand: Hand, seat: int) -> tuple[NDArray[np.int64], int, int, int, NDArray[np.int64]]:
    """What the functions of worlds are given."""
    blind = hand.stage == "naming"
    discard = int(hand.hidden[DISCARD]) if seat == hand.seen[DEALER] else 0
    return lower(hand.rules), seat, 0 if blind else int(hand.hidden[seat]), discard, hand.seen


def plain(worlds: NDArray[np.int64], trump: str) -> set[World]:
    """The worlds as physical sets of cards."""
    suit = SUITS.find(trump) if trump else -1
    return {tuple(int(cards) if suit < 0 else int(physical(cards, suit)) for cards in world) for world in worlds}


def number_of(card: str) -> int:
    return JOKER if card == "*" else 8 * SUITS.index(card[1]) + RANKS.index(card[0])


def deck(rules: Euchre) -> list[str]:
    """All cards of the deck."""
    cards = [rank + suit for suit in SUITS for rank in (RANKS if rules.deck in ("32", "33") else RANKS[2:])]
    return cards + ["*"] * (rules.deck in ("25", "33"))


def as_set(cards: tuple[str, ...]) -> int:
    return sum(1 << number_of(card) for card in cards)


def parted(cards: tuple[str, ...], sizes: list[int]) -> Iterator[list[tuple[str, ...]]]:
    """All ways to give so many cards to each place; the last list is what is left."""
    if not sizes:
        yield [cards]
        return
    for chosen in combinations(cards, sizes[0]):
        for others in parted(tuple(card for card in cards if card not in chosen), sizes[1:]):
            yield [chosen, *others]


def enumerated(played: Played, seat: int) -> set[World]:
    """All worlds that agree with what a seat has seen, one by one, from the record of the hand."""
    hand, rules, trump = played.hand, played.hand.rules, played.trump
    players, dealer, stage = int(rules.players), played.dealer, hand.stage
    turn_up = next(card for card in deck(rules) if number_of(card) == hand.seen[TURN_UP])
    taken = bool(hand.seen[TAKEN] == 1)
    own = [card for card in deck(rules) if hand.held(seat) >> number_of(card) & 1]
    buried = taken and stage != "discard"
    sizes = [5 - len(played.cards[one]) + (one == dealer and stage == "discard") for one in range(players)]
    gone = {card for cards in played.cards for card in cards} | set(own) | (set() if taken else {turn_up})
    if buried and seat == dealer:
        gone.add(played.discard)
    free = tuple(card for card in deck(rules) if card not in gone)
    others = [one for one in range(players) if one != seat]
    asked = [sizes[one] for one in others] + ([1] if buried and seat != dealer else [])
    found = set()
    for part in parted(free, asked):
        held: dict[int, tuple[str, ...]] = dict(zip(others, part, strict=False)) | {seat: tuple(own)}
        discard = (played.discard,) if seat == dealer else part[len(others)] if buried else ()
        discard = discard if buried else ()
        had = {one: (*held[one], *played.cards[one]) for one in held}
        if any(suit_in_play(card, trump) in played.voids[one] for one in others if trump for card in held[one]):
            continue
        if taken and turn_up not in (*had[dealer], *discard):
            continue
        kept = rules.discard_turn_up == "forbidden" or played.maker == dealer
        if turn_up in discard and kept:
            continue
        if not may_have_called(played, had, turn_up):
            continue
        places = [as_set(held.get(one, ())) for one in range(4)]
        found.add((*places, as_set(part[-1]), as_set(discard)))
    return found


def may_have_called(played: Played, had: dict[int, tuple[str, ...]], turn_up: str) -> bool:
    """Whether the maker might name his suit, if he had to hold it."""
    rules, maker = played.hand.rules, played.maker
    if not rules.call_needs_suit or not played.trump or played.blind:
        return True
    if not played.second and maker == played.dealer:
        return True
    suits = {card[1:] for card in had[maker]}
    if played.trump in suits:
        return True
    proposed = rules.joker_turn_up[0] if turn_up == "*" else turn_up[1]
    allowed = {suit for suit in SUITS if rules.name_turned_down or suit != proposed}
    return rules.stick_dealer and played.second and maker == played.dealer and not suits & allowed


def small_positions(count: int, seed: int) -> Iterator[tuple[Played, int]]:
    """Positions of random hands, and a seat, with so few unseen cards that worlds can be enumerated."""
    rng = np.random.default_rng(seed)
    while count:
        rules = rules_at_random(rng, best_card=False)
        least = {"2": 0, "3": 2, "4": 3}[rules.players]
        played = played_at_random(rules, rng, int(rng.integers(1, 30)), tricks=least)
        if played.hand.over or (rules.players == "2" and rules.deck in ("32", "33")):
            continue
        seat = int(rng.integers(int(rules.players)))
        if played.hand.stage == "naming" and seat == played.dealer:
            continue
        if count_worlds(*known_to(played.hand, seat)) <= 12_000:
            count -= 1
            yield played, seat


def test_worlds_are_those_that_enumeration_finds() -> None:
    stages, needed = set(), 0
    for played, seat in small_positions(70, seed=1):
        known = known_to(played.hand, seat)
        worlds = all_worlds(*known)
        found = plain(worlds, played.trump)
        assert len(found) == len(worlds) == count_worlds(*known)
        assert found == enumerated(played, seat)
        stages.add((played.hand.rules.players, played.hand.stage))
        needed += played.hand.rules.call_needs_suit and played.hand.stage == "play"
    assert {("2", "first round"), ("2", "discard"), ("2", "play"), ("3", "play"), ("4", "play")} <= stages
    assert needed >= 10


def test_what_a_stuck_dealer_needs_is_counted() -> None:
    """The dealer, who must name a suit and hold it, is free if he has none that he may name."""
    hand = Hand.start(
        Euchre(players="2", stick_dealer=True, call_needs_suit=True),
        [as_set(("9c", "Tc", "Jc", "Qc", "Kc")), as_set(("9h", "Th", "Jh", "Qh", "Kh"))],
        turn_up=number_of("Ad"),
        dealer=1,
    )
    for text in ("pass", "pass", "pass", "h"):
        hand.choose(text)
    worlds = plain(all_worlds(*known_to(hand, 0)), "h")
    # He has one of six hearts, or all five diamonds, which were turned down.
    assert len(worlds) == comb(18, 5) - comb(12, 5) + 1
    assert as_set(("9d", "Td", "Jd", "Qd", "Kd")) in {world[1] for world in worlds}


@pytest.mark.parametrize("which", range(6))
def test_drawn_worlds_are_equally_likely(which: int) -> None:
    found = 0
    for played, seat in small_positions(400, seed=40 + which):
        known = known_to(played.hand, seat)
        number = int(count_worlds(*known))
        if not 30 <= number <= 2_000:
            continue
        found += 1
        drawn = sample_worlds(*known, 60_000, 9, which, 3)
        _, counts = np.unique(drawn, axis=0, return_counts=True)
        counts = np.concatenate([counts, np.zeros(number - len(counts))])
        assert stats.chisquare(counts).pvalue > FALSE_ALARM / 18
        if found == 3:
            return
    raise AssertionError("too few positions")


def ways(unseen_cards: int, *sizes: int) -> int:
    """Multinomial: what is over is left."""
    return factorial(unseen_cards) // prod(map(factorial, (*sizes, unseen_cards - sum(sizes))))


@pytest.mark.parametrize(("size", "players"), list(product((24, 25, 32, 33), (2, 3, 4))))
def test_whole_deals_are_counted_exactly(size: int, players: int) -> None:
    if players == 3 and size in (25, 33):
        return
    rules = Euchre(deck=str(size), players=str(players))
    hand = Hand.start(rules, [0x7C << 8 * seat for seat in range(players)], turn_up=7, dealer=players - 1)
    for seat in range(players):
        assert count_worlds(*known_to(hand, seat)) == ways(size - 6, *[5] * (players - 1))
    hand.choose("order")
    hand.choose("take")
    assert count_worlds(*known_to(hand, 0)) == ways(size - 6, *[5] * (players - 1))
    hand.choose(hand.legal[0])
    # The dealer buried one of the six that he had: the turn-up, or one of the others.
    assert count_worlds(*known_to(hand, 0)) == 6 * ways(size - 6, *[5] * (players - 1))
    assert count_worlds(*known_to(hand, players - 1)) == ways(size - 6, *[5] * (players - 1))


def test_the_largest_number_is_exact() -> None:
    rules = Euchre(deck="33")
    hand = Hand.start(rules, [0x7C << 8 * seat for seat in range(4)], turn_up=JOKER, dealer=3)
    assert count_worlds(*known_to(hand, 3)) == ways(32, 5, 5, 5, 5) < 2**62


def test_what_cannot_be_has_no_world() -> None:
    hand = Hand.deal(Euchre(), seed=3, dealer=0)
    rules, seat, cards, discard, seen = known_to(hand, 1)
    too_many = cards | (int(hand.hidden[LEFT]) & -int(hand.hidden[LEFT]))
    assert count_worlds(rules, seat, too_many, discard, seen) == 0


def test_worlds_lead_to_what_was_seen() -> None:
    """The record of a hand can be played again from the deal of every world, and ends in the same place."""
    rng = np.random.default_rng(5)
    changed = 0
    for _ in range(250):
        rules = rules_at_random(rng)
        played = played_at_random(rules, rng, int(rng.integers(0, 30)))
        hand = played.hand
        if hand.over:
            continue
        for seat in range(int(rules.players)):
            known = known_to(hand, seat)
            for world in sample_worlds(*known, 4, 1, 2, 3):
                everything = 0 if hand.seen[TAKEN] == 1 else 1 << int(hand.seen[TURN_UP])
                for cards in next(iter(plain(world[None], played.trump))):
                    assert not everything & cards
                    everything |= cards
                everything |= sum(as_set(tuple(cards)) for cards in played.cards)
                assert everything == as_set(tuple(deck(rules)))
                assert [int(c).bit_count() for c in world[:4]] == [int(c).bit_count() for c in hand.hidden[:4]]
                if rules.best_card and hand.seen[LONE] and hand.seen[STAGE] >= GIVING:
                    changed += 1
                    continue
                deal = np.zeros(HIDDEN, np.int64)
                dealt(world, hand.seen, deal)
                again = Hand.start(
                    rules, [int(c) for c in deal[: int(rules.players)]], int(hand.seen[TURN_UP]), played.dealer
                )
                for text in played.choices(world):
                    again.choose(text)
                assert np.array_equal(again.seen, hand.seen)
                assert np.array_equal(again.hidden, world)
    assert changed > 20


def test_the_true_world_is_possible() -> None:
    """Whatever happened, also after cards were changed, every card is where the view allows it."""
    rng = np.random.default_rng(8)
    for _ in range(300):
        rules = rules_at_random(rng)
        played = played_at_random(rules, rng, int(rng.integers(0, 30)))
        hand = played.hand
        if hand.over:
            continue
        for seat in range(int(rules.players)):
            view = unseen(*known_to(hand, seat))
            for card, allowed in zip(view.cards, view.allowed, strict=True):
                (place,) = (place for place in range(HIDDEN) if hand.hidden[place] & card)
                assert allowed >> place & 1


def test_the_turn_up_is_with_the_dealer_or_buried() -> None:
    hand = Hand.deal(Euchre(dealer_pickup="mandatory"), seed=5, dealer=3)
    hand.choose("order")
    hand.choose(hand.legal[0])
    turn_up = int(relabel(1 << int(hand.seen[TURN_UP]), int(hand.seen[TURN_UP]) >> 3))
    worlds = sample_worlds(*known_to(hand, 0), 60_000, 1, 0, 0)
    with_dealer = int((worlds[:, 3] & turn_up != 0).sum())
    assert with_dealer + int((worlds[:, DISCARD] & turn_up != 0).sum()) == len(worlds)
    assert stats.binomtest(with_dealer, len(worlds), 5 / 6).pvalue > FALSE_ALARM


def test_decisions_of_a_hand_have_numbers_of_their_own() -> None:
    rng = np.random.default_rng(11)
    for _ in range(100):
        numbers = played_at_random(
            rules_at_random(rng), rng, 60, note=lambda hand: int(decision_number(hand.seen))
        ).notes
        assert len(set(numbers)) == len(numbers)
        assert max(numbers) < 128
