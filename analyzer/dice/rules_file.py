"""Rules files: scorecard rules read from and written to TOML. A file is data; nothing in it is executed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, replace
from typing import Any, TypeVar

from analyzer.dice.clauses import (
    ALIKE_WHEN,
    COLUMN_TIES,
    FIRST_FLIPS,
    HIGHEST_WINS,
    JOKER_VALUES,
    JOKERS,
    MOST_COLUMNS,
    MOST_FLIPS,
    MOST_STAKE,
    PAIR_CHOICES,
    SECOND_FLIPS,
    SERVED,
    SETTLEMENT_KINDS,
    WAIVERS,
    AlikeAs,
    ExtraFive,
    Flips,
    InstantWin,
    Settlement,
    UpperBonus,
)
from analyzer.dice.lines import LINE_KINDS, LINE_VALUES, MOST_DICE, MOST_FACES, MOST_POINTS, Line
from analyzer.dice.scorecard import FIRST_STOPS, MOST_LINES, MOST_THROWS, STRIKES, ScorecardRules
from analyzer.fields import MOST_TEXT, FieldError, shown, slug
from analyzer.toml_text import as_table, check_keys, dotted, entries

Clause = UpperBonus | ExtraFive | AlikeAs | Flips | Settlement
Made = TypeVar("Made", bound=ScorecardRules | Clause | InstantWin | Line)

_NONE = "none"
RULES_KEYS = tuple(field.name for field in fields(ScorecardRules))
"""What may stand at the top of a complete definition."""
_CLAUSES: Mapping[str, type[Clause]] = {
    "upper_bonus": UpperBonus,
    "extra_five": ExtraFive,
    "alike_as": AlikeAs,
    "flips": Flips,
    "settlement": Settlement,
}
_LISTS: Mapping[str, type[Line | InstantWin]] = {"lines": Line, "instant_wins": InstantWin}
_BASE_KEYS = ("base", "options", "change")


def rules_of(document: Mapping[str, Any], base: ScorecardRules | None = None) -> ScorecardRules:
    """Return the rules that the keys and tables of a TOML file give.

    The file is a complete definition, as `rules_to_toml` writes it; or it names a ``base`` and then gives only what
    differs. Keys at the top and in the tables ``[upper_bonus]``, ``[extra_five]``, ``[alike_as]`` and ``[flips]``
    replace those of the base, ``[change.<line>]`` replaces keys of one line, ``[[lines]]`` and ``[[instant_wins]]``
    replace all of them.

    Parameters
    ----------
    document
        The keys and tables.
    base
        The rules that the file's ``base`` and ``[options]`` stand for, if it has a base.

    Raises
    ------
    RulesError
        If a key is unknown (the nearest is named), missing, or has a value that is not allowed.

    Examples
    --------
    >>> pair = {"name": "pair", "kind": "of_a_kind", "n": 2}
    >>> rules_of({"name": "pairs", "dice": 3, "lines": [pair]}).score([4, 1, 4], "pair")
    9
    """
    if base is None:
        for key in document:
            if key in _BASE_KEYS:
                raise FieldError(key, 'means nothing without base; add base = "..." or leave it out')
        check_keys("", document, RULES_KEYS)
        return _make(ScorecardRules, "", _parts(document, None))
    check_keys("", document, (*RULES_KEYS, *_BASE_KEYS))
    given = {key: value for key, value in document.items() if key not in _BASE_KEYS}
    if "title" not in given and (given or "change" in document):
        given["title"] = f"{base.title}, changed"[:MOST_TEXT]
    changed = _make(ScorecardRules, "", _shallow(base) | _parts(given, base))
    return _change_lines(changed, as_table("change", document.get("change", {})))


def _parts(table: Mapping[str, Any], base: ScorecardRules | None) -> dict[str, Any]:
    """Return a table with its bonuses and lines made."""
    parts = dict(table)
    for key, clause in _CLAUSES.items():
        if parts.get(key) == _NONE:
            parts[key] = None
        elif key in parts:
            old = getattr(base, key) if base else None
            table = (_shallow(old) if old else {}) | as_table(key, parts[key])
            parts[key] = _make(clause, f"{key}.", table)
    for key, kind in _LISTS.items():
        if key not in parts:
            continue
        tables = parts[key]
        if not isinstance(tables, list):
            raise FieldError(key, f"= {shown(tables)} is not a list of tables; write [[{key}]] before each of them")
        parts[key] = tuple(
            _make(kind, f"{key}[{index}].", as_table(f"{key}[{index}]", one)) for index, one in enumerate(tables)
        )
    return parts


def _change_lines(rules: ScorecardRules, changes: Mapping[str, Any]) -> ScorecardRules:
    lines = list(rules.lines)
    for name, change in changes.items():
        path = f"change.{dotted(name)}"
        if slug(name) not in rules.line_names:
            check_keys("change.", [name], rules.line_names)
        index = rules.line_index(name)
        table = as_table(path, change)
        kept = {"name": lines[index].name, "label": lines[index].label}
        if "kind" not in table:
            kept = _shallow(lines[index])
            if table.get("value", "fixed") != "fixed":
                del kept["points"]
        lines[index] = _make(Line, f"{path}.", kept | table)
    return replace(rules, lines=tuple(lines))


def _make(kind: type[Made], path: str, table: Mapping[str, Any]) -> Made:
    """Return an instance made from a table; complaints name the key from the top of the file."""
    items = fields(kind)
    check_keys(path, table, [item.name for item in items])
    for item in items:
        if item.name not in table and item.default is MISSING:
            raise FieldError(f"{path}{item.name}", "is missing; add it")
    try:
        return kind(**table)
    except FieldError as error:
        raise FieldError(f"{path}{error.field}", error.problem) from None


def _shallow(instance: ScorecardRules | Clause | Line) -> dict[str, Any]:
    return {item.name: getattr(instance, item.name) for item in fields(instance)}


_HEAD = """\
# Rules of a dice game with a scorecard. All text after a # is a comment.

"""
_LINES_HEAD = f"""\
# The lines of the scorecard, 1..{MOST_LINES}, in this order. Keys of a line:
#   name        a-z, 0-9 and _
#   label       the line as people read it; may be left out
#   kind        {", ".join(LINE_KINDS[:4])},
#               {", ".join(LINE_KINDS[4:])}
#   face        for the kind face: the face that counts
#   n           for of_a_kind: how many dice alike; for total: how many of them must be alike, may be left out
#   length      for straight: how many faces in a row
#   sets        for straight, instead of length: the sets of faces that fit, e.g. [[1, 2, 3], [4, 5, 6]]
#   total       for total: what the dice must add up to
#   same_face   for two_pairs, full_house: true if four (five) dice alike fit as well
#   exactly     for of_a_kind, two_pairs, full_house, straight: true if more dice (a longer run) do not fit
#   value       {", ".join(LINE_VALUES)} (of the pattern)
#   points      for the value fixed: 1..{MOST_POINTS}
#   served_points   for the value fixed: if the last throw threw all dice, not below points (then 0 or more)
#   section     upper (only the kind face, and its default), lower
"""


def rules_to_toml(rules: ScorecardRules) -> str:
    """Return the text of a rules file, with comments on the values each key may have.

    Reading the text back gives equal rules.

    Examples
    --------
    >>> from analyzer.games.yahtzee import Yahtzee
    >>> from analyzer.toml_text import parse
    >>> rules = Yahtzee().scorecard()
    >>> rules_of(parse(rules_to_toml(rules))) == rules
    True
    """
    blocks = [
        _HEAD
        + entries(
            (
                ("name", rules.name, "a-z, 0-9 and _"),
                ("title", rules.title, "the name as people read it"),
                ("dice", rules.dice, f"how many dice: 1..{MOST_DICE}"),
                ("faces", rules.faces, f"faces of each die: 2..{MOST_FACES}"),
                ("throws", rules.throws, f"throws per turn, the first one included: 1..{MOST_THROWS}"),
                ("lock_kept", rules.lock_kept, "true: dice once kept stay for the rest of the turn"),
                ("served", rules.served, f"when served_points count: {', '.join(SERVED)}"),
                ("strike", rules.strike, f"a line may be struck (0): {', '.join(STRIKES)}"),
                ("first_stop", rules.first_stop, f"what may be entered then: {', '.join(FIRST_STOPS)}"),
                ("declare", rules.declare, "true: who throws again after the first throw announces a line"),
            )
        )
    ]
    if rules.upper_bonus:
        bonus = rules.upper_bonus
        upper = (
            ("points", bonus.points, f"1..{MOST_POINTS}"),
            ("threshold", bonus.threshold, "the total of the upper lines that earns the points"),
            (
                "strict",
                bonus.strict,
                "true: the total must be higher than the threshold; false: it may equal it",
            ),
        )
        blocks.append("# Leave this table out for no upper bonus.\n[upper_bonus]\n" + entries(upper))
    if rules.extra_five:
        five = rules.extra_five
        extra = (
            ("line", five.line, "the line of the kind all_alike that must be filled first"),
            ("points", five.points, "for all dice alike while the line holds its points; 0 for jokers only"),
            ("joker", five.joker, f"how such dice are entered: {', '.join(JOKERS)}"),
            ("joker_when_zero", five.joker_when_zero, "true: jokers also when the line holds 0"),
            (
                "joker_values",
                five.joker_values,
                f"what jokers score in lower lines: {', '.join(JOKER_VALUES)}",
            ),
        )
        blocks.append("# Leave this table out for no extra fives and no jokers.\n[extra_five]\n" + entries(extra))
    if rules.alike_as:
        other = (
            ("line", rules.alike_as.line, "a line of the kind all_alike"),
            ("lines", list(rules.alike_as.lines), "lines of fixed value that dice all alike then make"),
            ("when", rules.alike_as.when, f"what the line holds: {', '.join(ALIKE_WHEN)}"),
        )
        blocks.append("# Leave this table out if dice all alike make no other lines.\n[alike_as]\n" + entries(other))
    if rules.flips:
        blocks.append("# Leave this table out for no flips.\n[flips]\n" + entries(_flip_entries(rules.flips)))
    if rules.settlement != HIGHEST_WINS:
        what = "# How the sheets of several parties are settled; left out: the highest total wins.\n"
        blocks.append(f"{what}[settlement]\n" + entries(_settlement_entries(rules.settlement)))
    blocks += ["[[instant_wins]]\n" + entries(_win_entries(win)) for win in rules.instant_wins]
    lines = ["[[lines]]\n" + _line_entries(line) for line in rules.lines]
    return "\n".join([*blocks, _LINES_HEAD, *lines])


def _flip_entries(flips: Flips) -> tuple[tuple[str, object, str], ...]:
    return (
        ("first", flips.first, f"the first flip: {', '.join(FIRST_FLIPS)}"),
        ("most", flips.most, f"how many different dice may be flipped: 1..{MOST_FLIPS}"),
        ("from_throw", flips.from_throw, "the first throw after which dice are flipped"),
        ("early", flips.early, f"how many may be flipped after an earlier first throw: 0..{MOST_FLIPS}"),
        ("waiver", flips.waiver, f"when a pattern waives the first flip: {', '.join(WAIVERS)}"),
        ("natural_waives", flips.natural_waives, "true: also if not all dice were thrown"),
        ("second", flips.second, f"the second flip: {', '.join(SECOND_FLIPS)}"),
    )


def _settlement_entries(one: Settlement) -> tuple[tuple[str, object, str], ...]:
    return (
        ("kind", one.kind, ", ".join(SETTLEMENT_KINDS)),
        ("columns", one.columns, f"columns of a sheet: 1..{MOST_COLUMNS}"),
        ("column_values", list(one.column_values), "for the kind columns: what each is worth"),
        ("sweep_total", one.sweep_total, "for the kind columns: what all of them together are worth"),
        ("stake", one.stake, f"what a point of the settlement is worth: 1..{MOST_STAKE}"),
        ("tie", one.tie, f"who wins a tie: {', '.join(COLUMN_TIES)}"),
        ("alike_any_column", one.alike_any_column, "true: the line of alike_as may be in any column"),
        ("pair_choice", one.pair_choice, f"which partner's result counts: {', '.join(PAIR_CHOICES)}"),
        ("two_attempts", one.two_attempts, "true: partners may hold the first attempt's result"),
    )


def _win_entries(win: InstantWin) -> list[tuple[str, object, str]]:
    rows: list[tuple[str, object, str]] = [("name", win.name, "a way to win at once"), ("title", win.title, "")]
    if win.throw is not None:
        rows.append(("throw", win.throw, f"dice all alike win: {', '.join(SERVED)}"))
    if win.needs:
        rows.append(("needs", dict(win.needs), "points that lines must hold at least"))
    if win.any_of:
        rows += [("any_of", list(win.any_of), "lines of which some must hold points"), ("count", win.count, "how many")]
    return rows


def _line_entries(line: Line) -> str:
    plain = Line.__dataclass_fields__
    always = {"name", "label", "kind", "value"}
    rows = []
    for key in ("name", "label", "kind", "face", "n", "length", "sets", "total", "same_face", "exactly"):
        value = getattr(line, key)
        if key in always or value != plain[key].default:
            rows.append((key, value, ""))
    rows.append(("value", line.value, ""))
    rows += [(key, getattr(line, key), "") for key in ("points", "served_points") if getattr(line, key) is not None]
    if line.kind == "face":
        rows.append(("section", line.section, ""))
    return entries(rows)
