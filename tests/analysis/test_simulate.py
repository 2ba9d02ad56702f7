"""Monte Carlo results: the same for any number of workers, and in agreement with exact evaluation.

A statistical test here allows 4.5 standard errors, which chance exceeds once in 150,000 times, with fixed seeds.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

import analyzer.analysis.simulate as module
from analyzer.analysis.result import QUANTILES
from analyzer.analysis.simulate import GAMES, GamesResult, SimulationResult, TurnsResult, simulate
from analyzer.analysis.solve import Solution, solve
from analyzer.dice.states import StateSpace
from analyzer.dice.turn_detail import turn_detail
from analyzer.engine.provenance import Provenance
from analyzer.errors import PolicyError, PositionError, UsageError
from analyzer.games.dice_poker import DicePoker
from analyzer.stats.estimates import mean_estimate
from tests.dice.reference import SMALL_GAMES, Uniform, chase, entry_numbers, greedy
from tests.dice.reference import Game as Plain

RULES = SMALL_GAMES["forced"]
POKER = DicePoker().scorecard()
POLICIES = ["optimal", "greedy", "par", "random", "line:face_1"]
LIMIT = 4.5


@cache
def exact(name: str, policy: str, card: tuple[tuple[str, int], ...] = (), extra: int = 0) -> Solution:
    return solve(SMALL_GAMES[name], policy=policy, card=dict(card), extra_points=extra)


def within(found: float, expected: float, standard_error: float) -> bool:
    return abs(found - expected) <= LIMIT * standard_error + 1e-12


def likely(count: int, n: int, chance: float) -> bool:
    """Whether a count is no rarer than one in a million, for rare things too, where no normal distribution holds."""
    chance = min(max(chance, 0.0), 1.0)
    return bool(binom.cdf(count, n, chance) > 5e-7 and binom.sf(count - 1, n, chance) > 5e-7)


def check_agreement(result: GamesResult, solution: Solution) -> None:
    """Mean, deviation, and per line mean and zero rate."""
    n = result.games
    deviation = solution.standard_deviation
    assert within(result.mean, solution.expected_score, deviation / n**0.5)
    frame = solution.distribution()
    fourth = (frame["score"] - solution.expected_score) ** 4 @ frame["probability"]
    spread = ((fourth / deviation**4 - 1) / (4 * n)) ** 0.5 * deviation if deviation else 0.0
    assert within(result.standard_deviation, deviation, spread)
    ours, theirs = result.lines(), solution.lines()
    assert ours["line"].tolist() == theirs["line"].tolist()
    for found, expected in zip(ours.itertuples(), theirs.itertuples(), strict=True):
        if found.line == "extra_five":
            continue
        assert within(found.mean, expected.mean, expected.standard_deviation / n**0.5), found.line
        assert likely(round(found.zero_rate * n), n, expected.zero_rate), found.line
    rounds, expected_rounds = result.line_rounds(), solution.line_rounds()
    for found, expected in zip(rounds.itertuples(), expected_rounds.itertuples(), strict=True):
        assert likely(round(found.rate * n), n, expected.rate), (found.line, found.round)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", ["forced", "forced_natural", "coins"])
def test_games_agree_with_exact_evaluation(name: str, policy: str) -> None:
    policy = policy if name == "forced" or policy != "line:face_1" else f"line:{SMALL_GAMES[name].line_names[0]}"
    result = simulate(SMALL_GAMES[name], policy=policy, games=40_000, seed=2)
    check_agreement(result, exact(name, policy))


@pytest.mark.parametrize("policy", POLICIES)
def test_games_from_a_card_agree_with_exact_evaluation(policy: str) -> None:
    card = {"alike": 30, "face_4": 12}
    result = simulate(RULES, policy=policy, games=40_000, seed=3, card=card, extra_points=20)
    check_agreement(result, exact("forced", policy, tuple(card.items()), 20))


@pytest.mark.parametrize("name", ["free", "extra_without_joker"])
@pytest.mark.parametrize("policy", ["optimal", "random"])
def test_games_with_locked_dice_agree_with_exact_evaluation(name: str, policy: str) -> None:
    check_agreement(simulate(SMALL_GAMES[name], policy=policy, games=30_000, seed=4), exact(name, policy))


def tables(result: SimulationResult) -> dict[str, str]:
    frames = [result.lines(), result.distribution(), result.quantiles()]
    if isinstance(result, GamesResult):
        frames.append(result.line_rounds())
    text = json.dumps(result.to_dict(), default=lambda value: value.item(), allow_nan=False)
    return {str(place): frame.to_csv() for place, frame in enumerate(frames)} | {"json": text, "text": str(result)}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("unit", ["games", "turns"])
def test_workers_make_no_difference(policy: str, unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nine blocks for one, two or seven threads; the last one is short."""
    monkeypatch.setattr(module, "GAME_BLOCK", 250)
    monkeypatch.setattr(module, "TURN_BLOCK", 250)
    number: Any = {unit: 2100}
    expected = tables(simulate(RULES, policy=policy, seed=9, workers=1, **number))
    for workers in (2, 7):
        assert tables(simulate(RULES, policy=policy, seed=9, workers=workers, **number)) == expected
    other = tables(simulate(RULES, policy=policy, seed=10, workers=1, **number))
    assert all(other[name] != expected[name] for name in ("0", "1", "json", "text"))


@pytest.mark.parametrize("unit", ["games", "turns"])
def test_blocks_of_another_size_give_the_same_games(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game's dice depend on its number alone."""
    number: Any = {unit: 1000}
    whole = simulate(RULES, policy="greedy", seed=9, **number)
    monkeypatch.setattr(module, "GAME_BLOCK", 64)
    monkeypatch.setattr(module, "TURN_BLOCK", 64)
    parts = simulate(RULES, policy="greedy", seed=9, **number)
    assert parts.tally == whole.tally
    assert parts.task_id != whole.task_id


def test_more_games_begin_with_the_same_games() -> None:
    """Counts never fall when games are added."""
    few, more = (simulate(RULES, policy="greedy", games=n, seed=5).tally for n in (500, 800))
    assert np.all(more["entries"] >= few["entries"])
    assert np.all(more["scores"] >= few["scores"])


def test_policies_meet_the_same_dice() -> None:
    """Common random numbers: a difference of policies is told far more exactly than each one."""
    one_throw = SMALL_GAMES["one_throw"]
    first, second = (simulate(one_throw, policy=policy, turns=5000, seed=8) for policy in ("optimal", "random"))
    assert np.array_equal(first.tally["rolls"], second.tally["rolls"])


@pytest.mark.parametrize("seed", [0, 1, 2**32, 2**63, 2**64 - 1])
def test_every_seed_gives_its_own_games(seed: int) -> None:
    result = simulate(RULES, policy="greedy", games=3000, seed=seed)
    assert result.seed == seed
    other = simulate(RULES, policy="greedy", games=3000, seed=seed ^ 2**40)
    assert not np.array_equal(result.tally["scores"], other.tally["scores"])
    assert result.task_id != other.task_id


def test_numbers_of_a_result_follow_from_its_counts() -> None:
    result = simulate(RULES, policy="greedy", games=5000, seed=1, confidence=0.9)
    frame = result.distribution()
    assert list(frame.columns) == ["score", "probability", "at_least", "count"]
    assert frame["count"].sum() == 5000 == result.games
    assert frame["probability"].to_numpy() == pytest.approx(frame["count"].to_numpy() / 5000)
    scores = np.repeat(frame["score"].to_numpy(), frame["count"].to_numpy())
    assert result.mean == pytest.approx(scores.mean())
    assert result.standard_deviation == pytest.approx(scores.std(ddof=1))
    assert result.standard_error == pytest.approx(scores.std(ddof=1) / 5000**0.5)
    expected = mean_estimate(frame["score"], frame["count"], 0.9)
    assert result.interval == (expected.lower, expected.upper)
    assert result.estimate == expected
    found = result.quantiles()
    assert found["quantile"].tolist() == list(QUANTILES)
    assert found["score"].tolist() == [int(np.sort(scores)[int(np.ceil(q * 5000 - 1e-9)) - 1]) for q in QUANTILES]
    assert result.lines()["mean"].sum() == pytest.approx(result.mean)


def test_a_narrower_confidence_is_a_narrower_interval() -> None:
    results = [simulate(RULES, policy="greedy", games=500, confidence=c) for c in (0.5, 0.95, 0.999)]
    widths = [result.interval[1] - result.interval[0] for result in results]
    assert widths == sorted(widths)
    of_lines = [(result.lines()["upper"] - result.lines()["lower"])[:5].to_numpy() for result in results]
    for width, lines in zip(widths, of_lines, strict=True):
        assert lines / width == pytest.approx(of_lines[0] / widths[0])


def test_a_single_game() -> None:
    """No spread can be told; JSON has null for what is not known."""
    for number in ({"games": 1}, {"turns": 1}):
        result = simulate(RULES, policy="greedy", **number)
        content = json.loads(json.dumps(result.to_dict(), allow_nan=False, default=lambda value: value.item()))
        assert content["standard_error"] is None
        assert content["standard_deviation"] is None
        assert content["interval"] == [None, None]
        assert content["mean"] == result.mean
        assert "interval unknown, n = 1" in str(result)


def test_an_interval_without_bounds() -> None:
    """One game tells nothing of the spread: JSON has null for the ends of its interval."""
    result = simulate(RULES, policy="greedy", games=1)
    content = json.loads(json.dumps(result.to_dict(), allow_nan=False, default=lambda value: value.item()))
    assert content["interval"] == [None, None]
    assert content["lines"][0]["upper"] is None
    assert content["standard_error"] is None
    with pytest.raises(UsageError, match="too near 1 to compute with"):
        simulate(RULES, policy="greedy", games=10, confidence=1 - 2**-53)


def test_the_default_number_of_games() -> None:
    assert simulate(SMALL_GAMES["coins"], policy="greedy").games == GAMES == 100_000


@pytest.mark.parametrize("policy", ["optimal", "greedy", "random"])
def test_turns_agree_with_one_exact_turn(policy: str) -> None:
    """Chance of every entry of a single turn from a card, and what the final dice would score elsewhere."""
    card = {"chance": 7}
    result = simulate(RULES, policy=policy, turns=60_000, seed=6, card=card)
    assert isinstance(result, TurnsResult)
    game = Plain(RULES)
    numbers = entry_numbers(StateSpace.of(RULES))
    plain = game.card(card)
    family = {"greedy": greedy(game), "random": Uniform(game)}.get(policy)
    chances = game.optimal(plain).chances() if family is None else family.chances(plain)
    counts = result.tally["entries"]
    for entry, number in numbers.items():
        p = chances.get(entry, 0.0)
        assert likely(counts[number], 60_000, p), entry
    points = {entry: entry[1] + entry[2] for entry in chances}
    mean = sum(p * points[entry] for entry, p in chances.items())
    square = sum(p * points[entry] ** 2 for entry, p in chances.items())
    assert within(result.mean, mean, ((square - mean**2) / 60_000) ** 0.5)
    frame = result.lines().set_index("line")
    assert list(frame.index) == ["face_1", "face_4", "pair", "alike"]
    assert frame["rate"].sum() == pytest.approx(1)
    for line, name in enumerate(RULES.line_names[:4]):
        mine = {entry: p for entry, p in chances.items() if entry[0] == line}
        assert frame["rate"][name] == pytest.approx(sum(counts[numbers[entry]] for entry in mine) / 60_000)
        assert frame["rate_lower"][name] <= frame["rate"][name] <= frame["rate_upper"][name]


def test_turns_for_one_line_alone() -> None:
    card = {"chance": 7}
    result = simulate(RULES, policy="line:pair", turns=40_000, seed=7, card=card)
    turn = chase(Plain(RULES), "pair").turn(Plain(RULES).card(card))
    frame = result.lines().set_index("line")
    assert frame["rate"].tolist() == [0, 0, 1, 0]
    assert frame["available_mean"]["pair"] == pytest.approx(frame["mean"]["pair"])
    assert within(frame["mean"]["pair"], turn.value, frame["standard_error"]["pair"])
    assert np.isnan(frame["mean"]["alike"])
    content = result.to_dict()
    assert content["lines"][0]["mean"] is None
    assert content["turns"] == 40_000
    assert "games" not in content


def test_available_means_are_what_all_final_dice_would_score() -> None:
    result = simulate(POKER, policy="greedy", turns=20_000, seed=1)
    space = StateSpace.of(POKER)
    rolls = result.tally["rolls"]
    frame = result.lines().set_index("line")
    for name in POKER.line_names:
        scores = [POKER.score(space.lattice.faces_of(space.lattice.first_roll + r), name) for r in range(252)]
        assert frame["available_mean"][name] == pytest.approx(np.array(scores) @ rolls / 20_000)


def test_dice_poker_turns_agree_with_the_turn_in_full() -> None:
    """A table policy of 252 rolls: every entry of the opening turn."""
    result = simulate(POKER, policy="greedy", turns=200_000, seed=12)
    bound = result.bound
    chances = turn_detail(bound.space, 0, bound.objective).outcomes(0, 3)  # type: ignore[attr-defined]
    for count, chance in zip(result.tally["entries"].tolist(), chances.tolist(), strict=True):
        assert likely(count, 200_000, chance)


def test_the_task_id_names_what_decides_the_result() -> None:
    task: dict[str, Any] = {"policy": "greedy", "games": 50, "seed": 1}
    ids = {simulate(RULES, **task).task_id}
    card = {"alike": 30, "chance": 7}
    others: list[dict[str, Any]] = [
        {"seed": 2}, {"policy": "par"}, {"policy": "par:chance=3"}, {"card": card}, {"card": card | {"chance": 8}},
        {"card": card, "extra_points": 20}, {"games": None, "turns": 50},
    ]  # fmt: skip
    for other in others:
        ids.add(simulate(RULES, **task | other).task_id)
    assert len(ids) == 1 + len(others)
    ids.add(simulate(SMALL_GAMES["free"], **task).task_id)
    assert len(ids) == 2 + len(others)
    same = [{"games": 70}, {"confidence": 0.5}, {"workers": 2}, {"cache": False}]
    assert {simulate(RULES, **task | other).task_id for other in same} == {simulate(RULES, **task).task_id}


def test_plain_values() -> None:
    result = simulate(RULES, policy="optimal", games=500, seed=4, card={"alike": 30})
    content = result.to_dict()
    assert content.keys() == {
        "game", "rules_id", "policy", "card", "extra_points", "exact",
        "games", "seed", "task_id", "mean", "standard_error", "interval",
        "confidence", "standard_deviation", "quantiles", "lines", "provenance",
    }  # fmt: skip
    assert (content["games"], content["seed"], content["exact"]) == (500, 4, False)
    assert content["task_id"] == result.task_id == Provenance.from_dict(content["provenance"]).task_id
    assert all({"name", "mean", "zero_rate", "standard_error"} <= line.keys() for line in content["lines"])
    assert content["interval"][0] < content["mean"] < content["interval"][1]


def test_results_say_what_they_are() -> None:
    result = simulate(RULES, policy="greedy", games=500, seed=4, card={"alike": 30})
    assert str(result).startswith("Forced, greedy from alike=30: mean score ")
    assert str(result).endswith(", seed 4")
    assert result._repr_html_().count("<tr>") == 1 + len(result.lines())
    assert (result.label, result.title, result.exact) == ("greedy", "Forced", False)


WRONG: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"games": 0}, UsageError, "games = 0 cannot be; give a whole number in 1..1000000000000"),
    ({"games": -5}, UsageError, "games = -5 cannot be"),
    ({"games": 10**12 + 1}, UsageError, "games = 1000000000001 cannot be"),
    ({"games": 1e3}, UsageError, "games = 1000.0 cannot be"),
    ({"games": True}, UsageError, "games = True cannot be"),
    ({"games": "10"}, UsageError, "games = '10' cannot be"),
    ({"turns": 0, "games": None}, UsageError, "turns = 0 cannot be; give a whole number in 1..1000000000000"),
    ({"turns": 10}, UsageError, "games = 10 and turns = 10 are both given; give one of them"),
    ({"seed": -1}, UsageError, "seed = -1 cannot be; give a whole number in 0..18446744073709551615"),
    ({"seed": 2**64}, UsageError, "seed = 18446744073709551616 cannot be"),
    ({"seed": 1.5}, UsageError, "seed = 1.5 cannot be"),
    ({"confidence": 0}, UsageError, "confidence = 0 cannot be; give a number between 0 and 1, such as 0.95"),
    ({"confidence": 1}, UsageError, "confidence = 1 cannot be"),
    ({"confidence": 95}, UsageError, "confidence = 95 cannot be"),
    ({"confidence": float("nan")}, UsageError, "confidence = nan cannot be"),
    ({"workers": 0}, UsageError, "the number of workers is 0; it must be at least 1"),
    ({"policy": "greed"}, PolicyError, "policy 'greed' is unknown; did you mean 'greedy'?"),
    ({"card": {"face_4": 5}}, PositionError, "face_4 = 5 is not a score of that line"),
    ({"extra_points": 20}, PositionError, "extra points 20 need points in 'alike'"),
]


@pytest.mark.parametrize(("given", "error", "message"), WRONG)
def test_arguments_that_cannot_be(given: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        simulate(RULES, **{"policy": "greedy", "games": 10} | given)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_numpy_numbers_will_do() -> None:
    result = simulate(RULES, policy="greedy", games=np.int64(20), seed=np.uint64(3), workers=np.int8(1))  # type: ignore[arg-type]
    assert pd.api.types.is_integer(result.seed)
    assert result.to_dict() == simulate(RULES, policy="greedy", games=20, seed=3).to_dict()


@pytest.mark.nightly
@pytest.mark.parametrize("policy", ["optimal", "greedy", "par", "random"])
def test_four_million_games_of_dice_poker(policy: str) -> None:
    """Mean, deviation, and every line's mean and zero rate; takes minutes and, for the distribution, up to 4 GiB."""
    check_agreement(simulate(POKER, policy=policy, games=4_000_000, seed=20), solve(POKER, policy=policy))
