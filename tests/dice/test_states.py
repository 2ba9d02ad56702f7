"""States, lanes and entries against plain scorecards; pairs of locked dice against the dice themselves."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.dice.clauses import UpperBonus
from analyzer.dice.entries import final_score
from analyzer.dice.lattice import Lattice
from analyzer.dice.lines import Line
from analyzer.dice.scorecard import ScorecardRules
from analyzer.dice.states import SETTLED, StateSpace
from analyzer.errors import RulesError
from analyzer.games.dice_poker import DicePoker
from analyzer.games.yahtzee import Yahtzee
from tests.dice.reference import (
    SMALL_GAMES,
    Card,
    Dice,
    Game,
    entry_numbers,
    move,
    tabled_entries,
    thrown,
    without,
)

GAMES = {
    "poker": DicePoker().scorecard(),
    "poker_from_63": DicePoker(upper_bonus="gte63").scorecard(),
    "poker_pairs_of_one_face": DicePoker(two_pairs_same_face=True).scorecard(),
    "poker_natural": DicePoker(joker_right="natural").scorecard(),
    "poker_when_zero": DicePoker(joker_when_poker_zero=True).scorecard(),
    "poker_natural_when_zero": DicePoker(joker_right="natural", joker_when_poker_zero=True).scorecard(),
    "yahtzee": Yahtzee().scorecard(),
    "yahtzee_free": Yahtzee(joker="free").scorecard(),
    "yahtzee_extra_only": Yahtzee(joker="none").scorecard(),
    "yahtzee_joker_only": Yahtzee(extra_five=False).scorecard(),
    "yahtzee_free_only": Yahtzee(joker="free", extra_five=False).scorecard(),
    "yahtzee_plain": Yahtzee(extra_five=False, joker="none", upper_bonus="gt63").scorecard(),
    **SMALL_GAMES,
}

every_game = pytest.mark.parametrize("name", GAMES)
small_games = pytest.mark.parametrize("name", SMALL_GAMES)
lanes = pytest.mark.parametrize("merged", [True, False])


@cache
def game_of(name: str) -> Game:
    return Game(GAMES[name])


def check_column(game: Game, space: StateSpace, card: Card, column: int) -> None:
    """A column says of a card what the rest of the game depends on."""
    t = space.tables
    state = int(space.column_state[column])
    assert t.column_start[state] <= column < t.column_start[state + 1]
    assert t.state_open[state] == sum(1 << j for j, points in enumerate(card) if points is None)
    assert space.filled[state] == game.lines - card.count(None)
    five = card[game.five] if game.five >= 0 else None
    assert t.state_five[state] == (0 if five is None else 2 if five > 0 else 1)
    upper_lines = [j for j in range(game.lines) if game.upper[j]]
    upper_set = sum(1 << i for i, j in enumerate(upper_lines) if card[j] is not None)
    assert t.state_upper[state] == upper_set
    lane = column - int(t.column_start[state])
    total = int(space.totals[t.lane_start[upper_set] + lane])
    bonus = game.rules.upper_bonus
    here = game.upper_points(card)
    if not space.merged:
        assert total == here
    elif bonus is None:
        assert total == SETTLED
    else:
        faces = [game.rules.lines[j].face or 0 for j in upper_lines if card[j] is None]
        most = here + sum(faces) * game.rules.dice
        assert total == (here if here < bonus.least <= most else SETTLED)


def rolls_to_compare(game: Game, random: Random) -> Iterable[Dice]:
    """All dice alike in every way, and a few other rolls."""
    dice, faces = game.rules.dice, game.rules.faces
    yield from ((face,) * dice for face in range(1, faces + 1))
    for _ in range(2):
        yield tuple(sorted(random.choices(range(1, faces + 1), k=dice)))


def check_playout(name: str, merged: bool, random: Random) -> None:
    """Play a random game on a card and through the tables side by side."""
    game, space = game_of(name), StateSpace.of(GAMES[name], merged=merged)
    numbers = entry_numbers(space)
    rules, faces = game.rules, range(1, game.rules.faces + 1)
    card, column, extra, gained = game.blank, 0, 0, 0
    while None in card:
        check_column(game, space, card, column)
        assert column == game.column(space, card)
        rolls = list(rolls_to_compare(game, random))
        legal = tabled_entries(space, int(space.column_state[column]), rolls)
        assert legal == [game.entries(dice, card) for dice in rolls]
        alike = random.random() < 0.5
        dice = tuple(sorted(random.choices(faces, k=1 if alike else rules.dice)))
        dice *= rules.dice if alike else 1
        entry = random.choice(game.entries(dice, card))
        plain = game.gain(card, entry)
        column, points = move(space, column, numbers[entry])
        assert points == plain
        card, extra, gained = game.fill(card, entry), extra + entry[2], gained + points
    check_column(game, space, card, column)
    assert gained == final_score(rules, game.named(card), extra)


@lanes
@every_game
def test_random_games_equal_plain_scorecards(name: str, merged: bool) -> None:
    random = Random(f"{name} {merged}")
    for _ in range(3):
        check_playout(name, merged, random)


@settings(max_examples=40)
@given(st.sampled_from(sorted(GAMES)), st.booleans(), st.randoms(use_true_random=False))
def test_any_game_equals_a_plain_scorecard(name: str, merged: bool, random: Random) -> None:
    check_playout(name, merged, random)


@lanes
@small_games
def test_every_transition_of_small_games(name: str, merged: bool) -> None:
    game, space = game_of(name), StateSpace.of(GAMES[name], merged=merged)
    numbers = entry_numbers(space)
    seen = set()
    for card in game.reachable():
        column = game.column(space, card)
        check_column(game, space, card, column)
        seen.add(column)
        if None not in card:
            continue
        rolls = list(thrown(game.rules.dice, game.rules.faces))
        expected = [game.entries(dice, card) for dice in rolls]
        assert tabled_entries(space, int(space.column_state[column]), rolls) == expected
        for entry in {entry for entries in expected for entry in entries}:
            after = game.column(space, game.fill(card, entry))
            assert move(space, column, numbers[entry]) == (after, game.gain(card, entry))
    # One die is always alike, so that the joker rule keeps some cards from coming up.
    assert seen == set(range(space.columns)) or GAMES[name].dice == 1


@lanes
@every_game
def test_layers_hold_every_column_once(name: str, merged: bool) -> None:
    space = StateSpace.of(GAMES[name], merged=merged)
    assert len(space.layers) == len(GAMES[name].lines) + 1
    assert np.array_equal(np.sort(np.concatenate(space.layers)), np.arange(space.columns))
    for filled, columns in enumerate(space.layers):
        assert (space.filled[space.column_state[columns]] == filled).all()
        assert (np.diff(columns) > 0).all()
    assert np.array_equal(np.repeat(np.arange(space.states), np.diff(space.tables.column_start)), space.column_state)
    assert space.layers[0].tolist() == [0]


@pytest.mark.parametrize("name", ["poker", "poker_from_63", "yahtzee", "yahtzee_plain"])
def test_totals_that_decide_nothing_share_a_lane(name: str) -> None:
    rules = GAMES[name]
    merged, apart = StateSpace.of(rules), StateSpace.of(rules, merged=False)
    least = rules.upper_bonus.least
    assert least == {"poker": 64, "poker_from_63": 63, "yahtzee": 63, "yahtzee_plain": 64}[name]
    for filled in product((0, 1), repeat=6):
        state = merged.state_of(dict.fromkeys((j for j in range(6) if filled[j]), 1))
        assert state == apart.state_of(dict.fromkeys((j for j in range(6) if filled[j]), 1))
        totals = {0}
        for face in (face for face in range(1, 7) if filled[face - 1]):
            totals = {total + face * count for total in totals for count in range(6)}
        rest = sum(5 * face for face in range(1, 7) if not filled[face - 1])
        undecided = {total for total in totals if total < least <= total + rest}
        width = merged.tables.column_start[state + 1] - merged.tables.column_start[state]
        assert width == len(undecided) + (undecided != totals)
        assert apart.tables.column_start[state + 1] - apart.tables.column_start[state] == len(totals)
        shared = {merged.column_of(state, total) for total in totals - undecided}
        assert len(shared) == (undecided != totals)
        assert len({merged.column_of(state, total) for total in undecided}) == len(undecided)


def test_a_card_without_undecided_totals_has_one_lane() -> None:
    space = StateSpace.of(SMALL_GAMES["bonus_out_of_reach"])
    assert space.columns == space.states == 8
    assert StateSpace.of(SMALL_GAMES["no_bonus"]).columns == 8
    assert StateSpace.of(SMALL_GAMES["one_line"]).columns == 2


@pytest.mark.parametrize("merged", [True, False])
@pytest.mark.parametrize(("threshold", "strict"), [(62, False), (63, False), (63, True), (64, False), (64, True)])
def test_the_upper_bonus_is_paid_by_the_entry_that_reaches_it(threshold: int, strict: bool, merged: bool) -> None:
    names = ("aces", "twos", "threes", "fours", "fives", "sixes")
    rules = ScorecardRules(
        name="upper",
        lines=tuple(Line(name=name, kind="face", face=face) for face, name in enumerate(names, 1)),
        upper_bonus=UpperBonus(points=35, threshold=threshold, strict=strict),
    )
    space = StateSpace.of(rules, merged=merged)
    numbers = entry_numbers(space)
    state = space.state_of(dict.fromkeys(range(5), 1))
    for before in range(40, 60):
        for sixes in range(6):
            column = space.column_of(state, before)
            _, gained = move(space, column, numbers[5, 6 * sixes, 0])
            total = before + 6 * sixes
            reached = total > threshold if strict else total >= threshold
            assert gained == 6 * sixes + 35 * reached


def test_a_bonus_already_reached_is_not_paid_again() -> None:
    rules = SMALL_GAMES["forced"]
    space = StateSpace.of(rules)
    numbers = entry_numbers(space)
    column = space.column_of(space.state_of({1: 1}), 12)
    assert move(space, column, numbers[0, 3, 0])[1] == 3
    column = space.column_of(space.state_of({1: 1}), 8)
    assert move(space, column, numbers[0, 3, 0])[1] == 13


def test_the_line_for_extra_fives_has_three_statuses() -> None:
    space = StateSpace.of(GAMES["poker"])
    assert space.states == 3 * 2**14
    assert space.tables.five_line == 13
    states = [space.state_of(card) for card in ({}, {13: 0}, {13: 50})]
    assert space.tables.state_five[states].tolist() == [0, 1, 2]
    assert StateSpace.of(GAMES["yahtzee_plain"]).tables.five_line == -1
    assert StateSpace.of(GAMES["yahtzee_plain"]).states == 2**13


def test_the_same_rules_are_lowered_once() -> None:
    assert StateSpace.of(GAMES["poker"]) is StateSpace.of(DicePoker().scorecard())
    assert StateSpace.of(SMALL_GAMES["forced"]) is not StateSpace.of(SMALL_GAMES["forced"], merged=False)


@pytest.mark.parametrize(("dice", "faces"), [(1, 2), (3, 4), (5, 6), (4, 2)])
def test_pairs_of_kept_and_thrown_dice(dice: int, faces: int) -> None:
    rules = ScorecardRules(
        name="locked", lines=(Line(name="chance", kind="chance"),), dice=dice, faces=faces, lock_kept=True
    )
    space = StateSpace.of(rules)
    lattice, t = space.lattice, space.tables
    unions = positions = 0
    for keep in range(lattice.nodes):
        held = tuple(reversed(lattice.faces_of(keep)))
        missing = dice - len(held)
        assert t.union_start[keep] == unions
        assert t.pair_start[keep] == positions
        for added in range(int(lattice.offset[missing + 1])):
            both = tuple(reversed(lattice.faces_of(int(t.union[t.union_start[keep] + added]))))
            assert without(both, held) == tuple(reversed(lattice.faces_of(added)))
            unions += 1
        positions += len(thrown(missing, faces))
    assert t.union_start[-1] == len(t.union) == unions
    assert t.pair_start[-1] == positions


def test_unlocked_dice_need_no_pairs() -> None:
    assert StateSpace.of(GAMES["poker"]).tables.union.size == 0


def test_too_many_pairs_are_refused() -> None:
    rules = ScorecardRules(name="wide", lines=(Line(name="chance", kind="chance"),), dice=10, faces=8, lock_kept=True)
    with pytest.raises(RulesError) as caught:
        StateSpace.of(rules)
    assert "lock_kept with 10 dice and 8 faces needs 5,311,735 pairs" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_alike_rolls_are_those_of_one_face() -> None:
    for rules in (GAMES["poker"], SMALL_GAMES["coins"], SMALL_GAMES["one_die"]):
        space = StateSpace.of(rules)
        for roll in range(space.lattice.rolls):
            faces = set(Lattice.of(rules.dice, rules.faces).faces_of(space.lattice.first_roll + roll))
            assert space.tables.alike[roll] == (min(faces) - 1 if len(faces) == 1 else -1)
