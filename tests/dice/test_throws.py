"""Throws in kernels against dice read off the same random words, rejected words included."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from analyzer.dice import throws
from analyzer.dice.lattice import Lattice
from analyzer.dice.lines import Line
from analyzer.dice.scorecard import ScorecardRules
from analyzer.dice.states import StateSpace
from analyzer.dice.throws import (
    SingleThrows,
    TabulatedThrows,
    draw_words,
    look_up,
    throw_singly,
    throws_of,
)
from analyzer.engine.streams import words
from analyzer.games.dice_poker import DicePoker
from tests.dice.reference import Dice, Draws, position_of, sorted_dice, thrown

FALSE_ALARM = 1e-6
SEED = 2024


def space_of(dice: int, faces: int, throws: int = 3, lock_kept: bool = False) -> StateSpace:
    chance = Line(name="chance", kind="chance")
    return StateSpace.of(
        ScorecardRules(name="throws", lines=(chance,), dice=dice, faces=faces, throws=throws, lock_kept=lock_kept)
    )


def drawn_words(index: np.ndarray[Any, Any], turn: int, group: int) -> np.ndarray[Any, Any]:
    drawn = np.zeros((4, len(index)), dtype=np.uint32)
    draw_words(np.uint64(SEED), index, np.uint64(turn), group, drawn)
    return drawn


def throw_once(
    space: StateSpace, keep: list[int], s: int, index: np.ndarray[Any, Any], turn: int, drawn: Any = None
) -> list[int]:
    """Positions after throw s of some games."""
    d = throws_of(space)
    held = np.array(keep, dtype=np.int64)
    position = np.zeros(len(index), dtype=np.int64)
    if isinstance(d, TabulatedThrows):
        given = drawn_words(index, turn, s >> 2) if drawn is None else drawn
        look_up(d.outcomes, d.first, d.number, held, s, given, np.uint64(SEED), index, np.uint64(turn), position)
    else:
        throw_singly(d, held, s, np.uint64(SEED), index, np.uint64(turn), position)
    return [int(p) for p in position]


CASES = [
    (5, 6, False),
    (5, 6, True),
    (3, 12, False),
    (10, 2, False),
    (7, 6, False),
    (8, 6, False),
    (8, 6, True),
    (10, 5, False),
]


@pytest.mark.parametrize(("dice", "faces", "lock_kept"), CASES)
def test_throws_equal_the_dice_of_the_same_words(dice: int, faces: int, lock_kept: bool) -> None:
    """For every number of kept dice and for throws beyond the fourth, which use further words."""
    space = space_of(dice, faces, 10, lock_kept)
    lattice = space.lattice
    random = np.random.default_rng(dice * faces)
    index = random.integers(0, 2**63, 40).astype(np.uint64)
    for s, turn in ((0, 0), (1, 7), (3, 1), (4, 0), (9, 2**31)):
        keep = random.integers(0, lattice.nodes, len(index)) if s else np.zeros(len(index), dtype=np.int64)
        found = throw_once(space, keep.tolist(), s, index, turn)
        for node, game, position in zip(keep.tolist(), index.tolist(), found, strict=True):
            held = lattice.faces_of(node)
            added = Draws(space, SEED, game, turn).dice(s, dice - len(held))
            assert position == position_of(space, held, sorted_dice(held, added), s)


@pytest.mark.parametrize(("dice", "faces", "lock_kept"), CASES)
def test_the_way_of_throwing_depends_on_the_size(dice: int, faces: int, lock_kept: bool) -> None:
    space = space_of(dice, faces, 3, lock_kept)
    d = throws_of(space)
    assert isinstance(d, TabulatedThrows if Lattice.of(dice, faces).tabulated else SingleThrows)
    assert isinstance(d, SingleThrows) == ((dice, faces) in {(8, 6), (10, 5)})
    assert d.throws == 3
    assert (d.position_roll.size > 0) == lock_kept


def test_positions_of_locked_dice_name_their_roll() -> None:
    for dice, faces in ((5, 6), (8, 6), (3, 4)):
        space = space_of(dice, faces, 3, True)
        d, lattice = throws_of(space), space.lattice
        for node in (0, 1, faces, lattice.first_roll // 2, lattice.first_roll, lattice.nodes - 1):
            held = lattice.faces_of(node)
            for added in thrown(dice - len(held), faces) if dice < 8 else [(1,) * (dice - len(held))]:
                roll = sorted_dice(held, added)
                position = position_of(space, held, roll, 1)
                assert lattice.index(roll) - lattice.first_roll == d.position_roll[position]


def test_words_are_those_of_the_streams() -> None:
    index = np.array([0, 1, 2**40, 2**64 - 1], dtype=np.uint64)
    for turn, group in ((0, 0), (14, 2)):
        drawn = drawn_words(index, turn, group)
        for i, game in enumerate(index):
            assert tuple(drawn[:, i]) == words(np.uint64(SEED), game, turn, group)


@pytest.mark.parametrize("s", [0, 1, 2, 3, 6])
def test_words_that_would_favour_an_outcome_are_drawn_anew(s: int) -> None:
    """The word 0 is rejected for every number of outcomes that is no power of two; its neighbours play on."""
    space = space_of(5, 6, 10)
    lattice = space.lattice
    index = np.arange(100, 100 + 64, dtype=np.uint64)
    drawn = drawn_words(index, 3, s >> 2)
    plain = throw_once(space, [0] * 64, s, index, 3, drawn.copy())
    forced = drawn.copy()
    forced[s & 3, 10::20] = 0
    found = throw_once(space, [0] * 64, s, index, 3, forced)
    replaced = set(range(10, 64, 20))
    for i, game in enumerate(index.tolist()):
        if i not in replaced:
            assert found[i] == plain[i]
            continue

        class Forced(Draws):
            def word(self, slot: int, place: int) -> int:
                return 0

        dice = Forced(space, SEED, game, 3).dice(s, 5)
        assert found[i] == lattice.index(dice) - lattice.first_roll
    assert len({found[i] for i in replaced}) > 1  # not the outcome of the word 0 in every game


@pytest.mark.parametrize(
    ("dice", "faces", "games"),
    [
        (5, 6, [2_988_478, 3_387_276, 3_556_949, 3_782_139, 10_934_276]),
        (7, 6, [8_613, 38_285, 47_109, 92_679, 117_855, 125_336]),
    ],
)
def test_rejected_words_of_real_games(dice: int, faces: int, games: list[int]) -> None:
    """Games found by search in which the first word of the first turn is rejected."""
    space = space_of(dice, faces)
    bound = faces**dice
    for game in games:
        word = int(words(np.uint64(SEED), np.uint64(game), 0, 0)[0])
        assert word * bound % 2**32 < 2**32 % bound
    index = np.array([n for game in games for n in (game - 1, game, game + 1)], dtype=np.uint64)
    found = throw_once(space, [0] * len(index), 0, index, 0)
    for game, position in zip(index.tolist(), found, strict=True):
        roll: Dice = Draws(space, SEED, game, 0).dice(0, dice)
        assert position == space.lattice.index(roll) - space.lattice.first_roll


@pytest.mark.parametrize(("dice", "faces"), [(5, 6), (8, 6)])
@pytest.mark.parametrize("kept", [(), (6,), (1, 1, 3)])
def test_throws_have_the_chances_of_the_lattice(dice: int, faces: int, kept: Dice) -> None:
    """A chi-square test with a false-alarm rate of 1e-6."""
    space = space_of(dice, faces)
    lattice = space.lattice
    count = 60_000
    index = np.arange(count, dtype=np.uint64)
    positions = throw_once(space, [lattice.index(kept)] * count, 1, index, 5)
    found = np.bincount(positions, minlength=lattice.rolls)
    added = np.arange(lattice.offset[dice - len(kept)], lattice.offset[dice - len(kept) + 1])
    expected = np.zeros(lattice.rolls)
    rolls = lattice.union(lattice.index(kept), added) - lattice.first_roll
    expected[rolls] = count * lattice.probability[added]
    assert found[expected == 0].sum() == 0
    often = expected >= 10
    cells = np.append(found[often], found[~often].sum())
    wanted = np.append(expected[often], expected[~often].sum())
    if wanted[-1] == 0:
        cells, wanted = cells[:-1], wanted[:-1]
    assert stats.chisquare(cells, wanted).pvalue > FALSE_ALARM


def test_the_first_dice_are_the_same_whatever_is_kept() -> None:
    """Two players who throw a different number of dice see the same first ones, nearly always."""
    for size in (5, 8):
        draws = [Draws(space_of(size, 6), SEED, game, 0) for game in range(50)]
        same = sum(draw.dice(1, 2) == draw.dice(1, size)[:2] for draw in draws)
        assert same == 50


def test_small_tables_are_kept_small() -> None:
    assert throws_of(StateSpace.of(DicePoker().scorecard())).outcomes.dtype == np.uint8
    assert throws_of(StateSpace.of(DicePoker(lock_kept=True).scorecard())).outcomes.dtype == np.uint16


def test_groups_are_thrown_alike_by_table_and_die_by_die(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where lines are announced, positions are numbered by line; the same dice in each."""
    lines = (Line(name="ones", kind="face", face=1), Line(name="chance", kind="chance"))
    space = StateSpace.of(ScorecardRules(name="announced", lines=lines, dice=3, declare=True))
    lattice, count = space.lattice, 4000
    assert space.groups == 2
    index = np.arange(count, dtype=np.uint64)
    table = throws_of(space)
    assert isinstance(table, TabulatedThrows)
    throws_of.cache_clear()
    monkeypatch.setattr(throws, "MAX_OUTCOMES", 100)
    assert isinstance(throws_of(space), SingleThrows)
    for kept in ((), (6,), (1, 4)):
        node = lattice.index(kept)
        full = lattice.rolls * (not kept)
        for group in (0, 1):
            found = throw_once(space, [group * lattice.first_roll + node] * count, 1, index, 5)
            plain = throw_once(space, [node] * count, 1, index, 5)
            assert (np.asarray(found) - np.asarray(plain) == group * 2 * lattice.rolls).all()
            low = group * 2 * lattice.rolls + full
            keep = group * lattice.first_roll + node
            first, number = int(table.first[keep]), int(table.number[keep])
            assert set(found) == set(table.outcomes[first : first + number].tolist())
            assert low <= min(found) <= max(found) < low + lattice.rolls
    stopped = space.stop + np.arange(space.ends)
    assert throw_once(space, stopped.tolist(), 1, index[: space.ends], 5) == list(range(space.ends))
    throws_of.cache_clear()
