"""Clauses of the rules that stand beside the lines: bonuses, jokers, stand-ins, flips, and ways to win at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from analyzer.dice.lines import MOST_POINTS
from analyzer.fields import FieldError, check_choice, check_integer, check_kind, check_name, check_switch, check_text

Joker = Literal["none", "forced", "free"]
JokerValues = Literal["fixed", "natural"]
Served = Literal["any_full_throw", "first_throw_only"]
AlikeWhen = Literal["zero", "filled", "always"]
FirstFlip = Literal["compulsory", "optional"]
Waiver = Literal["pattern_shown", "cell_open"]
SecondFlip = Literal["free", "must_improve"]
SettlementKind = Literal["highest", "difference", "columns"]
ColumnTie = Literal["nobody", "split"]
PairChoice = Literal["after_both", "immediate"]

JOKERS: tuple[Joker, ...] = get_args(Joker)
JOKER_VALUES: tuple[JokerValues, ...] = get_args(JokerValues)
SERVED: tuple[Served, ...] = get_args(Served)
ALIKE_WHEN: tuple[AlikeWhen, ...] = get_args(AlikeWhen)
FIRST_FLIPS: tuple[FirstFlip, ...] = get_args(FirstFlip)
WAIVERS: tuple[Waiver, ...] = get_args(Waiver)
SECOND_FLIPS: tuple[SecondFlip, ...] = get_args(SecondFlip)
SETTLEMENT_KINDS: tuple[SettlementKind, ...] = get_args(SettlementKind)
COLUMN_TIES: tuple[ColumnTie, ...] = get_args(ColumnTie)
PAIR_CHOICES: tuple[PairChoice, ...] = get_args(PairChoice)

MOST_FLIPS = 2
MOST_COLUMNS = 3
MOST_STAKE = 1000


def _said(name: str) -> str:
    """The name of a line in a sentence."""
    return name.replace("_", " ")


def _listed(parts: Sequence[str], last: str = "and") -> str:
    """One thing, or several with a word before the last."""
    return f" {last} ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class UpperBonus:
    """Points for a high total of the upper section.

    Parameters
    ----------
    points
        The bonus.
    threshold
        The total that earns it.
    strict
        True: the total must be higher than the threshold. False: the threshold itself is enough.

    Raises
    ------
    RulesError
        If a value is out of range.

    Examples
    --------
    >>> bonus = UpperBonus(points=35, threshold=63, strict=True)
    >>> [bonus.earned(total) for total in (62, 63, 64)]
    [0, 0, 35]
    """

    points: int
    threshold: int
    strict: bool = False

    def __post_init__(self) -> None:
        check_integer("points", self.points, 1, MOST_POINTS, "upper_bonus")
        check_integer("threshold", self.threshold, 0, MOST_POINTS, "upper_bonus")
        check_switch("strict", self.strict, "upper_bonus")
        if self.least == 0:
            raise FieldError("threshold", "= 0 is reached by every scorecard; give 1 or more", "upper_bonus")

    @property
    def least(self) -> int:
        """The lowest upper total that earns the bonus."""
        return self.threshold + self.strict

    @property
    def text(self) -> str:
        """The clause in a sentence, for people."""
        return f"Upper bonus: {self.points} points for an upper total of {self.least} or more."

    def earned(self, upper_total: int) -> int:
        """Return the bonus that an upper total earns: all of it or 0."""
        return self.points if upper_total >= self.least else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraFive:
    """What a throw of all dice alike is worth once a line has been filled.

    Parameters
    ----------
    line
        Name of a line of the kind ``all_alike`` with fixed points.
    points
        Bonus for every throw of all dice alike while `line` holds its points; 0 for jokers without a bonus.
    joker
        How such dice are entered once `line` is filled. ``none``: like any others. ``forced``: in the upper
        line of their face if it is open, else in any open lower line with joker values, else as 0 in any open
        upper line. ``free``: in any open line, in a lower line with joker values if the upper line of their
        face is filled, with natural values before.
    joker_when_zero
        True: the joker rule holds also when `line` holds 0. False: only when it holds its points.
    joker_values
        What jokers score in lower lines. ``fixed``: as if they made the pattern. ``natural``: what the dice
        show.

    Raises
    ------
    RulesError
        If a value is out of range.
    """

    line: str
    points: int = 100
    joker: Joker = "forced"
    joker_when_zero: bool = False
    joker_values: JokerValues = "fixed"

    def __post_init__(self) -> None:
        check_name("line", self.line, "extra_five")
        check_integer("points", self.points, 0, MOST_POINTS, "extra_five")
        check_choice("joker", self.joker, JOKERS, "extra_five")
        check_switch("joker_when_zero", self.joker_when_zero, "extra_five")
        check_choice("joker_values", self.joker_values, JOKER_VALUES, "extra_five")
        if self.points == 0 and self.joker == "none":
            raise FieldError("points", "= 0 without a joker has no effect; leave extra_five out", "extra_five")

    @property
    def text(self) -> str:
        """The clause in a sentence or two, for people."""
        line = _said(self.line)
        once = f"once {line} {'is filled' if self.joker_when_zero else 'holds its points'}"
        paid = f"All dice alike once more, after {line} holds its points: {self.points} points extra."
        lower = "as if they made the pattern" if self.joker_values == "fixed" else "at what they show"
        forced = f"in the upper line of their face, else in a lower line {lower}, else as 0 in an upper line"
        free = f"in any open line, in a lower one {lower} if the upper line of their face is filled"
        rule = {
            "none": "",
            "forced": f"Joker rule (forced): {once}, such dice are entered {forced}.",
            "free": f"Joker rule (free): {once}, such dice are entered {free}.",
        }[self.joker]
        return " ".join([paid] * (self.points > 0) + [rule] * (rule != ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class AlikeAs:
    """Other lines that dice all alike may make, as they do not by themselves.

    Parameters
    ----------
    line
        Name of a line of the kind ``all_alike``.
    lines
        Names of lines of fixed value, which dice all alike then make.
    when
        ``zero``: once `line` holds 0. ``filled``: once it is filled. ``always``.

    Raises
    ------
    RulesError
        If a value is out of range.
    """

    line: str
    lines: tuple[str, ...]
    when: AlikeWhen = "zero"

    def __post_init__(self) -> None:
        check_name("line", self.line, "alike_as")
        check_kind("lines", self.lines, tuple | list, "a list of line names", "alike_as")
        object.__setattr__(self, "lines", tuple(self.lines))
        if not self.lines:
            raise FieldError("lines", "= [] has no effect; leave alike_as out or name lines", "alike_as")
        for name in self.lines:
            check_name("lines", name, "alike_as")
        check_choice("when", self.when, ALIKE_WHEN, "alike_as")

    @property
    def text(self) -> str:
        """The clause in a sentence, for people.

        Examples
        --------
        >>> AlikeAs(line="grande", lines=("full_house", "poker")).text
        'Once grande is struck (holds 0), dice all alike may be entered as full house or poker too.'
        """
        others = f"dice all alike may be entered as {_listed([_said(name) for name in self.lines], 'or')} too."
        once = {"zero": "is struck (holds 0)", "filled": "is filled", "always": ""}[self.when]
        return f"Once {_said(self.line)} {once}, {others}" if once else others.capitalize()


@dataclass(frozen=True, slots=True, kw_only=True)
class Flips:
    """Dice that are turned over (v becomes faces + 1 - v) after the last throw of a turn, before the entry.

    What flipped dice show is never served. Who flips throws no more in that turn.

    Parameters
    ----------
    first
        ``compulsory``: one die must be flipped, unless a throw of all dice shows a pattern; never after the first
        throw. ``optional``.
    most
        How many different dice may be flipped: 1 or 2.
    from_throw
        The first throw after which dice are flipped.
    early
        How many dice may be flipped after the first throw, if that comes before.
    waiver
        When a pattern waives the compulsory flip. ``pattern_shown``: always. ``cell_open``: if an open line takes it.
    natural_waives
        True: a pattern waives it also when not all dice were thrown.
    second
        ``free``: a second die may be flipped at will. ``must_improve``: only if the best open line then gains.

    Raises
    ------
    RulesError
        If a value is out of range.
    """

    first: FirstFlip = "compulsory"
    most: int = 2
    from_throw: int = 2
    early: int = 0
    waiver: Waiver = "pattern_shown"
    natural_waives: bool = False
    second: SecondFlip = "free"

    def __post_init__(self) -> None:
        check_choice("first", self.first, FIRST_FLIPS, "flips")
        check_integer("most", self.most, 1, MOST_FLIPS, "flips")
        check_integer("from_throw", self.from_throw, 1, 10, "flips")
        check_integer("early", self.early, 0, MOST_FLIPS, "flips")
        check_choice("waiver", self.waiver, WAIVERS, "flips")
        check_switch("natural_waives", self.natural_waives, "flips")
        check_choice("second", self.second, SECOND_FLIPS, "flips")

    @property
    def text(self) -> str:
        r"""The clause in a few sentences, for people.

        Examples
        --------
        >>> print(Flips(first="optional", most=1).text.replace(". ", ".\n"))
        Flips: whoever ends a turn after throw 2 or later may turn one die over to the opposite face.
        Flipped dice are not served.
        """
        must = self.first == "compulsory"
        second = "a second one" + (" if the best open line gains by it" if self.second == "must_improve" else "")
        over = f"{'must' if must else 'may'} turn one die over to the opposite face"
        over += "" if self.most == 1 else f"{', and may turn over' if must else ', and'} {second}"
        parts = [f"Flips: whoever ends a turn after throw {self.from_throw} or later {over}."]
        if must:
            pattern = "a pattern" if self.natural_waives else "a pattern in a throw of all dice"
            need = " if an open line takes it" if self.waiver == "cell_open" else ""
            parts.append(f"With {pattern} nothing need be flipped{need}.")
        if self.early and self.from_throw > 1:
            dice = "one die" if self.early == 1 else f"up to {self.early} dice"
            parts.append(f"Whoever ends a turn before that may turn over {dice}.")
        return " ".join([*parts, "Flipped dice are not served."])


@dataclass(frozen=True, slots=True, kw_only=True)
class InstantWin:
    """A way to win the game at once: by a throw, or by what the scorecard holds after an entry.

    Parameters
    ----------
    name, title
        The name for look-ups, and the one for people, made from it if left out.
    throw
        All dice alike in a throw of all dice win: ``any_full_throw``, or ``first_throw_only``. Left out: the win is
        by the scorecard.
    needs
        Points that lines must hold at least, by line.
    any_of
        Lines of which `count` must hold points.
    count
        See `any_of`.

    Raises
    ------
    RulesError
        If a value is out of range, or nothing is asked for.
    """

    name: str
    title: str = ""
    throw: Served | None = None
    needs: tuple[tuple[str, int], ...] = ()
    any_of: tuple[str, ...] = ()
    count: int = 1

    def __post_init__(self) -> None:
        check_name("name", self.name, "instant win")
        owner = f"instant win {self.name!r}"
        if self.title == "":
            object.__setattr__(self, "title", self.name.replace("_", " ").capitalize())
        check_text("title", self.title, owner)
        if self.throw is not None:
            check_choice("throw", self.throw, SERVED, owner)
        given = self.needs.items() if isinstance(self.needs, Mapping) else self.needs
        check_kind("needs", given, object if isinstance(self.needs, Mapping) else tuple, "a table of points", owner)
        needs = tuple((name, least) for name, least in given)
        for name, least in needs:
            check_name("needs", name, owner)
            check_integer(f"needs.{name}", least, 1, MOST_POINTS, owner)
        object.__setattr__(self, "needs", needs)
        check_kind("any_of", self.any_of, tuple | list, "a list of line names", owner)
        object.__setattr__(self, "any_of", tuple(self.any_of))
        for name in self.any_of:
            check_name("any_of", name, owner)
        check_integer("count", self.count, 1, max(len(self.any_of), 1), owner)
        if (self.throw is None) == (not self.needs and not self.any_of):
            problem = "or needs, any_of: an instant win is by a throw or by the scorecard; give one of them"
            raise FieldError("throw", problem, owner)

    @property
    def text(self) -> str:
        """The clause in a sentence, for people.

        Examples
        --------
        >>> InstantWin(name="dormida", throw="any_full_throw").text
        'Dormida wins the game at once: dice all alike in a throw of all dice.'
        >>> InstantWin(name="rich", needs=(("poker", 45),), any_of=("grande_1", "grande_2")).text
        'Rich wins the game at once: poker with 45 points or more, and points in grande 1 or grande 2.'
        """
        if self.throw is not None:
            throw = {"any_full_throw": "a throw of all dice", "first_throw_only": "the first throw"}[self.throw]
            return f"{self.title} wins the game at once: dice all alike in {throw}."
        parts = []
        if self.needs:
            held = [f"{_said(name)} with {least}" for name, least in self.needs]
            parts.append(f"{_listed(held)} points or more")
        if self.any_of:
            names = [_said(name) for name in self.any_of]
            some = f"{self.count} of {', '.join(names)}"
            some = _listed(names, "or") if self.count == 1 else _listed(names) if self.count == len(names) else some
            parts.append(f"points in {some}")
        return f"{self.title} wins the game at once: {', and '.join(parts)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """How the sheets of several parties are settled.

    Parameters
    ----------
    kind
        ``highest``: the highest total wins one point, shared in a tie. ``difference``: the highest total receives from
        every other party the difference of their totals. ``columns``: every party fills several columns, and the
        highest total of a column receives that column's value from every other party. The other kinds take the total of
        all columns together.
    columns
        Columns of a sheet, each of them a scorecard; a turn fills one line of any column.
    column_values
        What the columns are worth, with the kind ``columns``.
    sweep_total
        What whoever wins all columns receives from every other party instead of their values.
    tie
        Who wins what several parties share: ``nobody``, or ``split`` among them.
    stake
        What a point of the settlement is worth: payoffs are multiplied with it.
    alike_any_column
        True: the line that lets dice all alike make other lines (`AlikeAs`) may be in any column of the sheet.
    pair_choice
        Partners both throw, and one result is entered: chosen ``after_both``, or ``immediate``, before the second
        throws.
    two_attempts
        True: partners may hold the first attempt's result, a line and its points, while the second attempt is made.

    Raises
    ------
    RulesError
        If a value is out of range.
    """

    kind: SettlementKind = "highest"
    columns: int = 1
    column_values: tuple[int, ...] = ()
    sweep_total: int = 0
    tie: ColumnTie = "nobody"
    stake: int = 1
    alike_any_column: bool = False
    pair_choice: PairChoice = "after_both"
    two_attempts: bool = False

    def __post_init__(self) -> None:
        check_choice("kind", self.kind, SETTLEMENT_KINDS, "settlement")
        check_integer("columns", self.columns, 1, MOST_COLUMNS, "settlement")
        check_kind("column_values", self.column_values, tuple | list, "a list of points", "settlement")
        object.__setattr__(self, "column_values", tuple(self.column_values))
        for value in self.column_values:
            check_integer("column_values", value, 0, MOST_POINTS, "settlement")
        wanted = self.columns if self.kind == "columns" else 0
        if len(self.column_values) != wanted:
            problem = f"= {list(self.column_values)} are {len(self.column_values)}; give {wanted}, one for each column"
            raise FieldError("column_values", problem, "settlement")
        check_integer("sweep_total", self.sweep_total, 0, MOST_POINTS, "settlement")
        check_choice("tie", self.tie, COLUMN_TIES, "settlement")
        check_integer("stake", self.stake, 1, MOST_STAKE, "settlement")
        check_switch("alike_any_column", self.alike_any_column, "settlement")
        check_choice("pair_choice", self.pair_choice, PAIR_CHOICES, "settlement")
        check_switch("two_attempts", self.two_attempts, "settlement")

    @property
    def text(self) -> str:
        """The clause in a few sentences, for people; nothing where each party fills one sheet and the highest wins.

        Examples
        --------
        >>> Settlement(kind="columns", columns=2, column_values=(1, 2), sweep_total=4).text
        'A sheet has 2 columns, worth 1 and 2; who wins all of them receives 4 instead. A tie is won by nobody.'
        """
        parts = []
        if self.kind == "columns":
            worth = _listed([str(value) for value in self.column_values])
            sweep = f"; who wins all of them receives {self.sweep_total} instead" if self.sweep_total else ""
            parts.append(f"A sheet has {self.columns} columns, worth {worth}{sweep}.")
        elif self.kind == "difference":
            parts.append("The highest total receives its lead over every other one.")
        elif self != HIGHEST_WINS:
            parts.append("The highest total wins.")
        if self != HIGHEST_WINS:
            parts.append(f"A tie is {'won by nobody' if self.tie == 'nobody' else 'shared'}.")
        if self.stake > 1:
            parts.append(f"A point is worth {self.stake}.")
        if self.alike_any_column:
            parts.append("Dice all alike make other lines by what any column of the sheet holds.")
        if self.pair_choice == "immediate":
            parts.append("Partners choose the first result before the second throws.")
        if self.two_attempts:
            parts.append("Partners have two attempts at a turn, and may hold the result of the first.")
        return " ".join(parts)


HIGHEST_WINS = Settlement()
