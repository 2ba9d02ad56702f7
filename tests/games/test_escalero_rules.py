"""Escalero against its golden examples, against the plain referee, and games played by the referee with real dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np
import pytest

import analyzer
from analyzer.analysis.binding import bind_policy
from analyzer.analysis.position import Position
from analyzer.dice.decisions import LegalEnds, TablePolicy, legal_ends
from analyzer.dice.entries import legal_entries, possible_scores
from analyzer.dice.scorecard import ScorecardRules
from analyzer.dice.states import StateSpace
from analyzer.games.escalero import FACES
from tests.games.escalero_referee import (
    Cell,
    Dice,
    EscaleroOptions,
    EscaleroTurn,
    Sheet,
    cell_points,
    legal_cells,
    play_solitaire,
)
from tests.games.exactness import Distances, played, simulated

RULES = analyzer.game("escalero")
THROWS = ((0, True), (1, True), (1, False), (2, True), (2, False))
"""Throws (from 0) after which a turn may end, and whether they were of all five dice."""

VARIANTS: dict[str, dict[str, Any]] = {
    "standard": {},
    "straight": {"straight": "25/30"},
    "double_grande_row": {"double_grande_row": True},
    "double_grande_row_80": {"double_grande_row": True, "served_in_plain_g": "80"},
    "served_in_plain_g": {"served_in_plain_g": "80"},
    "struck_any_column": {"five_as_poker_full": "struck_any_column"},
    "closed_same_column": {"five_as_poker_full": "closed_same_column"},
    "always": {"five_as_poker_full": "always"},
    "never": {"five_as_poker_full": "never"},
    "first_throw_only": {"served": "first_throw_only"},
    "columns": {"columns": "1"},
    "column_values": {"column_values": "1,2,3", "sweep_total": 8},
    "column_tie": {"column_tie": "split"},
    "pair_choice": {"pair_choice": "immediate"},
    "mix_1": {"straight": "25/30", "double_grande_row": True, "five_as_poker_full": "always"},
    "mix_2": {"double_grande_row": True, "served": "first_throw_only", "five_as_poker_full": "closed_same_column"},
    "mix_3": {"served": "first_throw_only", "five_as_poker_full": "always", "straight": "25/30"},
}
LATER = {"columns", "column_values", "column_tie", "pair_choice", "mix_2"}
"""Compared with the referee in long runs only; all but the last concern several parties."""


def rules_of(variant: Mapping[str, Any]) -> ScorecardRules:
    return analyzer.game("escalero", **variant)


def referee_options(variant: Mapping[str, Any]) -> EscaleroOptions:
    """The same options for the referee, on a sheet of the one column that a scorecard is."""
    same = {
        name: variant[name]
        for name in ("double_grande_row", "straight", "served", "five_as_poker_full")
        if name in variant
    }
    return EscaleroOptions(columns=1, served_in_plain_g=80 if variant.get("served_in_plain_g") == "80" else 50, **same)


class Column:
    """What the package allows on one scorecard, read from the arrays that kernels fill."""

    def __init__(self, space: StateSpace, legal: LegalEnds, slot: int) -> None:
        self.space = space
        self.legal = legal
        self.slot = slot

    @staticmethod
    def of(rules: ScorecardRules, card: Mapping[str, int]) -> Column:
        space = StateSpace.of(rules)
        return Column(space, legal_ends(space, np.array([Position(rules, card).column(space)])), 0)

    def dice_of_roll(self, roll: int) -> Dice:
        return self.space.lattice.faces_of(self.space.lattice.first_roll + roll)[::-1]

    def entries(self, row: int) -> dict[str, int]:
        """Lines and points of a row."""
        space, names = self.space, self.space.rules.line_names
        found = self.legal.entries[self.slot, row, : self.legal.entry_count[self.slot, row]]
        return {names[space.tables.entry_line[entry]]: int(space.written[entry]) for entry in found}

    def stop(self, dice: Dice, throw: int, full: bool) -> dict[str, int]:
        """Lines and points of who stops after a throw (from 0), of all five dice or not."""
        space = self.space
        ending = space.ending(space.lattice.index(dice) - space.lattice.first_roll, throw, full)
        rows = self.legal.rows[self.slot, ending, : self.legal.row_count[self.slot, ending]].tolist()
        assert len(rows) == 1
        assert self.dice_of_roll(space.endings.rows[rows[0]].roll) == tuple(sorted(dice))
        return self.entries(rows[0])


def scoring(entries: Mapping[str, int]) -> dict[str, int]:
    return {line: points for line, points in entries.items() if points}


@lru_cache
def standard() -> Any:
    return analyzer.solve(RULES)


def advised(dice: Dice, **more: Any) -> dict[str, int]:
    """Points by line of what advice lists at the end of a turn."""
    options = standard().advise(dice, **more).options()
    return dict(zip(options["line"], options["points"].tolist(), strict=True))


def check_everywhere(
    dice: Dice, wanted: Mapping[str, int], throw: int, full: bool, card: Mapping[str, int] | None = None
) -> None:
    """What scores: by the plain entries, by the kernels, and in advice."""
    card = card or {}
    assert scoring(legal_entries(RULES, dice, card, served=full)) == wanted
    assert scoring(Column.of(RULES, card).stop(dice, throw, full)) == wanted
    assert scoring(advised(dice, served=full, card=card)) == wanted


def test_e1_served_straight() -> None:
    wanted = {"straight": 25, "aces": 6, "kings": 5, "queens": 4, "jacks": 3, "tens": 2}
    check_everywhere((2, 3, 4, 5, 6), wanted, 0, True)
    struck = {"nines": 0, "full_house": 0, "poker": 0, "grande": 0}
    assert legal_entries(RULES, (2, 3, 4, 5, 6), {}, served=True) == wanted | struck
    assert standard().advise((2, 3, 4, 5, 6), throws_left=2).best == (2, 3, 4, 5, 6)
    assert standard().advise((2, 3, 4, 5, 6), throws_left=2).outcomes()["points"].tolist() == [25]


def test_e2_straight_completed_by_one_die() -> None:
    check_everywhere(
        (2, 3, 4, 5, 6), {"straight": 20, "aces": 6, "kings": 5, "queens": 4, "jacks": 3, "tens": 2}, 1, False
    )
    assert standard().advise((2, 3, 4, 5, 6), throws_left=1).outcomes()["points"].tolist() == [20]


def test_e3_served_in_the_third_throw() -> None:
    check_everywhere((4, 4, 4, 4, 2), {"poker": 45, "queens": 16, "tens": 2}, 2, True)


def test_e4_served_lost() -> None:
    check_everywhere((4, 4, 4, 4, 5), {"poker": 40, "queens": 16, "kings": 5}, 1, False)


def test_e5_served_grande() -> None:
    check_everywhere((6, 6, 6, 6, 6), {"grande": 80, "aces": 30}, 0, True)
    assert legal_entries(RULES, (6,) * 5, {}, served=True)["poker"] == 0
    assert legal_entries(RULES, (6,) * 5, {"grande": 80}, served=True)["full_house"] == 0


@pytest.mark.parametrize(("full", "poker", "full_house"), [(True, 45, 35), (False, 40, 30)])
def test_e6_five_alike_after_a_struck_grande(full: bool, poker: int, full_house: int) -> None:
    dice = (3,) * 5
    check_everywhere(dice, {"jacks": 15, "full_house": full_house, "poker": poker}, 2, full, {"grande": 0})
    check_everywhere(dice, {"jacks": 15, "grande": 80 if full else 50}, 2, full)  # the column whose grande is open


def test_e7_nine_to_ace_is_no_straight() -> None:
    assert RULES.score((1, 3, 4, 5, 6), "straight", served=True) == 0
    assert [RULES.score(dice, "straight") for dice in ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6))] == [20, 20]


def test_e8_pictures() -> None:
    assert RULES.score((3, 3, 3, 3, 1), "jacks") == 12
    assert RULES.score((5, 5, 5, 1, 2), "kings") == 15
    assert legal_entries(RULES, (2, 3, 4, 5, 6), {})["nines"] == 0


def test_e13_variants() -> None:
    higher = analyzer.game("escalero", straight="25/30")
    assert [higher.score((1, 2, 3, 4, 5), "straight", served=served) for served in (False, True)] == [25, 30]
    double = analyzer.game("escalero", double_grande_row=True)
    for full, points in ((True, 100), (False, 0)):
        entries = Column.of(double, {}).stop((5,) * 5, 1, full)
        assert entries == legal_entries(double, (5,) * 5, {}, served=full)
        assert (entries["double_grande"], entries["grande"]) == (points, 50)


@pytest.mark.parametrize(
    ("variant", "best"), [({}, 290), ({"double_grande_row": True}, 360), ({"straight": "25/30"}, 295)]
)
def test_best_column(variant: dict[str, Any], best: int) -> None:
    rules = rules_of(variant)
    assert sum(max(possible_scores(rules, name)) for name in rules.line_names) == best


def referee_served(options: EscaleroOptions, throw: int, full: bool) -> bool:
    """Whether the referee calls the dice served when a turn ends so."""

    class Player:
        def keep(self, dice: Dice, throws_left: int, served: bool, sheet: Sheet) -> Dice:
            number = 2 - throws_left
            if number == throw:
                return dice
            return dice[:1] if number + 1 == throw and not full else ()

        def enter(self, dice: Dice, served: bool, sheet: Sheet) -> Cell:
            raise AssertionError

    return EscaleroTurn(options, Player(), [{}], Random(1)).throw()[1]


def random_cards(rules: ScorecardRules, number: int, seed: int) -> Iterator[dict[str, int]]:
    """The empty scorecard, and random ones; zeros are likelier than by the scores alone, and grandes often filled."""
    yield {}
    rng = Random(seed)
    for _ in range(number - 1):
        filled = rng.sample(rules.line_names, rng.randrange(1, len(rules.line_names)))
        yield {name: rng.choice((0, rng.choice(possible_scores(rules, name)))) for name in filled}


def check_legality(variant: Mapping[str, Any], cards: int, seed: int) -> int:
    """Compare package and referee for every roll after every throw; returns the number of comparisons."""
    rules, options = rules_of(variant), referee_options(variant)
    assert rules.line_names == options.rows
    space = StateSpace.of(rules)
    sheets = list(random_cards(rules, cards, seed))
    legal = legal_ends(space, np.array([Position(rules, card).column(space) for card in sheets]))
    served_after = {throw: referee_served(options, *throw) for throw in THROWS}
    number = 0
    for slot, card in enumerate(sheets):
        column = Column(space, legal, slot)
        for roll in range(space.lattice.rolls):
            dice = column.dice_of_roll(roll)
            wanted = {
                served: {row: points for (_, row), points in legal_cells(options, dice, served, [card]).items()}
                for served in (False, True)
            }
            for served, entries in wanted.items():
                assert legal_entries(rules, dice, card, served=served) == entries, (card, dice, served)
            for throw, full in THROWS:
                found = column.stop(dice, throw, full)
                assert found == wanted[served_after[throw, full]], (card, dice, throw, full)
                number += 1
    return number


@pytest.mark.parametrize("name", [name for name in VARIANTS if name not in LATER])
def test_legality(name: str) -> None:
    assert check_legality(VARIANTS[name], 3, seed=1) == 3 * 252 * 5


@pytest.mark.nightly
@pytest.mark.parametrize("name", VARIANTS)
def test_legality_on_many_scorecards(name: str) -> None:
    assert check_legality(VARIANTS[name], 100, seed=2) == 100 * 252 * 5


def value(**options: Any) -> float:
    """Expected score of best play to the end from a scorecard with few open lines."""
    card = {**dict.fromkeys(FACES, 0), "grande": 0}
    return float(analyzer.solve(analyzer.game("escalero", **options), card=card, cache=False).expected_score)


def test_options_change_outcomes() -> None:
    five, straight = (2,) * 5, (1, 2, 3, 4, 5)

    def entries(dice: Dice, card: dict[str, int], served: bool = True, **options: Any) -> dict[str, int]:
        return scoring(legal_entries(analyzer.game("escalero", **options), dice, card, served=served))

    assert entries(straight, {}, straight="25/30")["straight"] == entries(straight, {})["straight"] + 5
    assert value(straight="25/30") > value()
    assert "double_grande" in entries(five, {}, double_grande_row=True)
    assert value(double_grande_row=True) > value()
    assert [
        entries(five, {}, double_grande_row=True, served_in_plain_g=points)["grande"] for points in ("50", "80")
    ] == [50, 80]
    assert entries(five, {}, served_in_plain_g="80") == entries(five, {})  # beside a double-grande row only
    for when, cards in {
        "struck_same_column": (False, True, False),
        "struck_any_column": (False, True, False),  # of one column
        "closed_same_column": (False, True, True),
        "always": (True, True, True),
        "never": (False, False, False),
    }.items():
        filled: tuple[dict[str, int], ...] = ({}, {"grande": 0}, {"grande": 80})
        assert tuple("poker" in entries(five, card, five_as_poker_full=when) for card in filled) == cards
    assert value(five_as_poker_full="never") < value() == value(five_as_poker_full="closed_same_column")
    first = analyzer.game("escalero", served="first_throw_only")
    assert [Column.of(rules, {}).stop(straight, 1, True)["straight"] for rules in (RULES, first)] == [25, 20]
    assert value(served="first_throw_only") < value()


@pytest.mark.parametrize(
    ("options", "settlement"),
    [
        ({"columns": "1"}, {"kind": "difference", "columns": 1, "column_values": (), "sweep_total": 0}),
        ({"column_values": "1,2,3"}, {"column_values": (1, 2, 3), "sweep_total": 9}),
        ({"sweep_total": 8}, {"sweep_total": 8}),
        ({"column_tie": "split"}, {"tie": "split"}),
        ({"pair_choice": "immediate"}, {"pair_choice": "immediate"}),
        ({"five_as_poker_full": "struck_any_column"}, {"alike_any_column": True}),
    ],
)
def test_options_of_several_parties_change_the_settlement(options: dict[str, Any], settlement: dict[str, Any]) -> None:
    """They say what sheets are worth against each other; a scorecard by itself is played the same."""
    rules = analyzer.game("escalero", **options)
    assert rules.id != RULES.id
    assert {name: getattr(rules.settlement, name) for name in settlement} == settlement
    assert all(
        getattr(RULES.settlement, name) != wanted or name == "sweep_total" for name, wanted in settlement.items()
    )
    assert value(**options) == value()


class TablePlayer:
    """Asks the tables of a policy, and nothing else of the package; who plays by them is the referee."""

    def __init__(self, rules: ScorecardRules, policy: str, options: EscaleroOptions) -> None:
        self.rules = rules
        self.options = options
        self.space = StateSpace.of(rules)
        bound = bind_policy(rules, policy)
        going = np.flatnonzero((self.space.ended < 0) & (self.space.filled[self.space.column_state] < len(rules.lines)))
        tables = bound.tables(going)
        assert isinstance(tables, TablePolicy)
        self.tables = tables
        self.slot_of = {int(column): slot for slot, column in enumerate(going)}
        lattice = self.space.lattice
        self.roll_of = {lattice.faces_of(lattice.first_roll + roll)[::-1]: roll for roll in range(lattice.rolls)}
        self.keep_of = [lattice.faces_of(node)[::-1] for node in range(lattice.first_roll)]
        self.slot = -1
        self.ending: int | None = None

    def keep(self, dice: Dice, throws_left: int, served: bool, sheet: Sheet) -> Dice:
        throw = self.rules.throws - 1 - throws_left
        if throw == 0:
            self.slot = self.slot_of[Position(self.rules, sheet[0]).column(self.space)]
            self.ending = None
        rolls = self.space.lattice.rolls
        position = self.roll_of[dice] + (rolls if served else 0)  # any throw of all dice is served
        node = int(self.tables.keeps[throw, position, self.slot])
        if node < self.space.lattice.first_roll:
            return self.keep_of[node]
        self.ending = node - self.space.lattice.first_roll
        return dice

    def enter(self, dice: Dice, served: bool, sheet: Sheet) -> Cell:
        ending = self.ending
        if ending is None:
            ending = self.space.ending(self.roll_of[dice], self.rules.throws - 1, served)
        entry = int(self.tables.entries[ending, self.slot])
        line = self.rules.line_names[self.space.tables.entry_line[entry]]
        assert self.space.written[entry] == cell_points(self.options, dice, served, line, sheet, 0)
        return 0, line


def referee_games(policy: str, games: int, seed: int) -> Distances:
    options = EscaleroOptions(columns=1)
    player = TablePlayer(RULES, policy, options)
    rng = Random(seed)
    written: Counter[tuple[str, int]] = Counter()
    for _ in range(games):
        written.update(play_solitaire(options, player, rng)[0].items())
    total = sum(points * number for (_, points), number in written.items())
    solution = analyzer.solve(RULES, policy=policy)
    found = played(solution, games, written, {})
    print(f"\nreferee, {policy}: mean {total / games:.4f}, exact {solution.expected_score:.4f}; {found}")
    return found


def test_games_of_the_referee() -> None:
    referee_games("optimal", 2000, seed=3).check(5.0)


@pytest.mark.nightly
def test_many_games_of_the_referee() -> None:
    referee_games("optimal", 200_000, seed=4).check(4.0)


@pytest.mark.nightly
@pytest.mark.parametrize("policy", ["optimal", "greedy", "par", "random", "line:poker"])
def test_four_million_games(policy: str) -> None:
    result = analyzer.simulate(RULES, policy=policy, games=4_000_000, seed=21)
    solution = analyzer.solve(RULES, policy=policy)
    found = simulated(solution, result)
    print(
        f"\n{policy}: mean {result.mean:.4f}, exact {solution.expected_score:.4f};"
        f" deviation {result.standard_deviation:.4f}, exact {solution.standard_deviation:.4f}; {found}"
    )
    found.check(4.5)
