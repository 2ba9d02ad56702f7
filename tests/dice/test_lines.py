"""Every kind of line against a slow reading of the rules on lists of dice, over all rolls."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.dice.lines import LINE_KINDS, Line
from analyzer.dice.patterns import all_counts
from analyzer.errors import RulesError

Dice = tuple[int, ...]

SIZES = [(1, 2), (2, 6), (3, 6), (4, 3), (5, 6), (6, 6), (7, 4), (10, 3), (5, 8)]


def groups_of(dice: Dice, sizes: tuple[int, ...], same_face: bool, exactly: bool) -> list[int]:
    """Sums of all ways to pick disjoint groups of dice, each group of one face, by brute force."""
    found = []
    faces = sorted(set(dice))
    for chosen in permutations(faces * (len(sizes) if same_face else 1), len(sizes)):
        if not same_face and len(set(chosen)) < len(chosen):
            continue
        left = list(dice)
        fits = True
        for face, size in zip(chosen, sizes, strict=True):
            fits &= dice.count(face) == size if exactly else left.count(face) >= size
            for _ in range(size):
                if face in left:
                    left.remove(face)
        if fits:
            found.append(sum(face * size for face, size in zip(chosen, sizes, strict=True)))
    return found


def ways(line: Line, dice: Dice, faces: int) -> list[int]:
    """Sums of the matching dice for every way in which the dice make the line; empty if they do not."""
    match line.kind:
        case "face":
            return [sum(die for die in dice if die == line.face)]
        case "of_a_kind":
            assert line.n is not None
            return groups_of(dice, (line.n,), False, line.exactly)
        case "two_pairs":
            return groups_of(dice, (2, 2), line.same_face, line.exactly)
        case "full_house":
            return groups_of(dice, (3, 2), line.same_face, line.exactly)
        case "straight":
            if line.sets is not None:
                return [sum(needed) for needed in line.sets if all(face in dice for face in needed)]
            assert line.length is not None
            found = []
            for chosen in combinations(sorted(set(dice)), line.length):
                run = list(chosen) == list(range(chosen[0], chosen[0] + line.length))
                longer = chosen[0] - 1 in dice or chosen[-1] + 1 in dice
                if run and not (line.exactly and longer):
                    found.append(sum(chosen))
            return found
        case "all_alike":
            return [sum(dice)] if len(set(dice)) == 1 else []
        case "total":
            alike = max(dice.count(die) for die in dice)
            return [sum(dice)] if sum(dice) == line.total and alike >= (line.n or 1) else []
        case "chance":
            return [sum(dice)]


def slow_score(line: Line, dice: Dice, faces: int) -> int:
    found = ways(line, dice, faces)
    if not found:
        return 0
    return {"fixed": line.points or 0, "all_dice": sum(dice), "matching_dice": max(found)}[line.value]


def slow_joker(line: Line, dice: Dice, faces: int) -> int:
    """A joker with fixed values: five dice that may be read as if the pattern were there."""
    face = dice[0]
    if len(set(dice)) > 1 or line.kind == "face":
        return slow_score(line, dice, faces)
    if line.kind == "straight":
        runs = line.sets or [tuple(range(low, low + (line.length or 0))) for low in range(1, faces + 1)]
        best = max(sum(run) for run in runs if max(run) <= faces)
    else:
        size = {"of_a_kind": line.n, "two_pairs": 4, "full_house": 5}.get(line.kind) or len(dice)
        best = face * size
    return {"fixed": line.points or 0, "all_dice": sum(dice), "matching_dice": best}[line.value]


def lines_for(dice: int, faces: int) -> list[Line]:
    """Every line there can be on dice of this number and size, up to the amount of fixed points."""
    shapes: list[dict[str, Any]] = [{"kind": "all_alike"}]
    shapes += [{"kind": "face", "face": face} for face in range(1, faces + 1)]
    shapes += [{"kind": "of_a_kind", "n": n, "exactly": exact} for n in range(2, dice + 1) for exact in (False, True)]
    extras: list[dict[str, Any]] = [{}, {"same_face": True}, {"exactly": True}]
    if dice >= 4:
        shapes += [{"kind": "two_pairs", **extra} for extra in extras]
    if dice >= 5:
        shapes += [{"kind": "full_house", **extra} for extra in extras]
    longest = min(dice, faces)
    shapes += [
        {"kind": "straight", "length": length, "exactly": exact}
        for length in range(2, longest + 1)
        for exact in (False, True)
    ]
    if longest >= 2:
        shapes.append({"kind": "straight", "sets": ((1, faces), (faces, faces - 1) if faces > 2 else (2, 1))})
    shapes += [{"kind": "total", "total": total} for total in (dice, dice + faces // 2, dice * faces)]
    shapes += [{"kind": "total", "total": dice * 2, "n": 2}] if dice >= 2 else []
    shapes.append({"kind": "chance"})
    lines: list[Line] = []
    for shape in shapes:
        values: list[Any] = {
            "face": ["matching_dice"],
            "chance": ["all_dice"],
            "total": ["fixed", "all_dice"],
        }.get(shape["kind"], ["fixed", "all_dice", "matching_dice"])
        for value in values:
            points = 17 if value == "fixed" else None
            lines.append(Line(name=f"line_{len(lines)}", **shape, value=value, points=points))
    return lines


def rolls_of(counts: np.ndarray[Any, Any]) -> list[Dice]:
    return [tuple(np.repeat(np.arange(1, counts.shape[1] + 1), row).tolist()) for row in counts]


@pytest.mark.parametrize(("dice", "faces"), SIZES)
def test_scores_equal_the_slow_reading(dice: int, faces: int) -> None:
    counts = all_counts(dice, faces)
    rolls = rolls_of(counts)
    for line in lines_for(dice, faces):
        expected = [slow_score(line, roll, faces) for roll in rolls]
        scores = line.scores(counts)
        assert scores.dtype == np.int64
        assert scores.tolist() == expected, line


@pytest.mark.parametrize(("dice", "faces"), SIZES)
def test_satisfied_equals_the_slow_reading(dice: int, faces: int) -> None:
    counts = all_counts(dice, faces)
    rolls = rolls_of(counts)
    for line in lines_for(dice, faces):
        made = line.satisfied(counts)
        assert made.dtype == np.bool_
        assert made.tolist() == [bool(ways(line, roll, faces)) for roll in rolls], line


@pytest.mark.parametrize(("dice", "faces"), SIZES)
def test_jokers_equal_the_slow_reading(dice: int, faces: int) -> None:
    counts = all_counts(dice, faces)
    rolls = rolls_of(counts)
    for line in lines_for(dice, faces):
        expected = [slow_joker(line, roll, faces) for roll in rolls]
        assert line.joker_scores(counts, fixed=True).tolist() == expected, line
        assert line.joker_scores(counts, fixed=False).tolist() == line.scores(counts).tolist(), line


def test_every_kind_is_compared() -> None:
    assert {line.kind for line in lines_for(5, 6)} == set(LINE_KINDS)


@given(
    dice=st.lists(st.integers(1, 6), min_size=5, max_size=5),
    order=st.permutations(range(5)),
    line=st.sampled_from(lines_for(5, 6)),
)
def test_the_order_of_the_dice_does_not_matter(dice: list[int], order: list[int], line: Line) -> None:
    shuffled = tuple(dice[place] for place in order)
    counts = np.bincount(dice, minlength=7)[1:].reshape(1, -1)
    assert line.scores(counts)[0] == slow_score(line, shuffled, 6)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint64])
def test_counts_of_any_integer_type_give_the_same(dtype: type[np.integer[Any]]) -> None:
    counts = all_counts(6, 6)
    for line in lines_for(6, 6):
        assert line.scores(counts.astype(dtype)).tolist() == line.scores(counts).tolist(), line
        assert line.joker_scores(counts.astype(dtype), True).tolist() == line.joker_scores(counts, True).tolist()


def test_counts_are_not_written_to() -> None:
    counts = all_counts(6, 6).copy()
    for line in lines_for(6, 6):
        line.scores(counts)
        line.joker_scores(counts, True)
    assert (counts == all_counts(6, 6)).all()


def test_no_rolls_give_no_scores() -> None:
    for line in lines_for(5, 6):
        assert line.scores(np.zeros((0, 6), dtype=np.int64)).shape == (0,)


def test_all_counts_are_all_rolls_once() -> None:
    assert len(all_counts(5, 6)) == 252
    assert len({tuple(row) for row in all_counts(6, 4).tolist()}) == len(all_counts(6, 4)) == 84
    assert all_counts(5, 6).sum(axis=1).tolist() == [5] * 252


def test_fields_left_out_follow_the_kind() -> None:
    aces = Line(name="aces", kind="face", face=1)
    full = Line(name="full_house", kind="full_house", points=25)
    assert (aces.section, aces.value, aces.label) == ("upper", "matching_dice", "Aces")
    assert (full.section, full.value, full.label) == ("lower", "fixed", "Full house")
    assert Line(name="chance", kind="chance").value == "all_dice"


def test_lists_of_faces_become_tuples() -> None:
    line = Line(name="run", kind="straight", sets=[[1, 2, 3], [4, 5, 6]], points=20)  # type: ignore[arg-type]
    assert line.sets == ((1, 2, 3), (4, 5, 6))
    assert hash(line) == hash(Line(name="run", kind="straight", sets=((1, 2, 3), (4, 5, 6)), points=20))


BAD: list[tuple[dict[str, Any], str]] = [
    ({"kind": "pairs"}, "did you mean 'two_pairs'?"),
    ({"kind": 3}, "kind = 3 is not allowed"),
    ({"kind": "face"}, "face is missing"),
    ({"kind": "face", "face": 0}, "face = 0 is outside 1..12"),
    ({"kind": "face", "face": True}, "face = True is not a whole number"),
    ({"kind": "face", "face": 1, "n": 2}, "n = 2 means nothing for the kind 'face'"),
    ({"kind": "face", "face": 1, "value": "all_dice"}, "value = 'all_dice' is not allowed"),
    ({"kind": "face", "face": 1, "points": 5}, "points = 5 means nothing"),
    ({"kind": "of_a_kind"}, "n is missing"),
    ({"kind": "of_a_kind", "n": 1}, "n = 1 is outside 2..10"),
    ({"kind": "of_a_kind", "n": 2.0}, "n = 2.0 is not a whole number"),
    ({"kind": "of_a_kind", "n": 3, "value": "fixed"}, "points is missing"),
    ({"kind": "of_a_kind", "n": 3, "value": "sum"}, "value = 'sum' is not allowed"),
    ({"kind": "of_a_kind", "n": 3, "points": 0}, "points = 0 is outside 1..100000"),
    (
        {"kind": "of_a_kind", "n": 3, "value": "all_dice", "points": 5},
        "points = 5 means nothing with the value",
    ),
    ({"kind": "of_a_kind", "n": 3, "section": "upper"}, "section = 'upper' is for lines of the kind 'face'"),
    ({"kind": "of_a_kind", "n": 3, "section": "middle"}, "section = 'middle' is not allowed"),
    ({"kind": "of_a_kind", "n": 3, "same_face": True}, "same_face = True means nothing"),
    ({"kind": "of_a_kind", "n": 3, "exactly": 1}, "exactly = 1 is not a switch"),
    ({"kind": "two_pairs", "exactly": True, "same_face": True}, "contradicts"),
    ({"kind": "straight"}, "a straight needs exactly one of them"),
    ({"kind": "straight", "length": 4, "sets": [[1, 2]]}, "length and sets are both given"),
    ({"kind": "straight", "length": 1}, "length = 1 is outside 2..12"),
    ({"kind": "straight", "sets": []}, "sets = () is not a list of face lists"),
    ({"kind": "straight", "sets": "123"}, "sets = '123' is not a list of face lists"),
    ({"kind": "straight", "sets": [1, 2]}, "sets[0] = 1 is not a list of 2..10 faces"),
    ({"kind": "straight", "sets": [[1, 2], [3]]}, "sets[1] = (3,) is not a list of 2..10 faces"),
    ({"kind": "straight", "sets": [[1, 13]]}, "sets[0] = 13 is outside 1..12"),
    ({"kind": "straight", "sets": [[1, 1]]}, "sets[0] = [1, 1] repeats a face"),
    ({"kind": "straight", "sets": [[1, 2]], "exactly": True}, "exactly = true means nothing with sets"),
    ({"kind": "total"}, "total is missing"),
    ({"kind": "total", "total": 13, "value": "matching_dice"}, "value = 'matching_dice' is not allowed"),
    ({"kind": "chance", "n": 0}, "n = 0 is outside"),
    ({"kind": "chance", "points": 20}, "value = 'fixed' is not allowed"),
    ({"kind": "chance", "label": ""}, "label = '' is not a title"),
    ({"kind": "chance", "label": "two\nlines"}, "label = 'two\\nlines' is not a title"),
    ({"kind": "chance", "name": "Chance"}, "name = 'Chance' is not a name"),
    ({"kind": "chance", "name": "9th"}, "name = '9th' is not a name"),
    ({"kind": "chance", "name": 9}, "name = 9 is not a name"),
]


@pytest.mark.parametrize(("fields", "message"), BAD)
def test_a_line_that_makes_no_sense_is_refused_in_one_line(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(RulesError) as caught:
        Line(**{"name": "some", **fields})
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(("line 'some': ", "line: "))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (Line(name="sevens", kind="face", face=7), "face = 7 can never be made"),
        (Line(name="six", kind="of_a_kind", n=6), "n = 6 can never be made: only 5 dice"),
        (Line(name="run", kind="straight", length=6), "length = 6 can never be made"),
        (Line(name="run", kind="straight", sets=((1, 2), (6, 7))), "sets[1] = [6, 7] can never be made"),
        (
            Line(name="run", kind="straight", sets=((1, 2, 3, 4, 5, 6),)),
            "sets[0] = [1, 2, 3, 4, 5, 6] can never",
        ),
        (Line(name="sum", kind="total", total=31), "total = 31 can never be made"),
        (Line(name="sum", kind="total", total=4), "total = 4 can never be made"),
    ],
)
def test_a_line_that_no_roll_fits_is_refused(line: Line, message: str) -> None:
    with pytest.raises(RulesError) as caught:
        line.check_fits(5, 6)
    assert message in str(caught.value)


@pytest.mark.parametrize(("kind", "least"), [("two_pairs", 4), ("full_house", 5)])
def test_patterns_need_enough_dice(kind: Any, least: int) -> None:
    line = Line(name="some", kind=kind)
    line.check_fits(least, 6)
    with pytest.raises(RulesError, match=f"needs {least} dice"):
        line.check_fits(least - 1, 6)


def test_every_line_that_fits_can_be_made() -> None:
    makeable: Callable[[Line], bool] = lambda line: bool(line.satisfied(all_counts(5, 6)).any())  # noqa: E731
    assert all(makeable(line) for line in lines_for(5, 6))
