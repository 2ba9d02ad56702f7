"""The optimum against a plain expectimax on small games and late positions, and against published values."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.dice.clauses import ExtraFive, UpperBonus
from analyzer.dice.lines import Line
from analyzer.dice.scorecard import ScorecardRules
from analyzer.dice.solver import solve
from analyzer.dice.states import StateSpace
from analyzer.games.dice_poker import DicePoker
from analyzer.games.yahtzee import Yahtzee
from tests.dice.reference import SMALL_GAMES, Game, face_lines, future_values

small_games = pytest.mark.parametrize("name", SMALL_GAMES)

PUBLISHED = [
    # T. Verhoeff, "Optimal solitaire Yahtzee strategies", and J. Glenn, "An optimal strategy for Yahtzee".
    (Yahtzee(), 254.5877287345),
    (Yahtzee(joker="free"), 254.5896094820),
    (Yahtzee(extra_five=False, joker="none"), 245.8707745141),
]


@cache
def game_of(name: str) -> Game:
    return Game(SMALL_GAMES[name])


@pytest.mark.parametrize("merged", [True, False])
@small_games
def test_every_column_equals_a_plain_expectimax(name: str, merged: bool) -> None:
    game, space = game_of(name), StateSpace.of(SMALL_GAMES[name], merged=merged)
    values = solve(space)
    assert values.shape == (space.columns,)
    for card in game.reachable():
        column = game.column(space, card)
        assert values[column] == pytest.approx(game.future(game.past(card)), rel=1e-12, abs=1e-12), card
    assert (values[space.layers[-1]] == 0).all()


VARIED: list[dict[str, Any]] = [
    {"throws": throws, "lock_kept": lock_kept} for throws in (1, 2, 3, 4) for lock_kept in (False, True)
]


@pytest.mark.parametrize("change", VARIED)
@pytest.mark.parametrize("joker", ["forced", "free", "none"])
def test_throws_locks_and_jokers_together(change: dict[str, Any], joker: Any) -> None:
    """Every number of throws with every joker rule, from every column."""
    rules = ScorecardRules(
        name="varied",
        lines=(
            *face_lines(1, 3),
            Line(name="alike", kind="all_alike", points=12),
            Line(name="chance", kind="chance"),
        ),
        dice=3,
        faces=3,
        upper_bonus=UpperBonus(points=9, threshold=7),
        extra_five=ExtraFive(line="alike", points=6, joker=joker, joker_when_zero=joker == "free"),
        **change,
    )
    game, space = Game(rules), StateSpace.of(rules)
    values = solve(space)
    for card in game.reachable():
        assert values[game.column(space, card)] == pytest.approx(game.future(game.past(card)), rel=1e-12, abs=1e-12)


@small_games
def test_merged_lanes_lose_nothing(name: str) -> None:
    """Totals that share a lane have the same value when each has its own."""
    merged, apart = (StateSpace.of(SMALL_GAMES[name], merged=m) for m in (True, False))
    together, each = solve(merged), solve(apart)
    t = apart.tables
    for state in range(apart.states):
        first = int(t.lane_start[t.state_upper[state]])
        for lane in range(int(t.column_start[state + 1] - t.column_start[state])):
            shared = merged.column_of(state, int(apart.totals[first + lane]))
            assert together[shared] == pytest.approx(each[t.column_start[state] + lane], rel=1e-13, abs=1e-13)


@pytest.mark.parametrize(("game", "value"), PUBLISHED)
def test_published_values_of_yahtzee(game: Yahtzee, value: float) -> None:
    assert solve(StateSpace.of(game.scorecard()))[0] == pytest.approx(value, abs=1e-9)


def test_the_result_does_not_depend_on_the_workers() -> None:
    space = StateSpace.of(SMALL_GAMES["forced"])
    alone = solve(space, workers=1)
    assert np.array_equal(alone, solve(space, workers=3))
    large = StateSpace.of(PUBLISHED[2][0].scorecard())
    assert np.array_equal(solve(large, workers=1), solve(large, workers=4))


def test_progress_is_told_of_every_column_but_the_last() -> None:
    class Count:
        total = 0

        def advance(self, n: int) -> None:
            self.total += n

    space, count = StateSpace.of(SMALL_GAMES["forced"]), Count()
    solve(space, progress=count)
    assert count.total == space.columns - len(space.layers[-1])


@pytest.mark.parametrize(
    ("options", "still_open"),
    [
        ({}, ("sixes",)),
        ({}, ("large_straight",)),
        ({}, ("two_pairs", "aces")),
        ({"lock_kept": True}, ("full_house",)),
        ({"lock_kept": True}, ("poker",)),
        ({"upper_bonus": "gte63"}, ("sixes", "poker")),
        ({"joker_right": "natural"}, ("large_straight", "chance")),
        ({"joker_when_poker_zero": True}, ("full_house",)),
        ({"two_pairs_same_face": True}, ("two_pairs",)),
        ({"throws": 4}, ("full_house",)),
    ],
)
@pytest.mark.parametrize("poker", [0, 50])
def test_late_positions_of_dice_poker(options: dict[str, Any], still_open: tuple[str, ...], poker: int) -> None:
    """Five dice and six faces, from positions in which one or two lines are open."""
    rules = DicePoker(**options).scorecard()
    game, space = Game(rules), StateSpace.of(rules)
    points = (3, 6, 9, 12, 15, 18, 20, 0, 0, 0, 25, 30, 0, poker, 20)
    filled = dict(zip(rules.line_names, points, strict=True))
    card = game.card({name: points for name, points in filled.items() if name not in still_open})
    column = game.column(space, card)
    assert future_values(space, column)[column] == pytest.approx(game.future(game.past(card)), rel=1e-12)


@settings(max_examples=15)
@given(
    faces=st.integers(2, 4),
    dice=st.integers(2, 3),
    throws=st.integers(1, 3),
    lock_kept=st.booleans(),
    threshold=st.integers(1, 12),
    strict=st.booleans(),
    joker=st.sampled_from(["forced", "free", "none"]),
    when_zero=st.booleans(),
    joker_values=st.sampled_from(["fixed", "natural"]),
    order=st.permutations(range(4)),
)
def test_any_small_game_equals_a_plain_expectimax(
    faces: int,
    dice: int,
    throws: int,
    lock_kept: bool,
    threshold: int,
    strict: bool,
    joker: Any,
    when_zero: bool,
    joker_values: Any,
    order: list[int],
) -> None:
    lines = (
        *face_lines(1, faces),
        Line(name="alike", kind="all_alike", points=9),
        Line(name="run", kind="straight", length=2, points=4),
    )
    rules = ScorecardRules(
        name="any",
        lines=tuple(lines[j] for j in order),
        dice=dice,
        faces=faces,
        throws=throws,
        lock_kept=lock_kept,
        upper_bonus=UpperBonus(points=5, threshold=threshold, strict=strict),
        extra_five=ExtraFive(line="alike", points=7, joker=joker, joker_when_zero=when_zero, joker_values=joker_values),
    )
    game, space = Game(rules), StateSpace.of(rules)
    assert solve(space)[0] == pytest.approx(game.future(game.blank), rel=1e-12)


@settings(max_examples=25)
@given(st.sampled_from(sorted(SMALL_GAMES)), st.integers(1, 9))
def test_better_rules_never_lower_the_optimum(name: str, points: int) -> None:
    """One more throw, dice that need not stay, more bonus points: each is worth something or nothing."""
    rules = SMALL_GAMES[name]

    def value(**changes: Any) -> float:
        return float(solve(StateSpace.of(replace(rules, **changes)))[0])

    here = value()
    assert value(throws=rules.throws + 1) >= here - 1e-12
    assert value(lock_kept=False) >= here - 1e-12 >= value(lock_kept=True) - 2e-12
    if rules.upper_bonus:
        more = replace(rules.upper_bonus, points=rules.upper_bonus.points + points)
        assert here - 1e-12 <= value(upper_bonus=more) <= here + points + 1e-12
