"""The referee of Escalero: worked examples of the rules, one outcome changed by every option, illegal answers."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from tests.games.escalero_referee import (
    COMBINATIONS,
    Cell,
    Dice,
    EscaleroOptions,
    EscaleroTurn,
    Partners,
    Result,
    Sheet,
    blank_sheet,
    cell_points,
    column_totals,
    legal_cells,
    play_match,
    play_round,
    play_solitaire,
    settle,
)

STANDARD = EscaleroOptions()
ONE = EscaleroOptions(columns=1)


class Loaded(Random):
    """Dice that fall as told."""

    def __init__(self, faces: Iterable[int]) -> None:
        super().__init__(0)
        self.faces = list(faces)

    def randint(self, a: int, b: int) -> int:
        assert (a, b) == (1, 6)
        return self.faces.pop(0)


class Scripted:
    """Keeps what it is told and enters where it is told; stops after its last keep."""

    def __init__(self, keeps: Iterable[Dice] = (), cell: Cell = (0, "poker")) -> None:
        self.keeps = list(keeps)
        self.cell = cell
        self.seen: list[tuple[Dice, int, bool]] = []

    def keep(self, dice: Dice, throws_left: int, served: bool, sheet: Sheet) -> Dice:
        self.seen.append((dice, throws_left, served))
        return self.keeps.pop(0) if self.keeps else dice

    def enter(self, dice: Dice, served: bool, sheet: Sheet) -> Cell:
        return self.cell


class Careless:
    """Any legal answers."""

    def __init__(self, options: EscaleroOptions, rng: Random) -> None:
        self.options = options
        self.rng = rng

    def keep(self, dice: Dice, throws_left: int, served: bool, sheet: Sheet) -> Dice:
        assert throws_left in {1, 2}
        return tuple(self.rng.sample(dice, self.rng.randrange(6)))

    def enter(self, dice: Dice, served: bool, sheet: Sheet) -> Cell:
        return self.rng.choice(sorted(legal_cells(self.options, dice, served, sheet)))


def result_of(options: EscaleroOptions, keeps: Iterable[Dice], *faces: int) -> Result:
    rng = Loaded(faces)
    result = EscaleroTurn(options, Scripted(keeps), blank_sheet(options), rng).throw()
    assert not rng.faces
    return result


def scores(result: Result, options: EscaleroOptions = STANDARD, sheet: Sheet | None = None) -> dict[str, int]:
    """Rows of the first column that score."""
    legal = legal_cells(options, *result, sheet or blank_sheet(options))
    return {row: points for (column, row), points in legal.items() if column == 0 and points}


def points_of(dice: Dice, row: str, *, served: bool = False, sheet: Sheet | None = None, **options: Any) -> int:
    rules = EscaleroOptions(**options)
    return cell_points(rules, dice, served, row, sheet or blank_sheet(rules), 0)


def test_e1_served_straight() -> None:
    result = result_of(STANDARD, [], 2, 3, 4, 5, 6)
    assert scores(result) == {"straight": 25, "aces": 6, "kings": 5, "queens": 4, "jacks": 3, "tens": 2}
    legal = legal_cells(STANDARD, *result, blank_sheet(STANDARD))
    assert len(legal) == 30
    assert {row for (_, row), points in legal.items() if not points} == {"nines", "full_house", "poker", "grande"}


def test_e2_straight_after_one_die() -> None:
    assert scores(result_of(STANDARD, [(2, 3, 4, 5)], 2, 3, 4, 5, 5, 6))["straight"] == 20


def test_e3_served_in_the_third_throw() -> None:
    result = result_of(STANDARD, [(6,), ()], 1, 2, 2, 3, 6, 1, 1, 2, 3, 4, 4, 4, 2, 4)
    assert scores(result) == {"poker": 45, "queens": 16, "tens": 2}
    assert result == ((2, 4, 4, 4, 4), True)


def test_e4_served_lost() -> None:
    assert scores(result_of(STANDARD, [(4, 4, 4, 4)], 4, 4, 4, 4, 2, 5)) == {"poker": 40, "queens": 16, "kings": 5}


def test_e5_served_grande() -> None:
    assert scores(result_of(STANDARD, [], 6, 6, 6, 6, 6)) == {"grande": 80, "aces": 30}


def test_e6_struck_grande() -> None:
    sheet: Sheet = [{"grande": 0}, {}, {}]
    for served, poker, full_house in ((True, 45, 35), (False, 40, 30)):
        legal = legal_cells(STANDARD, (3,) * 5, served, sheet)
        assert (legal[0, "poker"], legal[0, "full_house"]) == (poker, full_house)
        assert (legal[1, "poker"], legal[1, "full_house"]) == (0, 0)
        assert (0, "grande") not in legal


def test_e7_gap() -> None:
    assert points_of((1, 3, 4, 5, 6), "straight", served=True) == 0


def test_e8_pictures() -> None:
    assert points_of((3, 3, 3, 3, 1), "jacks") == 12
    assert points_of((5, 5, 5, 1, 2), "kings") == 15
    assert points_of((5, 5, 5, 4, 2), "nines") == 0


def test_e9_to_e12_settlement() -> None:
    assert settle(STANDARD, [(100, 80, 90), (90, 95, 70)]) == [3, -3]
    assert settle(STANDARD, [(100, 80, 90), (90, 75, 70)]) == [9, -9]
    assert settle(STANDARD, [(100, 80, 90), (90, 75, 90)]) == [3, -3]
    assert settle(STANDARD, [(50, 90, 50), (60, 80, 70), (40, 70, 60)]) == [-1, 8, -7]
    assert settle(STANDARD, [(70, 90, 80), (60, 80, 70), (40, 70, 60)]) == [18, -9, -9]
    assert settle(STANDARD, [(50, 90, 50), (60, 90, 70), (40, 70, 60)]) == [-5, 10, -5]


def test_e13_variants() -> None:
    assert points_of((2, 3, 4, 5, 6), "straight", straight="25/30") == 25
    assert points_of((1, 2, 3, 4, 5), "straight", straight="25/30", served=True) == 30
    for served, double in ((True, 100), (False, 0)):
        assert points_of((5,) * 5, "double_grande", served=served, double_grande_row=True) == double
        assert points_of((5,) * 5, "grande", served=served, double_grande_row=True) == 50


@pytest.mark.parametrize(("double", "best"), [(False, 290), (True, 360)])
def test_best_column(double: bool, best: int) -> None:
    options = EscaleroOptions(double_grande_row=double)
    hands = {"straight": (1, 2, 3, 4, 5), "full_house": (1, 1, 1, 2, 2), "poker": (1, 1, 1, 1, 2)}
    total = sum(5 * face for face in range(1, 7))
    total += sum(points_of(dice, row, served=True) for row, dice in hands.items())
    total += sum(points_of((6,) * 5, row, served=True, double_grande_row=double) for row in options.rows[9:])
    assert total == best
    assert len(options.cells) == (33 if double else 30)


def test_combinations_are_exact() -> None:
    assert points_of((2, 2, 2, 3, 3), "full_house") == 30
    assert points_of((2, 2, 2, 2, 3), "full_house") == 0
    assert points_of((2, 2, 2, 3, 3), "poker") == 0
    assert all(points_of((1, 1, 2, 2, 3), row) == 0 for row in COMBINATIONS)


def test_option_double_grande_row() -> None:
    assert points_of((6,) * 5, "grande", served=True) == 80
    assert points_of((6,) * 5, "grande", served=True, double_grande_row=True) == 50
    with pytest.raises(ValueError, match="no such row"):
        points_of((6,) * 5, "double_grande")
    sheet: Sheet = [{"double_grande": 0}, {}, {}]
    assert points_of((6,) * 5, "poker", sheet=sheet, double_grande_row=True) == 0


def test_option_straight() -> None:
    assert [points_of((1, 2, 3, 4, 5), "straight", straight=pay) for pay in ("20/25", "25/30")] == [20, 25]


def test_option_served() -> None:
    faces = (1, 2, 3, 5, 6, 4, 4, 4, 4, 2)
    assert scores(result_of(STANDARD, [()], *faces))["poker"] == 45
    assert scores(result_of(EscaleroOptions(served="first_throw_only"), [()], *faces))["poker"] == 40
    assert scores(result_of(EscaleroOptions(served="first_throw_only"), [], 4, 4, 4, 4, 2))["poker"] == 45


def test_option_five_as_poker_full() -> None:
    sheets: list[Sheet] = [[{}, {}], [{"grande": 50}, {}], [{"grande": 0}, {}], [{}, {"grande": 0}]]
    expected = {
        "struck_same_column": [0, 0, 40, 0],
        "struck_any_column": [0, 0, 40, 40],
        "closed_same_column": [0, 40, 40, 0],
        "always": [40, 40, 40, 40],
        "never": [0, 0, 0, 0],
    }
    for option, points in expected.items():
        assert [points_of((2,) * 5, "poker", sheet=sheet, five_as_poker_full=option) for sheet in sheets] == points
        full = [points_of((2,) * 5, "full_house", sheet=sheet, five_as_poker_full=option) for sheet in sheets]
        assert full == [value and 30 for value in points]


def test_option_served_in_plain_g() -> None:
    points = [
        points_of((1,) * 5, "grande", served=served, double_grande_row=True, served_in_plain_g=g)
        for g in (50, 80)
        for served in (False, True)
    ]
    assert points == [50, 50, 50, 80]


def test_option_columns() -> None:
    assert settle(ONE, [(100,), (90,)]) == [10, -10]
    assert settle(ONE, [(100,), (90,), (70,)]) == [40, -10, -30]
    assert len(ONE.cells) == 10
    with pytest.raises(ValueError, match="each column"):
        settle(ONE, [(100, 80, 90), (90, 95, 70)])


def test_option_column_values_and_sweep_total() -> None:
    options = EscaleroOptions(column_values=(1, 2, 3), sweep_total=8)
    assert settle(options, [(100, 80, 90), (90, 95, 70)]) == [2, -2]
    assert settle(options, [(100, 80, 90), (90, 75, 70)]) == [8, -8]


def test_option_column_tie() -> None:
    split = EscaleroOptions(column_tie="split")
    assert settle(split, [(50, 90, 50), (60, 90, 70), (40, 70, 60)]) == [-4, 11, -7]
    totals = [(10, 90, 90), (20, 90, 90), (30, 90, 90), (40, 10, 10)]
    assert settle(split, totals) == [1, 1, 1, -3]
    assert settle(STANDARD, totals) == [-1, -1, -1, 3]
    totals = [(10, 90, 9), (20, 90, 9), (30, 10, 9), (40, 90, 9)]
    assert settle(split, totals) == [Fraction(-1, 3), Fraction(-1, 3), -3, Fraction(11, 3)]
    assert settle(ONE, [(90,), (90,), (70,)]) == [0, 0, 0]
    assert settle(EscaleroOptions(columns=1, column_tie="split"), [(90,), (90,), (70,)]) == [10, 10, -20]


def test_split_never_sweeps() -> None:
    assert settle(EscaleroOptions(column_tie="split"), [(9, 9, 9), (8, 8, 9), (7, 7, 7)]) == [8, -1, -7]


@pytest.mark.parametrize(
    ("choice", "accept", "points", "dice_left"),
    [("after_both", False, 45, 0), ("immediate", False, 0, 0), ("after_both", True, 45, 5), ("immediate", True, 45, 5)],
)
def test_option_pair_choice(choice: Any, accept: bool, points: int, dice_left: int) -> None:
    options = EscaleroOptions(pair_choice=choice)
    sheet = blank_sheet(options)
    rng = Loaded([4, 4, 4, 4, 2, 1, 2, 2, 5, 6])
    seen: list[Result] = []

    def accepts(dice: Dice, served: bool, sheet: Sheet) -> bool:
        seen.append((dice, served))
        return accept

    pair = Partners(Scripted(), Scripted(cell=(2, "poker")), accepts, lambda results, sheet: 0)
    play_round(options, pair, sheet, rng)
    assert seen == [((2, 4, 4, 4, 4), True)]
    assert len(rng.faces) == dice_left
    given_up = choice == "immediate" and not accept
    assert sheet[2 if given_up else 0] == {"poker": points}


def test_turn() -> None:
    player = Scripted([(6, 6), (1, 6)])
    sheet = blank_sheet(STANDARD)
    rng = Loaded([6, 1, 2, 6, 3, 1, 1, 5, 2, 2, 2])
    assert EscaleroTurn(STANDARD, player, sheet, rng).play() == ((0, "poker"), 0)
    assert player.seen == [((1, 2, 3, 6, 6), 2, True), ((1, 1, 5, 6, 6), 1, False)]
    assert sheet == [{"poker": 0}, {}, {}]


def test_illegal_answers() -> None:
    for keep in ((7,), (6, 6), (1, 2, 3, 4, 5, 6)):
        with pytest.raises(ValueError, match="cannot keep"):
            result_of(STANDARD, [keep], 1, 2, 3, 4, 6)
    for cell in ((0, "poker"), (3, "grande"), (0, "double_grande")):
        with pytest.raises(ValueError, match="not an open cell"):
            EscaleroTurn(STANDARD, Scripted(cell=cell), [{"poker": 0}, {}, {}], Loaded([1] * 5)).play()
    pair = Partners(Scripted(), Scripted(), lambda *_: False, lambda *_: 2)
    with pytest.raises(ValueError, match="two results"):
        play_round(STANDARD, pair, blank_sheet(STANDARD), Loaded([1] * 10))


@pytest.mark.parametrize(
    "options",
    [
        STANDARD,
        ONE,
        EscaleroOptions(columns=1, double_grande_row=True, column_tie="split"),
        EscaleroOptions(column_tie="split", five_as_poker_full="always", served="first_throw_only"),
    ],
)
def test_whole_games(options: EscaleroOptions) -> None:
    rng = Random(5)
    players = [Careless(options, Random(number)) for number in range(4)]
    sheet = play_solitaire(options, players[0], rng)
    assert all(set(column) == set(options.rows) for column in sheet)
    pair = Partners(players[2], players[3], lambda *_: rng.random() < 0.5, lambda *_: rng.randrange(2))
    match = play_match(options, [*players[:2], pair], rng)
    assert match.totals == [column_totals(sheet) for sheet in match.sheets]
    assert all(set(column) == set(options.rows) for sheet in match.sheets for column in sheet)
    assert sum(match.payoffs) == 0
    assert match.payoffs == settle(options, match.totals)
    assert match.winners
    assert all(match.payoffs[party] == max(match.payoffs) for party in match.winners)
