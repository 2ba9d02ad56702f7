"""Exact answers: values, tables, what is kept on disk, and complaints."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import analyzer.analysis.solve as module
from analyzer.analysis.result import QUANTILES, records
from analyzer.analysis.solve import line_values, solve, solve_for_target
from analyzer.dice.evaluation import evaluate
from analyzer.dice.lines import Line
from analyzer.dice.scorecard import ScorecardRules
from analyzer.dice.states import StateSpace
from analyzer.dice.target import solve_target
from analyzer.engine.store import save_arrays
from analyzer.errors import PolicyError, PositionError, UsageError
from analyzer.games.dice_poker import DicePoker
from analyzer.games.yahtzee import Yahtzee
from tests.dice.reference import (
    SMALL_GAMES,
    WINNING,
    Family,
    Game,
    Uniform,
    chase,
    face_lines,
    greedy,
    optimal,
    play_all,
)
from tests.dice.test_target import Chaser

RULES = SMALL_GAMES["forced"]
POLICIES = ["optimal", "greedy", "par", "random", "line:face_1"]


def first(dice: Any, throws_left: int, card: Any) -> Any:
    return dice if throws_left else card.open[0]


@cache
def game_of(name: str) -> Game:
    return Game(SMALL_GAMES[name])


def test_yahtzee_expects_what_is_published() -> None:
    solution = solve(Yahtzee().scorecard())
    assert solution.expected_score == pytest.approx(254.5877287345, abs=5e-10)
    assert solution.exact
    assert (solution.title, solution.label, solution.policy) == ("Yahtzee", "optimal", "optimal")


def families(game: Game) -> Iterator[tuple[str, Family]]:
    yield "optimal", optimal(game)
    yield "greedy", greedy(game)
    yield "random", Uniform(game)
    yield f"line:{game.rules.line_names[0]}", chase(game, game.rules.line_names[0])


@pytest.mark.parametrize("name", ["coins", "forced_when_zero", "no_bonus", "one_die"])
def test_every_policy_earns_what_following_every_game_says(name: str) -> None:
    game = game_of(name)
    for policy, family in families(game):
        expected = play_all(game, family).scores
        mean = sum(score * p for score, p in expected.items())
        deviation = sum((score - mean) ** 2 * p for score, p in expected.items()) ** 0.5
        solution = solve(game.rules, policy=policy, cache=False)
        assert solution.expected_score == pytest.approx(mean, abs=1e-11)
        assert solution.standard_deviation == pytest.approx(deviation, abs=1e-9)
        frame = solution.distribution()
        assert dict(zip(frame["score"], frame["probability"], strict=True)) == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_the_two_ways_to_the_optimum_agree(name: str) -> None:
    """Backwards over values and forwards over chances."""
    solution = solve(SMALL_GAMES[name], cache=False)
    frame = solution.distribution()
    assert frame["score"] @ frame["probability"] == pytest.approx(solution.expected_score, abs=1e-10)
    assert solution.lines()["mean"].sum() == pytest.approx(solution.expected_score, abs=1e-10)


@pytest.mark.parametrize("policy", POLICIES)
def test_no_policy_beats_the_optimum(policy: str) -> None:
    for card in ({}, {"alike": 30}, {"face_4": 8, "pair": 9}):
        best = solve(RULES, card=card, cache=False).expected_score
        assert solve(RULES, policy=policy, card=card, cache=False).expected_score <= best + 1e-10


def test_tables_of_a_policy_fit_together() -> None:
    for policy in POLICIES:
        solution = solve(RULES, policy=policy, cache=False)
        frame, lines, rounds = solution.distribution(), solution.lines(), solution.line_rounds()
        assert frame["probability"].sum() == pytest.approx(1)
        assert frame["score"].is_monotonic_increasing
        assert frame["at_least"].to_numpy() == pytest.approx(frame["probability"][::-1].cumsum()[::-1].to_numpy())
        assert lines["mean"].sum() == pytest.approx(solution.expected_score)
        assert rounds["rate"].sum() == pytest.approx(len(RULES.lines))
        mean = (frame["score"] * frame["probability"]).sum()
        variance = ((frame["score"] - mean) ** 2 * frame["probability"]).sum()
        assert solution.standard_deviation == pytest.approx(variance**0.5)


def test_quantiles_are_the_smallest_scores_with_enough_chance() -> None:
    solution = solve(RULES, policy="greedy", cache=False)
    frame, found = solution.distribution(), solution.quantiles()
    assert found["quantile"].tolist() == list(QUANTILES)
    cumulated = frame["probability"].cumsum()
    for chance, score in zip(found["quantile"], found["score"], strict=True):
        assert score == frame["score"][cumulated >= chance - 1e-12].iloc[0]
    assert solution.quantiles([0.5])["score"].tolist() == [found.set_index("quantile")["score"][0.5]]


@pytest.mark.parametrize("policy", POLICIES)
def test_a_game_from_a_card_counts_what_is_written(policy: str) -> None:
    """Upper bonus earned already, extra fives earned already."""
    blank = solve(RULES, policy=policy, card={"alike": 30, "face_4": 12}, cache=False)
    extra = solve(RULES, policy=policy, card={"alike": 30, "face_4": 12}, extra_points=20, cache=False)
    assert extra.expected_score == pytest.approx(blank.expected_score + 20)
    assert extra.standard_deviation == pytest.approx(blank.standard_deviation)
    assert extra.distribution()["score"].min() == blank.distribution()["score"].min() + 20
    assert blank.distribution()["score"].min() >= 30 + 12 + 10
    assert blank.lines()["line"].tolist() == ["face_1", "pair", "chance", "upper_bonus", "extra_five"]
    assert blank.lines()["mean"].sum() == pytest.approx(blank.expected_score - 52)
    assert set(blank.line_rounds()["round"]) == {3, 4, 5}


def test_a_card_is_worth_what_the_reference_says() -> None:
    game = game_of("forced")
    for filled in ({"alike": 30}, {"alike": 0, "pair": 7}, {"face_1": 1, "face_4": 8}):
        expected = game.future(game.past(game.card(filled)))
        score = sum(filled.values()) + (10 if "face_4" in filled else 0)
        assert solve(RULES, card=filled, cache=False).expected_score == pytest.approx(score + expected)


@pytest.mark.parametrize("name", ["forced", "free", "extra_without_joker", "no_bonus", "one_throw"])
def test_line_values_are_turns_for_one_line_alone(name: str) -> None:
    game = game_of(name)
    frame = line_values(game.rules).set_index("line")
    assert list(frame.index) == list(game.rules.line_names)
    for line in game.rules.line_names:
        chances = chase(game, line).turn(game.blank).chances()
        points = {entry: entry[1] + entry[2] for entry in chances}
        mean = sum(p * points[entry] for entry, p in chances.items())
        assert frame["mean"][line] == pytest.approx(mean)
        square = sum(p * points[entry] ** 2 for entry, p in chances.items())
        assert frame["standard_deviation"][line] == pytest.approx(max(square - mean**2, 0) ** 0.5, abs=1e-6)
        assert frame["zero_rate"][line] == pytest.approx(sum(p for e, p in chances.items() if e[1] == 0))
    assert set(frame["section"]) <= {"upper", "lower"}


def test_line_values_from_a_card() -> None:
    frame = line_values(RULES, card={"pair": 9, "chance": 6})
    assert frame["line"].tolist() == ["face_1", "face_4", "alike"]


def counted(monkeypatch: pytest.MonkeyPatch, name: str, function: Any) -> list[str]:
    calls: list[str] = []

    def call(*args: Any, **options: Any) -> Any:
        calls.append(name)
        return function(*args, **options)

    monkeypatch.setattr(module, name, call)
    return calls


def numbers_of(solution: Any) -> str:
    return "\n".join(frame.to_csv() for frame in (solution.lines(), solution.line_rounds(), solution.distribution()))


@pytest.mark.parametrize("policy", POLICIES)
def test_an_evaluation_is_kept(policy: str, cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = counted(monkeypatch, "evaluate", evaluate)
    card = {"alike": 30}
    first_time, second_time = (numbers_of(solve(RULES, policy=policy, card=card)) for _ in range(2))
    assert first_time == second_time
    assert calls == ["evaluate"]
    assert numbers_of(solve(RULES, policy=policy, card=card, cache=False)) == first_time
    solve(RULES, policy=policy).lines()
    assert calls == ["evaluate"] * 3, "another card is another evaluation"


def test_an_evaluation_is_asked_for_only_when_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = counted(monkeypatch, "evaluate", evaluate)
    solution = solve(RULES, cache=False)
    assert solution.expected_score > 0
    solution.advise([1, 2, 4], throws_left=1)
    assert calls == []
    solution.lines()
    solution.distribution()
    assert calls == ["evaluate"]


@pytest.mark.parametrize("kind", ["evaluation", "target"])
@pytest.mark.parametrize("damage", ["truncated", "flipped", "foreign", "other arrays"])
def test_damaged_files_are_computed_anew(kind: str, damage: str, cache_folder: Path) -> None:
    def ask() -> str:
        if kind == "evaluation":
            return numbers_of(solve(RULES, policy="greedy"))
        found = solve_for_target(RULES, 40, card={"chance": 9, "pair": 8})
        return f"{found.probability!r} {found.advise([1, 4, 4]).options().to_csv()}"

    right = ask()
    (file,) = (cache_folder / kind).iterdir()
    content = file.read_bytes()
    if damage == "truncated":
        file.write_bytes(content[:-1])
    elif damage == "flipped":
        file.write_bytes(content[:-20] + bytes([content[-20] ^ 1]) + content[-19:])
    elif damage == "foreign":
        solve(RULES, policy="par").lines()
        solve_for_target(RULES, 41, card={"chance": 9, "pair": 8})
        (other,) = (path for path in file.parent.iterdir() if path != file)
        file.write_bytes(other.read_bytes())
    else:
        save_arrays(file.name.removesuffix(".arrays"), kind, {"scores": np.zeros(3)}, {"upper_bonus": 0.5})
    assert ask() == right
    assert ask() == right


def test_without_cache_nothing_is_read_or_written(cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers_of(solve(RULES, policy="greedy", cache=False))
    solve(RULES, cache=False).advise([1, 2, 4])
    solve_for_target(RULES, 40, card={"chance": 9, "pair": 8}, cache=False)
    assert not cache_folder.exists()


def test_a_target_is_kept(cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = counted(monkeypatch, "solve_target", solve_target)
    found = [solve_for_target(RULES, 40, card={"chance": 9, "pair": 8}) for _ in range(2)]
    assert calls == ["solve_target"]
    assert found[0].probability == found[1].probability
    for throws_left in (0, 1, 2):
        one, other = (each.advise([1, 4, 4], throws_left=throws_left) for each in found)
        assert one.to_dict() == other.to_dict()


def test_what_a_function_says_is_never_kept(cache_folder: Path) -> None:
    """Its name stands for its code, but it may look at anything."""
    rules = SMALL_GAMES["no_bonus"]
    mood = {"line": 0}

    def moody(dice: Any, throws_left: int, card: Any) -> Any:
        return dice if throws_left else card.open[mood["line"]]

    means = []
    for mood["line"] in (0, -1):
        means.append(solve(rules, policy=moody).line_rounds())
    assert not means[0].equals(means[1])
    assert not (cache_folder / "evaluation").exists()


def test_a_target_has_the_chance_of_the_reference() -> None:
    game = game_of("forced")
    chaser = Chaser(game)
    for filled, extra in (({"chance": 9, "pair": 8}, 0), ({"alike": 30, "face_1": 2, "chance": 7}, 20)):
        base = sum(filled.values()) + extra
        for more in (1, 10, 25):
            solution = solve_for_target(RULES, base + more, card=filled, extra_points=extra, cache=False)
            assert solution.probability == pytest.approx(chaser.chance(game.card(filled), more), abs=1e-12)


def test_a_target_that_is_met_or_out_of_reach() -> None:
    assert solve_for_target(RULES, 0, cache=False).probability == pytest.approx(1)
    assert solve_for_target(RULES, 30, card={"alike": 30}, cache=False).probability == pytest.approx(1)
    assert solve_for_target(RULES, 10**9, cache=False).probability == 0


def test_a_target_with_locked_dice() -> None:
    rules = SMALL_GAMES["free"]
    game = game_of("free")
    filled = {"face_3": 6, "run": 9, "chance": 7}
    expected = Chaser(game).chance(game.card(filled), 30)
    assert 0 < expected < 1
    assert solve_for_target(rules, 52, card=filled, cache=False).probability == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("target", [-1, 10**9 + 1, 10**30, 2.5, True, "40", None])
def test_targets_that_cannot_be(target: Any) -> None:
    with pytest.raises(UsageError, match=r"target = .* cannot be; give a whole number in 0\.\.1000000000"):
        solve_for_target(RULES, target, cache=False)


@pytest.mark.parametrize("verb", [solve, lambda rules, **options: solve_for_target(rules, 40, **options)])
def test_workers_are_checked_also_where_the_answer_is_at_hand(verb: Any, cache_folder: Path) -> None:
    verb(RULES)
    with pytest.raises(UsageError, match="the number of workers is 0; it must be at least 1"):
        verb(RULES, workers=0)


def test_the_answer_does_not_depend_on_workers() -> None:
    expected = numbers_of(solve(RULES, workers=1, cache=False))
    for workers in (2, 7):
        assert numbers_of(solve(RULES, workers=workers, cache=False)) == expected


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"policy": "greed"}, PolicyError, "policy 'greed' is unknown; did you mean 'greedy'?"),
        ({"card": {"face_4": 5}}, PositionError, "face_4 = 5 is not a score"),
        ({"extra_points": 20}, PositionError, "extra points 20 need points in 'alike'"),
    ],
)
def test_arguments_that_cannot_be(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        solve(RULES, cache=False, **options)
    assert message in str(caught.value)


def test_advice_and_openings_are_about_best_play() -> None:
    solution = solve(RULES, policy="greedy", cache=False)
    with pytest.raises(UsageError, match="advice is about best play, not 'greedy'; choose optimal, or"):
        solution.advise([1, 2, 4])
    with pytest.raises(UsageError, match="opening table is about best play, not 'greedy'"):
        solution.opening()


def test_plain_values() -> None:
    content = solve(RULES, policy="par:chance=7", card={"alike": 30}, cache=False).to_dict()
    assert json.loads(json.dumps(content, allow_nan=False, default=lambda value: value.item())) is not None
    assert {
        "game", "rules_id", "policy", "card", "extra_points", "exact",
        "expected_score", "standard_deviation", "quantiles", "lines",
        "versions",
    } == content.keys()  # fmt: skip
    assert (content["game"], content["rules_id"], content["policy"]) == ("forced", RULES.id, "par:chance=7")
    assert content["card"] == {"alike": 30}
    for line in content["lines"]:
        assert {"name", "mean", "zero_rate"} <= line.keys()
    names = [line["name"] for line in content["lines"]]
    assert names == ["face_1", "face_4", "pair", "chance", "upper_bonus", "extra_five"]
    assert content["lines"][-1]["zero_rate"] is None
    assert [set(row) for row in content["quantiles"]] == [{"quantile", "score"}] * len(QUANTILES)


def test_plain_values_of_a_target() -> None:
    content = solve_for_target(RULES, 60, card={"chance": 9, "pair": 8}, cache=False).to_dict()
    assert json.dumps(content, allow_nan=False)
    assert content["target"] == 60
    assert 0 <= content["probability"] <= 1
    assert content["card"] == {"pair": 8, "chance": 9}


def test_results_say_what_they_are() -> None:
    solution = solve(RULES, card={"alike": 30}, cache=False)
    assert str(solution).startswith("Forced, optimal from alike=30: expected score ")
    assert "\n" not in str(solution)
    assert solution._repr_html_().count("<tr>") == 1 + len(solution.lines())
    target = solve_for_target(RULES, 60, card={"alike": 30, "pair": 8}, cache=False)
    assert str(target).startswith("Forced from pair=8,alike=30: at least 60 points with chance 0.")


def test_missing_numbers_are_none() -> None:
    frame = pd.DataFrame({"a": [1.5, np.nan], "b": ["x", "y"]})
    assert records(frame) == [{"a": 1.5, "b": "x"}, {"a": None, "b": "y"}]


def test_dice_poker_has_more_columns_than_a_function_can_be_asked_about() -> None:
    rules = DicePoker().scorecard()
    solution = solve(rules, policy=first)
    assert StateSpace.of(rules, merged=False).columns > StateSpace.of(rules).columns
    with pytest.raises(UsageError, match="use simulate"):
        _ = solution.standard_deviation


def test_own_policies_are_evaluated_where_few_lines_are_open() -> None:
    def first_line(dice: tuple[int, ...], throws_left: int, card: Any) -> Any:
        return dice if throws_left else next(iter(card.entries(dice)))

    rules = Yahtzee().scorecard()
    card = dict.fromkeys(rules.line_names[1:], 0) | {"chance": 5}
    alone = solve(rules, policy=first_line, card=card)
    assert alone.expected_score == pytest.approx(5 + 5 / 6)
    with pytest.raises(UsageError, match="use simulate, or a scorecard with fewer open lines"):
        _ = solve(rules, policy=first_line).expected_score


def test_a_line_that_the_dice_may_not_be_entered_in_gets_nothing_of_the_turn() -> None:
    """Whoever chases ones where nothing but a scoring line may be filled enters dice without ones elsewhere."""
    lines = (*face_lines(1, 2), Line(name="chance", kind="chance"))
    rules = ScorecardRules(name="banned", lines=lines, dice=1, faces=2, throws=1, strike="banned")
    values = line_values(rules).set_index("line")
    assert values["mean"].tolist() == pytest.approx([0.5, 1.0, 1.5])
    assert values["zero_rate"].tolist() == pytest.approx([0.5, 0.5, 0.0])


def test_served_dice_mean_something_or_are_refused() -> None:
    plain, served = (solve(WINNING, cache=False).advise([1, 2, 2], served=served).options() for served in (False, True))
    assert plain.set_index("line")["points"]["pair"] == 5
    assert served.set_index("line")["points"]["pair"] == 8
    for problem in (solve(RULES, cache=False), solve_for_target(RULES, 60, card={"alike": 30, "pair": 8}, cache=False)):
        with pytest.raises(PositionError, match="served dice mean nothing in Forced; leave served out"):
            problem.advise([1, 2, 4], served=True)
