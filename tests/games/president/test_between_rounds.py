"""Who leads, what is exchanged, and points: by the referee."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from analyzer.games.president.rules import President
from tests.games.president_referee import (
    Play,
    Table,
    best_cards,
    deal,
    exchange_pairs,
    first_leader,
    give,
    give_back,
    next_leader,
    play_game,
    round_points,
)

HANDS = [["4c", "*", "9d"], ["2s", "3c", "2h"], ["Ad", "As", "Ah"], ["5h", "2d", "Kc"]]
PLACES = [2, 4, 1, 3]
"""Of the four seats in the round before."""


def lowest(table: Table) -> Play | None:
    return table.legal()[0]


def game(**options: Any) -> tuple[list[int], list[Table]]:
    """A game in which everybody plays the first thing he may and gives back his first cards."""
    rules, rng = President(**options), Random(1)
    deals = [deal(rules, 0, rng) for _ in range(rules.rounds)]
    return play_game(rules, deals, 0, lowest, lambda hand, count: hand[:count], drawn_leader=3)


class Beginnings:
    """Who leads first in each round and whether the order is reversed then; everybody plays as many cards as he can."""

    def __init__(self) -> None:
        self.tables: list[Table] = []
        self.seen: list[tuple[int, bool]] = []

    def __call__(self, table: Table) -> Play | None:
        if table not in self.tables:
            self.tables.append(table)
            self.seen.append((table.turn, table.reversed))
        return max(filter(None, table.legal()), key=lambda play: len(play.cards), default=None)


def beginnings(**options: Any) -> Beginnings:
    """Those of two rounds with the same hands."""
    rules, chosen = President(players=3, revolution=True, rounds=2, **options), Beginnings()
    hands = [["5c", "9h"], ["3c", "3d", "3h", "3s"], ["4c", "4d"]]
    play_game(rules, [hands, hands], 0, chosen, lambda hand, count: [], drawn_leader=2)
    return chosen


def test_first_lead() -> None:
    assert first_leader(President(), HANDS, 2) == 1
    assert first_leader(President(first_lead="dealer_left"), HANDS, 2) == 3
    assert first_leader(President(first_lead="dealer_left"), HANDS, 3) == 0


def test_next_lead() -> None:
    assert next_leader(President(), PLACES) == 1
    assert next_leader(President(next_lead="president"), PLACES) == 2


def test_exchange() -> None:
    assert exchange_pairs(President()) == []
    assert give(President(), HANDS, PLACES) == HANDS
    rules = President(exchange=True, jokers=1)
    assert exchange_pairs(rules) == [(1, 4, 2), (2, 3, 1)]
    given = give(rules, HANDS, PLACES)
    assert given == [["4c", "*", "9d", "2d"], ["3c"], ["Ad", "As", "Ah", "2h", "2s"], ["5h", "Kc"]]
    # Whatever they like, and also what they were given.
    after = give_back(rules, given, PLACES, {2: ["Ad", "2h"], 0: ["*"]})
    assert after == [["4c", "9d", "2d"], ["3c", "Ad", "2h"], ["As", "Ah", "2s"], ["5h", "Kc", "*"]]
    assert [len(hand) for hand in after] == [3, 3, 3, 3]


@pytest.mark.parametrize("returned", [{2: ["Ad", "As"]}, {2: ["Ad"], 0: ["*"]}, {2: ["Ad", "Ad"], 0: ["*"]}, {}])
def test_returns_that_are_none(returned: dict[int, list[str]]) -> None:
    rules = President(exchange=True, jokers=1)
    with pytest.raises(ValueError, match="are not"):
        give_back(rules, give(rules, HANDS, PLACES), PLACES, returned)


@pytest.mark.parametrize("players", [5, 6, 7, 8])
def test_the_first_two_and_the_last_two_exchange(players: int) -> None:
    assert exchange_pairs(President(players=players, exchange=True)) == [(1, players, 2), (2, players - 1, 1)]


def test_exchange_of_three() -> None:
    three = {"players": 3, "exchange": True}
    assert exchange_pairs(President(**three)) == [(1, 3, 2)]  # type: ignore[arg-type]
    assert exchange_pairs(President(**three, exchange_of_three="1")) == [(1, 3, 1)]  # type: ignore[arg-type]


def test_the_best_cards() -> None:
    hand = ["3c", "2c", "Ah", "2s", "*", "2d", "2h", "Ac"]
    assert best_cards(hand, 8) == ["*", "2h", "2s", "2d", "2c", "Ah", "Ac", "3c"]
    assert best_cards(hand, 2) == ["*", "2h"]
    assert best_cards(["*", "2c", "*"], 2) == ["*", "*"]
    assert best_cards(["4c", "4s", "4h", "4d"], 2) == ["4h", "4s"]


@pytest.mark.parametrize("players", range(3, 9))
def test_points_agree_with_the_referee(players: int) -> None:
    rules = President(players=players)
    places = Random(players).sample(range(1, players + 1), players)
    assert round_points(rules, places) == [rules.points(place) for place in places]


def test_rounds() -> None:
    assert len(game()[1]) == 5
    for rounds in (1, 3, 10):
        scores, tables = game(rounds=rounds)
        assert len(tables) == rounds
        assert scores == [sum(points) for points in zip(*(points_of(table) for table in tables), strict=True)]


def points_of(table: Table) -> list[int]:
    return round_points(table.rules, table.places())


def test_every_round_begins_in_the_order_that_is_not_reversed() -> None:
    one = beginnings()
    assert one.tables[0].reversed
    assert one.seen == [(1, False), (0, False)]


def test_leads_of_a_game() -> None:
    assert beginnings().tables[0].places() == [3, 1, 2]
    assert [leader for leader, _ in beginnings().seen] == [1, 0]
    assert [leader for leader, _ in beginnings(next_lead="president").seen] == [1, 1]
    assert beginnings(first_lead="random").seen[0] == (2, False)


def test_the_exchange_changes_games() -> None:
    assert game(players=5, rounds=3, exchange=True)[0] != game(players=5, rounds=3)[0]
