"""Advice: every legal decision with its value, best first, as plain Python over real rolls has it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analyzer.analysis.advise import Advice, check_turn, faces
from analyzer.analysis.solve import Solution, solve, solve_for_target
from analyzer.dice.entries import bonus_points, final_score, legal_entries
from analyzer.dice.lines import Line
from analyzer.dice.scorecard import ScorecardRules
from analyzer.errors import PositionError, RulesError
from analyzer.games.cacho_alalay import CachoAlalay
from analyzer.games.dice_poker import DicePoker
from analyzer.games.yahtzee import Yahtzee
from tests.dice.reference import (
    CHANCE,
    SMALL_GAMES,
    TIE,
    Card,
    Dice,
    Game,
    face_lines,
    keeps_of,
    small,
    sorted_dice,
    thrown,
)
from tests.dice.test_target import Chaser
from tests.dice.test_turn_detail import chances_from

YAHTZEE = Yahtzee().scorecard()


@cache
def solution_of(rules: ScorecardRules) -> Solution:
    return solve(rules)


@cache
def game_of(name: str) -> Game:
    return Game(SMALL_GAMES[name])


def cards_of(game: Game) -> list[Card]:
    """Some cards, emptier ones first."""
    cards = [card for card in game.reachable() if None in card]
    return cards[:: max(1, len(cards) // 3)]


def check_ranking(frame: pd.DataFrame, value: str = "expected_score") -> None:
    """Best first, and losses against the best."""
    assert frame["loss"].iloc[0] == 0
    assert (frame["loss"] >= 0).all()
    assert frame["loss"].to_numpy() == pytest.approx((frame[value].iloc[0] - frame[value]).to_numpy(), abs=TIE)
    assert (np.diff(frame[value]) <= TIE).all()


@pytest.mark.parametrize("name", [name for name, rules in SMALL_GAMES.items() if rules.throws > 1])
def test_every_keep_is_ranked_by_its_value(name: str) -> None:
    game = game_of(name)
    for card in cards_of(game):
        turn, filled = game.optimal(card), game.named(card)
        score = final_score(game.rules, filled)
        for dice in thrown(game.rules.dice, game.rules.faces):
            for left in range(1, game.rules.throws):
                advice = solution_of(game.rules).advise(dice, throws_left=left, card=filled)
                frame = advice.options()
                check_ranking(frame)
                expected = {keep: score + turn.before(keep, left - 1) for keep in keeps_of(dice, ())}
                found = dict(zip(frame["keep"], frame["expected_score"], strict=True))
                assert found == pytest.approx(expected, abs=1e-10)
                assert advice.best == turn.keep((), dice, left), "ties are settled as policies settle them"
                outcomes = advice.outcomes()
                assert outcomes["probability"].sum() == pytest.approx(1)
                assert (np.diff(outcomes["probability"]) <= 0).all()


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_every_legal_entry_is_ranked_by_its_value(name: str) -> None:
    game = game_of(name)
    for card in cards_of(game):
        turn, filled = game.optimal(card), game.named(card)
        score = final_score(game.rules, filled)
        for dice in thrown(game.rules.dice, game.rules.faces):
            advice = solution_of(game.rules).advise(dice, card=filled)
            frame = advice.options()
            check_ranking(frame)
            legal = legal_entries(game.rules, dice, filled)
            extra = bonus_points(game.rules, dice, filled)
            assert dict(zip(frame["line"], frame["points"], strict=True)) == {n: p + extra for n, p in legal.items()}
            expected = {game.rules.line_names[entry[0]]: score + worth for entry, worth in turn.options(dice)}
            assert dict(zip(frame["line"], frame["expected_score"], strict=True)) == pytest.approx(expected, abs=1e-10)
            assert advice.best == game.rules.line_names[turn.entry(dice)[0]]
            assert advice.outcomes().to_dict("records") == [
                {"line": advice.best, "label": frame["label"][0], "points": frame["points"][0], "probability": 1.0}
            ]


@pytest.mark.parametrize("name", ["free", "extra_without_joker"])
def test_locked_dice_are_in_every_keep(name: str) -> None:
    game = game_of(name)
    turn = game.optimal(game.blank)
    for dice in [(1, 1, 2), (2, 2, 3), (1, 2, 3)]:
        for held in keeps_of(dice, ()):
            advice = solution_of(game.rules).advise(dice, throws_left=1, locked=held)
            expected = {keep: turn.before(keep, 0) for keep in keeps_of(dice, held)}
            frame = advice.options()
            assert dict(zip(frame["keep"], frame["expected_score"], strict=True)) == pytest.approx(expected)
            assert advice.best == turn.keep(held, dice, 1)


@pytest.mark.parametrize("name", ["forced", "forced_natural", "free", "no_bonus"])
def test_outcomes_are_those_of_playing_on(name: str) -> None:
    """The chance of every line and its points after the best keep."""
    game = game_of(name)
    rules, turn = game.rules, game.optimal(game.blank)
    for dice in list(thrown(rules.dice, rules.faces))[::3]:
        for left in range(1, rules.throws):
            advice = solution_of(rules).advise(dice, throws_left=left)
            assert isinstance(advice.best, tuple)
            frame = advice.outcomes()
            expected: Counter[tuple[str, int]] = Counter()
            for (line, written, extra), p in chances_from(turn, advice.best, left).items():
                expected[rules.line_names[line], written + extra] += p
            found = {(row.line, row.points): row.probability for row in frame.itertuples()}
            assert found == pytest.approx(dict(expected), abs=1e-12)


@pytest.mark.parametrize("name", ["forced", "forced_natural", "free", "coins"])
def test_advice_for_a_target_is_ranked_by_chance(name: str) -> None:
    game = game_of(name)
    chaser = Chaser(game)
    card = next(card for card in game.reachable() if card.count(None) == 2)
    filled = game.named(card)
    score = final_score(game.rules, filled)
    needed = 12
    problem = solve_for_target(game.rules, score + needed, card=filled)
    turn = chaser.turn(game.past(card), needed)
    for dice in thrown(game.rules.dice, game.rules.faces):
        for left in range(game.rules.throws):
            advice = problem.advise(dice, throws_left=left)
            frame = advice.options()
            check_ranking(frame, "chance")
            assert advice.target == score + needed
            assert advice.value_name == "chance"
            if left:
                found = dict(zip(frame["keep"], frame["chance"], strict=True))
                expected: Mapping[Any, float] = {keep: turn.before(keep, left - 1) for keep in keeps_of(dice, ())}
            else:
                found = dict(zip(frame["line"], frame["chance"], strict=True))
                expected = {game.rules.line_names[entry[0]]: chance for entry, chance in turn.options(dice)}
            assert found == pytest.approx(expected, abs=1e-12)


def test_all_rolls_of_yahtzee_are_advised_as_the_policy_plays() -> None:
    solution = solution_of(YAHTZEE)
    opening = solution.opening().table
    assert len(opening) == 252
    assert opening["probability"].sum() == pytest.approx(1)
    assert opening["expected_score"] @ opening["probability"] == pytest.approx(solution.expected_score, abs=1e-9)
    for row in opening.itertuples():
        frame = solution.advise(row.roll, throws_left=2).options()
        check_ranking(frame)
        assert row.keep == frame["keep"][0]
        assert row.expected_score == pytest.approx(frame["expected_score"][0], abs=TIE)
        assert row.loss == pytest.approx(frame["loss"][1], abs=TIE)
        second = frame.set_index("keep")["expected_score"][[row.second_best_keep]].iloc[0]
        assert second == pytest.approx(frame["expected_score"][1], abs=TIE)


def test_plain_openings_of_yahtzee() -> None:
    keeps = solution_of(YAHTZEE).opening().table.set_index("roll")["keep"].to_dict()
    for done in [(6, 6, 6, 6, 6), (1, 2, 3, 4, 5), (2, 3, 4, 5, 6)]:
        assert keeps[done] == done
    assert keeps[2, 3, 4, 5, 5] == (2, 3, 4, 5)
    assert keeps[1, 2, 6, 6, 6] == (6, 6, 6)


@pytest.mark.parametrize("name", ["forced", "free", "no_bonus", "coins"])
def test_the_opening_table_of_a_small_game(name: str) -> None:
    game = game_of(name)
    turn = game.optimal(game.blank)
    table = solution_of(game.rules).opening().table
    left = game.rules.throws - 1
    chances = thrown(game.rules.dice, game.rules.faces)
    assert dict(zip(table["roll"], table["probability"], strict=True)) == pytest.approx(chances)
    for row in table.itertuples():
        assert row.keep == turn.keep((), row.roll, left)
        ranked = sorted((turn.before(keep, left - 1) for keep in keeps_of(row.roll, ())), reverse=True)
        assert row.expected_score == pytest.approx(ranked[0])
        assert row.loss == pytest.approx(ranked[0] - ranked[1], abs=1e-9)
        assert row.second_best_keep != row.keep


def test_the_opening_table_from_a_card() -> None:
    rules = SMALL_GAMES["forced"]
    blank = solve(rules, card={"alike": 30}).opening().table
    extra = solve(rules, card={"alike": 30, "chance": 7}, extra_points=20).opening().table
    assert blank["expected_score"].min() > 30
    assert extra["expected_score"].min() > 57


POKER_CARD = {
    "aces": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "sixes": 18, "pair": 20, "two_pairs": 22,
    "three_of_a_kind": 23, "four_of_a_kind": 0, "full_house": 25, "small_straight": 30, "large_straight": 0,
    "poker": 50, "chance": 20,
}  # fmt: skip


def poker_card(*still_open: str, **points: int) -> dict[str, int]:
    return {name: score for name, score in (POKER_CARD | points).items() if name not in still_open}


LAST_THROWS: dict[str, tuple[dict[str, Any], dict[str, int]]] = {
    **{f"chase to {n}": ({}, poker_card("fives", aces=n - 62, twos=8)) for n in (62, 63, 64)},
    **{
        f"chase to {n} from 63": ({"upper_bonus": "gte63"}, poker_card("fives", aces=n - 62, twos=8))
        for n in (62, 63, 64)
    },
    "second poker, right side open": ({}, poker_card("large_straight")),
    "second poker, natural": ({"joker_right": "natural"}, poker_card("large_straight")),
    "second poker, left side open": ({}, poker_card("aces")),
    "second poker, own line open": ({}, poker_card("fours")),
    "poker line 0": ({}, poker_card("large_straight", poker=0)),
    "poker line 0, joker": ({"joker_when_poker_zero": True}, poker_card("large_straight", poker=0)),
}


@cache
def ordered_rolls(dice: int) -> Counter[Dice]:
    """All ordered rolls, those that are the same in another order counted together."""
    return Counter(sorted_dice((), roll) for roll in product(range(1, 7), repeat=dice))


@pytest.mark.parametrize("case", LAST_THROWS)
def test_the_last_throw_of_dice_poker_by_all_ordered_rolls(case: str) -> None:
    """One line is open and one throw left: each keep's score is a mean over up to 7,776 final cards."""
    options, filled = LAST_THROWS[case]
    rules = DicePoker(**options).scorecard()
    (line,) = (name for name in rules.line_names if name not in filled)

    @cache
    def score(dice: Dice) -> int:
        ((entered, points),) = legal_entries(rules, dice, filled).items()
        assert entered == line
        return final_score(rules, filled | {line: points}) + bonus_points(rules, dice, filled)

    solution = solve(rules, card=filled)
    for dice in [(4, 4, 4, 4, 4), (4, 4, 4, 4, 5), (5, 5, 5, 6, 6), (2, 3, 4, 5, 6), (1, 1, 1, 1, 2), (1, 1, 5, 5, 6)]:
        frame = solution.advise(dice, throws_left=1).options()
        assert set(frame["keep"]) == set(keeps_of(dice, ()))
        for row in frame.itertuples():
            rolls = ordered_rolls(5 - len(row.keep))
            total = sum(number * score(sorted_dice(row.keep, roll)) for roll, number in rolls.items())
            mean = total / rolls.total()
            assert row.expected_score == pytest.approx(mean, abs=1e-9)
        entry = solution.advise(dice).options()
        assert entry["line"].tolist() == [line]
        assert entry["expected_score"][0] == pytest.approx(score(dice))
    assert ordered_rolls(5).total() == 7776


def test_the_bonus_and_the_second_poker_change_the_advice() -> None:
    """35 points more from three fives where they reach the bonus; 140 instead of 0 for a second poker as a joker."""

    def value(case: str, dice: Dice) -> float:
        options, filled = LAST_THROWS[case]
        return float(solve(DicePoker(**options).scorecard(), card=filled).advise(dice).options()["expected_score"][0])

    def before(case: str) -> int:
        return final_score(DicePoker(**LAST_THROWS[case][0]).scorecard(), LAST_THROWS[case][1])

    fives, fours = (5, 5, 5, 1, 2), (4, 4, 4, 4, 4)
    assert [value(f"chase to {n}", fives) - before(f"chase to {n}") for n in (62, 63, 64)] == [15, 15, 50]
    gains = [value(f"chase to {n} from 63", fives) - before(f"chase to {n} from 63") for n in (62, 63, 64)]
    assert gains == [15, 50, 50]
    gained = {case: value(case, fours) - before(case) for case in LAST_THROWS if "poker" in case}
    assert gained == {
        "second poker, right side open": 140,
        "second poker, natural": 100,
        "second poker, left side open": 100,
        "second poker, own line open": 155,
        "poker line 0": 0,
        "poker line 0, joker": 40,
    }


def test_many_dice() -> None:
    """Keeps of one roll, where those of all rolls would be too many to list."""
    rules = small("many", (CHANCE,), dice=10, faces=8, throws=2)
    dice = (1, 1, 2, 3, 5, 6, 7, 8, 8, 8)
    frame = solve(rules, cache=False).advise(dice, throws_left=1).options()
    assert len(frame) == 3 * 2**5 * 4
    assert set(frame["keep"]) == set(keeps_of(dice, ()))
    assert frame["keep"][0] == (5, 6, 7, 8, 8, 8)
    assert frame["expected_score"][0] == pytest.approx(42 + 4 * 4.5)


def test_equal_keeps_stand_in_the_order_of_the_tie_rule() -> None:
    """Only sixes count: other dice that are kept just stand idle; more, then higher dice come first."""
    rules = small("sixes", (*face_lines(6), CHANCE), dice=3)
    frame = solve(rules, card={"chance": 10}).advise([2, 3, 6], throws_left=1).options()
    assert frame["keep"].tolist() == [(6,), (3, 6), (2, 6), (2, 3, 6), (), (3,), (2,), (2, 3)]
    assert frame["expected_score"].to_numpy() - 10 == pytest.approx([8, 7, 7, 6, 3, 2, 2, 1])


def test_equal_entries_stand_in_the_order_of_the_scorecard() -> None:
    twins = [Line(name=name, kind="chance") for name in ("second", "first")]
    rules = small("twins", tuple(twins), dice=1, faces=2, throws=1)
    assert solve(rules).advise([1]).options()["line"].tolist() == ["second", "first"]
    turned = small("twins", tuple(twins[::-1]), dice=1, faces=2, throws=1)
    assert solve(turned).advise([1]).options()["line"].tolist() == ["first", "second"]


def test_frames_handed_out_are_copies() -> None:
    advice = solution_of(SMALL_GAMES["forced"]).advise([1, 2, 4], throws_left=1)
    for frame in (advice.options(), advice.outcomes()):
        frame.iloc[:, -1] = 7.0
    assert advice.options()["loss"][0] == 0
    assert advice.outcomes()["probability"].sum() == pytest.approx(1)


def advice_for(throws_left: int) -> Advice:
    return solution_of(SMALL_GAMES["forced"]).advise([4, 1, 4], throws_left=throws_left, card={"alike": 30})


def test_plain_values_of_keeps() -> None:
    content = advice_for(2).to_dict()
    assert json.dumps(content, allow_nan=False, default=lambda value: value.item())
    assert content.keys() == {"game", "rules_id", "card", "extra_points", "dice", "throws_left", "options", "outcomes"}
    assert content["dice"] == [1, 4, 4]
    assert content["card"] == {"alike": 30}
    assert all(row.keys() == {"keep", "expected_score", "loss"} for row in content["options"])
    assert all(isinstance(row["keep"], list) for row in content["options"])
    assert sorted(row["keep"] for row in content["options"]) == [[], [1], [1, 4], [1, 4, 4], [4], [4, 4]]
    assert all(row.keys() == {"line", "label", "points", "probability"} for row in content["outcomes"])


def test_plain_values_of_entries() -> None:
    content = advice_for(0).to_dict()
    assert all(row.keys() == {"line", "label", "points", "expected_score", "loss"} for row in content["options"])
    assert content["throws_left"] == 0
    target = solve_for_target(SMALL_GAMES["forced"], 60, card={"alike": 30, "pair": 9}).advise([1, 4, 4])
    assert target.to_dict()["target"] == 60
    assert target.to_dict()["options"][0].keys() == {"line", "label", "points", "chance", "loss"}


def test_advice_in_words() -> None:
    keep, entry = advice_for(2), advice_for(0)
    assert (keep.title, keep.label) == ("Forced", "1 4 4")
    assert str(keep).startswith("Forced, 1 4 4, throws left 2: keep 4 4 (expected score ")
    assert str(entry).startswith("Forced, 1 4 4, throws left 0: enter ")
    assert keep._repr_html_().count("<tr>") == 1 + len(keep.options())
    opening = solution_of(SMALL_GAMES["forced"]).opening()
    assert str(opening) == "Forced: best keep of 20 first rolls"
    assert opening._repr_html_().count("<tr>") == 21
    assert faces(()) == "nothing"
    assert faces((1, 2)) == "1 2"
    target = solve_for_target(SMALL_GAMES["forced"], 60, card={"alike": 30, "pair": 9}).advise([1, 4, 4])
    assert "(chance of 60 points " in str(target)


def test_the_card_of_the_solution_is_the_default() -> None:
    rules = SMALL_GAMES["forced"]
    solution = solve(rules, card={"alike": 30})
    own, given = solution.advise([1, 4, 4]), solution_of(rules).advise([1, 4, 4], card={"alike": 30})
    assert own.options().equals(given.options())
    card = {"alike": 30, "chance": 9}
    plain = solution.advise([1, 4, 4], card=card).options()["expected_score"]
    extra = solution.advise([1, 4, 4], card=card, extra_points=20).options()["expected_score"]
    assert (extra - plain).to_numpy() == pytest.approx(20)
    with pytest.raises(PositionError, match="extra points 20 cannot be earned"):
        solution.advise([1, 4, 4], extra_points=20)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"dice": [5, 5, 3, 2]}, "dice '2 3 5 5' are 4; give 5, as Yahtzee throws"),
    ({"dice": [5, 5, 3, 2, 1, 1]}, "dice '1 1 2 3 5 5' are 6; give 5"),
    ({"dice": [5, 5, 3, 2, 7]}, "dice '2 3 5 5 7' show 7; choose faces in 1..6"),
    ({"dice": [5, 5, 3, 2, 0]}, "dice '0 2 3 5 5' show 0; choose faces in 1..6"),
    ({"dice": [5, 5, 3, 2, 1.5]}, "are not faces; give 5 whole numbers in 1..6"),
    ({"throws_left": 3}, "throws left = 3 cannot be; a turn has 3 throws, so give 0..2"),
    ({"throws_left": -1}, "throws left = -1 cannot be; a turn has 3 throws, so give 0..2"),
    ({"throws_left": 1, "locked": [5]}, "locked dice '5' mean nothing in Yahtzee; leave them out"),
    ({"throws_left": 0, "locked": [5]}, "locked dice '5' mean nothing in Yahtzee; leave them out"),
    ({"card": {"sixes": 17}}, "sixes = 17 is not a score of that line; choose from 0, 6, 12, 18, 24, 30"),
    ({"card": {"sixes": 18, "SIXES": 12}}, "line 'sixes' is filled twice; give each line once"),
]


@pytest.mark.parametrize(("given", "message"), WRONG)
def test_positions_that_cannot_be(given: dict[str, Any], message: str) -> None:
    with pytest.raises(PositionError) as caught:
        solution_of(YAHTZEE).advise(**{"dice": [5, 5, 3, 2, 1], "throws_left": 0} | given)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("throws_left", [0, 1])
def test_locked_dice_that_are_not_in_the_roll(throws_left: int) -> None:
    rules = SMALL_GAMES["free"]
    for problem in (solution_of(rules), solve_for_target(rules, 20, card={"chance": 5, "run": 0, "alike": 0})):
        for locked, named in (((3,), "3"), ((1, 1), "1 1"), ((7,), "7")):
            with pytest.raises(PositionError, match=f"locked dice '{named}' are not part of the roll 1 2 2; choose"):
                problem.advise([1, 2, 2], throws_left=throws_left, locked=locked)


def test_one_throw_leaves_nothing_to_keep() -> None:
    rules = SMALL_GAMES["one_throw"]
    with pytest.raises(PositionError, match="One Throw has one throw a turn; there is no keep to choose"):
        solution_of(rules).opening()
    with pytest.raises(PositionError, match=r"throws left = 1 cannot be; a turn has 1 throw, so give 0"):
        solution_of(rules).advise([1, 2, 3], throws_left=1)
    assert solution_of(rules).advise([1, 2, 3]).best in rules.line_names


def test_a_checked_turn_has_sorted_dice() -> None:
    assert check_turn(YAHTZEE, [5, 1, 3, 2, 5], 2) == (1, 2, 3, 5, 5)
    assert Counter(check_turn(SMALL_GAMES["free"], [3, 1, 3], 1, [3])) == Counter([1, 3, 3])


def test_a_line_is_announced_with_the_first_keep() -> None:
    rules = CachoAlalay(declare_after_throw1=True).scorecard()
    best = solve(rules, cache=False)
    first = best.advise([5, 5, 3, 2, 1], throws_left=1)
    options = first.options()
    assert list(options) == ["keep", "declare", "expected_score", "loss"]
    assert len(options) == 23 * len(rules.lines) + 1  # pairs of a part of the dice and a line; to stop
    assert options[["keep", "declare"]].duplicated().sum() == 0
    assert options["declare"][0] == "Fives"
    assert "keep 2 5 5, announce Fives" in str(first)
    assert options.set_index("keep")["declare"][1, 2, 3, 5, 5] == ""
    assert set(first.outcomes()["line"]) == {"fives"}
    assert first.to_dict()["options"][0]["declare"] == "Fives"
    last = best.advise([5, 5, 3, 2, 1], declared="FIVES").options()
    assert set(last["line"]) == {"fives"}
    assert "declare" not in last
    stop = best.advise([5, 5, 3, 2, 1], throws_left=1, stop=True).options()
    assert set(stop["line"]) == {"ones", "twos", "threes", "fives"}
    table = best.opening().table
    assert table["expected_score"] @ table["probability"] == pytest.approx(best.expected_score, abs=1e-9)
    assert ((table["declare"] == "") == (table["keep"].str.len() == 5)).all()


def test_advice_between_throws_and_for_a_target_knows_the_announced_line() -> None:
    rules = CachoAlalay(declare_after_throw1=True, throws=3, instant_wins=False).scorecard()
    card = dict.fromkeys([name for name in rules.line_names if name not in ("fives", "poker")], 0)
    best = solve(rules, card=card, cache=False)
    first = best.advise([5, 5, 5, 2, 1], throws_left=2).options().set_index(["keep", "declare"])["expected_score"]
    second = {line: best.advise([5, 5, 5, 2, 1], throws_left=1, declared=line) for line in ("fives", "poker")}
    for line, advice in second.items():
        assert list(advice.options()) == ["keep", "expected_score", "loss"]
        assert set(advice.outcomes()["line"]) == {line}
    alone = solve(rules, card=card | {"fives": 20}, cache=False).expected_score - 20
    assert second["poker"].options()["expected_score"].iloc[-1] >= solve(rules, card=card | {"poker": 0}).expected_score
    assert first[(5, 5, 5), "Poker"] < first[(5, 5, 5), "Fives"] + 40
    assert alone > 0
    target = solve_for_target(rules, 60, card=card, cache=False)
    chances = target.advise([5, 5, 5, 2, 1], throws_left=2).options()
    assert set(chances["declare"]) == {"Fives", "Poker", ""}
    assert target.advise([5, 5, 5, 5, 1], declared="fives").options()["line"].unique().tolist() == ["fives"]


@cache
def announced_problems() -> tuple[Any, ...]:
    rules = CachoAlalay(declare_after_throw1=True).scorecard()
    card = {"fives": 10, "sixes": 0, "straight": 0, "full_house": 0, "poker": 0, "grande_1": 0, "grande_2": 0}
    return solve(rules, card=card, cache=False), solve_for_target(rules, 20, card=card, cache=False)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"throws_left": 0}, "has a line announced after the first throw; give it as declared"),
        ({"throws_left": 1, "declared": "fives"}, "a line is announced after the first throw, with the dice kept"),
        ({"throws_left": 0, "declared": "fives"}, "announced line 'fives' is filled; choose an open one: ones, "),
        ({"throws_left": 0, "declared": "fivs"}, "line 'fivs' is unknown; did you mean 'fives'?"),
    ],
)
def test_announced_lines_that_cannot_be(given: dict[str, Any], message: str) -> None:
    for problem in announced_problems():
        with pytest.raises((PositionError, RulesError), match=re.escape(message)):
            problem.advise([5, 5, 3, 2, 1], **given)


def test_no_line_is_announced_in_other_games() -> None:
    with pytest.raises(PositionError, match="no line is announced in Yahtzee; leave declared out"):
        solution_of(YAHTZEE).advise([5, 5, 3, 2, 1], declared="fives")


def test_entries_after_stopping_early() -> None:
    """After the first throw of Cacho Alalay dice are entered as they lie, and only if they score."""
    best = solve(CachoAlalay().scorecard(), cache=False)
    straight = best.advise([1, 3, 4, 5, 6], throws_left=1, stop=True)
    assert straight.best == "straight"
    assert set(straight.options()["laid"]) == {(1, 3, 4, 5, 6)}
    assert straight.options().set_index("line")["points"]["straight"] == 25
    assert len(best.advise([1, 3, 4, 5, 6]).options()["laid"].unique()) > 1
    twos = dict.fromkeys(("ones", "threes", "fours", "fives", "sixes", "straight", "full_house", "poker"), 0)
    with pytest.raises(PositionError, match="the rules do not allow to stop with 1 3 4 5 6"):
        best.advise([1, 3, 4, 5, 6], throws_left=1, card=twos, stop=True)


def test_wins_are_told() -> None:
    rules = CachoAlalay().scorecard()
    card = {"straight": 25, "full_house": 35, "grande_1": 50}
    best = solve(rules, policy="points", card=card, cache=False)
    stop = best.advise([3, 4, 4, 4, 4], throws_left=1, stop=True)
    assert stop.best == "poker"
    assert stop.options().set_index("line")["wins"].to_dict() == {
        "poker": "Panza de oro", "fours": "", "threes": "",
    }  # fmt: skip
    assert "(wins at once: Panza de oro; expected score " in str(stop)
    asleep = best.advise([4] * 5, throws_left=1)
    assert str(asleep).endswith("keep 4 4 4 4 4 (wins at once: Dormida)")
    assert len(asleep.options()) == 1
    assert "wins" not in solution_of(SMALL_GAMES["forced"]).advise([1, 4, 4]).options()
