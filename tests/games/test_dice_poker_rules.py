"""Dice Poker against its golden examples, scoring and positions."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from analyzer.dice.entries import bonus_points, final_score, legal_entries
from analyzer.errors import RulesError
from analyzer.games.dice_poker import DicePoker

RULES = DicePoker().scorecard()
UPPER = ("aces", "twos", "threes", "fours", "fives", "sixes")
RIGHT = RULES.line_names[6:]
FOURS = (4, 4, 4, 4, 4)


@pytest.mark.parametrize(
    ("dice", "scores"),
    [
        ((5, 5, 3, 2, 1), {"pair": 16, "chance": 16, "two_pairs": 0, "fives": 10}),
        ((2, 2, 5, 5, 1), {"pair": 15, "two_pairs": 15}),
        (
            (5, 5, 5, 2, 5),
            {
                "pair": 22,
                "three_of_a_kind": 22,
                "four_of_a_kind": 22,
                "chance": 22,
                "two_pairs": 0,
                "full_house": 0,
            },
        ),
        (
            (2, 2, 2, 3, 3),
            {"full_house": 25, "pair": 12, "two_pairs": 12, "three_of_a_kind": 12, "chance": 12},
        ),
        ((2, 3, 4, 5, 5), {"small_straight": 30, "large_straight": 0, "pair": 19}),
        ((1, 2, 3, 4, 6), {"small_straight": 30}),
        ((2, 3, 4, 5, 6), {"small_straight": 30, "large_straight": 40, "pair": 0, "chance": 20}),
    ],
)
def test_golden_scores(dice: tuple[int, ...], scores: dict[str, int]) -> None:
    assert {name: RULES.score(dice, name) for name in scores} == scores


# Upper scores that add up to the total, none of them a bonus by itself.
TOTALS = {62: (2, 6, 9, 12, 15, 18), 63: (3, 6, 9, 12, 15, 18), 64: (4, 6, 9, 12, 15, 18)}


@pytest.mark.parametrize(("option", "bonuses"), [("gt63", (0, 0, 35)), ("gte63", (0, 35, 35))])
def test_golden_upper_bonus(option: Any, bonuses: tuple[int, ...]) -> None:
    rules = DicePoker(upper_bonus=option).scorecard()
    for (total, scores), bonus in zip(TOTALS.items(), bonuses, strict=True):
        assert sum(scores) == total
        assert final_score(rules, dict(zip(UPPER, scores, strict=True))) == total + bonus


def test_golden_joker_goes_to_its_own_line() -> None:
    filled = {"poker": 50}
    assert bonus_points(RULES, FOURS, filled) == 100
    assert legal_entries(RULES, FOURS, filled) == {"fours": 20}


def test_golden_joker_with_its_own_line_used() -> None:
    filled = {"poker": 50, "fours": 8}
    assert bonus_points(RULES, FOURS, filled) == 100
    assert legal_entries(RULES, FOURS, filled) == {
        "pair": 20,
        "two_pairs": 20,
        "three_of_a_kind": 20,
        "four_of_a_kind": 20,
        "full_house": 25,
        "small_straight": 30,
        "large_straight": 40,
        "chance": 20,
    }


def test_golden_joker_with_the_right_side_full() -> None:
    filled = {
        "twos": 4,
        "threes": 6,
        "fours": 8,
        "fives": 10,
        **dict.fromkeys(RIGHT, 0),
        "chance": 9,
        "poker": 50,
    }
    assert bonus_points(RULES, FOURS, filled) == 100
    assert legal_entries(RULES, FOURS, filled) == {"aces": 0, "sixes": 0}


@pytest.mark.parametrize(("filled", "poker"), [({"poker": 0}, {}), ({}, {"poker": 50})])
def test_golden_no_joker_without_a_poker_on_the_card(filled: dict[str, int], poker: dict[str, int]) -> None:
    natural = {
        **dict.fromkeys(UPPER, 0),
        "fours": 20,
        "pair": 20,
        "two_pairs": 0,
        "three_of_a_kind": 20,
        "four_of_a_kind": 20,
        "full_house": 0,
        "small_straight": 0,
        "large_straight": 0,
        "chance": 20,
    }
    assert bonus_points(RULES, FOURS, filled) == 0
    assert legal_entries(RULES, FOURS, filled) == natural | poker


def test_fifteen_pokers_played_best_score_1835() -> None:
    """First the poker, then each upper line with its own face, then jokers of sixes on the right side."""
    filled: dict[str, int] = {}
    extra = 0
    faces = [1, 1, 2, 3, 4, 5, 6] + [6] * 8
    for turn, face in enumerate(faces):
        dice = [face] * 5
        extra += bonus_points(RULES, dice, filled)
        entries = legal_entries(RULES, dice, filled)
        name = "poker" if turn == 0 else max(entries, key=lambda line: entries[line])
        filled[name] = entries[name]
    assert len(filled) == 15
    assert final_score(RULES, filled, extra) == 1835


def test_two_pairs_of_one_face() -> None:
    same = DicePoker(two_pairs_same_face=True).scorecard()
    assert same.score((5, 5, 5, 2, 5), "two_pairs") == 22
    assert same.score(FOURS, "two_pairs") == 20
    assert same.score((5, 5, 5, 2, 3), "two_pairs") == 0


def test_natural_joker() -> None:
    rules = DicePoker(joker_right="natural").scorecard()
    entries = legal_entries(rules, FOURS, {"poker": 50, "fours": 8})
    assert {name for name, points in entries.items() if points == 0} == {
        "two_pairs",
        "full_house",
        "small_straight",
        "large_straight",
    }


def test_joker_when_the_poker_line_holds_zero() -> None:
    rules = DicePoker(joker_when_poker_zero=True).scorecard()
    assert legal_entries(rules, FOURS, {"poker": 0}) == {"fours": 20}
    assert legal_entries(rules, FOURS, {"poker": 0, "fours": 8})["full_house"] == 25
    assert bonus_points(rules, FOURS, {"poker": 0}) == 0


def test_every_option_value_makes_different_rules() -> None:
    choices: dict[str, tuple[Any, ...]] = {
        "upper_bonus": ("gt63", "gte63"),
        "two_pairs_same_face": (False, True),
        "joker_right": ("fixed", "natural"),
        "joker_when_poker_zero": (False, True),
        "lock_kept": (False, True),
        "throws": (2, 3),
    }
    variants = [DicePoker(**dict(zip(choices, values, strict=True))) for values in product(*choices.values())]
    assert len({variant.scorecard().id for variant in variants}) == 64


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"upper_bonus": "gt36"}, "dice_poker: upper_bonus = 'gt36' is not allowed; did you mean 'gt63'?"),
        ({"joker_right": None}, "joker_right = None is not allowed"),
        ({"two_pairs_same_face": "true"}, "two_pairs_same_face = 'true' is not a switch"),
        ({"throws": 0}, "throws = 0 is outside 1..10"),
    ],
)
def test_options_are_checked(options: dict[str, Any], message: str) -> None:
    with pytest.raises(RulesError) as caught:
        DicePoker(**options)
    assert message in str(caught.value)
