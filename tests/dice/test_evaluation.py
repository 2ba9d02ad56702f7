"""Exact evaluation against following every game in plain Python."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.dice import evaluation
from analyzer.dice.evaluation import Evaluation, evaluate, uniform_roll_chances
from analyzer.dice.policies import Chase, Greedy, Optimal, Par, Policy, Random, built_in_pars
from analyzer.dice.scorecard import ScorecardRules
from analyzer.dice.solver import solve
from analyzer.dice.states import StateSpace
from analyzer.errors import UsageError
from analyzer.games.yahtzee import Yahtzee
from tests.dice.reference import (
    SMALL_GAMES,
    Card,
    Dice,
    Family,
    Game,
    Uniform,
    chase,
    entry_chances,
    entry_of,
    greedy,
    keeps_of,
    optimal,
    par,
    play_all,
)


@cache
def spaces(name: str, merged: bool = True) -> tuple[Game, StateSpace]:
    return Game(SMALL_GAMES[name]), StateSpace.of(SMALL_GAMES[name], merged=merged)


def pars_of(game: Game) -> dict[str, float]:
    """One turn for each line alone, from the blank card."""
    names = game.rules.line_names
    return {name: chase(game, name).turn(game.blank).value for name in names}


Maker = Callable[[Game, StateSpace], tuple[Policy, Family]]

FAMILIES: dict[str, Maker] = {
    "optimal": lambda game, space: (Optimal(space, solve(space)), optimal(game)),
    "greedy": lambda game, space: (Greedy(space), greedy(game)),
    "par": lambda game, space: (Par(space, {}), par(game, pars_of(game))),
    "par given": lambda game, space: (
        Par(space, {game.rules.line_names[-1]: 3.5}),
        par(game, pars_of(game) | {game.rules.line_names[-1]: 3.5}),
    ),
    "first line": lambda game, space: (
        Chase(space, game.rules.line_names[0]),
        chase(game, game.rules.line_names[0]),
    ),
    "last line": lambda game, space: (
        Chase(space, game.rules.line_names[-1]),
        chase(game, game.rules.line_names[-1]),
    ),
    "random": lambda game, space: (Random(space), Uniform(game)),
}


def check(found: Evaluation, game: Game, space: StateSpace, family: Family, card: Card | None = None) -> None:
    """Everything an evaluation says is what following every game says."""
    expected = play_all(game, family, card)
    scores = np.zeros(len(found.scores))
    for score, chance in expected.scores.items():
        scores[score] += chance
    assert found.scores == pytest.approx(scores, abs=1e-13)
    assert found.upper_bonus == pytest.approx(expected.upper_bonus, abs=1e-13)
    entries = {
        (entry_of(space, e), turn): found.entries[e, turn] for e, turn in np.argwhere(found.entries > 0).tolist()
    }
    assert entries == pytest.approx(expected.entries, abs=1e-13)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", SMALL_GAMES)
def test_evaluations_follow_every_game(name: str, family: str) -> None:
    game, space = spaces(name)
    policy, plain = FAMILIES[family](game, space)
    check(evaluate(policy), game, space, plain)


@pytest.mark.parametrize("family", ["optimal", "greedy", "random"])
@pytest.mark.parametrize("name", ["forced_when_zero", "free", "coins"])
def test_lanes_need_not_be_merged(name: str, family: str) -> None:
    game, space = spaces(name, merged=False)
    policy, plain = FAMILIES[family](game, space)
    check(evaluate(policy), game, space, plain)


STARTS: list[tuple[str, dict[str, int]]] = [
    ("forced", {"face_1": 2}),
    ("forced", {"face_4": 0}),
    ("forced", {"face_4": 12, "alike": 0}),
    ("forced", {"face_1": 1, "alike": 30, "chance": 7}),
    ("forced", {"face_1": 1, "face_4": 8, "pair": 4}),
    ("forced_when_zero", {"face_1": 1, "alike": 0}),
    ("forced_natural", {"alike": 30, "face_3": 3}),
    ("free", {"face_2": 6, "alike": 30}),
    ("extra_without_joker", {"face_2": 2}),
    ("no_bonus", {"face_3": 6, "pair": 0}),
    ("coins", {"face_1": 3, "alike": 30}),
]


@pytest.mark.parametrize("family", ["optimal", "greedy", "par", "random"])
@pytest.mark.parametrize(("name", "filled"), STARTS)
def test_evaluations_start_from_any_card(name: str, filled: dict[str, int], family: str) -> None:
    game, space = spaces(name)
    policy, plain = FAMILIES[family](game, space)
    card = game.card(filled)
    check(evaluate(policy, game.column(space, card)), game, space, plain, card)


@pytest.mark.parametrize(("name", "filled"), STARTS)
def test_the_optimum_is_the_value_of_every_column(name: str, filled: dict[str, int]) -> None:
    game, space = spaces(name)
    values = solve(space)
    column = game.column(space, game.card(filled))
    scores = evaluate(Optimal(space, values), column).scores
    assert scores @ np.arange(len(scores)) == pytest.approx(values[column], rel=1e-12)


def test_from_a_full_card_nothing_is_gained() -> None:
    game, space = spaces("forced")
    for column in space.layers[-1].tolist():
        found = evaluate(Greedy(space), column)
        assert found.scores[0] == 1
        assert found.scores.sum() == 1
        assert found.entries.sum() == 0
    assert game.lines == 5


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", ["forced", "free", "one_die"])
def test_evaluations_do_not_depend_on_the_workers(name: str, family: str) -> None:
    game, space = spaces(name)
    policy, _ = FAMILIES[family](game, space)
    alone = evaluate(policy, workers=1)
    for workers in (2, 5):
        shared = evaluate(policy, workers=workers)
        assert np.array_equal(alone.scores, shared.scores)
        assert np.array_equal(alone.entries, shared.entries)
        assert alone.upper_bonus == shared.upper_bonus


@pytest.mark.parametrize("slots", [1, 3, 7])
@pytest.mark.parametrize("family", ["optimal", "greedy", "random"])
def test_evaluations_do_not_depend_on_the_portions(family: str, slots: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Decision tables are made for some slots at a time."""
    game, space = spaces("forced")
    policy, _ = FAMILIES[family](game, space)
    whole = evaluate(policy)
    monkeypatch.setattr(evaluation, "SLOTS", slots)
    monkeypatch.setattr(evaluation, "PIECE", 2)
    cut = evaluate(policy)
    assert cut.scores == pytest.approx(whole.scores, abs=1e-14)
    assert cut.entries == pytest.approx(whole.entries, abs=1e-14)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", SMALL_GAMES)
def test_what_holds_for_every_evaluation(name: str, family: str) -> None:
    """Chances add up; every line is filled once; the mean is that of the parts; nobody beats the optimum."""
    game, space = spaces(name)
    found = evaluate(FAMILIES[family](game, space)[0])
    assert found.scores.min() >= 0
    assert found.scores.sum() == pytest.approx(1, abs=1e-12)
    assert found.entries.sum(axis=0) == pytest.approx(np.ones(game.lines), abs=1e-12)
    filled = np.bincount(space.tables.entry_line, found.entries.sum(axis=1), game.lines)
    assert filled == pytest.approx(np.ones(game.lines), abs=1e-12)
    mean = found.scores @ np.arange(len(found.scores))
    bonus = game.rules.upper_bonus.points * found.upper_bonus if game.rules.upper_bonus else 0
    parts = (space.written + space.extra) @ found.entries.sum(axis=1) + bonus
    assert mean == pytest.approx(parts, rel=1e-12)
    assert mean <= solve(space)[0] + 1e-11
    if family == "optimal":
        assert mean == pytest.approx(solve(space)[0], rel=1e-12)


def test_progress_is_told_of_every_column_played() -> None:
    class Count:
        total = 0

        def advance(self, n: int) -> None:
            self.total += n

    _, space = spaces("forced")
    for policy in (Greedy(space), Optimal(space, solve(space))):
        count = Count()
        evaluate(policy, progress=count)
        assert 0 < count.total <= space.columns - len(space.layers[-1])


def test_too_large_distributions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluation, "MEMORY_LIMIT", 1000)
    with pytest.raises(UsageError) as caught:
        evaluate(Greedy(spaces("forced")[1]))
    assert "the exact distribution of Forced needs" in str(caught.value)
    assert "use simulate, or rules with fewer lines" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("lock_kept", [False, True])
@pytest.mark.parametrize(("dice", "faces", "throws"), [(2, 3, 3), (3, 4, 2), (5, 6, 3), (4, 2, 5), (1, 6, 2)])
def test_rolls_of_random_keeps(dice: int, faces: int, throws: int, lock_kept: bool) -> None:
    """Every different legal keep is equally likely, not every subset of the dice."""
    rules = ScorecardRules(
        name="rolls",
        lines=SMALL_GAMES["no_bonus"].lines[:1],
        dice=dice,
        faces=faces,
        throws=throws,
        lock_kept=lock_kept,
    )

    def keep(held: Dice, dice: Dice, left: int) -> dict[Dice, float]:
        legal = keeps_of(dice, held)
        return dict.fromkeys(legal, 1 / len(legal))

    space = StateSpace.of(rules)
    number = {space.lattice.index(space.lattice.faces_of(n)): n for n in range(space.lattice.nodes)}
    expected = np.zeros(space.lattice.rolls)

    def record(dice: Dice) -> dict[Any, float]:
        return {(space.lattice.index(dice), 0, 0): 1.0}

    for (node, _, _), chance in entry_chances(rules, keep, record).items():
        expected[number[node] - space.lattice.first_roll] = chance
    assert uniform_roll_chances(space) == pytest.approx(expected, abs=1e-14)


def test_built_in_pars_are_one_turn_for_the_line_alone() -> None:
    for name in SMALL_GAMES:
        game, space = spaces(name)
        assert built_in_pars(space) == pytest.approx(list(pars_of(game).values()), rel=1e-12)


@pytest.fixture(scope="module")
def yahtzee() -> tuple[StateSpace, np.ndarray[Any, Any], Evaluation]:
    space = StateSpace.of(Yahtzee().scorecard())
    values = solve(space)
    return space, values, evaluate(Optimal(space, values))


def test_the_optimum_of_yahtzee_is_found_both_ways(yahtzee: Any) -> None:
    """Backwards as an expected value, forwards as the mean of the distribution."""
    space, values, found = yahtzee
    assert found.scores.sum() == pytest.approx(1, abs=1e-11)
    assert found.scores @ np.arange(len(found.scores)) == pytest.approx(values[0], abs=1e-9)
    parts = (space.written + space.extra) @ found.entries.sum(axis=1) + 35 * found.upper_bonus
    assert parts == pytest.approx(254.5877287345, abs=1e-9)


def test_known_figures_of_optimal_yahtzee(yahtzee: Any) -> None:
    """Published by J. Glenn and T. Verhoeff: standard deviation 59.61, upper bonus in 68 percent of games."""
    _, _, found = yahtzee
    points = np.arange(len(found.scores))
    mean = found.scores @ points
    assert np.sqrt(found.scores @ (points - mean) ** 2) == pytest.approx(59.61, abs=0.005)
    assert found.upper_bonus == pytest.approx(0.6812, abs=5e-5)


@settings(max_examples=20)
@given(st.sampled_from(sorted(SMALL_GAMES)), st.lists(st.floats(-20, 20), min_size=5, max_size=5))
def test_any_pars_equal_plain_play(name: str, values: list[float]) -> None:
    game, space = spaces(name)
    rounded = [round(value, 2) for value in values]
    pars = dict(zip(game.rules.line_names, rounded, strict=False))
    check(evaluate(Par(space, pars)), game, space, par(game, pars_of(game) | pars))
