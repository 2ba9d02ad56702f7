"""A line of a scorecard: what the dice must show, and what they then score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from analyzer.dice import patterns
from analyzer.dice.patterns import ABSENT, Counts, Sums
from analyzer.fields import (
    FieldError,
    check_choice,
    check_integer,
    check_name,
    check_switch,
    check_text,
    shown,
)

LineKind = Literal["face", "of_a_kind", "two_pairs", "full_house", "straight", "all_alike", "total", "chance"]
LineValue = Literal["fixed", "all_dice", "matching_dice"]
Section = Literal["upper", "lower"]

LINE_KINDS: tuple[LineKind, ...] = get_args(LineKind)
LINE_VALUES: tuple[LineValue, ...] = get_args(LineValue)
SECTIONS: tuple[Section, ...] = get_args(Section)

MOST_DICE = 10
MOST_FACES = 12
MOST_POINTS = 100_000

_BY_KIND: Any = None

_OWN_FIELDS: Mapping[LineKind, frozenset[str]] = {
    "face": frozenset({"face"}),
    "of_a_kind": frozenset({"n", "exactly"}),
    "two_pairs": frozenset({"same_face", "exactly"}),
    "full_house": frozenset({"same_face", "exactly"}),
    "straight": frozenset({"length", "sets", "exactly"}),
    "all_alike": frozenset(),
    "total": frozenset({"total", "n"}),
    "chance": frozenset(),
}
_NEEDED_FIELD: Mapping[LineKind, str] = {"face": "face", "of_a_kind": "n", "total": "total"}
_VALUES: Mapping[LineKind, tuple[LineValue, ...]] = {
    "face": ("matching_dice",),
    "total": ("fixed", "all_dice"),
    "chance": ("all_dice",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a scorecard.

    Parameters
    ----------
    name
        Lower-case letters, digits and ``_``; unique on its scorecard.
    kind
        ``face``: the dice of `face`, any number of them. ``of_a_kind``: at least `n` alike. ``two_pairs``:
        two faces with two dice each. ``full_house``: three dice of one face and two of another. ``straight``:
        a run of `length` faces, or all faces of one of the `sets`. ``all_alike``: all dice alike. ``total``:
        the dice add up to `total`, at least `n` of them alike if `n` is given. ``chance``: any dice.
    value
        What the line scores if the dice fit: ``fixed`` its `points`, ``all_dice`` the sum of all dice,
        ``matching_dice`` the sum of the dice that make the pattern, at its highest. Left out:
        ``matching_dice`` for a face, ``fixed`` if `points` are given, ``all_dice`` otherwise.
    points
        The score of a line with the value ``fixed``.
    served_points
        The score of a line with the value ``fixed`` if the last throw of the turn threw all dice at once (served, de
        mano); not below `points`, which may then be 0. Left out: the same as `points`.
    section
        ``upper`` counts towards the upper bonus; only lines of the kind ``face``, whose default it is.
    label
        The line as people read it; made from the name if left out.
    face, n, length, sets, total
        What the kind needs, see there.
    same_face
        For two pairs: four alike count as two pairs. For a full house: five alike count as both parts.
    exactly
        Of a kind, two pairs, full house: the faces show exactly the dice needed, not more. Straight: the run
        of `length` is not part of a longer one.

    Raises
    ------
    RulesError
        If a field is missing, out of range, or means nothing for the kind.

    Examples
    --------
    >>> pair = Line(name="pair", kind="of_a_kind", n=2)
    >>> pair.label, pair.section, pair.value
    ('Pair', 'lower', 'all_dice')
    >>> pair.scores(np.array([[1, 1, 1, 0, 2, 0], [1, 1, 1, 1, 1, 0]])).tolist()
    [16, 0]
    """

    name: str
    kind: LineKind
    face: int | None = None
    n: int | None = None
    length: int | None = None
    sets: tuple[tuple[int, ...], ...] | None = None
    total: int | None = None
    same_face: bool = False
    exactly: bool = False
    value: LineValue = _BY_KIND
    points: int | None = None
    served_points: int | None = None
    section: Section = _BY_KIND
    label: str = _BY_KIND

    def __post_init__(self) -> None:
        check_name("name", self.name, "line")
        self._check_choice("kind", LINE_KINDS)
        self._fill_in()
        check_text("label", self.label, self._owner)
        self._check_choice("section", SECTIONS)
        self._check_choice("value", LINE_VALUES)
        self._check_value()
        self._check_own_fields()
        if self.section == "upper" and self.kind != "face":
            problem = f"= 'upper' is for lines of the kind 'face', not {self.kind!r}; write 'lower'"
            raise FieldError("section", problem, self._owner)

    @property
    def _owner(self) -> str:
        return f"line {self.name!r}"

    def _fill_in(self) -> None:
        value = "matching_dice" if self.kind == "face" else "all_dice" if self.points is None else "fixed"
        section = "upper" if self.kind == "face" else "lower"
        label = self.name.replace("_", " ").capitalize()
        for field, default in (("value", value), ("section", section), ("label", label)):
            if getattr(self, field) is None:
                object.__setattr__(self, field, default)
        object.__setattr__(self, "sets", _tuples(self.sets))

    def _check_choice(self, field: str, choices: tuple[str, ...]) -> None:
        check_choice(field, getattr(self, field), choices, self._owner)

    def _check_value(self) -> None:
        if self.value not in _VALUES.get(self.kind, LINE_VALUES):
            self._check_choice("value", _VALUES[self.kind])
        if self.value == "fixed":
            if self.points is None:
                problem = f"is missing; a line of fixed value needs a whole number in 1..{MOST_POINTS}"
                raise FieldError("points", problem, self._owner)
            check_integer("points", self.points, 1 if self.served_points is None else 0, MOST_POINTS, self._owner)
            if self.served_points is not None:
                check_integer("served_points", self.served_points, max(self.points, 1), MOST_POINTS, self._owner)
            return
        for field in ("points", "served_points"):
            if getattr(self, field) is not None:
                problem = f"= {shown(getattr(self, field))} means nothing with the value {self.value!r}; leave it out"
                raise FieldError(field, problem, self._owner)

    @property
    def is_pattern(self) -> bool:
        """Whether the dice have to show something particular, as opposed to faces, a total, or anything."""
        return self.kind in ("of_a_kind", "two_pairs", "full_house", "straight", "all_alike")

    def _check_own_fields(self) -> None:
        for field in ("face", "n", "length", "sets", "total", "same_face", "exactly"):
            given = getattr(self, field)
            if given not in (None, False) and field not in _OWN_FIELDS[self.kind]:
                problem = f"= {shown(given)} means nothing for the kind {self.kind!r}; leave it out"
                raise FieldError(field, problem, self._owner)
        for field in ("same_face", "exactly"):
            check_switch(field, getattr(self, field), self._owner)
        limits = {"face": (1, MOST_FACES), "n": (2, MOST_DICE), "length": (2, MOST_FACES)}
        limits["total"] = (1, MOST_DICE * MOST_FACES)
        for field, (low, high) in limits.items():
            if getattr(self, field) is not None:
                check_integer(field, getattr(self, field), low, high, self._owner)
            elif _NEEDED_FIELD.get(self.kind) == field:
                problem = f"is missing; the kind {self.kind!r} needs a whole number in {low}..{high}"
                raise FieldError(field, problem, self._owner)
        if self.same_face and self.exactly:
            raise FieldError("exactly", "= true contradicts same_face = true; leave one of them out", self._owner)
        if self.kind == "straight":
            self._check_straight()

    def _check_straight(self) -> None:
        if (self.length is None) == (self.sets is None):
            which = "length and sets are both given" if self.sets is not None else "length is missing"
            raise FieldError("length", f"or sets: {which}; a straight needs exactly one of them", self._owner)
        if self.sets is None:
            return
        if self.exactly:
            raise FieldError("exactly", "= true means nothing with sets; leave it out or give length", self._owner)
        _check_sets(self.sets, self._owner)

    def check_fits(self, dice: int, faces: int) -> None:
        """Raise RulesError if the line asks for more than the dice can show.

        Parameters
        ----------
        dice, faces
            How many dice are thrown, and how many faces each has.

        Raises
        ------
        RulesError
            Naming the field that asks too much.
        """
        if self.face is not None and self.face > faces:
            self._refuse("face", self.face, f"the dice have {faces} faces", f"a face in 1..{faces}")
        if self.n is not None and self.n > dice:
            self._refuse("n", self.n, f"only {dice} dice are thrown", f"a number in 2..{dice}")
        if self.length is not None and self.length > min(dice, faces):
            most = min(dice, faces)
            self._refuse("length", self.length, f"{dice} dice of {faces} faces show at most {most}", "a shorter run")
        for index, needed in enumerate(self.sets or ()):
            if max(needed) > faces or len(needed) > dice:
                limit = f"{dice} dice with the faces 1..{faces} are thrown"
                self._refuse(f"sets[{index}]", list(needed), limit, "other faces")
        if self.total is not None and not dice <= self.total <= dice * faces:
            limit = f"{dice} dice of {faces} faces add up to {dice}..{dice * faces}"
            self._refuse("total", self.total, limit, "a number in that range")
        least = {"two_pairs": 4, "full_house": 5}.get(self.kind, 1)
        if dice < least:
            self._refuse("kind", self.kind, f"needs {least} dice and {dice} are thrown", "another kind")

    def _refuse(self, field: str, value: object, limit: str, remedy: str) -> None:
        raise FieldError(field, f"= {shown(value)} can never be made: {limit}; choose {remedy}", self._owner)

    def runs(self, faces: int) -> tuple[tuple[int, ...], ...]:
        """Return the sets of faces that make a straight with dice of so many faces; none for other kinds.

        Examples
        --------
        >>> Line(name="large_straight", kind="straight", length=5, points=40).runs(6)
        ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6))
        """
        if self.sets is not None:
            return self.sets
        if self.length is None:
            return ()
        return tuple(tuple(range(low, low + self.length)) for low in range(1, faces - self.length + 2))

    def satisfied(self, counts: Counts) -> npt.NDArray[np.bool_]:
        """Return whether each roll shows what the line needs.

        Parameters
        ----------
        counts
            Shape (rolls, faces): how many dice of each roll show each face.

        Returns
        -------
        ndarray
            Of booleans, shape (rolls,). A line of the kind ``face`` takes any dice: no die of its face scores
            0.

        Examples
        --------
        >>> full = Line(name="full_house", kind="full_house", points=25)
        >>> full.satisfied(np.array([[0, 3, 2, 0, 0, 0], [0, 5, 0, 0, 0, 0]])).tolist()
        [True, False]
        """
        made: npt.NDArray[np.bool_] = self._matching(counts) != ABSENT
        return made

    def scores(self, counts: Counts, *, served: bool = False) -> Sums:
        """Return what each roll scores on the line; 0 where the dice do not fit.

        Parameters
        ----------
        counts
            Shape (rolls, faces): how many dice of each roll show each face.
        served
            Whether the last throw threw all dice at once.

        Returns
        -------
        ndarray
            Points, int64, shape (rolls,).

        Examples
        --------
        >>> straight = Line(name="small_straight", kind="straight", length=4, points=30)
        >>> straight.scores(np.array([[1, 1, 1, 1, 0, 1], [2, 1, 1, 0, 1, 0]])).tolist()
        [30, 0]
        """
        matching = self._matching(counts)
        return np.where(matching == ABSENT, 0, self._worth(counts, matching, served))

    def made_points(self, served: bool) -> int:
        """Return what a line of fixed value scores when it is made.

        Examples
        --------
        >>> poker = Line(name="poker", kind="of_a_kind", n=4, points=40, served_points=45)
        >>> poker.made_points(served=False), poker.made_points(served=True)
        (40, 45)
        """
        assert self.points is not None, "the line has no fixed value"
        return self.served_points if served and self.served_points is not None else self.points

    def joker_scores(self, counts: Counts, fixed: bool) -> Sums:
        """Return what each roll scores on the line when dice that are all alike are placed as a joker.

        Parameters
        ----------
        counts
            Shape (rolls, faces): how many dice of each roll show each face.
        fixed
            True: a joker scores as if it made the pattern, that is the fixed points, the sum of all dice, or
            the sum of as many of the dice as the pattern takes (for a straight, which a joker resembles
            least, the sum of its highest run). False: a joker scores what the dice naturally score.

        Returns
        -------
        ndarray
            Points, int64, shape (rolls,). Rolls that are not all alike are no jokers and get their natural
            score, and so do lines of the kind ``face``.

        Examples
        --------
        >>> full = Line(name="full_house", kind="full_house", points=25)
        >>> fours = np.array([[0, 0, 0, 5, 0, 0]])
        >>> full.joker_scores(fours, fixed=True).tolist(), full.joker_scores(fours, fixed=False).tolist()
        ([25], [0])
        """
        natural = self.scores(counts)
        if not fixed or self.kind == "face":
            return natural
        alike = patterns.is_all_alike(counts)
        face = counts.argmax(axis=1).astype(np.int64) + 1
        match self.kind:
            case "of_a_kind":
                matching = face * (self.n or 0)
            case "two_pairs":
                matching = face * 4
            case "full_house":
                matching = face * 5
            case "straight":
                matching = np.full_like(face, max(sum(run) for run in self.runs(counts.shape[1])))
            case _:
                matching = patterns.total(counts)
        return np.where(alike, self._worth(counts, matching), natural)

    def _worth(self, counts: Counts, matching: Sums, served: bool = False) -> Sums:
        """Return the points of dice that fit, given the sum of those that make the pattern."""
        match self.value:
            case "fixed":
                return np.full(counts.shape[0], self.made_points(served), dtype=np.int64)
            case "all_dice":
                return patterns.total(counts)
            case "matching_dice":
                return matching

    def _matching(self, counts: Counts) -> Sums:
        """Return the sum of the dice that make the pattern, `ABSENT` where they do not."""
        match self.kind:
            case "face":
                return patterns.of_face(counts, self.face or 0)
            case "of_a_kind":
                return patterns.of_a_kind(counts, self.n or 0, exactly=self.exactly)
            case "two_pairs":
                return patterns.two_pairs(counts, same_face=self.same_face, exactly=self.exactly)
            case "full_house":
                return patterns.full_house(counts, same_face=self.same_face, exactly=self.exactly)
            case "straight":
                return patterns.face_set(counts, self.runs(counts.shape[1]), exactly=self.exactly)
            case "all_alike":
                return np.where(patterns.is_all_alike(counts), patterns.total(counts), ABSENT)
            case "total":
                made = (patterns.total(counts) == self.total) & (counts.max(axis=1) >= (self.n or 0))
                return np.where(made, patterns.total(counts), ABSENT)
            case "chance":
                return patterns.total(counts)


def _tuples(value: object) -> object:
    """Return lists, as files have them, as tuples."""
    return tuple(_tuples(item) for item in value) if isinstance(value, list | tuple) else value


def _check_sets(sets: object, owner: str) -> None:
    if not isinstance(sets, tuple) or not sets:
        problem = f"= {shown(sets)} is not a list of face lists; write e.g. [[1, 2, 3], [4, 5, 6]]"
        raise FieldError("sets", problem, owner)
    for index, faces in enumerate(sets):
        field = f"sets[{index}]"
        if not isinstance(faces, tuple) or not 2 <= len(faces) <= MOST_DICE:
            problem = f"= {shown(faces)} is not a list of 2..{MOST_DICE} faces; write e.g. [1, 2, 3]"
            raise FieldError(field, problem, owner)
        for face in faces:
            check_integer(field, face, 1, MOST_FACES, owner)
        if len(set(faces)) != len(faces):
            raise FieldError(field, f"= {shown(list(faces))} repeats a face; name each face once", owner)
