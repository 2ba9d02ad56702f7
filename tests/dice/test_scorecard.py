"""Scorecard rules as data: construction, ids, names, single scores."""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.dice.clauses import ExtraFive, UpperBonus
from analyzer.dice.lines import Line
from analyzer.dice.scorecard import ScorecardRules
from analyzer.errors import PositionError, RulesError
from analyzer.fields import FieldError
from analyzer.games.cacho_alalay import CachoAlalay
from analyzer.games.dice_poker import DicePoker
from analyzer.games.escalero import Escalero
from analyzer.games.yahtzee import Yahtzee

FIVE = Line(name="five", kind="all_alike", points=50)
ACES = Line(name="aces", kind="face", face=1)
CHANCE = Line(name="chance", kind="chance")


def rules_with(**fields: Any) -> ScorecardRules:
    return ScorecardRules(**{"name": "some", "lines": (ACES, FIVE, CHANCE), **fields})


def yacht() -> ScorecardRules:
    """Yacht: twelve lines, four of a kind scores its four dice, straights are two given sets, no bonus."""
    faces = ("ones", "twos", "threes", "fours", "fives", "sixes")
    return ScorecardRules(
        name="yacht",
        lines=(
            *(Line(name=name, kind="face", face=face) for face, name in enumerate(faces, start=1)),
            Line(name="full_house", kind="full_house"),
            Line(name="four_of_a_kind", kind="of_a_kind", n=4, value="matching_dice"),
            Line(name="little_straight", kind="straight", sets=((1, 2, 3, 4, 5),), points=30),
            Line(name="big_straight", kind="straight", sets=((2, 3, 4, 5, 6),), points=30),
            Line(name="choice", kind="chance"),
            Line(name="yacht", kind="all_alike", points=50),
        ),
    )


def crag() -> ScorecardRules:
    """Crag: three dice, two throws, thirteen lines."""
    faces = ("ones", "twos", "threes", "fours", "fives", "sixes")
    runs = {"low": (1, 2, 3), "high": (4, 5, 6), "odd": (1, 3, 5), "even": (2, 4, 6)}
    return ScorecardRules(
        name="crag",
        dice=3,
        throws=2,
        lines=(
            *(Line(name=name, kind="face", face=face) for face, name in enumerate(faces, start=1)),
            *(Line(name=f"{name}_straight", kind="straight", sets=(run,), points=20) for name, run in runs.items()),
            Line(name="three_of_a_kind", kind="all_alike", points=25),
            Line(name="thirteen", kind="total", total=13, points=26),
            Line(name="crag", kind="total", total=13, n=2, points=50),
        ),
    )


@pytest.mark.parametrize(
    ("dice", "line", "points"),
    [
        ((4, 4, 4, 4, 2), "four_of_a_kind", 16),
        ((6, 6, 6, 6, 6), "four_of_a_kind", 24),
        ((2, 2, 2, 3, 3), "full_house", 12),
        ((2, 2, 2, 2, 2), "full_house", 0),
        ((5, 4, 3, 2, 1), "little_straight", 30),
        ((5, 4, 3, 2, 1), "big_straight", 0),
        ((6, 4, 3, 2, 5), "big_straight", 30),
        ((6, 4, 3, 2, 5), "choice", 20),
        ((3, 3, 3, 3, 3), "yacht", 50),
    ],
)
def test_yacht(dice: Sequence[int], line: str, points: int) -> None:
    assert yacht().score(dice, line) == points


@pytest.mark.parametrize(
    ("dice", "line", "points"),
    [
        ((6, 6, 1), "crag", 50),
        ((5, 5, 3), "crag", 50),
        ((6, 4, 3), "crag", 0),
        ((6, 4, 3), "thirteen", 26),
        ((6, 6, 1), "thirteen", 26),
        ((5, 3, 1), "odd_straight", 20),
        ((6, 2, 4), "even_straight", 20),
        ((3, 2, 1), "low_straight", 20),
        ((3, 2, 4), "low_straight", 0),
        ((2, 2, 2), "three_of_a_kind", 25),
        ((2, 2, 6), "twos", 4),
    ],
)
def test_crag(dice: Sequence[int], line: str, points: int) -> None:
    assert crag().score(dice, line) == points


def test_the_best_crag_scorecard_is_worth_244() -> None:
    rules = crag()
    throws = np.ndindex(6, 6, 6)
    best = dict.fromkeys(rules.line_names, 0)
    for throw in throws:
        for name in best:
            best[name] = max(best[name], rules.score([face + 1 for face in throw], name))
    assert sum(best.values()) == 244


@given(dice=st.lists(st.integers(1, 6), min_size=5, max_size=5), order=st.permutations(range(5)))
def test_the_order_of_the_dice_does_not_matter(dice: list[int], order: list[int]) -> None:
    rules = DicePoker().scorecard()
    for name in rules.line_names:
        assert rules.score(dice, name) == rules.score([dice[place] for place in order], name)


def test_dice_may_be_numpy_integers() -> None:
    rules = DicePoker().scorecard()
    assert rules.score(np.array([5, 5, 3, 2, 1], dtype=np.int8), "pair") == 16  # type: ignore[arg-type]
    assert type(rules.score([5, 5, 3, 2, 1], "pair")) is int


@pytest.mark.parametrize(
    ("dice", "message"),
    [
        ([1, 2, 3, 4], "dice '1 2 3 4' are 4; give 5, as Dice Poker throws"),
        ([1, 2, 3, 4, 5, 6], "dice '1 2 3 4 5 6' are 6"),
        ([], "dice '' are 0"),
        ([1] * 5000, "dice '1 1 1 1 1 1 1 1 1 1 ...' are 5000"),
        ([1, 2, 3, 4, 7], "dice '1 2 3 4 7' show 7; choose faces in 1..6"),
        ([0, 2, 3, 4, 6], "show 0"),
        ([-1, 2, 3, 4, 6], "show -1"),
        ([1, 2, 3, 4, 10**5000], "show <int too large to show>"),
        ([1, 2, 3, 4, 2.5], "are not faces"),
        ("12345", "are not faces"),
        (5, "are not faces"),
        (None, "are not faces"),
    ],
)
def test_dice_that_are_no_throw_are_refused(dice: Any, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        DicePoker().scorecard().score(dice, "pair")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("name", ["full_house", "Full house", "FULL-HOUSE", " full  house "])
def test_lines_are_found_however_they_are_written(name: str) -> None:
    rules = DicePoker().scorecard()
    assert rules.line_index(name) == 10
    assert rules.line(name).points == 25


@pytest.mark.parametrize(
    ("name", "near"), [("fulhouse", "full_house"), ("pokr", "poker"), ("straight", "small_straight")]
)
def test_an_unknown_line_names_the_nearest_and_the_list(name: str, near: str) -> None:
    with pytest.raises(RulesError) as caught:
        DicePoker().scorecard().line_index(name)
    message = str(caught.value)
    assert message.startswith(f"line {name!r} is unknown; did you mean {near!r}?")
    assert "aces, twos" in message


@pytest.mark.parametrize("name", ["", "zzz", 5, None, "a" * 10_000, "two\nlines"])
def test_an_unknown_line_of_any_kind_is_one_line(name: Any) -> None:
    with pytest.raises(RulesError) as caught:
        DicePoker().scorecard().line_index(name)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_the_id_depends_on_all_that_matters_to_play() -> None:
    base = DicePoker().scorecard()
    assert base.extra_five is not None
    variants = [
        base,
        replace(base, dice=6),
        replace(base, faces=8),
        replace(base, throws=2),
        replace(base, lock_kept=True),
        replace(base, extra_five=None, declare=True),
        replace(base, upper_bonus=None),
        replace(base, upper_bonus=UpperBonus(points=35, threshold=63)),
        replace(base, upper_bonus=UpperBonus(points=36, threshold=63, strict=True)),
        replace(base, upper_bonus=UpperBonus(points=35, threshold=64, strict=True)),
        replace(base, extra_five=None),
        replace(base, extra_five=replace(base.extra_five, points=50)),
        replace(base, extra_five=replace(base.extra_five, joker="free")),
        replace(base, extra_five=replace(base.extra_five, joker="none")),
        replace(base, extra_five=replace(base.extra_five, joker_when_zero=True)),
        replace(base, extra_five=replace(base.extra_five, joker_values="natural")),
        replace(base, lines=base.lines[:-1]),
        replace(base, lines=base.lines[::-1]),
        *(replace(base, lines=(*base.lines[:-1], line)) for line in one_changed_line()),
    ]
    ids = [rules.id for rules in variants]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[0-9a-f]{16}", each) for each in ids)


def one_changed_line() -> list[Line]:
    return [
        Line(name="any", kind="chance"),
        Line(name="chance", kind="of_a_kind", n=2),
        Line(name="chance", kind="of_a_kind", n=3),
        Line(name="chance", kind="of_a_kind", n=3, exactly=True),
        Line(name="chance", kind="of_a_kind", n=3, value="matching_dice"),
        Line(name="chance", kind="of_a_kind", n=3, points=10),
        Line(name="chance", kind="of_a_kind", n=3, points=11),
        Line(name="chance", kind="two_pairs"),
        Line(name="chance", kind="two_pairs", same_face=True),
        Line(name="chance", kind="straight", length=3, points=10),
        Line(name="chance", kind="straight", sets=((1, 2),), points=10),
        Line(name="chance", kind="total", total=9),
        Line(name="chance", kind="total", total=9, n=2),
        Line(name="chance", kind="face", face=6, section="lower"),
    ]


def test_the_id_ignores_what_is_only_read() -> None:
    base = DicePoker().scorecard()
    renamed = replace(base, name="mine", title="My Game", lines=tuple(replace(li, label="X") for li in base.lines))
    assert renamed.id == base.id
    assert base.extra_five is not None
    off = replace(base, extra_five=replace(base.extra_five, joker="none"))
    assert off.extra_five is not None
    assert replace(off, extra_five=replace(off.extra_five, joker_when_zero=True, joker_values="natural")).id == off.id


def test_the_id_is_the_same_in_every_process() -> None:
    code = "from analyzer.games.registry import make_rules; print(make_rules('dice_poker').id)"
    ids = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert ids == {DicePoker().scorecard().id} == {"9900b84ac5c6575b"}
    assert Yahtzee().scorecard().id == "7ed2fc5ea1125dcd"


def test_rules_are_values() -> None:
    rules = DicePoker().scorecard()
    assert rules == DicePoker().scorecard()
    assert hash(rules) == hash(DicePoker().scorecard())
    assert pickle.loads(pickle.dumps(rules)) == rules
    with pytest.raises(AttributeError):
        rules.dice = 6  # type: ignore[misc]


def test_lists_of_lines_become_tuples() -> None:
    assert rules_with(lines=[ACES, FIVE]).lines == (ACES, FIVE)


def test_titles_left_out_are_made_from_names() -> None:
    assert rules_with(name="crazy_dice").title == "Crazy Dice"


@pytest.mark.parametrize("strict", [False, True])
def test_the_upper_bonus_is_all_or_nothing(strict: bool) -> None:
    bonus = UpperBonus(points=35, threshold=63, strict=strict)
    assert [bonus.earned(total) for total in (0, 62, 63, 64, 105)] == [0, 0, 0 if strict else 35, 35, 35]
    assert bonus.least == (64 if strict else 63)


BAD: list[tuple[dict[str, Any], str]] = [
    ({"name": "My Game"}, "name = 'My Game' is not a name"),
    ({"title": 7}, "title = 7 is not a title"),
    ({"title": "a\tb"}, "title = 'a\\tb' is not a title"),
    ({"dice": 0}, "dice = 0 is outside 1..10"),
    ({"dice": 11}, "dice = 11 is outside 1..10"),
    ({"dice": "5"}, "dice = '5' is not a whole number"),
    ({"faces": 1}, "faces = 1 is outside 2..12"),
    ({"faces": 13}, "faces = 13 is outside 2..12"),
    ({"throws": 0}, "throws = 0 is outside 1..10"),
    ({"throws": 11}, "throws = 11 is outside 1..10"),
    ({"throws": True}, "throws = True is not a whole number"),
    ({"lock_kept": "yes"}, "lock_kept = 'yes' is not a switch"),
    ({"declare": 1}, "declare = 1 is not a switch"),
    ({"declare": True, "throws": 1}, "declare = true needs a second throw; write false, or throws = 2 or more"),
    ({"declare": True, "lock_kept": True}, "lock_kept = true cannot be combined with served points, flips"),
    (
        {"declare": True, "extra_five": ExtraFive(line="five", points=0, joker="forced")},
        "declare = true cannot be combined with forced jokers",
    ),
    ({"lines": ()}, "lines are 0, outside 1..20"),
    ({"lines": (ACES,) * 21}, "lines are 21, outside 1..20"),
    ({"lines": (ACES, ACES)}, "lines[1].name = 'aces' is there twice"),
    ({"lines": (ACES, replace(ACES, name="ones"))}, "lines[1].face = 1 is counted by two upper lines"),
    ({"lines": (ACES, "twos")}, "lines[1] = 'twos' is not a Line; give one"),
    ({"lines": 3}, "lines = 3 is not a tuple of Line"),
    (
        {"dice": 3, "lines": (Line(name="full", kind="full_house"),)},
        "lines[0].kind of 'full' = 'full_house' can never be made",
    ),
    ({"upper_bonus": 35}, "upper_bonus = 35 is not an UpperBonus"),
    (
        {"lines": (CHANCE,), "upper_bonus": UpperBonus(points=1, threshold=1)},
        "needs a line in the upper section",
    ),
    ({"extra_five": "five"}, "extra_five = 'five' is not an ExtraFive"),
    (
        {"extra_five": ExtraFive(line="chance")},
        "extra_five.line = 'chance' is not allowed; choose from: 'five'",
    ),
    ({"extra_five": ExtraFive(line="fve")}, "did you mean 'five'?"),
    (
        {"lines": (CHANCE,), "extra_five": ExtraFive(line="five")},
        "needs a line of the kind 'all_alike' with points",
    ),
]


@pytest.mark.parametrize(("fields", "message"), BAD)
def test_rules_that_make_no_sense_are_refused_in_one_line(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(RulesError) as caught:
        rules_with(**fields)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "fields", "message"),
    [
        (UpperBonus, {"points": 0, "threshold": 63}, "upper_bonus: points = 0 is outside 1..100000"),
        (UpperBonus, {"points": 35, "threshold": -1}, "threshold = -1 is outside"),
        (UpperBonus, {"points": 35, "threshold": 63, "strict": 1}, "strict = 1 is not a switch"),
        (ExtraFive, {"line": ""}, "extra_five: line = '' is not a name"),
        (ExtraFive, {"line": "five", "points": -1}, "points = -1 is outside"),
        (ExtraFive, {"line": "five", "joker": "forces"}, "did you mean 'forced'?"),
        (ExtraFive, {"line": "five", "joker_when_zero": None}, "joker_when_zero = None is not a switch"),
        (ExtraFive, {"line": "five", "joker_values": "both"}, "joker_values = 'both' is not allowed"),
        (ExtraFive, {"line": "five", "points": 0, "joker": "none"}, "without a joker has no effect"),
    ],
)
def test_bonuses_that_make_no_sense_are_refused(kind: type[Any], fields: dict[str, Any], message: str) -> None:
    with pytest.raises(RulesError) as caught:
        kind(**fields)
    assert message in str(caught.value)


def test_complaints_survive_pickling() -> None:
    error = FieldError("dice", "= 11 is outside 1..10; choose a whole number in that range", "rules")
    copied = pickle.loads(pickle.dumps(error))
    assert (str(copied), copied.field, copied.owner) == (str(error), error.field, error.owner)


def test_rules_do_not_import_numba() -> None:
    code = "import sys, analyzer.games.registry; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_what_a_clause_says() -> None:
    text = CachoAlalay().scorecard().text.splitlines()
    assert text[0] == "Dice are served if the last throw threw all of them."
    assert text[1].startswith(
        "Flips: whoever ends a turn after throw 2 or later must turn one die over to the opposite"
    )
    assert text[2] == "A turn may end after the first throw only with dice that score."
    assert text[3] == "A line may be struck (filled with 0) only if the dice score nothing in any open line."
    assert [line.partition(" wins the game at once: ")[0] for line in text[4:7]] == [
        "Dormida", "Panza de oro", "Four of every number",
    ]  # fmt: skip
    assert text[7:] == ["The highest total wins. A tie is shared."]


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        (
            CachoAlalay(first_flip="optional", second_flip="must_improve"),
            "may turn one die over to the opposite face, and",
        ),
        (CachoAlalay(second_flip="must_improve"), "may turn over a second one if the best open line gains by it."),
        (
            CachoAlalay(flip_waiver="cell_open"),
            "With a pattern in a throw of all dice nothing need be flipped if an open",
        ),
        (CachoAlalay(natural_waives_flip=True), "With a pattern nothing need be flipped."),
        (CachoAlalay(flip_after_throw1="one"), "Whoever ends a turn before that may turn over one die."),
        (CachoAlalay(dormida="first_throw_only"), "Dormida wins the game at once: dice all alike in the first throw."),
        (CachoAlalay(grandes_needed=2), "45 points or more, and points in grande 1 and grande 2."),
        (CachoAlalay(strike_ban="any_reachable"), "only if no legal flips make the dice score."),
        (CachoAlalay(stop_after_throw1="centre_only"), "after the first throw only with a pattern that scores."),
        (CachoAlalay(team_turn="two_attempts"), "Partners have two attempts at a turn"),
        (Escalero(), "Once grande is struck (holds 0), dice all alike may be entered as full house or poker too."),
        (Escalero(five_as_poker_full="closed_same_column"), "Once grande is filled, dice all alike may be entered"),
        (Escalero(five_as_poker_full="always"), "\nDice all alike may be entered as full house or poker too."),
        (Escalero(five_as_poker_full="struck_any_column"), "by what any column of the sheet holds."),
        (Escalero(served="first_throw_only"), "Dice are served if the first throw made them."),
        (
            Escalero(),
            "A sheet has 3 columns, worth 1, 2 and 4; who wins all of them receives 9 instead. A tie is won by",
        ),
        (Escalero(columns="1", column_tie="split"), "receives its lead over every other one. A tie is shared."),
        (Escalero(pair_choice="immediate"), "Partners choose the first result before the second throws."),
        (DicePoker(), "Upper bonus: 35 points for an upper total of 64 or more."),
    ],
)
def test_what_a_clause_says_under_an_option(rules: Any, text: str) -> None:
    assert text in rules.scorecard().text


def test_rules_without_clauses_say_nothing() -> None:
    assert ScorecardRules(name="tiny", lines=(Line(name="chance", kind="chance"),)).text == ""
