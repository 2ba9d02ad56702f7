"""The referee of Cacho Alalay: worked examples of the rules, one outcome changed by every option, illegal answers."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

from tests.games.cacho_referee import (
    CELLS,
    NUMBERS,
    CachoOptions,
    CachoTurn,
    Dice,
    Flips,
    Sheet,
    announced_sheet,
    can_stop,
    cell_points,
    flipped,
    is_dormida,
    legal_entries,
    legal_flips,
    play_match,
    play_solitaire,
    sheet_win,
)

STANDARD = CachoOptions()
FAMILY = CachoOptions(throws=3, first_flip="optional")
MIDDLE: Sheet = {"straight": 25, "full_house": 35, "poker": 45}
MANY: Sheet = {name: 4 * face for face, name in enumerate(NUMBERS, 1)}


class Loaded(Random):
    """Dice that fall as told."""

    def __init__(self, faces: Iterable[int]) -> None:
        super().__init__(0)
        self.faces = list(faces)

    def randint(self, a: int, b: int) -> int:
        assert (a, b) == (1, 6)
        return self.faces.pop(0)


class Scripted:
    """Keeps, flips and enters as told; without more answers it stops, flips nothing and takes the first cell."""

    def __init__(self, keeps: Iterable[Dice] = (), flips: Iterable[Flips] = (), cells: Iterable[str] = ()) -> None:
        self.keeps = list(keeps)
        self.flips = list(flips)
        self.cells = list(cells)
        self.holds = False
        self.takes = False
        self.announces = "poker"
        self.seen: list[tuple[Dice, int, bool]] = []

    def keep(self, dice: Dice, throw_number: int, full_throw: bool, sheet: Sheet) -> Dice:
        self.seen.append((dice, throw_number, full_throw))
        return self.keeps.pop(0) if self.keeps else dice

    def flip(self, dice: Dice, throw_number: int, full_throw: bool, sheet: Sheet, legal: list[Flips]) -> Flips:
        return self.flips.pop(0) if self.flips else ()

    def enter(self, dice: Dice, de_mano: bool, sheet: Sheet, legal: dict[str, int]) -> str:
        return self.cells.pop(0) if self.cells else next(iter(legal))

    def announce(self, dice: Dice, kept: Dice, sheet: Sheet) -> str:
        return self.announces

    def hold(self, cell: str, points: int, sheet: Sheet) -> bool:
        return self.holds

    def take_held(self, cell: str, points: int, dice: Dice, de_mano: bool, sheet: Sheet) -> bool:
        return self.takes


class Careless(Scripted):
    """Any legal answers."""

    def __init__(self, options: CachoOptions, rng: Random) -> None:
        super().__init__()
        self.options = options
        self.rng = rng
        self.holds = True

    def keep(self, dice: Dice, throw_number: int, full_throw: bool, sheet: Sheet) -> Dice:
        stops = can_stop(self.options, dice, throw_number, full_throw, sheet)
        return tuple(self.rng.sample(dice, self.rng.randrange(6 if stops else 5)))

    def flip(self, dice: Dice, throw_number: int, full_throw: bool, sheet: Sheet, legal: list[Flips]) -> Flips:
        return self.rng.choice(legal)

    def enter(self, dice: Dice, de_mano: bool, sheet: Sheet, legal: dict[str, int]) -> str:
        return self.rng.choice(sorted(legal))


def sheet_with(*open_cells: str) -> Sheet:
    """Sheet on which all other cells are struck."""
    return {cell: 0 for cell in CELLS if cell not in open_cells}


def flips_of(*dice: int, throw: int = 2, full: bool = False, sheet: Sheet | None = None, **options: Any) -> list[Flips]:
    return legal_flips(CachoOptions(**options), dice, throw, full, sheet or {})


def reached(*dice: int, full: bool = False, size: int | None = None) -> dict[str, int]:
    """Best points of every cell over the legal flips, or over those of one size."""
    best = dict.fromkeys(CELLS, 0)
    for flips in flips_of(*dice, full=full):
        if size is None or len(flips) == size:
            points = legal_entries(STANDARD, flipped(dice, flips), full and not flips, {}, True)
            best |= {cell: max(best[cell], value) for cell, value in points.items()}
    return best


def keeping(cell: str, *dice: int) -> set[Flips]:
    """Faces of the flips, none or legal after a throw of fewer dice, that let a cell score."""
    return {
        tuple(dice[place] for place in flips)
        for flips in [(), *flips_of(*dice)]
        if cell_points(STANDARD, flipped(dice, flips), False, cell)
    }


def sizes(flips: list[Flips]) -> set[int]:
    return {len(one) for one in flips}


def test_c1_straight_de_mano() -> None:
    turn = CachoTurn(STANDARD, Scripted(cells=["straight"]), {}, Loaded([6, 5, 4, 3, 1]))
    assert turn.play() is None
    assert turn.sheet == {"straight": 25}


def test_c2_numbers_after_the_first_throw() -> None:
    entries = legal_entries(STANDARD, (1, 2, 4, 5, 6), True, {}, True, throw_number=1)
    assert entries == {"ones": 1, "twos": 2, "fours": 4, "fives": 5, "sixes": 6}
    assert flips_of(1, 2, 4, 5, 6, throw=1, full=True) == [()]


def test_c3_c4_straight_survives_flips() -> None:
    assert keeping("straight", 1, 2, 3, 4, 5) == {(), (1,), (2, 5), (3, 4)}
    assert keeping("straight", 1, 3, 4, 5, 6) == {(), (1, 6), (3, 4)}
    for dice in ((1, 2, 3, 4, 5), (1, 3, 4, 5, 6)):
        assert () not in flips_of(*dice)
        assert len(flips_of(*dice)) == 15
        assert reached(*dice)["straight"] == 20


def test_c5_five_alike_by_a_partial_throw() -> None:
    one, two = (reached(4, 4, 4, 4, 4, size=size) for size in (1, 2))
    assert (one["poker"], one["fours"], one["full_house"], one["grande_1"]) == (40, 16, 0, 0)
    assert (two["full_house"], two["poker"], two["grande_1"]) == (30, 0, 0)


def test_c6_grande_by_flips() -> None:
    best = reached(3, 4, 4, 4, 4)
    assert (best["grande_1"], best["grande_2"], best["fours"], best["poker"]) == (50, 50, 20, 40)
    assert reached(3, 3, 4, 4, 4, size=2)["grande_1"] == 50


def test_c7_full_house_unflipped() -> None:
    dice = (2, 2, 3, 3, 3)
    assert () in flips_of(*dice, full=True)
    assert len(flips_of(*dice, full=True)) == 16
    assert reached(*dice, full=True, size=0)["full_house"] == 35
    assert cell_points(STANDARD, flipped(dice, (0, 1)), False, "full_house") == 30  # 3-3-3-5-5
    sheets = []
    for flips in ((), (0, 1)):
        turn = CachoTurn(STANDARD, Scripted([()], [flips], ["full_house"]), {}, Loaded([1, 1, 2, 4, 6, *dice]))
        turn.play()
        sheets.append(turn.sheet)
    assert sheets == [{"full_house": 35}, {"full_house": 30}]


def test_c8_poker_by_flips() -> None:
    assert () not in flips_of(1, 1, 2, 6, 6, full=True)
    assert reached(1, 1, 2, 6, 6, full=True)["poker"] == 40


def test_c9_dormida() -> None:
    game = play_solitaire(STANDARD, Scripted([()]), Loaded([1, 2, 3, 4, 6] + [6] * 5))
    assert game == {"sheet": {}, "ended": "dormida", "round": 1}
    used = dict.fromkeys(("grande_1", "grande_2"), 50)
    assert CachoTurn(STANDARD, Scripted(), used, Loaded([2] * 5)).play() == "dormida"


def test_c10_strike() -> None:
    sheet = sheet_with("threes", "poker")
    for flips in flips_of(1, 1, 2, 5, 6, sheet=sheet):
        final = flipped((1, 1, 2, 5, 6), flips)
        assert legal_entries(STANDARD, final, False, sheet, False) == {"threes": 0, "poker": 0}


def test_c11_strike_ban() -> None:
    sheet, dice = sheet_with("threes", "poker"), (1, 1, 2, 4, 6)
    assert legal_entries(STANDARD, flipped(dice, (3,)), False, sheet, True) == {"threes": 3}
    assert legal_entries(STANDARD, flipped(dice, (0,)), False, sheet, True) == {"threes": 0, "poker": 0}
    reachable = CachoOptions(strike_ban="any_reachable")
    assert legal_entries(reachable, flipped(dice, (0,)), False, sheet, True) == {}
    assert (0,) in legal_flips(STANDARD, dice, 2, False, sheet)
    # Only the 4 turns into a three; a pair of flips scores if the 4 is in it.
    assert set(legal_flips(reachable, dice, 2, False, sheet)) == {(3,), (0, 3), (1, 3), (2, 3), (3, 4)}


def test_c12_c13_instant_wins() -> None:
    assert sheet_win(STANDARD, MIDDLE | {"grande_2": 50}) == "panza_de_oro"
    assert sheet_win(STANDARD, MIDDLE | {"grande_2": 50, "poker": 40}) is None
    assert sheet_win(STANDARD, MIDDLE | {"grande_1": 0}) is None
    assert sheet_win(STANDARD, MANY | {"grande_1": 50}) == "four_of_every_number"
    assert sum((MANY | {"grande_1": 50}).values()) == 134
    assert sheet_win(STANDARD, MANY | {"grande_1": 50, "sixes": 18}) is None
    assert sheet_win(STANDARD, MANY | {"grande_1": 50, "sixes": 30}) == "four_of_every_number"
    assert sheet_win(STANDARD, MANY | MIDDLE | {"grande_1": 50}) == "panza_de_oro"


def test_second_throws_that_reach_a_grande() -> None:
    count = 0
    for roll in product(range(1, 7), repeat=5):
        dice = tuple(sorted(roll))
        if len({min(die, 7 - die) for die in dice}) == 1:  # flips never join two pairs of opposite faces
            count += any(len(set(flipped(dice, flips))) == 1 for flips in flips_of(*dice))
    assert count == 90


def test_highest_sheet() -> None:
    best = {name: 5 * face for face, name in enumerate(NUMBERS, 1)} | MIDDLE | {"grande_1": 50, "grande_2": 50}
    assert sum(best.values()) == 310


def test_combinations_are_exact() -> None:
    for dice, cell in (
        ((1, 2, 3, 4, 6), "straight"),
        ((1, 2, 3, 5, 6), "straight"),
        ((2, 2, 2, 2, 2), "full_house"),
        ((2, 2, 2, 2, 3), "full_house"),
        ((2, 2, 2, 3, 3), "poker"),
        ((2, 2, 2, 2, 3), "grande_1"),
    ):
        assert cell_points(STANDARD, dice, True, cell) == 0


def test_option_throws() -> None:
    faces = [1, 1, 2, 3, 5, 1, 1, 6, 4]
    three, two = Scripted([(1, 1), (1, 1, 1, 1)], [()], ["ones"]), Scripted([(1, 1)], [(4,)], ["ones"])
    sheets: list[Sheet] = [{}, {}]
    CachoTurn(FAMILY, three, sheets[0], Loaded(faces)).play()
    assert three.seen == [((1, 1, 2, 3, 5), 1, True), ((1, 1, 1, 1, 6), 2, False)]
    CachoTurn(STANDARD, two, sheets[1], Loaded(faces[:8])).play()
    assert two.seen == [((1, 1, 2, 3, 5), 1, True)]
    assert sheets == [{"ones": 4}, {"ones": 5}]
    assert flips_of(1, 1, 2, 3, 5, throw=3, throws=3) == flips_of(1, 1, 2, 3, 5)


def test_third_throw_is_an_addition() -> None:
    sheet = sheet_with("grande_1")
    turn = CachoTurn(FAMILY, Scripted([(1, 2)], cells=["grande_1"]), sheet, Loaded([1, 2, 3, 4, 6, 1, 4, 6]))
    assert turn.play() is None
    assert sheet["grande_1"] == 0


def test_option_first_flip() -> None:
    assert sizes(flips_of(1, 1, 2, 6, 6)) == {1, 2}
    assert sizes(flips_of(1, 1, 2, 6, 6, first_flip="optional")) == {0, 1, 2}


def test_option_max_flips() -> None:
    assert len(flips_of(1, 1, 2, 6, 6, max_flips=1)) == 5
    assert len(flips_of(1, 1, 2, 6, 6, max_flips=3)) == 25
    assert flips_of(1, 1, 2, 6, 6, max_flips=0, first_flip="optional") == [()]


def test_option_grandes_needed() -> None:
    both = CachoOptions(grandes_needed=2)
    for cells in (MIDDLE, MANY):
        assert sheet_win(both, cells | {"grande_1": 50, "grande_2": 0}) is None
        assert sheet_win(both, cells | {"grande_1": 50, "grande_2": 50}) is not None


def test_option_flip_after_throw1() -> None:
    sheet = sheet_with("threes", "poker")
    dice = (1, 1, 4, 5, 6)
    assert not can_stop(STANDARD, dice, 1, True, sheet)
    assert flips_of(*dice, throw=1, full=True, sheet=sheet, flip_after_throw1="one") == [(2,)]
    assert flips_of(*dice, throw=1, full=True, flip_after_throw1="one") == [(), (0,), (1,), (2,), (3,), (4,)]
    with pytest.raises(ValueError, match="cannot stop"):
        CachoTurn(STANDARD, Scripted(), sheet, Loaded(dice)).play()
    turn = CachoTurn(CachoOptions(flip_after_throw1="one"), Scripted(flips=[(2,)]), sheet, Loaded(dice))
    turn.play()
    assert turn.sheet["threes"] == 3


def test_option_flip_waiver() -> None:
    used = {"full_house": 0}
    dice = (2, 2, 3, 3, 3)
    assert () in flips_of(*dice, full=True, sheet=used)
    assert () not in flips_of(*dice, full=True, sheet=used, flip_waiver="cell_open")
    assert () in flips_of(*dice, full=True, flip_waiver="cell_open")
    grandes: Sheet = {"grande_1": 50, "grande_2": 0}
    five: dict[str, Any] = {"full": True, "sheet": grandes, "flip_waiver": "cell_open"}
    assert () in flips_of(3, 3, 3, 3, 3, **five)
    assert () not in flips_of(3, 3, 3, 3, 3, poker_accepts_five=False, **five)


def test_option_natural_waives_flip() -> None:
    assert () not in flips_of(4, 4, 4, 4, 4)
    assert () in flips_of(4, 4, 4, 4, 4, natural_waives_flip=True)
    assert () not in flips_of(4, 4, 4, 3, 2, natural_waives_flip=True)
    options = CachoOptions(natural_waives_flip=True)
    turn = CachoTurn(options, Scripted([(1, 2, 3, 4)], cells=["straight"]), {}, Loaded([1, 2, 3, 4, 6, 5]))
    turn.play()
    assert turn.sheet == {"straight": 20}


def test_option_second_flip() -> None:
    sheet = sheet_with("sixes", "poker")
    dice = (1, 1, 2, 4, 5)  # a six for each flipped one
    improving = flips_of(*dice, sheet=sheet, second_flip="must_improve")
    assert sizes(improving) == {1, 2}
    assert {flips for flips in improving if len(flips) == 2} == {(0, 1), *((a, b) for a in (0, 1) for b in (2, 3, 4))}
    assert len(flips_of(*dice, sheet=sheet)) == 15


def test_option_strike_ban() -> None:
    sheet, dice = sheet_with("threes", "poker"), (1, 1, 2, 4, 6)
    assert legal_entries(CachoOptions(strike_ban="off"), (1, 1, 2, 3, 6), False, sheet, True) == {
        "threes": 3,
        "poker": 0,
    }
    assert legal_entries(STANDARD, (1, 1, 2, 3, 6), False, sheet, True) == {"threes": 3}
    struck = []
    for ban in ("final_dice", "any_reachable"):
        options = CachoOptions(strike_ban=ban)
        turn = CachoTurn(options, Scripted([dice[:4]], [(0,)], ["poker"]), dict(sheet), Loaded([1, 1, 2, 4, 5, 6]))
        if ban == "any_reachable":
            with pytest.raises(ValueError, match="cannot flip"):
                turn.play()
        else:
            turn.play()
        struck.append("poker" in turn.sheet)
    assert struck == [True, False]


def test_option_stop_after_throw1() -> None:
    centre = CachoOptions(stop_after_throw1="centre_only")
    assert can_stop(STANDARD, (1, 1, 2, 4, 6), 1, True, {})
    assert not can_stop(centre, (1, 1, 2, 4, 6), 1, True, {})
    assert can_stop(centre, (1, 1, 1, 1, 6), 1, True, {})
    assert legal_entries(centre, (1, 1, 1, 1, 6), True, {}, True, throw_number=1) == {"poker": 45}
    assert not can_stop(centre, (1, 1, 1, 1, 6), 1, True, {"poker": 40})
    assert legal_entries(centre, (1, 1, 1, 1, 6), True, {}, True)["ones"] == 4


def test_option_poker_accepts_five() -> None:
    assert [cell_points(CachoOptions(poker_accepts_five=ok), (2,) * 5, False, "poker") for ok in (True, False)] == [
        40,
        0,
    ]


def test_option_dormida() -> None:
    first = CachoOptions(dormida="first_throw_only")
    assert [is_dormida(first, (2,) * 5, throw, True) for throw in (1, 2)] == [True, False]
    assert [is_dormida(STANDARD, (2,) * 5, throw, full) for throw, full in ((2, True), (2, False))] == [True, False]
    turn = CachoTurn(first, Scripted([()], cells=["grande_1"]), {}, Loaded([1, 2, 3, 4, 6] + [6] * 5))
    assert turn.play() is None
    assert turn.sheet == {"grande_1": 50}


def test_option_flips_from_throw() -> None:
    def allowed(throw: int, start: int) -> set[int]:
        return sizes(flips_of(1, 1, 2, 4, 6, throw=throw, full=throw == 1, throws=3, flips_from_throw=start))

    assert [allowed(throw, 2) for throw in (1, 2, 3)] == [{0}, {1, 2}, {1, 2}]
    assert [allowed(throw, 3) for throw in (1, 2, 3)] == [{0}, {0}, {1, 2}]
    assert [allowed(throw, 1) for throw in (1, 2, 3)] == [{0, 1, 2}, {1, 2}, {1, 2}]


@pytest.mark.parametrize(
    ("holds", "takes", "sheet"), [(False, False, {"twos": 4}), (True, True, {"twos": 4}), (True, False, {"poker": 45})]
)
def test_option_team_turn(holds: bool, takes: bool, sheet: Sheet) -> None:
    player = Scripted(cells=["twos", "poker"])
    player.holds, player.takes = holds, takes
    rng = Loaded([2, 2, 1, 4, 6, 5, 5, 5, 5, 1])
    turn = CachoTurn(CachoOptions(team_turn="two_attempts"), player, {}, rng)
    assert turn.play() is None
    assert turn.sheet == sheet
    assert len(rng.faces) == (0 if holds else 5)
    player = Scripted(cells=["twos"])
    player.holds = True
    turn = CachoTurn(STANDARD, player, {}, Loaded([2, 2, 1, 4, 6]))
    turn.play()
    assert turn.sheet == {"twos": 4}


@pytest.mark.parametrize(
    ("cell", "keep", "dice", "flips", "points"),
    [
        ("fives", (5, 5), (5, 1, 3), (0,), 15),  # 1 3 5 5 5 with the 1 flipped
        ("poker", (5, 5), (5, 1, 3), (0,), 0),  # struck, though the fives score
        ("poker", (5, 5), (5, 2, 3), (0,), 40),
        ("sixes", (), (6, 6, 6, 6, 1), (), 24),  # a poker of all dice waives the flip
        ("ones", (), (6, 6, 6, 6, 1), (), 1),
    ],
)
def test_option_declare_after_throw1(cell: str, keep: Dice, dice: Dice, flips: Flips, points: int) -> None:
    sheet: Sheet = {}
    player = Scripted(keeps=[keep], flips=[flips])
    player.announces = cell
    CachoTurn(CachoOptions(declare_after_throw1=True), player, sheet, Loaded((5, 5, 1, 2, 4, *dice))).play()
    assert sheet == {cell: points}


def test_announced_cells_are_the_only_open_ones() -> None:
    full_house = (2, 2, 3, 3, 3)
    waiver = CachoOptions(flip_waiver="cell_open", declare_after_throw1=True)
    assert () in legal_flips(waiver, full_house, 2, True, announced_sheet({}, "full_house"))
    assert () not in legal_flips(waiver, full_house, 2, True, announced_sheet({}, "threes"))
    reachable = CachoOptions(strike_ban="any_reachable", declare_after_throw1=True)
    assert legal_flips(reachable, (1, 1, 2, 5, 6), 2, False, announced_sheet({}, "fives")) == [
        (0,), (1,), (2,), (4,), (0, 1), (0, 2), (0, 4), (1, 2), (1, 4), (2, 3), (2, 4)
    ]  # fmt: skip


def test_who_stops_after_throw1_announces_nothing() -> None:
    sheet: Sheet = {}
    player = Scripted(cells=["fives"])
    CachoTurn(CachoOptions(declare_after_throw1=True), player, sheet, Loaded((5, 5, 1, 2, 4))).play()
    assert sheet == {"fives": 10}


def test_dormida_wins_whatever_was_announced() -> None:
    player = Scripted(keeps=[()])
    player.announces = "ones"
    options = CachoOptions(declare_after_throw1=True)
    assert CachoTurn(options, player, {}, Loaded((5, 5, 1, 2, 4, 6, 6, 6, 6, 6))).play() == "dormida"


def test_filled_cells_cannot_be_announced() -> None:
    player = Scripted(keeps=[()])
    turn = CachoTurn(CachoOptions(declare_after_throw1=True), player, {"poker": 0}, Loaded((5, 5, 1, 2, 4)))
    with pytest.raises(ValueError, match="cannot announce poker"):
        turn.play()


def test_dormida_in_the_second_attempt() -> None:
    player = Scripted(cells=["twos"])
    player.holds = True
    turn = CachoTurn(CachoOptions(team_turn="two_attempts"), player, {}, Loaded([2, 2, 1, 4, 6] + [3] * 5))
    assert turn.play() == "dormida"


def test_instant_wins_ignored() -> None:
    faces = [6] * 5 + [1, 2, 3, 4, 5] * 10
    cells = ["grande_1", *NUMBERS[:5], "straight"]
    player = Scripted(cells=cells)
    with pytest.raises(ValueError, match="cannot stop"):  # the eighth throw scores in no open cell
        play_solitaire(STANDARD, player, Loaded(faces), ignore_wins=True)
    sheet: Sheet = dict(MIDDLE)
    turn = CachoTurn(STANDARD, Scripted(cells=["grande_1"]), sheet, Loaded([6] * 5), ignore_wins=True)
    assert turn.play() is None
    assert sheet_win(STANDARD, sheet) == "panza_de_oro"


def test_illegal_answers() -> None:
    faces = [1, 1, 2, 4, 6, 3, 3, 3, 3, 3]
    for keeps, flips, cells, message in (
        ([(3,)], [], [], "cannot keep"),
        ([(1, 1)], [()], [], "cannot flip"),
        ([(1, 1)], [(3, 2)], [], "cannot flip"),
        ([(1, 1)], [(0, 1, 2)], [], "cannot flip"),
        ([(1, 1)], [(0,)], ["twos"], "cannot enter"),
    ):
        with pytest.raises(ValueError, match=message):
            CachoTurn(STANDARD, Scripted(keeps, flips, cells), {}, Loaded(faces)).play()
    with pytest.raises(ValueError, match="never"):
        CachoOptions(flips_from_throw=3)
    with pytest.raises(ValueError, match="impossible number"):
        CachoOptions(max_flips=0)


def test_match_ends_at_once() -> None:
    match = play_match(STANDARD, [Scripted(), Scripted(), Scripted()], Loaded([1, 2, 3, 4, 5] + [6] * 5))
    assert (match.ended, match.round, match.winners) == ("dormida", 1, [1])
    assert match.shares == [Fraction(0), Fraction(1), Fraction(0)]
    assert match.sheets == [{"ones": 1}, {}, {}]


def test_ties_are_shared() -> None:
    hands = {
        **{name: [face] * 3 + [face % 6 + 1] * 2 for face, name in enumerate(NUMBERS, 1)},
        "straight": [1, 2, 3, 4, 5],
        "full_house": [1, 1, 1, 2, 2],
        "poker": [1, 1, 1, 1, 2],
    }
    faces = [face for hand in hands.values() for face in hand * 2] + [1, 2, 3, 4, 6] * 4 * 2
    players = [Scripted(cells=[*hands, "grande_1", "grande_2"]) for _ in range(2)]
    for player in players:
        player.keeps = [hand for dice in hands.values() for hand in [tuple(dice)]] + [()] * 2
        player.flips = [()] * 9 + [(0,)] * 2
    match = play_match(STANDARD, players, Loaded(faces))
    assert (match.ended, match.round, match.winners) == ("full", 11, [0, 1])
    assert match.totals == [63 + 105] * 2
    assert match.shares == [Fraction(1, 2)] * 2


@pytest.mark.parametrize(
    "options",
    [
        STANDARD,
        FAMILY,
        CachoOptions(throws=3, flips_from_throw=1, second_flip="must_improve", max_flips=3),
        CachoOptions(strike_ban="any_reachable", flip_after_throw1="one", flip_waiver="cell_open"),
        CachoOptions(strike_ban="off", stop_after_throw1="centre_only", natural_waives_flip=True),
        CachoOptions(team_turn="two_attempts", poker_accepts_five=False, dormida="first_throw_only"),
    ],
)
def test_whole_games(options: CachoOptions) -> None:
    rng = Random(11)
    players = [Careless(options, Random(number)) for number in range(3)]
    for _ in range(4):
        game = play_solitaire(options, players[0], rng, ignore_wins=True)
        assert (game["ended"], game["round"], set(game["sheet"])) == ("full", 11, set(CELLS))
        match = play_match(options, players, rng)
        assert sum(match.shares) == 1
        if match.ended == "full":
            assert all(match.totals[seat] == max(match.totals) for seat in match.winners)
            assert all(set(sheet) == set(CELLS) for sheet in match.sheets)
