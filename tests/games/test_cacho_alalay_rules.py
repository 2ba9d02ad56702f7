"""Cacho Alalay against its golden examples, against the plain referee, and games played by the referee."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations, product
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest

import analyzer
from analyzer.analysis.binding import bind_policy
from analyzer.analysis.position import Position
from analyzer.dice.decisions import LegalEnds, TablePolicy, legal_ends
from analyzer.dice.entries import legal_entries, possible_scores, won
from analyzer.dice.scorecard import ScorecardRules
from analyzer.dice.states import StateSpace
from analyzer.games.cacho_alalay import GRANDES, NUMBERS
from tests.games import cacho_referee
from tests.games.cacho_referee import (
    CELLS,
    DICE,
    CachoOptions,
    Dice,
    Flips,
    Sheet,
    announced_sheet,
    is_dormida,
    legal_flips,
    play_solitaire,
    sheet_win,
)
from tests.games.cacho_referee import legal_entries as referee_entries
from tests.games.exactness import Distances, played, simulated

RULES = analyzer.game("cacho_alalay")
STANDARD = CachoOptions()
MIDDLE: Sheet = {"straight": 25, "full_house": 35, "poker": 45}
MANY: Sheet = {name: 4 * face for face, name in enumerate(NUMBERS, 1)}

FAMILY: dict[str, Any] = {"throws": 3, "first_flip": "optional"}
VARIANTS: dict[str, dict[str, Any]] = {
    "standard": {},
    "throws": {"throws": 3},
    "first_flip": {"first_flip": "optional"},
    "family": FAMILY,
    "max_flips": {"max_flips": 1},
    "flip_after_throw1": {"flip_after_throw1": "one"},
    "flip_waiver": {"flip_waiver": "cell_open"},
    "natural_waives_flip": {"natural_waives_flip": True},
    "second_flip": {"second_flip": "must_improve"},
    "any_reachable": {"strike_ban": "any_reachable"},
    "strike_off": {"strike_ban": "off"},
    "stop_after_throw1": {"stop_after_throw1": "centre_only"},
    "poker_accepts_five": {"poker_accepts_five": False},
    "dormida": {"dormida": "first_throw_only"},
    "grandes_needed": {"grandes_needed": 2},
    "team_turn": {"team_turn": "two_attempts"},
    "flips_from_throw_1": {"flips_from_throw": 1},
    "flips_from_throw_3": {"throws": 3, "flips_from_throw": 3},
    "optional_from_throw_1": {"flips_from_throw": 1, "first_flip": "optional"},
    "instant_wins": {"instant_wins": False},
    "mix_1": {"strike_ban": "any_reachable", "second_flip": "must_improve", "flip_waiver": "cell_open"},
    "mix_2": {"natural_waives_flip": True, "flip_waiver": "cell_open", "poker_accepts_five": False},
    "mix_3": {"flip_after_throw1": "one", "stop_after_throw1": "centre_only", "strike_ban": "off"},
    "mix_4": {**FAMILY, "second_flip": "must_improve", "strike_ban": "any_reachable", "dormida": "first_throw_only"},
    "mix_5": {"throws": 3, "max_flips": 1, "instant_wins": False, "strike_ban": "any_reachable"},
    "mix_6": {"first_flip": "optional", "max_flips": 1, "flip_after_throw1": "one", "strike_ban": "any_reachable"},
    "mix_7": {**FAMILY, "flips_from_throw": 3, "flip_after_throw1": "one"},
    "mix_8": {
        "first_flip": "optional",
        "flips_from_throw": 1,
        "second_flip": "must_improve",
        "stop_after_throw1": "centre_only",
    },
    "mix_9": {"first_flip": "optional", "flips_from_throw": 1, "second_flip": "must_improve"},
    "declare": {"declare_after_throw1": True},
    "declare_family": {**FAMILY, "declare_after_throw1": True, "strike_ban": "off", "instant_wins": False},
    "declare_mix": {
        "declare_after_throw1": True,
        "flip_waiver": "cell_open",
        "second_flip": "must_improve",
        "strike_ban": "any_reachable",
        "natural_waives_flip": True,
    },
}


def rules_of(variant: Mapping[str, Any]) -> ScorecardRules:
    return analyzer.game("cacho_alalay", **variant)


def referee_options(variant: Mapping[str, Any]) -> CachoOptions:
    return CachoOptions(**{name: value for name, value in variant.items() if name != "instant_wins"})


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the referee remember what it worked out."""
    plain = cacho_referee.open_points
    known: dict[tuple[int, Dice, bool, frozenset[str]], dict[str, int]] = {}
    alive = []

    def open_points(options: CachoOptions, dice: Dice, de_mano: bool, sheet: Sheet) -> dict[str, int]:
        key = (id(options), dice, de_mano, frozenset(sheet))
        if key not in known:
            known[key] = plain(options, dice, de_mano, sheet)
            alive.append(options)  # so that no other options get its id
        return known[key]

    monkeypatch.setattr(cacho_referee, "open_points", open_points)
    for name in ("cell_points", "flipped", "shows_combination"):
        monkeypatch.setattr(cacho_referee, name, lru_cache(maxsize=None)(getattr(cacho_referee, name)))


class Laid(NamedTuple):
    """Dice as they are entered, and what may then be entered."""

    dice: Dice
    entries: tuple[tuple[str, int], ...]


def laid(dice: Dice, entries: Mapping[str, int]) -> Laid:
    return Laid(dice, tuple(sorted(entries.items())))


DORMIDA = laid((), {"dormida": 0})
"""The only thing to do where the game is won by a throw."""


class Column:
    """What the package allows on one scorecard, read from the arrays that kernels fill."""

    def __init__(self, space: StateSpace, legal: LegalEnds, slot: int) -> None:
        self.space = space
        self.legal = legal
        self.slot = slot
        self.known: dict[int, Laid] = {}

    @staticmethod
    def of(rules: ScorecardRules, card: Mapping[str, int]) -> Column:
        space = StateSpace.of(rules)
        return Column(space, legal_ends(space, np.array([Position(rules, card).column(space)])), 0)

    def dice_of_roll(self, roll: int) -> Dice:
        return self.space.lattice.faces_of(self.space.lattice.first_roll + roll)[::-1]

    def row(self, row: int) -> Laid:
        """Dice of a row, lines and points."""
        if row not in self.known:
            space, names = self.space, self.space.rules.line_names
            found = self.legal.entries[self.slot, row, : self.legal.entry_count[self.slot, row]]
            assert len(found)
            if space.endings.rows[row].wins:
                assert [int(entry) for entry in found] == [int(space.tables.row_win[row])]
                self.known[row] = DORMIDA
            else:
                entries = {names[space.tables.entry_line[entry]]: int(space.written[entry]) for entry in found}
                self.known[row] = laid(self.dice_of_roll(space.endings.rows[row].roll), entries)
        return self.known[row]

    def stop(self, roll: int, throw: int, full: bool, announced: str | None = None) -> set[Laid]:
        """Everything to do for who stops after a throw (from 0), of all five dice or not; empty if that is illegal."""
        group = 0 if announced is None else CELLS.index(announced)
        ending = self.space.ending(roll, throw, full, group)
        rows = self.legal.rows[self.slot, ending, : self.legal.row_count[self.slot, ending]].tolist()
        found = {self.row(row) for row in rows}
        assert self.space.tables.ending_wins[ending] == (found == {DORMIDA})
        return found

    def stop_on(self, dice: Dice, throw: int, full: bool) -> set[Laid]:
        return self.stop(self.space.lattice.index(dice) - self.space.lattice.first_roll, throw, full)


def referee_stop(
    options: CachoOptions, dice: Dice, throw: int, full: bool, sheet: Sheet, ignore_wins: bool
) -> set[Laid]:
    """As `Column.stop`, by the referee."""
    if not ignore_wins and is_dormida(options, dice, throw + 1, full):
        return {DORMIDA}
    found = {}
    for flips in legal_flips(options, dice, throw + 1, full, sheet):
        final, de_mano = cacho_referee.flipped(dice, flips), full and not flips
        if (final, de_mano) not in found:
            reachable = options.strike_ban == "any_reachable" and any(
                cacho_referee.entries_after(options, dice, throw + 1, full, sheet, other)
                for other in legal_flips(options, dice, throw + 1, full, sheet)
            )
            found[final, de_mano] = laid(final, referee_entries(options, final, de_mano, sheet, reachable, throw + 1))
    return set(found.values())


def scoring(entries: Mapping[str, int]) -> dict[str, int]:
    return {line: points for line, points in entries.items() if points}


@lru_cache
def standard() -> Any:
    return analyzer.solve(RULES)


def advised(dice: Dice, served: bool, card: Mapping[str, int] | None = None) -> set[Laid]:
    """What advice lists after the last throw; the lines of equal dice, served or not, apart."""
    options = standard().advise(dice, throws_left=0, served=served, card=card or {}).options()
    if options["line"].tolist() == ["dormida"]:
        return {DORMIDA}
    return {
        laid(dice, dict(zip(group["line"], group["points"].tolist(), strict=True)))
        for (dice, _), group in options.groupby(["laid", "served"])
    }


def after_last(dice: Dice, full: bool = False, card: Mapping[str, int] | None = None) -> set[Laid]:
    """Everything to do after the second throw: by the kernels, by advice and by the referee, which agree."""
    found = Column.of(RULES, card or {}).stop_on(dice, 1, full)
    assert found == advised(dice, full, card)
    assert found == referee_stop(STANDARD, tuple(sorted(dice)), 1, full, dict(card or {}), False)
    return found


def points_by_dice(found: set[Laid], line: str) -> dict[Dice, int]:
    """Points of a line, by the dice that score in it."""
    return {one.dice: dict(one.entries)[line] for one in found if dict(one.entries).get(line)}


def best(found: set[Laid]) -> dict[str, int]:
    """Most points of every line."""
    lines: dict[str, int] = {}
    for one in found:
        lines |= {line: max(points, lines.get(line, 0)) for line, points in one.entries}
    return lines


def struck_but(*open_lines: str) -> Sheet:
    return {line: 0 for line in CELLS if line not in open_lines}


def test_c1_straight_de_mano() -> None:
    assert RULES.score((1, 3, 4, 5, 6), "straight", served=True) == 25
    assert legal_entries(RULES, (1, 3, 4, 5, 6), {}, served=True)["straight"] == 25
    (only,) = Column.of(RULES, {}).stop_on((1, 3, 4, 5, 6), 0, True)
    assert dict(only.entries) == {"straight": 25, "ones": 1, "threes": 3, "fours": 4, "fives": 5, "sixes": 6}
    assert standard().advise((1, 3, 4, 5, 6), throws_left=1).best == (1, 3, 4, 5, 6)
    assert standard().advise((1, 3, 4, 5, 6), throws_left=1).outcomes()["points"].tolist() == [25]


def test_c2_numbers_after_the_first_throw() -> None:
    numbers = {"ones": 1, "twos": 2, "fours": 4, "fives": 5, "sixes": 6}
    assert legal_entries(RULES, (1, 2, 4, 5, 6), {}, served=True) == numbers
    assert Column.of(RULES, {}).stop_on((1, 2, 4, 5, 6), 0, True) == {laid((1, 2, 4, 5, 6), numbers)}


def test_c3_c4_straight_survives_flips() -> None:
    assert points_by_dice(after_last((1, 2, 3, 4, 5)), "straight") == {
        (2, 3, 4, 5, 6): 20,  # the 1 flipped
        (1, 2, 3, 4, 5): 20,  # 2 and 5, or 3 and 4
    }
    assert points_by_dice(after_last((1, 3, 4, 5, 6)), "straight") == {(1, 3, 4, 5, 6): 20}
    assert points_by_dice(after_last((1, 3, 4, 5, 6), card={"ones": 3}), "straight") == {(1, 3, 4, 5, 6): 20}
    one = analyzer.game("cacho_alalay", max_flips=1)
    assert points_by_dice(Column.of(one, {}).stop_on((1, 2, 3, 4, 5), 1, False), "straight") == {(2, 3, 4, 5, 6): 20}
    assert points_by_dice(Column.of(one, {}).stop_on((1, 3, 4, 5, 6), 1, False), "straight") == {}


def test_c5_five_alike_by_a_partial_throw() -> None:
    found = after_last((4, 4, 4, 4, 4))
    assert found == {
        laid((3, 4, 4, 4, 4), {"fours": 16, "threes": 3, "poker": 40}),
        laid((3, 3, 4, 4, 4), {"fours": 12, "threes": 6, "full_house": 30}),
    }


def test_c6_grande_by_flips() -> None:
    found = after_last((4, 4, 4, 4, 3))
    assert laid((4, 4, 4, 4, 4), {"grande_1": 50, "grande_2": 50, "fours": 20, "poker": 40}) in found
    assert points_by_dice(after_last((4, 4, 4, 3, 3)), "grande_2") == {(4, 4, 4, 4, 4): 50}
    assert standard().advise((4, 4, 4, 4, 3), throws_left=0).best in GRANDES


def test_c7_full_house_unflipped() -> None:
    found = after_last((2, 2, 3, 3, 3), full=True)
    full_house = points_by_dice(found, "full_house")
    assert full_house.pop((2, 2, 3, 3, 3)) == 35
    assert set(full_house.values()) == {30}
    assert (3, 3, 3, 5, 5) in full_house


def test_c8_poker_by_flips() -> None:
    found = after_last((1, 1, 2, 6, 6), full=True)
    assert points_by_dice(found, "poker") == {(1, 1, 1, 1, 2): 40, (2, 6, 6, 6, 6): 40}
    no_flip = laid((1, 1, 2, 6, 6), {"ones": 2, "twos": 2, "sixes": 12})
    assert no_flip in found  # a 1 and a 6 flipped
    one = Column.of(analyzer.game("cacho_alalay", max_flips=1), {}).stop_on((1, 1, 2, 6, 6), 1, True)
    assert no_flip not in one


def test_c9_dormida() -> None:
    for full, throw in ((True, 0), (True, 1)):
        assert Column.of(RULES, {}).stop_on((6,) * 5, throw, full) == {DORMIDA}
    assert after_last((6,) * 5, full=True) == {DORMIDA}
    assert after_last((6,) * 5, full=True, card={"grande_1": 50, "grande_2": 0}) == {DORMIDA}
    assert standard().advise((6,) * 5, throws_left=1).best == (6,) * 5
    assert DORMIDA not in after_last((6,) * 5)


def test_c10_strike() -> None:
    card = struck_but("threes", "poker")
    assert {one.entries for one in after_last((1, 1, 2, 5, 6), card=card)} == {(("poker", 0), ("threes", 0))}


def test_c11_strike_ban() -> None:
    card, dice = struck_but("threes", "poker"), (1, 1, 2, 4, 6)
    found = after_last(dice, card=card)
    assert laid((1, 1, 2, 3, 6), {"threes": 3}) in found
    assert laid((1, 2, 4, 6, 6), {"threes": 0, "poker": 0}) in found
    reachable = Column.of(analyzer.game("cacho_alalay", strike_ban="any_reachable"), card).stop_on(dice, 1, False)
    assert {one.entries for one in reachable} == {(("threes", 3),)}
    assert reachable < found


def test_c12_c13_instant_wins() -> None:
    space = StateSpace.of(RULES)
    for card, last, points, win in (
        (MIDDLE, "grande_1", 50, "panza_de_oro"),
        (MIDDLE | {"poker": 40}, "grande_1", 50, None),
        (MIDDLE | {"grande_1": 0}, "grande_2", 50, "panza_de_oro"),
        ({"straight": 25, "full_house": 35, "grande_1": 50}, "poker", 45, "panza_de_oro"),
        ({"straight": 25, "full_house": 35, "grande_1": 50}, "poker", 40, None),
        (MANY, "grande_2", 50, "four_of_every_number"),
        (MANY | {"sixes": 18}, "grande_2", 50, None),
        (MANY | {"sixes": 30}, "grande_2", 50, "four_of_every_number"),
        (MANY | MIDDLE, "grande_2", 50, "panza_de_oro"),
    ):
        after = card | {last: points}
        assert won(RULES, after) == win == sheet_win(STANDARD, after)
        assert column_win(space, after) == win
    assert sum(MANY.values()) + 50 == 134


def column_win(space: StateSpace, card: Mapping[str, int]) -> str | None:
    """Instant win of the column that a scorecard stands in, if it has won."""
    state = space.state_of({space.rules.line_index(name): points for name, points in card.items()})
    ended = int(space.ended[space.column_of(state)])
    return None if ended < 0 else space.rules.instant_wins[ended].name


def test_second_throws_that_reach_a_grande() -> None:
    space = StateSpace.of(RULES)
    column = Column.of(RULES, {})
    chance = space.lattice.probability[space.lattice.first_roll :]
    count = sum(
        round(chance[roll] * 6**5)
        for roll in range(space.lattice.rolls)
        if best(column.stop(roll, 1, False)).get("grande_1")
    )
    assert count == 90


def test_highest_scorecard() -> None:
    assert sum(max(possible_scores(RULES, name)) for name in RULES.line_names) == 310


def random_cards(rules: ScorecardRules, number: int, seed: int) -> Iterator[Sheet]:
    """The empty scorecard, and random ones that have not won; many of them are nearly full."""
    yield {}
    rng = Random(seed)
    for _ in range(number - 1):
        card: Sheet | None = None
        while card is None or sheet_win(STANDARD, card):
            filled = rng.sample(rules.line_names, rng.choice((*range(1, 11), 8, 9, 10)))
            card = {name: rng.choice((0, rng.choice(possible_scores(rules, name)))) for name in filled}
        yield card


def check_legality(variant: Mapping[str, Any], cards: int, rolls: int, seed: int) -> int:
    """Compare package and referee after every throw, for some rolls each; returns the number of comparisons."""
    rules, options = rules_of(variant), referee_options(variant)
    assert rules.line_names == CELLS
    ignore_wins = not rules.instant_wins
    space = StateSpace.of(rules)
    sheets = list(random_cards(rules, cards, seed))
    legal = legal_ends(space, np.array([Position(rules, card).column(space) for card in sheets]))
    rng = Random(seed + 1)
    number = 0
    for slot, card in enumerate(sheets):
        column = Column(space, legal, slot)
        for roll in rng.sample(range(space.lattice.rolls), rolls):
            dice = column.dice_of_roll(roll)
            for throw, full in [(0, True), *((n, full) for n in range(1, rules.throws) for full in (True, False))]:
                cells = CELLS if options.declare_after_throw1 and throw else (None,)
                for cell in cells:
                    if cell in card:
                        assert column.stop(roll, throw, full, cell) <= {DORMIDA}
                        continue
                    sheet = announced_sheet(card, cell) if cell else card
                    wanted = referee_stop(options, dice, throw, full, sheet, ignore_wins)
                    assert column.stop(roll, throw, full, cell) == wanted, (card, dice, throw, full, cell)
                    number += 1
            for served in (True, False):
                wanted_entries = referee_entries(options, dice, served, card, False)
                assert legal_entries(rules, dice, card, served=served) == wanted_entries, (card, dice, served)
    return number


LATER = {"declare_mix", "grandes_needed", "team_turn", *(f"mix_{number}" for number in (2, 3, 5, 6, 8, 9))}
"""Compared with the referee in long runs only; two of them concern no single turn."""
QUICK = [name for name in VARIANTS if name not in LATER]


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("name", QUICK)
def test_legality(name: str) -> None:
    assert check_legality(VARIANTS[name], 5, 20, seed=1) >= 5 * 20 * 3


@pytest.mark.nightly
@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("name", VARIANTS)
def test_legality_on_many_scorecards(name: str) -> None:
    assert check_legality(VARIANTS[name], 40, 252, seed=2) >= 40 * 252 * 3


@pytest.mark.nightly
@pytest.mark.usefixtures("quick")
def test_legality_of_random_mixes() -> None:
    values: dict[str, tuple[Any, ...]] = {
        "throws": (2, 3),
        "first_flip": ("compulsory", "optional"),
        "max_flips": (1, 2),
        "flips_from_throw": (1, 2, 3),
        "flip_after_throw1": ("no", "one"),
        "flip_waiver": ("pattern_shown", "cell_open"),
        "natural_waives_flip": (False, True),
        "second_flip": ("free", "must_improve"),
        "strike_ban": ("final_dice", "any_reachable", "off"),
        "stop_after_throw1": ("any_scoring", "centre_only"),
        "poker_accepts_five": (True, False),
        "dormida": ("any_full_throw", "first_throw_only"),
        "instant_wins": (True, False),
        "declare_after_throw1": (True, False),
    }
    rng = Random(6)
    done = 0
    while done < 60:
        variant = {name: rng.choice(choices) for name, choices in values.items()}
        if variant["flips_from_throw"] <= variant["throws"]:
            check_legality(variant, 6, 60, seed=rng.randrange(10**6))
            done += 1


@pytest.mark.parametrize("needed", [1, 2])
def test_instant_wins_by_the_scorecard(needed: int) -> None:
    """Random scorecards near a win, and what an entry more makes of them."""
    rules, options = rules_of({"grandes_needed": needed}), referee_options({"grandes_needed": needed})
    space = StateSpace.of(rules)
    rng = Random(5)
    seen: Counter[str | None] = Counter()
    for _ in range(4_000):
        card: Sheet = {}
        for name in rng.sample(CELLS, rng.randrange(1, 12)):
            scores = possible_scores(rules, name)
            card[name] = scores[-1] if rng.random() < 0.7 else rng.choice((*scores[len(scores) // 2 :], 0))
        wanted = sheet_win(options, card)
        assert won(rules, card) == wanted, card
        assert column_win(space, card) == wanted, card
        seen[wanted] += 1
    assert min(seen.values()) > 20
    assert len(seen) == 3


@lru_cache
def value(policy: str = "optimal", **options: Any) -> float:
    """What a policy maximises, from a scorecard whose straight is used."""
    rules = analyzer.game("cacho_alalay", **options)
    return float(analyzer.solve(rules, policy=policy, card={"straight": 20}, cache=False).value)


@pytest.mark.parametrize(
    ("less", "more"),
    [
        ({}, {"throws": 3}),
        ({}, {"first_flip": "optional"}),
        ({"max_flips": 1}, {}),
        ({}, {"flip_after_throw1": "one"}),
        ({"flip_waiver": "cell_open"}, {}),
        ({}, {"natural_waives_flip": True}),
        ({"second_flip": "must_improve"}, {}),
        ({"strike_ban": "any_reachable"}, {}),
        ({}, {"strike_ban": "off"}),
        ({"stop_after_throw1": "centre_only"}, {}),
        ({"poker_accepts_five": False}, {}),
        ({"throws": 3, "flips_from_throw": 3, "first_flip": "optional"}, FAMILY),
        (FAMILY, FAMILY | {"flips_from_throw": 1}),
        pytest.param({"declare_after_throw1": True}, {}, marks=pytest.mark.nightly),
    ],
)
def test_who_may_do_more_expects_more(less: dict[str, Any], more: dict[str, Any]) -> None:
    """Without instant wins, which end games and cut scores."""
    assert value(instant_wins=False, **less) < value(instant_wins=False, **more) - 1e-6


def test_options_of_instant_wins_change_their_chances() -> None:
    assert value("instant", dormida="first_throw_only") < value("instant") - 1e-6
    assert value("instant", grandes_needed=2) < value("instant") - 1e-6
    assert value(instant_wins=False) > value() + 1e-6
    assert analyzer.solve(analyzer.game("cacho_alalay", instant_wins=False), cache=False).wins().empty
    five = Column.of(analyzer.game("cacho_alalay", dormida="first_throw_only"), {}).stop_on((6,) * 5, 1, True)
    assert laid((6,) * 5, {"sixes": 30, "poker": 45, "grande_1": 50, "grande_2": 50}) in five
    assert len(five) == 3


def test_team_turns_change_the_settlement() -> None:
    """They say how partners play; a scorecard by itself is played the same."""
    team = analyzer.game("cacho_alalay", team_turn="two_attempts")
    assert team.id != RULES.id
    assert (team.settlement.two_attempts, RULES.settlement.two_attempts) == (True, False)
    assert value(team_turn="two_attempts") == value()


class TablePlayer:
    """Asks the tables of a policy, and nothing else of the package; who plays by them is the referee."""

    def __init__(self, rules: ScorecardRules, policy: str, options: CachoOptions) -> None:
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
        self.group = 0
        self.ending: int | None = None
        self.line = ""

    def keep(self, dice: Dice, throw_number: int, full_throw: bool, sheet: Sheet) -> Dice:
        if throw_number == 1:
            self.slot = self.slot_of[Position(self.rules, sheet).column(self.space)]
            self.ending = None
            self.group = 0
        position = self.roll_of[dice] + (2 * self.group + full_throw) * self.space.lattice.rolls
        kept = int(self.tables.keeps[throw_number - 1, position, self.slot])
        if kept < self.space.stop:
            self.group, node = divmod(kept, self.space.lattice.first_roll)
            return self.keep_of[node]
        self.ending = kept - self.space.stop
        return dice

    def announce(self, dice: Dice, kept: Dice, sheet: Sheet) -> str:
        return CELLS[self.group]

    def flip(self, dice: Dice, throw_number: int, full_throw: bool, sheet: Sheet, legal: list[Flips]) -> Flips:
        """The first flips after which the referee lets the entry of the tables be made, for as many points."""
        ending = self.ending
        if ending is None:
            ending = self.space.ending(self.roll_of[dice], throw_number - 1, full_throw, self.group)
        entry = int(self.tables.entries[ending, self.slot])
        self.line = self.rules.line_names[self.space.tables.entry_line[entry]]
        points = int(self.space.written[entry])
        for flips in legal:
            final, de_mano = cacho_referee.flipped(dice, flips), full_throw and not flips
            if referee_entries(self.options, final, de_mano, sheet, False, throw_number).get(self.line) == points:
                return flips
        raise AssertionError(f"{self.line} = {points} cannot be made of {dice}, {sheet}")

    def enter(self, dice: Dice, de_mano: bool, sheet: Sheet, legal: dict[str, int]) -> str:
        return self.line


def referee_games(policy: str, games: int, seed: int, variant: str = "standard") -> Distances:
    rules, options = rules_of(VARIANTS[variant]), referee_options(VARIANTS[variant])
    player = TablePlayer(rules, policy, options)
    rng = Random(seed)
    written: Counter[tuple[str, int]] = Counter()
    wins: Counter[str] = Counter()
    for _ in range(games):
        game = play_solitaire(options, player, rng)
        written.update(game["sheet"].items())
        wins[game["ended"]] += 1
    total = sum(points * number for (_, points), number in written.items())
    solution = analyzer.solve(rules, policy=policy)
    found = played(solution, games, written, wins)
    chances = zip(solution.wins()["win"].tolist(), solution.wins()["chance"].tolist(), strict=True)
    shares = ", ".join(f"{win} {wins[win] / games:.5f} ({chance:.5f})" for win, chance in chances)
    mean = f"mean {total / games:.4f}, exact {solution.expected_score:.4f}"
    print(f"\nreferee, {variant}, {policy}: {mean}; {shares}; {found}")
    return found


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("variant", ["standard", pytest.param("declare", marks=pytest.mark.nightly)])
def test_games_of_the_referee(variant: str) -> None:
    referee_games("optimal", 2000, 3, variant).check(5.0)


@pytest.mark.nightly
@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("policy", ["points", "optimal"])
@pytest.mark.parametrize("variant", ["standard", "declare"])
def test_many_games_of_the_referee(policy: str, variant: str) -> None:
    referee_games(policy, 200_000, 4, variant).check(4.0)


@lru_cache
def outcomes(missing: int) -> Counter[Dice]:
    """How often so many dice fall in each way."""
    return Counter(tuple(sorted(faces)) for faces in product(range(1, 7), repeat=missing))


class ByHand:
    """Values by enumeration of all dice and decisions, with the legality of the referee; only dormidas win."""

    def __init__(self, options: CachoOptions) -> None:
        self.options = options
        self.turns: dict[frozenset[str], float] = {}

    def game(self, sheet: Sheet) -> float:
        """What the rest of the game is worth from a sheet."""
        key = frozenset(sheet)
        if key not in self.turns:
            self.after: dict[tuple[Dice, int, bool, str], float] = {}
            self.turns[key] = self.throw((), 1, sheet, "") if len(sheet) < len(CELLS) else 0.0
        return self.turns[key]

    def throw(self, kept: Dice, number: int, sheet: Sheet, cell: str) -> float:
        """Mean over a throw of the dice missing in `kept`, with `cell` announced or nothing."""
        missing = DICE - len(kept)
        values = (
            times * self.dice(tuple(sorted(kept + faces)), number, missing == DICE, sheet, cell)
            for faces, times in outcomes(missing).items()
        )
        return sum(values) / 6**missing

    def dice(self, dice: Dice, number: int, full: bool, sheet: Sheet, cell: str) -> float:
        """What dice are worth after a throw."""
        key = (dice, number, full, cell)
        if key not in self.after:
            self.after[key] = max(self.choices(dice, number, full, sheet, cell))
        return self.after[key]

    def choices(self, dice: Dice, number: int, full: bool, sheet: Sheet, cell: str) -> Iterator[float]:
        if is_dormida(self.options, dice, number, full):
            yield 0.0
            return
        seen = announced_sheet(sheet, cell) if cell else sheet
        legal = legal_flips(self.options, dice, number, full, seen)
        reachable = any(cacho_referee.entries_after(self.options, dice, number, full, seen, one) for one in legal)
        for flips in legal:
            final, de_mano = cacho_referee.flipped(dice, flips), full and not flips
            for line, points in referee_entries(self.options, final, de_mano, seen, reachable, number).items():
                yield points + self.rest(sheet, line)
        if number < self.options.throws:
            announced = [name for name in CELLS if name not in sheet] if number == 1 else [cell]
            for size in range(DICE):
                for kept in set(combinations(dice, size)):
                    for name in announced if self.options.declare_after_throw1 else [""]:
                        yield self.again(kept, number + 1, sheet, name)

    def again(self, kept: Dice, number: int, sheet: Sheet, cell: str) -> float:
        key = (kept, number, True, cell)  # no five dice, so no key of `dice`
        if key not in self.after:
            self.after[key] = self.throw(kept, number, sheet, cell)
        return self.after[key]

    def rest(self, sheet: Sheet, line: str) -> float:
        return self.turns[frozenset({*sheet, line})]


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    "name",
    [
        "standard",
        "declare",
        pytest.param("declare_mix", marks=pytest.mark.nightly),
        pytest.param("declare_throws", marks=pytest.mark.nightly),
    ],
)
def test_values_by_enumeration(name: str) -> None:
    """Turns with one and with two open cells."""
    variants = VARIANTS | {"declare_throws": {"throws": 3, "declare_after_throw1": True}}
    rules, options = rules_of(variants[name]), referee_options(variants[name])
    for cells in (("fives", "poker"), ("straight", "full_house")):
        by_hand = ByHand(options)
        by_hand.game(struck_but())
        for some in ((cells[0],), (cells[1],), cells):
            card = struck_but(*some)
            found = analyzer.solve(rules, card=card, cache=False).expected_score
            assert found == pytest.approx(by_hand.game(card), abs=1e-9)


@pytest.mark.nightly
@pytest.mark.parametrize("variant", ["standard", "declare"])
@pytest.mark.parametrize(
    "policy",
    ["optimal", "greedy", "par", "random", "line:poker", "points", "instant", "instant:dormida", "mixed:win_value=50"],
)
def test_four_million_games(policy: str, variant: str) -> None:
    rules = rules_of(VARIANTS[variant])
    result = analyzer.simulate(rules, policy=policy, games=4_000_000, seed=21)
    solution = analyzer.solve(rules, policy=policy)
    found = simulated(solution, result)
    chances = zip(result.wins()["chance"], solution.wins()["chance"], strict=True)
    print(
        f"\n{policy}: mean {result.mean:.4f}, exact {solution.expected_score:.4f};"
        f" deviation {result.standard_deviation:.4f}, exact {solution.standard_deviation:.4f};"
        f" wins {', '.join(f'{ours:.6f} ({exact:.6f})' for ours, exact in chances)}; {found}"
    )
    found.check(4.5)
