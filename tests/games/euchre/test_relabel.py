"""Relabelled hands against the plain referee: every card, every trump, legal plays and winners of tricks."""

from __future__ import annotations

from itertools import combinations, permutations, product
from random import Random

import numpy as np
import pytest

from analyzer.cards.notation import SUITS, card_name, cards_text, parse_card, parse_cards
from analyzer.engine.jit import kernel
from analyzer.games.euchre.relabel import (
    TRUMPS,
    field_of,
    led_field,
    legal_plays,
    physical,
    physical_card,
    relabel,
    winning_card,
)
from analyzer.games.euchre.rules import Euchre
from tests.games.euchre_referee import SAME_COLOUR, deck_of, legal_cards, order_of, suit_in_play, winner_of

ALL = [card_name(card) for card in range(33)]


def relabelled(cards: str, trump: str) -> int:
    return int(relabel(parse_cards(cards), SUITS.index(trump)))


def written(cards: int, trump: str) -> str:
    return cards_text(int(physical(cards, SUITS.index(trump))))


@pytest.mark.parametrize("trump", SUITS)
def test_every_card_has_its_bit(trump: str) -> None:
    """The bits as the layout is described, from the order of the cards in each suit."""
    plain = sorted(suit for suit in SUITS if suit not in {trump, SAME_COLOUR[trump]})
    for place, suit in enumerate([*sorted(plain, key=SUITS.index), SAME_COLOUR[trump], trump]):
        ranks = [rank for rank in "789TJQKA" if rank != "J" or suit in plain]
        bits = {rank + suit: 16 * place + "789TJQKA".index(rank) for rank in ranks}
        if suit == trump:
            bits |= {"J" + SAME_COLOUR[trump]: 56, "J" + trump: 57, "*": 58}
        assert sorted(bits, key=lambda card: bits[card]) == [card for card in order_of(suit, trump) if card in bits]
        for card, bit in bits.items():
            assert relabelled(card, trump) == 1 << bit
            assert physical_card(1 << bit, SUITS.index(trump)) == parse_card(card)
            assert field_of(SUITS.index(suit), SUITS.index(trump)) == place
            assert led_field(1 << bit) == 0xFFFF << 16 * place
    assert relabelled(" ".join(ALL), trump).bit_count() == 33


@pytest.mark.parametrize("trump", SUITS)
def test_sets_come_back(trump: str) -> None:
    rng = Random(1)
    for _ in range(500):
        cards = rng.getrandbits(33)
        here = relabel(cards, SUITS.index(trump))
        assert physical(here, SUITS.index(trump)) == cards
        assert sum(relabel(1 << card, SUITS.index(trump)) for card in range(33) if cards >> card & 1) == here


@pytest.mark.parametrize(
    ("trick", "winner"),
    [("9d Jd Ad 9h", "Jd"), ("Jd Ah Jh 9h", "Jh"), ("Ac Kd 9c Qs", "Ac"), ("Jh * Ah 9h", "*"), ("Jc Js Ac", "Ac")],
)
def test_examples_of_tricks(trick: str, winner: str) -> None:
    led = trick.split(maxsplit=1)[0]
    assert written(winning_card(relabelled(trick, "h"), relabelled(led, "h")), "h") == winner


@pytest.mark.parametrize(
    ("led", "hand", "legal"),
    [
        ("9d", "Jd As 9h", "Jd As 9h"),
        ("9h", "Jd Ad", "Jd"),
        ("Jd", "Kd 9h", "9h"),
        ("*", "Jd Kd", "Jd"),
        ("9s", "Ah Jd *", "Ah Jd *"),
        ("", "Kd 9h", "Kd 9h"),
    ],
)
def test_examples_of_following_suit(led: str, hand: str, legal: str) -> None:
    plays = written(legal_plays(relabelled(hand, "h"), relabelled(led, "h")), "h")
    assert set(plays.split()) == set(legal.split())


@kernel
def _all_pairs(hands, leads, trump, legal):
    for row in range(hands.shape[0]):
        legal[row] = physical(legal_plays(relabel(hands[row], trump), relabel(leads[row], trump)), trump)


@pytest.mark.parametrize(("deck", "trump"), list(product(("24", "25", "32"), SUITS)))
def test_legal_plays_of_random_hands_in_a_kernel(deck: str, trump: str) -> None:
    rng = Random(f"{deck}{trump}")
    pairs = [(rng.sample(deck_of(Euchre(deck=deck)), 6)) for _ in range(500)]
    sizes = [rng.randint(1, 5) for _ in pairs]
    hands = [cards[1 : 1 + size] for cards, size in zip(pairs, sizes, strict=True)]
    masks = np.array([parse_cards(" ".join(hand)) for hand in hands], np.uint64)
    leads = np.array([parse_cards(cards[0]) for cards in pairs], np.uint64)
    legal = np.zeros(len(pairs), np.uint64)
    _all_pairs(masks, leads, SUITS.index(trump), legal)
    for row, hand in enumerate(hands):
        assert set(cards_text(int(legal[row])).split()) == set(legal_cards(hand, pairs[row][0], trump))


@pytest.mark.parametrize("trump", SUITS)
def test_winners_of_all_tricks_of_random_hands(trump: str) -> None:
    """Every legal trick, of two, three and four players, that hands of three cards can make."""
    rng = Random(trump)
    for players in (2, 3, 4):
        for _ in range(3):
            cards = rng.sample(ALL, 3 * players)
            hands = [cards[3 * seat : 3 * seat + 3] for seat in range(players)]
            tricks = 0
            for trick in product(*hands):
                if any(card not in legal_cards(hand, trick[0], trump) for card, hand in zip(trick, hands, strict=True)):
                    continue
                tricks += 1
                winner = trick[winner_of(trick, trump)]
                here = relabelled(" ".join(trick), trump)
                assert written(winning_card(here, relabelled(trick[0], trump)), trump) == winner
            assert tricks


def test_pairs_of_cards_beat_each_other_as_ordered() -> None:
    """All tricks of two cards: the second wins if it is a higher card of the led suit, or a trump upon a plain card."""
    for trump in SUITS:
        for led, other in permutations(ALL, 2):
            suit, second = suit_in_play(led, trump), suit_in_play(other, trump)
            order = order_of(suit, trump)
            beaten = order.index(other) > order.index(led) if second == suit else second == trump
            here = winning_card(relabelled(f"{led} {other}", trump), relabelled(led, trump))
            assert written(here, trump) == (other if beaten else led)
            assert winner_of([led, other], trump) == int(beaten)


def test_trumps_are_the_highest_field() -> None:
    for high, low in combinations(reversed(order_of("s", "s")), 2):
        assert relabelled(high, "s") > relabelled(low, "s")
    assert relabelled(" ".join(order_of("s", "s")), "s") & ~TRUMPS == 0
