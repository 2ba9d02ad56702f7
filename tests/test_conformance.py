"""What every dice game must do, class or rules file, under every value of each of its options.

A simulated mean may lie 4.5 standard errors off the exact one, which happens by chance once in 150,000 times; seeds
are fixed. Options are varied one at a time. A number of throws is tried at 1 and 2; the rest of its range is nightly,
and so is a line announced after the first throw, which takes ten times as long.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import analyzer.analysis.simulate as simulation
from analyzer.analysis.arms import Arm
from analyzer.analysis.compare import compare
from analyzer.analysis.match import can_match, match
from analyzer.analysis.simulate import GamesResult, TurnsResult, simulate
from analyzer.analysis.solve import Solution, line_values, solve, solve_for_target
from analyzer.dice.entries import bonus_points, final_score, legal_entries
from analyzer.dice.scorecard import ScorecardRules
from analyzer.engine import store
from analyzer.games.options import Option
from analyzer.games.registry import make_rules, options_of, rules_from_toml, scorecard_names
from tests.games.test_registry import NEEDED

LIMIT = 4.5
GAMES = 3000


def values_of(option: Option) -> list[Any]:
    """Every value of an option but the default."""
    if option.kind == "number":
        values: list[Any] = list(range(option.low, min(option.high, option.low + 9) + 1))
    else:
        values = list(option.choices) if option.kind == "choice" else [False, True]
    return [value for value in values if value != option.default]


def quick(option: Option, value: Any) -> bool:
    """Whether a value is tried each time."""
    if option.name == "declare_after_throw1":
        return False
    return option.kind != "number" or value in {option.low, int(option.default) - 1}


def variants(*, long: bool = False) -> Iterator[Any]:
    """Every game, and every value of each option; of long tests all but the games as they are is nightly."""
    for game in scorecard_names():
        yield pytest.param(game, {}, id=game)
        for option in options_of(game):
            for value in values_of(option):
                marks = [] if quick(option, value) and not long else [pytest.mark.nightly]
                options = {**NEEDED.get((option.name, value), {}), option.name: value}
                yield pytest.param(game, options, id=f"{game}-{option.name}-{value}", marks=marks)


every_variant = pytest.mark.parametrize(("game", "options"), list(variants()))
every_variant_at_length = pytest.mark.parametrize(("game", "options"), list(variants(long=True)))


@pytest.fixture(scope="module", autouse=True)
def _one_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Each game is solved once for all tests, by this code."""
    folder: Path = tmp_path_factory.mktemp("conformance")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "cache_directory", lambda: folder)
        patch.setattr(store, "source_unchanged", lambda: True)
        yield


def some_card(rules: ScorecardRules, open_lines: int, seed: int) -> tuple[dict[str, int], int]:
    """A card that can come up, with its extra-five points: random dice in random lines."""
    random = np.random.default_rng(seed)
    card: dict[str, int] = {}
    extra = 0
    while len(rules.lines) - len(card) > open_lines:
        dice = random.integers(1, rules.faces + 1, rules.dice).tolist()
        if random.random() < 0.3:
            dice = [dice[0]] * rules.dice
        entries = legal_entries(rules, dice, card)
        extra += bonus_points(rules, dice, card)
        line = list(entries)[random.integers(len(entries))]
        card[line] = entries[line]
    return card, extra


def text_of(result: GamesResult | TurnsResult) -> list[str]:
    """Everything a result says."""
    frames = [result.lines(), result.distribution(), result.quantiles()]
    if isinstance(result, GamesResult):
        frames.append(result.line_rounds())
    plain = json.dumps(result.to_dict(), default=lambda value: value.item(), allow_nan=False)
    return [*(frame.to_csv() for frame in frames), plain, str(result), result._repr_html_()]


def check_options(solution: Solution, dice: list[int], throws_left: int, **position: Any) -> None:
    frame = solution.advise(dice, throws_left=throws_left, **position).options()
    assert frame["loss"][0] == 0
    assert (frame["loss"] >= 0).all()
    assert (np.diff(frame["expected_score"]) <= 1e-9).all()
    assert np.isfinite(frame["expected_score"]).all()


@every_variant
def test_rules_go_round_through_a_file(game: str, options: dict[str, Any]) -> None:
    rules = make_rules(game, **options)
    again = rules_from_toml(rules.to_toml())
    assert again == rules
    assert again.id == rules.id
    as_text = {name: str(value) for name, value in options.items()}
    assert make_rules(game.replace("_", "-").upper(), **as_text) == rules
    if options:
        assert rules.id != make_rules(game).id


@every_variant
def test_the_game_is_solved_and_advised(game: str, options: dict[str, Any]) -> None:
    rules = make_rules(game, **options)
    solution = solve(rules)
    assert np.isfinite(solution.expected_score)
    assert solution.expected_score > 0
    alone = line_values(rules)
    assert alone["line"].tolist() == list(rules.line_names)
    assert alone["mean"].between(0, alone["mean"].max()).all()
    random = np.random.default_rng(1)
    for open_lines in (len(rules.lines), 7, 1):
        card, extra = some_card(rules, open_lines, seed=open_lines)
        for throws_left in range(min(rules.throws, 3)):
            dice = random.integers(1, rules.faces + 1, rules.dice).tolist()
            position: dict[str, Any] = {"card": card, "extra_points": extra}
            if rules.declare and throws_left < rules.throws - 1:
                position["declared"] = next(name for name in rules.line_names if name not in card)
            check_options(solution, dice, throws_left, **position)
            check_options(solution, dice[:1] * rules.dice, throws_left, **position)
    if rules.throws > 1:
        table = solution.opening().table
        assert table["expected_score"] @ table["probability"] == pytest.approx(solution.expected_score, abs=1e-9)


@every_variant_at_length
def test_optimal_games_earn_the_exact_mean(game: str, options: dict[str, Any]) -> None:
    rules = make_rules(game, **options)
    result = simulate(rules, games=GAMES, seed=5)
    assert abs(result.mean - solve(rules).expected_score) <= LIMIT * result.standard_error
    assert result.games == GAMES
    assert result.lines()["mean"].sum() == pytest.approx(result.mean)
    other = simulate(rules, games=200, seed=6)
    assert text_of(simulate(rules, games=200, seed=5)) != text_of(other)


@every_variant_at_length
def test_every_policy_from_a_card_earns_its_exact_mean(game: str, options: dict[str, Any]) -> None:
    """Near the end of the game, where exact evaluation is quick; best play beats all others."""
    rules = make_rules(game, **options)
    for seed in (1, 2):
        card, extra = some_card(rules, 2, seed)
        open_line = next(name for name in rules.line_names if name not in card)
        start: dict[str, Any] = {"card": card, "extra_points": extra}
        best = solve(rules, **start).expected_score
        for policy in ("optimal", "greedy", "par", f"line:{open_line}", "random"):
            exact = solve(rules, policy=policy, **start)
            result = simulate(rules, policy=policy, games=GAMES, seed=7, **start)
            error = exact.standard_deviation / GAMES**0.5
            assert abs(result.mean - exact.expected_score) <= LIMIT * error + 1e-9
            assert exact.expected_score <= best + 1e-9
            assert exact.distribution()["probability"].sum() == pytest.approx(1)
            assert set(result.distribution()["score"]) <= set(exact.distribution()["score"])
        assert best >= final_score(rules, card, extra)


@every_variant_at_length
def test_workers_make_no_difference_and_seeds_do(
    game: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Byte for byte, over several blocks, the last one short."""
    monkeypatch.setattr(simulation, "GAME_BLOCK", 300)
    monkeypatch.setattr(simulation, "TURN_BLOCK", 300)
    rules = make_rules(game, **options)
    card, extra = some_card(rules, 5, seed=4)
    for number in ({"games": 1000}, {"turns": 1000}):
        for policy in ("greedy", "random"):
            task: dict[str, Any] = {"policy": policy, "card": card, "extra_points": extra} | number
            results = [text_of(simulate(rules, seed=9, workers=workers, **task)) for workers in (1, 2, 7)]
            assert results[0] == results[1] == results[2]
            lines, distribution, _, *texts = text_of(simulate(rules, seed=10, **task))
            assert lines != results[0][0]
            assert distribution != results[0][1]
            assert not set(texts) & set(results[0])


@every_variant_at_length
def test_matches_are_played(game: str, options: dict[str, Any]) -> None:
    """Under all rules but team turns with an announced line; payoffs add up, and seats change."""
    rules = make_rules(game, **options)
    assert can_match(rules)
    players = ["par", "greedy", "random"] if rules.settlement.columns == 1 else ["par", "greedy", "greedy"]
    if rules.settlement.two_attempts:
        players[2] = "points"
    result = match(rules, players, games=60, seed=4)
    assert result.matches == 60
    frame = result.payoffs()
    assert frame["payoff"].sum() == pytest.approx(1 if rules.settlement.kind == "highest" else 0, abs=1e-9)
    assert frame["win_rate"].sum() == pytest.approx(1)
    assert (frame["mean_points"] > 0).all()
    assert (result.tally["payoff"].sum(axis=2) == 20).all()
    assert result.tally == match(rules, players, games=60, seed=4, workers=1).tally
    assert result.tally != match(rules, players, games=60, seed=5).tally


@every_variant_at_length
def test_a_target_near_the_end_has_a_chance(game: str, options: dict[str, Any]) -> None:
    """No policy reaches it oftener than the one that plays for it."""
    rules = make_rules(game, **options)
    card, extra = some_card(rules, 2, seed=3)
    start: dict[str, Any] = {"card": card, "extra_points": extra}
    exact = solve(rules, policy="optimal", **start).distribution()
    for target in (int(exact["score"].iloc[0]) + 1, int(exact["score"].median()), int(exact["score"].iloc[-1])):
        reached = float(exact["probability"][exact["score"] >= target].sum())
        chance = solve_for_target(rules, target, **start).probability
        assert reached - 1e-9 <= chance <= 1 + 1e-12
    assert solve_for_target(rules, int(exact["score"].iloc[-1]) + 1000, **start).probability == 0


def option_arms(game: str) -> list[Arm]:
    """The game as it is, and one arm for the first other value of every option."""
    arms = [Arm(make_rules(game), "greedy", "base")]
    for option in options_of(game):
        value = values_of(option)[0]
        options = {**NEEDED.get((option.name, value), {}), option.name: value}
        arms.append(Arm(make_rules(game, **options), "greedy", f"{option.name}={value}"))
    return arms


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, marks=[] if game in {"escalero", "generala"} else pytest.mark.nightly)
        for game in scorecard_names()
    ],
)
def test_every_pair_of_options_is_compared(game: str) -> None:
    """Each option's variant against each other's; in games without options, each policy against each other."""
    arms = option_arms(game)
    if len(arms) == 1:
        arms = [Arm(make_rules(game), policy, policy) for policy in ("greedy", "par", "random")]
    found = compare(arms, games=GAMES, against="all", seed=1, exact=False)
    pairs = found.differences()
    assert len(pairs) == len(arms) * (len(arms) - 1) // 2
    assert np.isfinite(pairs["difference"]).all()
    same = pairs["standard_error"] == 0  # options that only matter to several players, or that nothing came up for
    assert (pairs["variance_reduction"].isna() == same).all()
    assert (pairs["variance_reduction"][~same] > 1).all()
    means = found.means().set_index("arm")["mean"]
    for row in pairs.itertuples():
        assert row.difference == pytest.approx(means[row.arm] - means[row.against])
        assert row.lower <= row.difference <= row.upper
    for arm in arms:
        alone = simulate(arm.rules, policy=arm.policy, games=GAMES, seed=1)
        assert means[arm.name] == pytest.approx(alone.mean)
    lines = found.lines()
    assert set(lines["line"]) >= {line.name for arm in arms for line in arm.rules.lines}
    plain = json.dumps(found.to_dict(), default=lambda value: value.item(), allow_nan=False)
    assert all(json.dumps(arm.name) in plain for arm in arms)
    measured = found.measures()
    first = measured[(measured["against"] == arms[0].name) & measured["measure"].str.startswith("line:")]
    by_arm = first.groupby("arm")["difference"].sum()
    for arm in arms[1:]:
        assert by_arm[arm.name] == pytest.approx(means[arm.name] - means[arms[0].name])
