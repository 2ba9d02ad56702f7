"""Rules files: they survive the round trip, and a bad one never gives more than one line of complaint."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.dice import rules_file
from analyzer.dice.clauses import JOKER_VALUES, JOKERS, ExtraFive, UpperBonus
from analyzer.dice.lines import LINE_KINDS, LINE_VALUES, Line
from analyzer.dice.scorecard import ScorecardRules
from analyzer.errors import RulesError
from analyzer.games.card_rules import CardRules
from analyzer.games.dice_poker import DicePoker
from analyzer.games.registry import load_rules, rules_from_toml
from analyzer.games.yahtzee import Yahtzee

names = st.from_regex(r"[a-z][a-z0-9_]{0,12}", fullmatch=True)
titles = st.text(min_size=1, max_size=20).filter(lambda text: text.isprintable() and bool(text.strip()))
points = st.integers(1, 100_000)


@st.composite
def lines(draw: st.DrawFn, name: str, dice: int, faces: int) -> Line:
    kinds = [kind for kind in LINE_KINDS if dice >= {"two_pairs": 4, "full_house": 5}.get(kind, 2)]
    kind = draw(st.sampled_from(kinds))
    fields: dict[str, Any] = {}
    flag = draw(st.sampled_from(["same_face", "exactly", None]))
    match kind:
        case "face":
            # Upper lines must differ in their faces, so these are made by `scorecards`.
            fields = {"face": draw(st.integers(1, faces)), "section": "lower"}
        case "of_a_kind":
            fields = {"n": draw(st.integers(2, dice)), "exactly": draw(st.booleans())}
        case "two_pairs" | "full_house":
            fields = {flag: True} if flag else {}
        case "straight":
            runs = st.lists(st.integers(1, faces), min_size=2, max_size=min(dice, faces), unique=True)
            if draw(st.booleans()):
                fields = {"sets": tuple(map(tuple, draw(st.lists(runs, min_size=1, max_size=3))))}
            else:
                fields = {"length": draw(st.integers(2, min(dice, faces))), "exactly": draw(st.booleans())}
        case "total":
            fields = {
                "total": draw(st.integers(dice, dice * faces)),
                "n": draw(st.none() | st.integers(2, dice)),
            }
    if kind not in ("face", "chance"):
        values = ["fixed", "all_dice"] if kind == "total" else ["fixed", "all_dice", "matching_dice"]
        fields["value"] = draw(st.sampled_from(values))
        fields["points"] = draw(points) if fields["value"] == "fixed" else None
    if label := draw(st.none() | titles):
        fields["label"] = label
    return Line(name=name, kind=kind, **fields)


@st.composite
def scorecards(draw: st.DrawFn) -> ScorecardRules:
    dice, faces = draw(st.integers(2, 10)), draw(st.integers(2, 12))
    unique = draw(st.lists(names, min_size=2, max_size=8, unique=True))
    upper_faces = draw(st.lists(st.integers(1, faces), max_size=len(unique) - 2, unique=True))
    card = [Line(name=name, kind="face", face=face) for name, face in zip(unique, upper_faces, strict=False)]
    card += [draw(lines(name, dice, faces)) for name in unique[len(card) : -1]]
    five = Line(name=unique[-1], kind="all_alike", points=draw(points))
    card.append(five)
    joker = draw(st.sampled_from(JOKERS))
    extra = ExtraFive(
        line=five.name,
        points=draw(st.integers(1 if joker == "none" else 0, 500)),
        joker=joker,
        joker_when_zero=draw(st.booleans()),
        joker_values=draw(st.sampled_from(JOKER_VALUES)),
    )
    bonus = UpperBonus(points=draw(points), threshold=draw(st.integers(1, 100)), strict=draw(st.booleans()))
    return ScorecardRules(
        name=draw(names),
        title=draw(titles),
        lines=tuple(draw(st.permutations(card))),
        dice=dice,
        faces=faces,
        throws=draw(st.integers(1, 10)),
        lock_kept=draw(st.booleans()),
        upper_bonus=draw(st.sampled_from([None, bonus])) if upper_faces else None,
        extra_five=draw(st.sampled_from([None, extra])),
    )


@given(scorecards())
def test_rules_survive_the_round_trip(rules: ScorecardRules) -> None:
    text = rules.to_toml()
    back = rules_from_toml(text)
    assert back == rules
    assert back.id == rules.id
    assert back.to_toml() == text


GOOD = Yahtzee().scorecard().to_toml()


def refused(text: str) -> str:
    """The complaint about a text, which must be one short line."""
    with pytest.raises(RulesError) as caught:
        rules_from_toml(text, "my.toml")
    message = str(caught.value)
    assert message.startswith("my.toml: ")
    assert len(message.splitlines()) == 1
    assert len(message) < 600
    return message


def never_more_than_a_complaint(text: str) -> None:
    with suppress(RulesError):
        assert isinstance(rules_from_toml(text, "my.toml"), ScorecardRules | CardRules)
        return
    refused(text)


@given(st.text())
def test_any_text_is_rules_or_a_complaint(text: str) -> None:
    never_more_than_a_complaint(text)


KEYS = [
    *("name", "title", "dice", "faces", "throws", "lock_kept", "upper_bonus", "extra_five", "lines"),
    *("base", "options", "change", "full_house", "yahtzee", "x", "''", '"\\n"', '"\\u2028"', "é"),
    *(
        "label",
        "kind",
        "face",
        "n",
        "length",
        "sets",
        "total",
        "same_face",
        "exactly",
        "value",
        "points",
        "section",
    ),
    *("threshold", "strict", "line", "joker", "joker_when_zero", "joker_values"),
]
VALUES = [
    *("1", "5", "-1", "0", "true", "1.5", "nan", "inf", "2001-01-01", "10:00:00", "1979-05-27T07:32:00Z"),
    *(
        '"yahtzee"',
        '"none"',
        '"fixed"',
        '"straight"',
        '"x"',
        '""',
        '"""a\nb"""',
        '"\\u0085"',
        f'"{"a" * 500}"',
    ),
    *("[]", "[1, 2]", "[[1, 2], [2, 3]]", "[{}]", '[{name = "a", kind = "chance"}]', '[["a"], 3, {}]'),
    *("{}", "{points = 3}", "{full_house = {points = 3}}", '{joker = "free"}'),
    *("99999999999999999999999", f"0x{'f' * 5000}", "9" * 5000),
]
statements = st.one_of(
    st.builds("{} = {}".format, st.sampled_from(KEYS), st.sampled_from(VALUES)),
    st.builds("[{}]".format, st.sampled_from(KEYS)),
    st.builds("[[{}]]".format, st.sampled_from(KEYS)),
    st.builds("[{}.{}]".format, st.sampled_from(KEYS), st.sampled_from(KEYS)),
)


@settings(max_examples=400)
@given(st.lists(statements, max_size=12))
def test_any_keys_and_values_are_rules_or_a_complaint(parts: list[str]) -> None:
    never_more_than_a_complaint("\n".join(parts))
    for base in ("yahtzee", "euchre"):
        never_more_than_a_complaint("\n".join([f'base = "{base}"', *parts]))


@settings(max_examples=400)
@given(st.data())
def test_a_damaged_file_is_rules_or_a_complaint(data: st.DataObject) -> None:
    rows = GOOD.splitlines()
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(rows) - 1))
        match data.draw(st.sampled_from(["drop", "cut", "insert", "value"])):
            case "drop":
                rows[place] = ""
            case "cut":
                rows[place] = rows[place][: data.draw(st.integers(0, len(rows[place])))]
            case "insert":
                rows[place] += "\n" + data.draw(statements)
            case "value":
                rows[place] = rows[place].split("=")[0] + "= " + data.draw(st.sampled_from(VALUES))
    never_more_than_a_complaint("\n".join(rows))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "name is missing; add it"),
        ('name = "a"', "lines is missing; add it"),
        ("name = ", "not a TOML file: Invalid value (at line 1, the end)"),
        ('name = "a"\ndice = five', "(at line 2, column 8)"),
        ('name = "a"\nname = "b"\n', "not a TOML file: Cannot overwrite a value (at line 2"),
        ("x = " + "[" * 5000, "too large or too deeply nested"),
        ("x = " + "9" * 5000, "too large or too deeply nested"),
        (
            f"dice = 0x{'f' * 5000}\n" + GOOD.replace("dice = ", "# "),
            "dice = <int too large to show> is outside 1..10",
        ),
        ("dices = 5", "dices is an unknown key; did you mean 'dice'?"),
        ('"a b" = 5', "'a b' is an unknown key; choose from: name"),
        ("options = {}", "options means nothing without base"),
        ("[change.pair]", "change means nothing without base"),
        ("base = 3", "base = 3 is not the name of a game"),
        ('base = "yatzy"', "game 'yatzy' is unknown; did you mean 'yahtzee'?"),
        ('base = "yahtzee"\noptions = 3', "options = 3 is not a table"),
        (
            'base = "yahtzee"\n[options]\njoker = "fre"',
            "options.joker = 'fre' is not allowed; did you mean 'free'?",
        ),
        ('base = "yahtzee"\n[options]\njokr = "free"', "did you mean 'joker'?"),
        ('base = "yahtzee"\nthrows = 11', "throws = 11 is outside 1..10"),
        ('base = "yahtzee"\ndice = 3', "lines[7].n of 'four_of_a_kind' = 4 can never be made: only 3 dice"),
        (
            'base = "yahtzee"\n[upper_bonus]\npoint = 3',
            "upper_bonus.point is an unknown key; did you mean 'points'?",
        ),
        ('base = "yahtzee"\n[upper_bonus]\npoints = "3"', "upper_bonus.points = '3' is not a whole number"),
        ('base = "yahtzee"\nextra_five = "off"', "extra_five = 'off' is not a table"),
        ('base = "yahtzee"\n[extra_five]\nline = "chance"', "extra_five.line = 'chance' is not allowed"),
        ('base = "yahtzee"\nchange = 3', "change = 3 is not a table"),
        (
            'base = "yahtzee"\n[change.fullhouse]\npoints = 3',
            "change.fullhouse is an unknown key; did you mean 'full_",
        ),
        ('base = "yahtzee"\n[change]\nfull_house = 30', "change.full_house = 30 is not a table"),
        (
            'base = "yahtzee"\n[change.full_house]\npoints = 0',
            "change.full_house.points = 0 is outside 1..100000",
        ),
        ('base = "yahtzee"\n[change.full_house]\nface = 1', "change.full_house.face = 1 means nothing"),
        (
            'base = "yahtzee"\n[change.full_house]\nname = "chance"',
            "lines[12].name = 'chance' is there twice",
        ),
        ('base = "yahtzee"\nlines = 3', "lines = 3 is not a list of tables"),
        ('base = "yahtzee"\nlines = [3]', "lines[0] = 3 is not a table"),
        ('name = "a"\n[[lines]]\nkind = "chance"', "lines[0].name is missing"),
        ('name = "a"\n[[lines]]\nname = "b"', "lines[0].kind is missing"),
        ('name = "a"\n[[lines]]\nname = "b"\nkind = "chance"\npoint = 1', "lines[0].point is an unknown key"),
        (
            'name = "a"\n[upper_bonus]\n[[lines]]\nname = "b"\nkind = "chance"',
            "upper_bonus.points is missing",
        ),
    ],
)
def test_complaints_name_the_key_what_was_found_and_what_is_allowed(text: str, message: str) -> None:
    assert message in refused(text)


def test_keys_replace_those_of_the_base() -> None:
    text = """
    base = "yahtzee"
    name = "short_yahtzee"
    title = "Short Yahtzee"
    throws = 2
    lock_kept = true
    extra_five = "none"
    options.upper_bonus = "gt63"
    [upper_bonus]
    points = 50
    [change.full_house]
    value = "all_dice"
    [change."Four of a kind"]
    points = 40
    value = "fixed"
    [change.chance]
    kind = "two_pairs"
    label = "Two pairs"
    name = "two_pairs"
    """
    rules = rules_from_toml(text)
    base = Yahtzee().scorecard()
    assert (rules.name, rules.title, rules.throws, rules.lock_kept) == (
        "short_yahtzee",
        "Short Yahtzee",
        2,
        True,
    )
    assert rules.upper_bonus == UpperBonus(points=50, threshold=63, strict=True)
    assert rules.extra_five is None
    assert rules.score([2, 2, 2, 3, 3], "full_house") == 12
    assert rules.score([2, 2, 2, 2, 3], "four_of_a_kind") == 40
    assert rules.lines[:7] == base.lines[:7]
    assert rules.lines[-1] == Line(name="two_pairs", kind="two_pairs")


def test_lines_replace_all_lines_of_the_base() -> None:
    text = """
    base = "yahtzee"
    upper_bonus = "none"
    extra_five = "none"
    [[lines]]
    name = "pair"
    kind = "of_a_kind"
    n = 2
    """
    assert rules_from_toml(text).line_names == ("pair",)


def test_the_written_file_explains_itself() -> None:
    text = DicePoker().scorecard().to_toml()
    assert 'joker = "forced"         # how such dice are entered: none, forced, free' in text
    assert all(kind in text for kind in LINE_KINDS)
    assert max(map(len, text.splitlines())) <= 110
    assert text.endswith("\n")


def test_a_file_is_read_with_or_without_a_byte_order_mark(tmp_path: Path) -> None:
    for encoding in ("utf-8", "utf-8-sig"):
        path = tmp_path / f"{encoding}.toml"
        path.write_text(GOOD, encoding=encoding, newline="\r\n")
        assert load_rules(path) == Yahtzee().scorecard()


def test_files_that_cannot_be_read_are_refused_in_one_line(tmp_path: Path) -> None:
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"name = '\xff'")
    cases: list[tuple[Any, str]] = [
        (tmp_path / "none.toml", "cannot be read (No such file or directory)"),
        (tmp_path, "cannot be read (Is a directory)"),
        (binary, "is not UTF-8 at byte 8"),
        ("a\0b", "is no path"),
        (tmp_path / ("a" * 300), "cannot be read"),
        (tmp_path / "two\nlines", "cannot be read"),
    ]
    for path, message in cases:
        with pytest.raises(RulesError) as caught:
            load_rules(path)
        assert message in str(caught.value)
        assert len(str(caught.value).splitlines()) == 1


def test_comments_list_every_kind_and_value() -> None:
    text = rules_file.rules_to_toml(Yahtzee().scorecard())
    comments = " ".join(line for line in text.splitlines() if line.startswith("#"))
    assert all(word in comments for word in (*LINE_KINDS, *LINE_VALUES))
    assert "{" not in comments


def test_a_changed_game_says_so_in_its_title() -> None:
    assert rules_from_toml('base = "yahtzee"').title == "Yahtzee"
    assert rules_from_toml('base = "yahtzee"\nthrows = 2').title == "Yahtzee, changed"
    assert rules_from_toml('base = "yahtzee"\ntitle = "Mine"\nthrows = 2').title == "Mine"
    assert rules_from_toml('base = "yahtzee"\n[options]\njoker = "free"').title == "Yahtzee (joker = free)"
