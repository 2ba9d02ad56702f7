"""The rules of a scorecard game as data: lines, dice, throws, the upper bonus, extra fives and jokers."""

from __future__ import annotations

import hashlib
import json
import operator
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from analyzer.dice.clauses import (
    HIGHEST_WINS,
    SERVED,
    AlikeAs,
    ExtraFive,
    Flips,
    InstantWin,
    Served,
    Settlement,
    UpperBonus,
)
from analyzer.dice.lines import MOST_DICE, MOST_FACES, Line
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

Strike = Literal["free", "banned", "banned_if_avoidable"]
FirstStop = Literal["free", "scoring", "patterns"]

_STRIKE_TEXTS: Mapping[Strike, str] = {
    "free": "",
    "banned": "A line may be struck (filled with 0) only if the dice score nothing in any open line.",
    "banned_if_avoidable": "A line may be struck (filled with 0) only if no legal flips make the dice score.",
}
_FIRST_STOP_TEXTS: Mapping[FirstStop, str] = {
    "free": "",
    "scoring": "A turn may end after the first throw only with dice that score.",
    "patterns": "A turn may end after the first throw only with a pattern that scores.",
}

_DECLARE_TEXT = (
    "Whoever throws again after the first throw announces an open line then, and must fill it, with 0 if the dice score"
    " nothing there; no other line counts as open any more."
)

STRIKES: tuple[Strike, ...] = get_args(Strike)
FIRST_STOPS: tuple[FirstStop, ...] = get_args(FirstStop)

MOST_THROWS = 10
MOST_LINES = 20

_ID_VERSION = 1
_LATER_FIELDS = ("served", "alike_as", "flips", "strike", "first_stop", "instant_wins", "settlement", "declare")
"""Fields that came after others had ids: their defaults are no part of it."""


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
    served
        When the `served_points` of a line count. ``any_full_throw``: if the last throw threw all dice at once.
        ``first_throw_only``: after the first throw only.
    alike_as
        Other lines that dice all alike may make, or None.
    flips
        Dice turned over before the entry, or None.
    strike
        When a line may be struck, that is filled with 0. ``free``: always. ``banned``: if the dice, as they are
        entered, score nothing in any open line. ``banned_if_avoidable``: if no legal flips would make them score.
    first_stop
        What may be entered after the first throw, if there are others. ``free``: anything. ``scoring``: what scores.
        ``patterns``: what scores in a line that shows a pattern.
    declare
        True: whoever throws again after the first throw announces an open line then, and must enter the turn in it:
        its points if the dice score there, else 0, whatever they score elsewhere. From then on no other line counts as
        open, also where it matters to flips and to `strike`. Who stops after the first throw announces nothing, and a
        win by a throw needs no line.
    instant_wins
        Ways to win the game at once, the first that holds counts.
    settlement
        How the sheets of several parties are settled.

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
    served: Served = "any_full_throw"
    alike_as: AlikeAs | None = None
    flips: Flips | None = None
    strike: Strike = "free"
    first_stop: FirstStop = "free"
    instant_wins: tuple[InstantWin, ...] = ()
    settlement: Settlement = HIGHEST_WINS
    declare: bool = False

    def __post_init__(self) -> None:
        check_name("name", self.name, "rules")
        if self.title == "":
            object.__setattr__(self, "title", self.name.replace("_", " ").title())
        check_text("title", self.title, self.name)
        check_integer("dice", self.dice, 1, MOST_DICE, self.name)
        check_integer("faces", self.faces, 2, MOST_FACES, self.name)
        check_integer("throws", self.throws, 1, MOST_THROWS, self.name)
        check_switch("lock_kept", self.lock_kept, self.name)
        check_switch("declare", self.declare, self.name)
        check_choice("served", self.served, SERVED, self.name)
        check_choice("strike", self.strike, STRIKES, self.name)
        check_choice("first_stop", self.first_stop, FIRST_STOPS, self.name)
        self._check_lines()
        self._check_bonuses()
        self._check_clauses()

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

    def _check_clauses(self) -> None:
        check_kind("alike_as", self.alike_as, AlikeAs | None, "an AlikeAs; give one or None", self.name)
        check_kind("settlement", self.settlement, Settlement, "a Settlement; give one", self.name)
        check_kind("flips", self.flips, Flips | None, "Flips; give them or None", self.name)
        check_kind("instant_wins", self.instant_wins, tuple | list, "a tuple of InstantWin; give one", self.name)
        object.__setattr__(self, "instant_wins", tuple(self.instant_wins))
        if self.alike_as:
            alike = [line.name for line in self.lines if line.kind == "all_alike"]
            check_choice("alike_as.line", self.alike_as.line, alike, self.name)
            fixed = [line.name for line in self.lines if line.value == "fixed" and line.name != self.alike_as.line]
            for name in self.alike_as.lines:
                check_choice("alike_as.lines", name, fixed, self.name)
            if self.extra_five:
                problem = "and extra_five both say how dice all alike are entered; leave one of them out"
                raise FieldError("alike_as", problem, self.name)
        if self.flips and self.flips.from_throw > self.throws:
            problem = f"= {self.flips.from_throw}, but a turn has {self.throws} throws; choose 1..{self.throws}"
            raise FieldError("flips.from_throw", problem, self.name)
        names: set[str] = set()
        for index, win in enumerate(self.instant_wins):
            check_kind(f"instant_wins[{index}]", win, InstantWin, "an InstantWin; give one", self.name)
            if win.name in names:
                problem = f"= {win.name!r} is there twice; rename one"
                raise FieldError(f"instant_wins[{index}].name", problem, self.name)
            names.add(win.name)
            for name in (*(name for name, _ in win.needs), *win.any_of):
                check_choice(f"instant_wins[{index}].needs or any_of", name, self.line_names, self.name)
        if sum(win.throw is not None for win in self.instant_wins) > 1:
            raise FieldError("instant_wins", "has two wins by a throw; leave one of them out", self.name)
        if self.by_throw and self.lock_kept:
            problem = (
                "= true cannot be combined with served points, flips, a rule for the first stop, declare or a win by a"
                " throw"
            )
            raise FieldError("lock_kept", f"{problem}; write false", self.name)
        if self.declare and self.throws < 2:
            raise FieldError("declare", "= true needs a second throw; write false, or throws = 2 or more", self.name)
        if self.declare and self.extra_five and self.extra_five.joker == "forced":
            problem = "= true cannot be combined with forced jokers, which choose the line themselves; write false"
            raise FieldError("declare", problem, self.name)
        if self.instant_wins and self.upper_bonus:
            raise FieldError("upper_bonus", "cannot be combined with instant_wins; leave one of them out", self.name)

    @property
    def by_throw(self) -> bool:
        """Whether it matters to the entry which throw made the dice, what was announced, or how dice are flipped."""
        return (
            self.flips is not None
            or self.first_stop != "free"
            or self.declare
            or any(line.served_points is not None for line in self.lines)
            or any(win.throw is not None for win in self.instant_wins)
        )

    @property
    def played_with(self) -> str:
        """What the game is played with, such as ``5 dice x 6 faces``."""
        return f"{self.dice} dice x {self.faces} faces"

    @property
    def text(self) -> str:
        """What the rules say beside dice, throws and lines, a line of text for each clause."""
        served = ""
        if any(line.served_points is not None for line in self.lines):
            how = "the last throw threw all of them" if self.served == "any_full_throw" else "the first throw made them"
            served = f"Dice are served if {how}."
        clauses = [self.upper_bonus, self.extra_five, self.alike_as, self.flips]
        parts = [served, *(clause.text for clause in clauses if clause)]
        if self.throws > 1:
            parts.append(_FIRST_STOP_TEXTS[self.first_stop])
        parts.append(_DECLARE_TEXT if self.declare else "")
        parts += [_STRIKE_TEXTS[self.strike], *(win.text for win in self.instant_wins), self.settlement.text]
        return "\n".join(filter(None, parts))

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
        for item in fields(self):
            if item.name in _LATER_FIELDS and getattr(self, item.name) == item.default:
                del play[item.name]
        for line in play["lines"]:
            del line["label"]
            if line["served_points"] is None:
                del line["served_points"]
        for win in play.get("instant_wins", ()):
            del win["title"]
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

    def score(self, dice: Sequence[int], line: str, *, served: bool = False) -> int:
        """Return what dice score on a line as they lie, jokers and stand-ins aside.

        Parameters
        ----------
        dice
            The faces shown, from 1, in any order.
        line
            The name of the line.
        served
            Whether the last throw threw all dice at once.

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
        return int(self.line(line).scores(self.counts(dice), served=served)[0])

    def to_toml(self) -> str:
        """Return the rules as the text of a rules file, with comments on the values each key may have."""
        from analyzer.dice.rules_file import rules_to_toml

        return rules_to_toml(self)


def _typed(faces: Sequence[int]) -> str:
    """Return dice as a person types them, in quotes."""
    text = " ".join(shown(face) for face in faces[:MOST_DICE])
    return f"'{text} ...'" if len(faces) > MOST_DICE else f"'{text}'"
