"""Yahtzee: scores, the two joker readings, extra yahtzees."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.dice.entries import bonus_points, final_score, legal_entries
from analyzer.games.yahtzee import Yahtzee

FORCED = Yahtzee().scorecard()
FREE = Yahtzee(joker="free").scorecard()
NONE = Yahtzee(extra_five=False, joker="none").scorecard()
UPPER = ("aces", "twos", "threes", "fours", "fives", "sixes")
THREES = (3, 3, 3, 3, 3)
NATURAL = {
    "three_of_a_kind": 15,
    "four_of_a_kind": 15,
    "full_house": 0,
    "small_straight": 0,
    "large_straight": 0,
}
JOKERS = {**NATURAL, "full_house": 25, "small_straight": 30, "large_straight": 40, "chance": 15}


@pytest.mark.parametrize(
    ("dice", "scores"),
    [
        ((3, 3, 3, 4, 5), {"three_of_a_kind": 18, "four_of_a_kind": 0, "threes": 9, "small_straight": 0}),
        ((6, 6, 6, 6, 1), {"three_of_a_kind": 25, "four_of_a_kind": 25, "full_house": 0}),
        ((2, 2, 5, 5, 5), {"full_house": 25, "chance": 19}),
        ((1, 2, 3, 4, 5), {"small_straight": 30, "large_straight": 40}),
        ((1, 3, 4, 5, 6), {"small_straight": 30, "large_straight": 0}),
        (THREES, {"yahtzee": 50, "full_house": 0, "four_of_a_kind": 15}),
    ],
)
def test_scores(dice: tuple[int, ...], scores: dict[str, int]) -> None:
    assert {name: FORCED.score(dice, name) for name in scores} == scores


@pytest.mark.parametrize("held", [0, 50])
def test_forced_joker(held: int) -> None:
    assert legal_entries(FORCED, THREES, {"yahtzee": held}) == {"threes": 15}
    assert legal_entries(FORCED, THREES, {"yahtzee": held, "threes": 9}) == JOKERS
    lower = dict.fromkeys(NATURAL, 0) | {"chance": 20, "threes": 9, "yahtzee": held}
    assert legal_entries(FORCED, THREES, lower) == dict.fromkeys(("aces", "twos", "fours", "fives", "sixes"), 0)


@pytest.mark.parametrize("held", [0, 50])
def test_free_joker(held: int) -> None:
    upper = dict.fromkeys(UPPER, 0) | {"threes": 15}
    natural = upper | NATURAL | {"chance": 15}
    assert legal_entries(FREE, THREES, {"yahtzee": held}) == natural
    del upper["threes"]
    assert legal_entries(FREE, THREES, {"yahtzee": held, "threes": 9}) == upper | JOKERS


@pytest.mark.parametrize("rules", [FORCED, FREE, NONE])
def test_no_joker_while_the_yahtzee_line_is_open(rules: Any) -> None:
    entries = legal_entries(rules, THREES, {"threes": 9})
    assert entries["yahtzee"] == 50
    assert entries["full_house"] == 0
    assert entries["aces"] == 0


def test_plain_yahtzee_has_neither_joker_nor_extra_bonus() -> None:
    assert NONE.extra_five is None
    assert legal_entries(NONE, THREES, {"yahtzee": 50, "threes": 9})["full_house"] == 0
    assert bonus_points(NONE, THREES, {"yahtzee": 50}) == 0


def test_extra_yahtzees() -> None:
    assert bonus_points(FORCED, THREES, {"yahtzee": 50}) == 100
    assert bonus_points(FORCED, THREES, {"yahtzee": 0}) == 0
    assert bonus_points(FORCED, THREES, {}) == 0
    assert bonus_points(FORCED, (3, 3, 3, 3, 4), {"yahtzee": 50}) == 0
    joker_only = Yahtzee(extra_five=False).scorecard()
    assert bonus_points(joker_only, THREES, {"yahtzee": 50}) == 0
    assert legal_entries(joker_only, THREES, {"yahtzee": 50}) == {"threes": 15}
    bonus_only = Yahtzee(joker="none").scorecard()
    assert bonus_points(bonus_only, THREES, {"yahtzee": 50}) == 100
    assert len(legal_entries(bonus_only, THREES, {"yahtzee": 50})) == 12


def test_the_best_yahtzee_scorecard_is_worth_1575() -> None:
    filled: dict[str, int] = {}
    extra = 0
    for turn, face in enumerate([1, 1, 2, 3, 4, 5, 6] + [6] * 6):
        dice = [face] * 5
        extra += bonus_points(FORCED, dice, filled)
        entries = legal_entries(FORCED, dice, filled)
        name = "yahtzee" if turn == 0 else max(entries, key=lambda line: entries[line])
        filled[name] = entries[name]
    assert final_score(FORCED, filled, extra) == 1575


def test_upper_bonus() -> None:
    scores = {"aces": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "sixes": 18}
    assert final_score(FORCED, scores) == 98
    assert final_score(Yahtzee(upper_bonus="gt63").scorecard(), scores) == 63


def test_options_make_different_rules() -> None:
    variants = [
        Yahtzee(),
        Yahtzee(joker="free"),
        Yahtzee(joker="none"),
        Yahtzee(extra_five=False),
        Yahtzee(extra_five=False, joker="free"),
        Yahtzee(extra_five=False, joker="none"),
        Yahtzee(upper_bonus="gt63"),
        Yahtzee(lock_kept=True),
        Yahtzee(throws=2),
    ]
    assert len({variant.scorecard().id for variant in variants}) == len(variants)
