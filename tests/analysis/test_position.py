"""Scorecards as people give them: what is open, what is scored so far, and where that is in the state space."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from analyzer.analysis.position import Position
from analyzer.dice.states import StateSpace
from analyzer.errors import AnalyzerError, PositionError, RulesError
from analyzer.games.dice_poker import DicePoker
from tests.dice.reference import SMALL_GAMES, Game

POKER = DicePoker().scorecard()
FULL = {
    "aces": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "sixes": 24, "pair": 20, "two_pairs": 22,
    "three_of_a_kind": 23, "four_of_a_kind": 0, "full_house": 25, "small_straight": 30, "large_straight": 0,
    "poker": 50, "chance": 20,
}  # fmt: skip


def without(*names: str) -> dict[str, int]:
    return {name: points for name, points in FULL.items() if name not in names}


def test_a_blank_card() -> None:
    position = Position(POKER)
    assert position.score == 0
    assert position.open_lines == POKER.line_names
    assert position.column(StateSpace.of(POKER)) == 0
    assert position.text == ""


def test_names_as_people_write_them_in_any_order() -> None:
    position = Position(POKER, {"Poker": 50, "three-of-a kind": 23, "SIXES": 18})
    assert dict(position.card) == {"sixes": 18, "three_of_a_kind": 23, "poker": 50}
    assert position.text == "sixes=18,three_of_a_kind=23,poker=50"
    assert position == Position(POKER, {"sixes": 18, "three_of_a_kind": 23, "poker": 50})


@pytest.mark.parametrize(
    ("card", "extra", "score"),
    [
        ({"sixes": 18, "chance": 20}, 0, 38),
        (without("chance"), 0, sum(FULL.values()) - 20 + 35),
        (without("chance") | {"sixes": 18}, 0, sum(FULL.values()) - 6 - 20),
        (without("chance"), 200, sum(FULL.values()) - 20 + 35 + 200),
    ],
    ids=["two lines", "upper bonus of 69", "63 is not enough", "two extra fives"],
)
def test_the_score_so_far_counts_the_bonuses(card: dict[str, int], extra: int, score: int) -> None:
    assert Position(POKER, card, extra).score == score


@pytest.mark.parametrize("merged", [True, False])
def test_positions_are_at_the_columns_of_their_cards(merged: bool) -> None:
    for rules in SMALL_GAMES.values():
        game, space = Game(rules), StateSpace.of(rules, merged=merged)
        columns = {}
        for card in game.reachable():
            if None in card:
                position = Position(rules, game.named(card))
                columns[card] = position.column(space)
                assert columns[card] == game.column(space, card)
                assert position.open_lines == tuple(
                    n for n, points in zip(rules.line_names, card, strict=True) if points is None
                )
        assert set(columns.values()) <= set(range(space.columns))


def test_cards_with_the_same_future_share_a_column() -> None:
    space = StateSpace.of(POKER)
    column = Position(POKER, {"sixes": 18, "chance": 20}).column(space)
    assert Position(POKER, {"sixes": 18, "chance": 5}).column(space) == column
    assert Position(POKER, {"sixes": 24, "chance": 20}).column(space) != column
    assert Position(POKER, {"poker": 50}).column(space) != Position(POKER, {"poker": 0}).column(space)


@pytest.mark.parametrize(
    ("card", "extra", "error", "message"),
    [
        (FULL, 0, PositionError, "all 15 lines of Dice Poker are filled; leave a line open"),
        ({"sixes": 17}, 0, PositionError, "sixes = 17 is not a score of that line; choose from 0, 6, 12, 18, 24, 30"),
        ({"chance": 4}, 0, PositionError, "chance = 4 is not a score"),
        ({"full_house": 20}, 0, PositionError, "full_house = 20 is not a score of that line; choose from 0, 25"),
        ({"sixes": True}, 0, PositionError, "sixes = True is not a score"),
        ({"sixes": "18"}, 0, PositionError, "sixes = '18' is not a score"),
        ({"sixes": 18, "Sixes": 12}, 0, PositionError, "line 'sixes' is filled twice; give each line once"),
        ({"sixs": 18}, 0, RulesError, "line 'sixs' is unknown; did you mean 'sixes'?"),
        ({}, 100, PositionError, "extra points 100 need points in 'poker'; fill it or leave them out"),
        ({"poker": 0, "aces": 1}, 100, PositionError, "extra points 100 need points in 'poker'"),
        ({"poker": 50, "aces": 1}, 200, PositionError, "choose a multiple of 100 up to 100"),
        ({"poker": 50, "aces": 1}, 50, PositionError, "extra points 50 cannot be earned"),
        ({"poker": 50, "aces": 1}, -100, PositionError, "extra points -100 are not a number of points"),
    ],
)
def test_cards_that_cannot_be(card: dict[str, Any], extra: int, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        Position(POKER, card, extra)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("yahtzee",), "'yahtzee' are no rules; give those of a game, such as analyzer.game('yahtzee')"),
        ((None,), "None are no rules"),
        ((POKER, "sixes=18"), "is no mapping of lines to points"),
        ((POKER, {"chance": np.array([1, 2])}), "is not a score of that line"),
        ((POKER, {"chance": 5 + 0j}), "is not a score of that line"),
    ],
)
def test_what_is_no_position(arguments: Any, message: str) -> None:
    with pytest.raises(AnalyzerError) as error:
        Position(*arguments)
    assert message in str(error.value)
