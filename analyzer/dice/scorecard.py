"""The rules of a scorecard game as data: lines, dice, throws, the upper bonus, extra fives and jokers."""

from __future__ import annotations

import hashlib
import json
import operator
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from analyzer.dice.lines import MOST_DICE, MOST_FACES, MOST_POINTS, Line
from analyzer.errors import PositionError, RulesError
from analyzer.fields import (
    FieldError,
    check_choice,
    check_integer,
    check_kind,
    check_name,
    check_switch,
    check_text,
    shown,
    slug,
    unknown,
)

Joker = Literal["none", "forced", "free"]
JokerValues = Literal["fixed", "natural"]

JOKERS: tuple[Joker, ...] = get_args(Joker)
JOKER_VALUES: tuple[JokerValues, ...] = get_args(JokerValues)

MOST_THROWS = 10
MOST_LINES = 20

_ID_VERSION = 1


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
        once = f"once {self.line} {'is filled' if self.joker_when_zero else 'holds its points'}"
        paid = f"All dice alike once more, after {self.line} holds its points: {self.points} points extra."
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
class ScorecardRules:
    """The rules of a dice game in which every turn fills one line of a scorecard.

    A turn throws all dice, then rethrows any of them up to ``throws - 1`` times, then enters the dice in one
    open line. The line and the dice fix the points; a line that the dice do not fit gets 0.

    Parameters
    ----------
    name, title
        The name for look-ups (lower-case letters, digits, ``_``) and the one for people, made from it if left
        out.
    lines
        The lines, 1 to 20, in the order of the scorecard.
    dice, faces
        How many dice (1..10), and how many faces each has (2..12); a face counts its number.
    throws
        Throws per turn, the first one included (1..10).
    lock_kept
        True: dice once kept may not be thrown again in the same turn.
    upper_bonus, extra_five
        Bonuses, or None.

    Raises
    ------
    RulesError
        If a value is out of range or the parts contradict each other.

    Examples
    --------
    >>> rules = ScorecardRules(
    ...     name="tiny",
    ...     lines=(Line(name="sixes", kind="face", face=6), Line(name="pair", kind="of_a_kind", n=2)),
    ...     dice=2,
    ... )
    >>> rules.title, rules.score((6, 6), "Pair"), rules.score((6, 5), "pair")
    ('Tiny', 12, 0)
    """

    name: str
    lines: tuple[Line, ...]
    title: str = ""
    dice: int = 5
    faces: int = 6
    throws: int = 3
    lock_kept: bool = False
    upper_bonus: UpperBonus | None = None
    extra_five: ExtraFive | None = None

    def __post_init__(self) -> None:
        check_name("name", self.name, "rules")
        if self.title == "":
            object.__setattr__(self, "title", self.name.replace("_", " ").title())
        check_text("title", self.title, self.name)
        check_integer("dice", self.dice, 1, MOST_DICE, self.name)
        check_integer("faces", self.faces, 2, MOST_FACES, self.name)
        check_integer("throws", self.throws, 1, MOST_THROWS, self.name)
        check_switch("lock_kept", self.lock_kept, self.name)
        self._check_lines()
        self._check_bonuses()

    def _check_lines(self) -> None:
        check_kind("lines", self.lines, tuple | list, f"a tuple of Line; give 1..{MOST_LINES}", self.name)
        for index, line in enumerate(self.lines):
            check_kind(f"lines[{index}]", line, Line, "a Line; give one", self.name)
        object.__setattr__(self, "lines", tuple(self.lines))
        if not 1 <= len(self.lines) <= MOST_LINES:
            problem = f"are {len(self.lines)}, outside 1..{MOST_LINES}; add or remove lines"
            raise FieldError("lines", problem, self.name)
        names: set[str] = set()
        upper_faces: set[int] = set()
        for index, line in enumerate(self.lines):
            field = f"lines[{index}]"
            if line.name in names:
                raise FieldError(f"{field}.name", f"= {line.name!r} is there twice; rename one line", self.name)
            names.add(line.name)
            if line.section == "upper" and line.face is not None:
                if line.face in upper_faces:
                    problem = f"= {line.face} is counted by two upper lines; give one of them section = 'lower'"
                    raise FieldError(f"{field}.face", problem, self.name)
                upper_faces.add(line.face)
            try:
                line.check_fits(self.dice, self.faces)
            except FieldError as error:
                raise FieldError(f"{field}.{error.field} of {line.name!r}", error.problem, self.name) from None

    def _check_bonuses(self) -> None:
        check_kind("upper_bonus", self.upper_bonus, UpperBonus | None, "an UpperBonus; give one or None", self.name)
        check_kind("extra_five", self.extra_five, ExtraFive | None, "an ExtraFive; give one or None", self.name)
        if self.upper_bonus and not self.upper_lines:
            problem = "needs a line in the upper section; add lines of the kind 'face' or leave the bonus out"
            raise FieldError("upper_bonus", problem, self.name)
        if self.extra_five is None:
            return
        fitting = [line.name for line in self.lines if line.kind == "all_alike" and line.value == "fixed"]
        if not fitting:
            problem = "needs a line of the kind 'all_alike' with points; add one or leave extra_five out"
            raise FieldError("extra_five", problem, self.name)
        check_choice("extra_five.line", self.extra_five.line, fitting, self.name)

    @property
    def line_names(self) -> tuple[str, ...]:
        """The names of the lines, in the order of the scorecard."""
        return tuple(line.name for line in self.lines)

    @property
    def upper_lines(self) -> tuple[Line, ...]:
        """The lines that count towards the upper bonus."""
        return tuple(line for line in self.lines if line.section == "upper")

    @property
    def id(self) -> str:
        """The stable id of the rules: 16 hexadecimal digits that depend on all that matters to play.

        The title and the labels do not matter, nor does the name of the game; the names and the order of the
        lines do, because they index results.
        """
        play = asdict(self)
        del play["name"], play["title"]
        for line in play["lines"]:
            del line["label"]
        if self.extra_five and self.extra_five.joker == "none":
            del play["extra_five"]["joker_when_zero"], play["extra_five"]["joker_values"]
        text = json.dumps([_ID_VERSION, play], sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def line_index(self, name: str) -> int:
        """Return the position of a line on the scorecard.

        Parameters
        ----------
        name
            The name of the line, in any case, with ``-`` or spaces for ``_``.

        Returns
        -------
        int
            From 0.

        Raises
        ------
        RulesError
            If there is no such line; the message names the nearest one.
        """
        names = self.line_names
        wanted = slug(name)
        if wanted not in names:
            raise RulesError(unknown("line", name, names))
        return names.index(wanted)

    def line(self, name: str) -> Line:
        """Return a line by its name, which is read as `line_index` reads it."""
        return self.lines[self.line_index(name)]

    def checked_dice(self, dice: Sequence[int]) -> tuple[int, ...]:
        """Return the dice of a complete throw, sorted.

        Parameters
        ----------
        dice
            The faces shown, from 1, in any order.

        Raises
        ------
        PositionError
            If the number of dice is wrong or a face does not exist.

        Examples
        --------
        >>> rules = ScorecardRules(name="tiny", lines=(Line(name="chance", kind="chance"),), dice=3)
        >>> rules.checked_dice([6, 1, 3])
        (1, 3, 6)
        """
        try:
            faces = tuple(sorted(operator.index(face) for face in dice))
        except TypeError:
            raise PositionError(
                f"dice {shown(dice)} are not faces; give {self.dice} whole numbers in 1..{self.faces}"
            ) from None
        if len(faces) != self.dice:
            raise PositionError(f"dice {_typed(faces)} are {len(faces)}; give {self.dice}, as {self.title} throws")
        if not 1 <= faces[0] <= faces[-1] <= self.faces:
            wrong = faces[0] if faces[0] < 1 else faces[-1]
            raise PositionError(f"dice {_typed(faces)} show {shown(wrong)}; choose faces in 1..{self.faces}")
        return faces

    def counts(self, dice: Sequence[int]) -> npt.NDArray[np.int64]:
        """Return a complete throw as counts of its faces, shape (1, faces).

        Raises
        ------
        PositionError
            If the number of dice is wrong or a face does not exist.
        """
        faces = self.checked_dice(dice)
        return np.bincount(faces, minlength=self.faces + 1)[1:].reshape(1, -1).astype(np.int64)

    def score(self, dice: Sequence[int], line: str) -> int:
        """Return what dice score on a line as they lie, jokers aside.

        Parameters
        ----------
        dice
            The faces shown, from 1, in any order.
        line
            The name of the line.

        Returns
        -------
        int
            Points, 0 if the dice do not fit.

        Raises
        ------
        PositionError
            If the dice are not a throw of this game.
        RulesError
            If there is no such line.
        """
        return int(self.line(line).scores(self.counts(dice))[0])

    def to_toml(self) -> str:
        """Return the rules as the text of a rules file, with comments on the values each key may have."""
        from analyzer.dice.rules_file import rules_to_toml

        return rules_to_toml(self)


def _typed(faces: Sequence[int]) -> str:
    """Return dice as a person types them, in quotes."""
    text = " ".join(shown(face) for face in faces[:MOST_DICE])
    return f"'{text} ...'" if len(faces) > MOST_DICE else f"'{text}'"
