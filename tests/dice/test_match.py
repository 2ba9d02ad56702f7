"""Turns of matches against the solver's values, whole matches against exact evaluation, and their arithmetic."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from analyzer.analysis.binding import bind_policy
from analyzer.dice.clauses import Settlement
from analyzer.dice.match import Table, match_block, most_paid
from analyzer.dice.match_policies import ByColumn, Columns
from analyzer.dice.match_turn import (
    blank_sheets,
    lines_of,
    match_endings,
    match_rows,
    party_worth,
    play_party,
    work_back,
)
from analyzer.dice.match_values import columns_policy, learn_cells, race_policy, sum_policy
from analyzer.dice.policies import Optimal
from analyzer.dice.settlement import scale_of
from analyzer.dice.simulator import max_score
from analyzer.dice.solver import solve
from analyzer.dice.states import StateSpace
from analyzer.dice.throws import throws_of
from analyzer.dice.turn import LANES, NEVER
from analyzer.engine.blocks import Block
from analyzer.engine.jit import kernel
from analyzer.games.registry import make_rules

VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("escalero", {}),
    ("escalero", {"double_grande_row": True, "served": "first_throw_only", "five_as_poker_full": "always"}),
    ("cacho_alalay", {}),
    ("cacho_alalay", {"flip_waiver": "cell_open", "second_flip": "must_improve", "strike_ban": "any_reachable"}),
    ("cacho_alalay", {"throws": 3, "first_flip": "optional", "strike_ban": "off", "flip_after_throw1": "one"}),
]


@kernel
def turn_worth(t, lines, policy, sheets, party, start):
    """What a turn is worth to a party in up to `LANES` matches."""
    width = LANES
    worth, where = np.full(2 * t.entry_points.size * width, NEVER), np.zeros(2 * t.entry_points.size * width, np.int8)
    rows, endings = np.zeros((lines.start.size - 1) * width), np.zeros((t.option_start.size - 1) * width)
    values, kept = np.zeros(t.removals.size * width), np.zeros((t.throws, t.first_roll * width))
    full, best = np.zeros((t.removals.size - t.first_roll) * width), np.zeros(width)
    found = np.empty(64, np.int64)
    matches = np.arange(sheets.over.size)
    party_worth(policy, t, lines, sheets, matches, party, width, worth, where)
    match_rows(t, lines, worth, width, rows)
    match_endings(t, lines, worth, rows, width, found, endings)
    work_back(t, values, full, best, endings, kept, start, width)


def seen(space: StateSpace, policy: Any) -> Any:
    """What kernels see of a policy that maximises to the end of the game."""
    assert isinstance(policy, Optimal)
    return ByColumn(space.column_state, policy.objective.worth[0], policy.values)


@pytest.mark.parametrize(("game", "options"), VARIANTS)
def test_a_turn_of_best_play_gains_nothing_over_its_value(game: str, options: dict[str, Any]) -> None:
    """Another way to compute what the solver computed: from every column its value is that of the best turn."""
    rules = make_rules(game, **options)
    space = StateSpace.of(rules)
    policy = seen(space, bind_policy(rules, "optimal", cache=False))
    playing = np.flatnonzero((space.ended < 0) & (space.filled[space.column_state] < len(rules.lines)))
    some = np.random.default_rng(5).choice(playing, 4 * LANES, replace=False)
    for low in range(0, len(some), LANES):
        sheets = blank_sheets(LANES, 2, 1)
        sheets.column[:, 1, 0] = some[low : low + LANES]
        start = np.zeros(LANES)
        turn_worth(space.tables, lines_of(space), policy, sheets, 1, start)
        assert np.abs(start).max() < 1e-9


@pytest.mark.parametrize("game", ["escalero", "cacho_alalay"])
def test_matches_bring_what_exact_values_promise(game: str) -> None:
    rules = make_rules(game, **({"columns": "1"} if game == "escalero" else {"instant_wins": False}))
    space = StateSpace.of(rules)
    policy = bind_policy(rules, "optimal", cache=False)
    tally = match_block(Table(space, [seen(space, policy)] * 2), 3, Block(0, 0, 8000))
    total, squares = tally["points"].sum(axis=(0, 1))
    mean = total / 16000
    error = np.sqrt((squares / 16000 - mean**2) / 16000)
    assert abs(mean - policy.values[0]) < 4.5 * error


def test_the_sum_of_columns_is_what_its_solution_promises() -> None:
    rules = make_rules("escalero", five_as_poker_full="struck_any_column")
    space, joint = StateSpace.of(rules), StateSpace.of(rules, cells=2)
    values = solve(joint)
    policy = sum_policy(space, joint, values)
    sheets = blank_sheets(8000, 1, 2)
    entries = np.zeros(len(space.written), dtype=np.int64)
    for turn in range(20):
        play_party(
            space.tables, throws_of(space), lines_of(space), policy, sheets, space.column_state, space.ended,
            policy.joint_step, np.arange(8000, dtype=np.uint64), np.uint64(4), turn, 0, 1, True, entries,
        )  # fmt: skip
    totals = sheets.points.sum(axis=(1, 2))
    assert abs(totals.mean() - values[0]) < 4.5 * totals.std() / np.sqrt(len(totals))
    assert entries.sum() == 20 * 8000
    full = space.tables.state_open[space.column_state[sheets.column]] == 0
    assert full.all()
    assert (joint.filled[sheets.joint] == 20).all()
    assert values[0] / 2 > solve(space)[0]


def test_what_cells_bring_adds_up() -> None:
    rules = make_rules("escalero", columns="1")
    space, joint = StateSpace.of(rules), StateSpace.of(rules, cells=1)
    values = solve(joint)
    mean, variance = learn_cells(space, sum_policy(space, joint, values), 1)
    assert mean.shape == variance.shape == (11, 10, 2)
    assert (mean[:, :, 0] == 0).all()
    assert abs(mean[10, :, 1].sum() - values[0]) < 1
    assert (variance[:, :, 1] >= 0).all()


def test_payoffs_add_up_and_seats_change() -> None:
    rules = make_rules("escalero")
    space = StateSpace.of(rules)
    greedy = ByColumn(space.column_state, space.tables.entry_points, np.zeros(space.columns))
    table = Table(space, [greedy] * 3)
    tally = match_block(table, 1, Block(0, 0, 3000))
    counts = tally["payoff"].sum(axis=2)
    assert (counts == 1000).all()
    most = most_paid(table)
    values = np.arange(-most, most + 1) / scale_of(3)
    assert abs((tally["payoff"].sum(axis=(0, 1)) * values).sum()) < 1e-6
    assert values[0] == -18
    apart = [match_block(table, 1, Block(i, low, low + 1000)) for i, low in enumerate((0, 1000, 2000))]
    assert apart[0] + apart[1] + apart[2] == tally


def test_no_lead_is_larger_than_all_columns_together() -> None:
    rules = make_rules("escalero")
    several = replace(rules, settlement=Settlement(kind="difference", columns=2))
    assert most_paid(Table(StateSpace.of(several), [None] * 3)) == 2 * 2 * max_score(StateSpace.of(rules)) * scale_of(3)


@pytest.mark.parametrize(("game", "options"), [("escalero", {"columns": "1"}), ("cacho_alalay", {})])
def test_two_attempts_bring_more(game: str, options: dict[str, Any]) -> None:
    means = []
    for pairs, more in ((False, {}), (True, {"pair_choice": "immediate"}), (True, {})):
        rules = make_rules(game, **options, **(more if game == "escalero" else {}))
        space = StateSpace.of(rules)
        policy = seen(space, bind_policy(rules, "optimal", cache=False))
        tally = match_block(Table(space, [policy] * 2, pairs), 1, Block(0, 0, 4000))
        means.append(tally["points"][:, :, 0].sum() / 8000)
    assert means[1] > means[0] + 10
    assert means[2] > means[1] + 2 if game == "escalero" else means[2] == means[1] or means[2] > means[0]


def test_a_team_turn_is_two_attempts() -> None:
    rules = make_rules("cacho_alalay", team_turn="two_attempts")
    alone = make_rules("cacho_alalay")
    tallies = []
    for one, pairs in ((rules, False), (alone, True)):
        space = StateSpace.of(one)
        policy = seen(space, bind_policy(one, "points", cache=False))
        tallies.append(match_block(Table(space, [policy] * 2, pairs), 1, Block(0, 0, 500)))
    assert tallies[0] == tallies[1]


def test_the_distribution_of_a_race_is_exact() -> None:
    rules = make_rules("cacho_alalay", instant_wins=False)
    space = StateSpace.of(rules)
    base = bind_policy(rules, "optimal", cache=False)
    assert isinstance(base, Optimal)
    race = race_policy(space, base)
    points = np.arange(race.chance.shape[1])
    playing = np.flatnonzero(space.filled[space.column_state] < 11)
    assert np.allclose(race.chance[playing] @ points, base.values[playing])
    assert np.allclose(race.instant, 0)
    won = StateSpace.of(make_rules("cacho_alalay"))
    points_policy = bind_policy(make_rules("cacho_alalay"), "points", cache=False)
    assert isinstance(points_policy, Optimal)
    real = race_policy(won, points_policy)
    assert 0.005 < real.instant[0] < 0.02
    assert (real.instant[won.ended >= 0] == 1).all()


def test_columns_are_worth_what_the_settlement_says() -> None:
    rules = make_rules("escalero", sweep_total=10)
    space = StateSpace.of(rules)
    policy = columns_policy(space, np.zeros((31, 10, 4)), np.zeros((31, 10, 4)))
    assert isinstance(policy, Columns)
    assert policy.values.tolist() == [1, 2, 4]
    assert policy.sweep == 3
