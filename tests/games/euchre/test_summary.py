"""What people are told of the rules of Euchre."""

from __future__ import annotations

import pytest

from analyzer.games.euchre.rules import Euchre

BOWERS = "jack of trumps (right bower), jack of the other suit of that colour (left bower)"


@pytest.mark.parametrize(
    ("deck", "cards", "trumps"),
    [
        ("24", "ace, king, queen, jack, 10, 9", f"{BOWERS}, ace, king, queen, 10, 9"),
        ("25", "ace, king, queen, jack, 10, 9; and a joker", f"joker, {BOWERS}, ace, king, queen, 10, 9"),
        ("32", "ace, king, queen, jack, 10, 9, 8, 7", f"{BOWERS}, ace, king, queen, 10, 9, 8, 7"),
    ],
)
def test_cards_and_their_order(deck: str, cards: str, trumps: str) -> None:
    lines = Euchre(deck=deck, target=7).text.splitlines()  # type: ignore[arg-type]
    assert lines[0] == f"Cards of each suit: {cards}."
    assert lines[1] == f"Trumps from the highest: {trumps}."
    suit = cards.removesuffix("; and a joker")
    assert lines[2] == f"Other suits from the highest: {suit}; the left bower is a trump."
    assert lines[3] == "Who has 7 points first wins the match."


def test_points() -> None:
    names = ["tricks_of_makers", "nobody_alone", "defender_alone", "maker_alone", "both_alone"]
    table = Euchre(lone_maker_euchre="3", lone_defence="flat4").score_table()
    assert all(list(row) == names for row in table)
    assert [tuple(row.values()) for row in table] == [
        (5, 2, 2, 4, 4),
        (4, 1, 1, 1, 1),
        (3, 1, 1, 1, 1),
        (2, -2, -4, -3, -4),
        (1, -2, -4, -3, -4),
        (0, -2, -4, -3, -4),
    ]
