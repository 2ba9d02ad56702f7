"""Legal entries, extra fives and final scores: invariants on random scorecards, and refusals."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from analyzer.dice.entries import (
    bonus_points,
    check_extra_points,
    checked_card,
    final_score,
    legal_entries,
    possible_scores,
    upper_total,
)
from analyzer.dice.scorecard import ScorecardRules
from analyzer.errors import PositionError, RulesError
from analyzer.games.dice_poker import DicePoker
from analyzer.games.yahtzee import Yahtzee

POKER = DicePoker().scorecard()
RULES = [
    POKER,
    DicePoker(joker_right="natural").scorecard(),
    DicePoker(joker_when_poker_zero=True, two_pairs_same_face=True).scorecard(),
    Yahtzee().scorecard(),
    Yahtzee(joker="free").scorecard(),
    Yahtzee(joker="none").scorecard(),
    Yahtzee(extra_five=False, joker="none").scorecard(),
]

FORCED = [rules for rules in RULES if rules.extra_five and rules.extra_five.joker == "forced"]

any_rules = st.sampled_from(RULES)
rolls = st.lists(st.integers(1, 6), min_size=5, max_size=5) | st.integers(1, 6).map(lambda face: [face] * 5)


@st.composite
def positions(
    draw: st.DrawFn, games: st.SearchStrategy[ScorecardRules] = any_rules
) -> tuple[ScorecardRules, list[int], dict[str, int]]:
    rules = draw(games)
    names = draw(st.lists(st.sampled_from(rules.line_names), unique=True))
    filled = {name: draw(st.sampled_from(possible_scores(rules, name))) for name in names}
    return rules, draw(rolls), filled


@given(positions())
def test_entries_are_open_lines_with_scores_they_can_hold(position: Any) -> None:
    rules, dice, filled = position
    entries = legal_entries(rules, dice, filled)
    assert set(entries).isdisjoint(filled)
    assert (entries == {}) == (len(filled) == len(rules.lines))
    for name, points in entries.items():
        assert type(points) is int
        assert points in possible_scores(rules, name)
    assert list(entries) == [name for name in rules.line_names if name in entries]


@given(positions(), st.randoms(use_true_random=False))
def test_the_order_of_dice_and_lines_does_not_matter(position: Any, random: Any) -> None:
    rules, dice, filled = position
    shuffled = random.sample(dice, len(dice))
    items = list(filled.items())
    random.shuffle(items)
    assert legal_entries(rules, shuffled, dict(items)) == legal_entries(rules, dice, filled)
    assert bonus_points(rules, shuffled, dict(items)) == bonus_points(rules, dice, filled)


@given(positions())
def test_without_a_joker_every_open_line_takes_what_the_dice_show(position: Any) -> None:
    rules, dice, filled = position
    five = rules.extra_five
    alike = len(set(dice)) == 1
    assume(not (alike and five and five.joker != "none" and five.line in filled))
    natural = {name: rules.score(dice, name) for name in rules.line_names if name not in filled}
    assert legal_entries(rules, dice, filled) == natural


@given(positions(st.sampled_from(FORCED)), st.integers(1, 6), st.booleans())
def test_a_forced_joker_goes_to_its_own_line_then_lower_then_zero(position: Any, face: int, upper_only: bool) -> None:
    rules, _, filled = position
    five = rules.extra_five
    upper = {line.name for line in rules.upper_lines}
    lower = [name for name in rules.line_names if name not in upper]
    held = {name: possible_scores(rules, name)[-1] for name in lower}
    filled = held | filled if upper_only else filled
    filled[five.line] = 0 if five.joker_when_zero else 50
    entries = legal_entries(rules, [face] * 5, filled)
    own = rules.line_names[face - 1]
    open_lines = set(rules.line_names) - set(filled)
    if own in open_lines:
        assert entries == {own: 5 * face}
    elif open_lines - upper:
        assert set(entries) == open_lines - upper
        fixed = {"full_house": 25, "small_straight": 30, "large_straight": 40}
        if five.joker_values == "fixed":
            assert entries == {name: fixed.get(name, 5 * face) for name in entries}
        else:
            assert entries == {name: rules.score([face] * 5, name) for name in entries}
    else:
        assert entries == dict.fromkeys(open_lines, 0)


@given(positions())
def test_extra_fives_pay_only_on_points(position: Any) -> None:
    rules, dice, filled = position
    five = rules.extra_five
    paid = bool(five) and len(set(dice)) == 1 and filled.get(five.line, 0) == 50
    assert bonus_points(rules, dice, filled) == (five.points if paid else 0)


@given(positions())
def test_the_score_is_lines_and_bonuses(position: Any) -> None:
    rules, _, filled = position
    upper = sum(filled.get(name, 0) for name in rules.line_names[:6])
    assert upper_total(rules, filled) == upper
    assert final_score(rules, filled) == sum(filled.values()) + rules.upper_bonus.earned(upper)


@pytest.mark.parametrize("rules", RULES)
def test_possible_scores_are_those_of_some_entry(rules: ScorecardRules) -> None:
    """Reach every possible score by entering all rolls on chosen scorecards."""
    seen: dict[str, set[int]] = {name: set() for name in rules.line_names}
    five = rules.line_names[-2]
    lower = [line.name for line in rules.lines if line.section == "lower"]
    cards: list[dict[str, int]] = [{}, {five: 50}, {five: 0}]
    cards += [{five: points, **dict.fromkeys(rules.line_names[:6], 0)} for points in (0, 50)]
    cards += [{name: possible_scores(rules, name)[0] for name in lower if name != five} | {five: 50}]
    for card in cards:
        for code in range(6**5):
            dice = sorted(code // 6**place % 6 + 1 for place in range(5))
            if dice != [code // 6**place % 6 + 1 for place in range(5)]:
                continue
            for name, points in legal_entries(rules, dice, card).items():
                seen[name].add(points)
    assert seen == {name: set(possible_scores(rules, name)) for name in rules.line_names}


def test_possible_scores_of_some_lines() -> None:
    assert possible_scores(POKER, "sixes") == (0, 6, 12, 18, 24, 30)
    assert possible_scores(POKER, "full house") == (0, 25)
    assert possible_scores(POKER, "poker") == (0, 50)
    assert possible_scores(POKER, "chance") == tuple(range(5, 31))
    # Five alike are no two pairs, but as a joker they score their sum: 5 and 30 come from jokers only.
    assert {5, 30} <= set(possible_scores(POKER, "two_pairs"))
    natural = DicePoker(joker_right="natural").scorecard()
    assert {5, 30}.isdisjoint(possible_scores(natural, "two_pairs"))


@pytest.mark.parametrize(
    ("filled", "message"),
    [
        ({"pair": 3}, "pair = 3 is not a score of that line; the nearest are 0 and 5"),
        ({"sixes": 20}, "sixes = 20 is not a score of that line; choose from 0, 6, 12, 18, 24, 30"),
        ({"poker": 49}, "choose from 0, 50"),
        ({"pair": "ten"}, "pair = 'ten' is not a score of that line; choose a whole number in 0..30"),
        ({"pair": None}, "pair = None is not a score"),
        ({"aces": True}, "aces = True is not a score"),
        ({"aces": 10**5000}, "too large to show"),
        ({"full_house": 25, "Full House": 0}, "line 'full_house' is filled twice"),
    ],
)
def test_scorecards_that_cannot_be_are_refused(filled: dict[str, Any], message: str) -> None:
    with pytest.raises(PositionError) as caught:
        checked_card(POKER, filled)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_unknown_lines_are_refused() -> None:
    with pytest.raises(RulesError, match="did you mean 'full_house'"):
        legal_entries(POKER, [1, 2, 3, 4, 5], {"fullhouse": 25})


def test_a_checked_card_is_in_the_order_of_the_rules() -> None:
    assert list(checked_card(POKER, {"Chance": 20, "full house": 25, "ACES": 2})) == [
        "aces",
        "full_house",
        "chance",
    ]


@pytest.mark.parametrize(
    ("rules", "filled", "extra", "message"),
    [
        (POKER, {"poker": 50, "aces": 5}, -100, "extra points -100 are not a number of points"),
        (POKER, {"poker": 50, "aces": 5}, 1.5, "extra points 1.5 are not a number of points"),
        (POKER, {"poker": 50, "aces": 5}, 50, "choose a multiple of 100 up to 100"),
        (POKER, {"poker": 50, "aces": 5}, 200, "choose a multiple of 100 up to 100"),
        (POKER, {"poker": 0, "aces": 5}, 100, "need points in 'poker'"),
        (POKER, {"aces": 5}, 100, "need points in 'poker'"),
        (RULES[-1], {"yahtzee": 50, "aces": 5}, 100, "cannot be earned in Yahtzee"),
    ],
)
def test_extra_points_that_cannot_be_are_refused(
    rules: ScorecardRules, filled: dict[str, int], extra: Any, message: str
) -> None:
    with pytest.raises(PositionError) as caught:
        final_score(rules, filled, extra)
    assert message in str(caught.value)


def test_extra_points_that_can_be_count() -> None:
    check_extra_points(POKER, {"poker": 50, "aces": 5}, 100)
    assert final_score(POKER, {"poker": 50, "aces": 5}, 100) == 155
