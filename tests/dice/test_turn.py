"""Turns against a plain recursion over real rolls: values, decisions, ties, and what holds for any worth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from analyzer.dice.decisions import LANES, TablePolicy, best_decisions
from analyzer.dice.lines import Line
from analyzer.dice.scorecard import ScorecardRules
from analyzer.dice.solver import solve_columns, turn_values
from analyzer.dice.states import StateSpace
from analyzer.dice.turn import TIE, Objective
from analyzer.games.dice_poker import DicePoker
from tests.dice.reference import (
    SMALL_GAMES,
    Dice,
    Entry,
    Game,
    Turn,
    entry_of,
    keeps_of,
    position_of,
    sorted_dice,
    thrown,
)

SHAPES = [
    (1, 2, 3, False),
    (1, 12, 2, False),
    (2, 3, 4, False),
    (3, 4, 3, False),
    (3, 4, 3, True),
    (3, 4, 5, True),
    (2, 7, 3, True),
    (4, 5, 2, True),
    (4, 8, 2, False),
    (5, 6, 1, False),
    (5, 6, 3, False),
    (5, 6, 3, True),
    (6, 6, 2, False),
    (7, 7, 2, False),
    (10, 2, 3, False),
    (10, 2, 2, True),
    (3, 12, 3, False),
]
"""Dice, faces, throws, and whether kept dice are locked."""

START = np.zeros(1, dtype=np.int64)


def wide_rules(dice: int, faces: int, throws: int, lock_kept: bool, lines: int = 3) -> ScorecardRules:
    """Lines whose entries tell every sum of dice apart, so that random worths make every roll differ."""
    totals = [Line(name=f"chance_{j}", kind="chance") for j in range(lines - 1)]
    return ScorecardRules(
        name="wide",
        lines=(*totals, Line(name="top", kind="face", face=faces)),
        dice=dice,
        faces=faces,
        throws=throws,
        lock_kept=lock_kept,
    )


def objective_of(worth: NDArray[np.float64]) -> Objective:
    return Objective(np.stack([worth, worth]), -1, False, np.zeros(1))


def plain_turn(space: StateSpace, worth: Sequence[float]) -> Turn:
    """The same turn from the blank card, on real rolls."""
    game = Game(space.rules)
    value = {entry_of(space, e): float(w) for e, w in enumerate(worth)}
    return game.shortsighted(game.blank, value.__getitem__)


def random_worth(space: StateSpace, seed: int, levels: int | None = None) -> NDArray[np.float64]:
    """Worths of all entries; with few levels, most decisions are ties."""
    random = np.random.default_rng(seed)
    count = len(space.written)
    return random.integers(0, levels, count).astype(float) if levels else random.normal(0, 30, count)


def check_decisions(space: StateSpace, tables: TablePolicy, turn: Turn, slot: int = 0) -> None:
    """Every decision of a slot equals the plain one."""
    rules, lattice = space.rules, space.lattice
    throws, lock_kept = rules.throws, rules.lock_kept
    for dice in thrown(rules.dice, rules.faces):
        roll = lattice.index(dice) - lattice.first_roll
        assert entry_of(space, int(tables.entries[roll, slot])) == turn.entry(dice)
    held = {()}
    for throw in range(throws - 1):
        following = set()
        for keep in sorted(held) if lock_kept else [()]:
            for added in thrown(rules.dice - len(keep), rules.faces):
                dice = sorted_dice(keep, added)
                node = int(tables.keeps[throw, position_of(space, keep, dice, throw), slot])
                kept = tuple(reversed(lattice.faces_of(node)))
                assert kept == turn.keep(keep, dice, throws - 1 - throw), (throw, keep, dice)
                following.update(keeps_of(dice, keep))
        held = following


@pytest.mark.parametrize(("dice", "faces", "throws", "lock_kept"), SHAPES)
def test_values_equal_a_plain_recursion(dice: int, faces: int, throws: int, lock_kept: bool) -> None:
    space = StateSpace.of(wide_rules(dice, faces, throws, lock_kept))
    worth = random_worth(space, dice * 100 + faces)
    value = turn_values(space, objective_of(worth), START)[0]
    assert value == pytest.approx(plain_turn(space, worth).value, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("levels", [None, 2, 4])
@pytest.mark.parametrize(
    ("dice", "faces", "throws", "lock_kept"),
    [shape for shape in SHAPES if comb(shape[0] + shape[1], shape[0]) < 900],
)
def test_decisions_equal_a_plain_recursion(
    dice: int, faces: int, throws: int, lock_kept: bool, levels: int | None
) -> None:
    """With few levels of worth nearly everything ties, so that the tie rule decides."""
    space = StateSpace.of(wide_rules(dice, faces, throws, lock_kept))
    worth = random_worth(space, dice * 100 + faces, levels)
    check_decisions(space, best_decisions(space, objective_of(worth), START), plain_turn(space, worth))


@pytest.mark.parametrize("lines", range(1, 11))
def test_any_number_of_lines(lines: int) -> None:
    """Entries are compared four at a time."""
    space = StateSpace.of(wide_rules(2, 4, 2, False, lines))
    for levels in (None, 2):
        worth = random_worth(space, lines, levels)
        turn = plain_turn(space, worth)
        assert turn_values(space, objective_of(worth), START)[0] == pytest.approx(turn.value, rel=1e-12, abs=1e-12)
        check_decisions(space, best_decisions(space, objective_of(worth), START), turn)


@pytest.mark.parametrize("name", ["forced", "forced_natural", "free", "extra_without_joker", "coins"])
def test_every_column_has_its_own_turn(name: str) -> None:
    """Columns of many states, lanes and joker cases, in one call."""
    game, space = Game(SMALL_GAMES[name]), StateSpace.of(SMALL_GAMES[name])
    worth = random_worth(space, 5)
    value = {entry_of(space, e): float(w) for e, w in enumerate(worth)}
    cards = {game.column(space, card): card for card in game.reachable() if None in card}
    columns = np.array(sorted(cards))
    found = turn_values(space, objective_of(worth), columns)
    tables = best_decisions(space, objective_of(worth), columns)
    for slot, column in enumerate(columns.tolist()):
        turn = game.shortsighted(cards[column], value.__getitem__)
        assert found[slot] == pytest.approx(turn.value, rel=1e-12, abs=1e-12)
        if slot % 5 == 0:
            check_decisions(space, tables, turn, slot)


@pytest.mark.parametrize("name", ["forced", "free"])
def test_values_do_not_depend_on_the_columns_beside(name: str) -> None:
    """The same numbers, whatever else is worked on in the same call and however many lanes there are."""
    space = StateSpace.of(SMALL_GAMES[name])
    objective = objective_of(random_worth(space, 6))
    columns = np.concatenate(space.layers[:-1])
    columns.sort()
    together = turn_values(space, objective, columns)
    for some in (columns[::7].copy(), columns[3:5], columns[::-1][:40][::-1].copy()):
        places = np.searchsorted(columns, some)
        assert np.array_equal(turn_values(space, objective, some), together[places])
    for width in (1, 3, 2 * LANES):
        out = np.zeros(space.columns)
        solve_columns(space.tables, columns, space.column_state, objective, width, out)
        assert out[columns] == pytest.approx(together, rel=1e-13)


def tied(rules: ScorecardRules, worth: Callable[[Entry], float]) -> tuple[StateSpace, TablePolicy]:
    space = StateSpace.of(rules)
    values = np.array([worth(entry_of(space, e)) for e in range(len(space.written))])
    return space, best_decisions(space, objective_of(values), START)


def kept(space: StateSpace, tables: TablePolicy, throw: int, dice: Dice) -> Dice:
    node = int(tables.keeps[throw, position_of(space, (), dice, throw), 0])
    return tuple(reversed(space.lattice.faces_of(node)))


@pytest.mark.parametrize("lock_kept", [False, True])
def test_where_nothing_matters_all_dice_and_the_first_line_are_taken(lock_kept: bool) -> None:
    rules = DicePoker(lock_kept=lock_kept).scorecard()
    space, tables = tied(rules, lambda _: 7.25)
    rolls = space.lattice.rolls
    assert tables.keeps[0, :rolls, 0].tolist() == list(range(space.lattice.first_roll, space.lattice.nodes))
    assert {entry_of(space, e)[0] for e in tables.entries[:, 0].tolist()} == {0}
    assert kept(space, tables, 0, (1, 2, 3, 4, 5)) == (1, 2, 3, 4, 5)


def test_ties_keep_most_dice() -> None:
    """Only sixes count, so a five is thrown again, but nothing is once all show six."""
    space, tables = tied(DicePoker().scorecard(), lambda entry: float(entry[0] == 5) * (entry[1] == 30))
    assert kept(space, tables, 0, (6, 6, 6, 6, 6)) == (6, 6, 6, 6, 6)
    assert kept(space, tables, 1, (2, 5, 6, 6, 6)) == (6, 6, 6)
    # A roll that is worth nothing in any case is kept as it lies.
    space, tables = tied(DicePoker(throws=2).scorecard(), lambda entry: -1.0 * (entry[1] == 50))
    assert kept(space, tables, 0, (1, 2, 3, 4, 6)) == (1, 2, 3, 4, 6)


def test_ties_keep_the_highest_dice() -> None:
    """Any five alike is worth the same, so the higher of two pairs is kept, and the highest single die."""
    space, tables = tied(DicePoker(throws=2).scorecard(), lambda entry: float(entry[0] == 13 and entry[1] == 50))
    assert kept(space, tables, 0, (2, 2, 3, 5, 5)) == (5, 5)
    assert kept(space, tables, 0, (3, 3, 4, 4, 6)) == (4, 4)
    assert kept(space, tables, 0, (1, 2, 3, 4, 5)) == (5,)
    assert kept(space, tables, 0, (2, 2, 2, 6, 6)) == (2, 2, 2)


def test_ties_enter_the_first_line() -> None:
    """Pair, two pairs, three alike and chance hold the same sum."""
    space, tables = tied(DicePoker().scorecard(), lambda entry: float(entry[1]))
    names = space.rules.line_names

    def entered(*dice: int) -> str:
        roll = space.lattice.index(dice) - space.lattice.first_roll
        return names[entry_of(space, int(tables.entries[roll, 0]))[0]]

    assert entered(1, 1, 6, 6, 5) == "pair"
    assert entered(2, 3, 4, 6, 6) == "pair"
    assert entered(1, 2, 3, 5, 6) == "chance"
    assert entered(6, 6, 6, 6, 1) == "pair"
    assert entered(6, 6, 6, 6, 6) == "poker"
    assert entered(5, 5, 5, 4, 6) == "pair"
    assert entered(6, 6, 6, 1, 1) == "full_house"


@pytest.mark.parametrize("difference", [0.0, 0.4 * TIE, 3 * TIE])
def test_ties_are_closer_than_the_limit(difference: float) -> None:
    """What differs by less than the limit is equal: the first line and the higher keep win."""
    rules = ScorecardRules(
        name="near",
        lines=(Line(name="first", kind="chance"), Line(name="second", kind="chance")),
        dice=1,
        faces=2,
        throws=2,
    )
    space, tables = tied(rules, lambda entry: 1.0 + (difference if entry[0] == 1 else 0.0))
    lines = {entry_of(space, e)[0] for e in tables.entries[:, 0].tolist()}
    assert lines == ({1} if difference > TIE else {0})
    space, tables = tied(rules, lambda entry: 1.0 + (4 * difference if entry[1] == 2 else 0.0))
    expected = () if 2 * difference > TIE else (1,)
    assert kept(space, tables, 0, (1,)) == expected


worths = st.lists(st.integers(-40, 40), min_size=64, max_size=64)
shapes = st.sampled_from([(1, 3), (2, 3), (3, 4), (5, 6), (4, 2)])


@settings(max_examples=30)
@given(shapes, worths, st.integers(-50, 50), st.integers(1, 4), st.booleans())
def test_what_the_rules_of_a_turn_imply(
    shape: tuple[int, int], worth: list[int], constant: int, throws: int, lock_kept: bool
) -> None:
    """More throws never hurt, locking never helps, worths may be shifted and scaled."""

    def value(throws: int, lock_kept: bool, scale: float = 1.0, shift: float = 0.0) -> float:
        space = StateSpace.of(wide_rules(*shape, throws, lock_kept))
        given_worth = np.resize(np.array(worth, dtype=float), len(space.written)) * scale + shift
        return float(turn_values(space, objective_of(given_worth), START)[0])

    here = value(throws, lock_kept)
    assert here <= value(throws + 1, lock_kept) + 1e-12
    assert value(throws, True) <= value(throws, False) + 1e-12
    assert value(throws, lock_kept, shift=constant) == pytest.approx(here + constant, abs=1e-11)
    assert value(throws, lock_kept, scale=3.0) == pytest.approx(3 * here, abs=1e-11)
    if throws <= 2:
        assert value(throws, True) == pytest.approx(value(throws, False), abs=1e-12)


@pytest.mark.parametrize("throws", [1, 2, 3, 6])
@pytest.mark.parametrize("lock_kept", [False, True])
def test_chasing_a_face_has_a_closed_form(throws: int, lock_kept: bool) -> None:
    """Every die shows the face in the end unless it misses in all throws."""
    space = StateSpace.of(DicePoker(throws=throws, lock_kept=lock_kept).scorecard())
    chance = 1 - (5 / 6) ** throws
    for face in range(1, 7):
        worth = np.where(space.tables.entry_line == face - 1, space.tables.entry_points, 0.0)
        value = turn_values(space, objective_of(worth), START)[0]
        assert value == pytest.approx(5 * face * chance, rel=1e-13)


def test_five_alike_within_three_throws_has_the_known_chance() -> None:
    """347,897 of 7,558,272, about 4.6 percent: the best known number of these games."""
    space = StateSpace.of(DicePoker().scorecard())
    worth = ((space.tables.entry_line == 13) & (space.written == 50)).astype(float)
    value = turn_values(space, objective_of(worth), START)[0]
    assert value == pytest.approx(347_897 / 7_558_272, rel=1e-13)
