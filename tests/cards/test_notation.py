"""How cards are written and read: every form, every card, and one line for what is no card."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.cards.deck import JOKER
from analyzer.cards.notation import card_name, cards_text, parse_card, parse_cards, parse_suit
from analyzer.errors import PositionError


@given(st.integers(0, 2**33 - 1))
def test_sets_are_read_as_they_are_written(cards: int) -> None:
    assert parse_cards(cards_text(cards)) == cards
    assert parse_cards(cards_text(cards).upper().replace(" ", ",")) == cards


def test_cards_by_suit_and_rank() -> None:
    for suit, letter in enumerate("cdhs"):
        for rank, figure in enumerate("789TJQKA"):
            assert card_name(8 * suit + rank) == figure + letter
            assert parse_card(figure + letter) == parse_card(f" {figure.lower()}{letter.upper()}") == 8 * suit + rank
    assert card_name(JOKER) == "*"


@pytest.mark.parametrize("text", ["10h", "Th", "tH", "10♥", "T♥️", "10♡"])
def test_forms_of_a_ten(text: str) -> None:
    assert parse_card(text) == 8 * 2 + 3


@pytest.mark.parametrize("text", ["*", "joker", "Joker", " JOKER "])
def test_forms_of_the_joker(text: str) -> None:
    assert parse_card(text) == JOKER


@pytest.mark.parametrize(
    "text", ["", " ", "h", "J", "Jx", "hJ", "1h", "0h", "6h", "100h", "10", "JhJh", "J h", "**", "ßh", "J\nh"]
)
def test_what_is_no_card(text: str) -> None:
    with pytest.raises(PositionError, match="is unknown; write a rank") as caught:
        parse_card(text)
    assert "\n" not in str(caught.value)


def test_decks_without_the_card() -> None:
    assert parse_card("8h", 32) == 17
    assert parse_card("*", 25) == JOKER
    for text, deck in (("8h", 24), ("*", 24), ("*", 32), ("7s", 25)):
        with pytest.raises(PositionError, match=f"is not in the deck of {deck} cards"):
            parse_card(text, deck)
    with pytest.raises(PositionError, match="card '8d' is not in the deck of 24 cards"):
        parse_cards("Jh 8d", 24)


def test_a_card_twice() -> None:
    with pytest.raises(PositionError, match="card '10h' stands twice in 'Th Js 10h'; name each card once"):
        parse_cards("Th Js 10h")


def test_suits() -> None:
    for number, forms in enumerate((("c", "♣", "Clubs"), ("D", "♦", "diamonds"), ("h", "♥"), ("s", "♠", " SPADES"))):
        assert {parse_suit(form) for form in forms} == {number}
    with pytest.raises(PositionError, match="suit 'x' is unknown; write c, d, h or s, or the name"):
        parse_suit("x")
