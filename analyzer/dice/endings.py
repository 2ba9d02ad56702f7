"""How a turn may end where it matters which throw made the dice, or where dice may be flipped before the entry.

In plain games the entry depends on the final roll alone. Else a turn ends in an *ending*: a final roll together with a
class, which tells what may still be done with it - is it served, may or must dice be flipped, must it score. Every
ending has *options*, ways to lay the dice on the table, each of which leads to a *row*: dice as they are entered,
served or not. Rows are what entries are looked up by; the first rows are the plain rolls.

Where a line is announced after the first throw, the rest of the turn is played in the *group* of that line, with
classes and rows of its own; elsewhere there is one group. Keeps and positions are numbered group by group:

- keep ``group * first_roll + node`` of less than all dice, ``groups * first_roll + ending`` of who stops;
- position ``group * 2 * rolls + roll`` after a throw of some dice, ``rolls`` more after a throw of all dice. After the
  last throw the position is the ending.

A turn starts in group 0; the keep after the first throw leads to the group of the line announced with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analyzer.fields import FieldError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.dice.clauses import Flips
    from analyzer.dice.lattice import Lattice
    from analyzer.dice.scorecard import ScorecardRules

ANYTHING, SCORING, PATTERNS, ONLY = range(4)
"""What may be entered in a row; ``ONLY + line``: that line, whether the dice score there or not."""

MOST_ROWS = (1 << 16) - 1

ALWAYS, IF_OPEN, IF_BETTER = range(3)
"""When an option is there: always; if an open pattern line takes the dice; if the second flip gains."""


class Row(NamedTuple):
    """Dice as they are entered."""

    roll: int
    served: bool = False
    limit: int = ANYTHING
    wins: bool = False


class Option(NamedTuple):
    """One way to lay the dice on the table: the row it leads to, and when it is there.

    With `IF_BETTER`, `first` and `second` are the rows after each of the two flips alone.
    """

    row: int
    when: int = ALWAYS
    first: int = -1
    second: int = -1


class EndClass(NamedTuple):
    """What is the same for all endings of a class."""

    served: bool
    wins: bool
    limit: int
    least: int
    """Dice that must be flipped, unless that is waived."""
    most: int
    """Dice that may be flipped."""
    waived: bool
    """Whether a pattern waives the flip that must be made."""


@dataclass(frozen=True, eq=False)
class Endings:
    """The rows, classes and options of a game.

    Attributes
    ----------
    rows : list of Row
        The plain rolls first, in the order of the lattice.
    class_of : int8 array (throws, 2 x groups)
        Class of a turn that ends with a throw (from 0), at ``2 * group`` of some dice, after it of all dice; -1 where
        that cannot be. The first classes are those of the last throw, in the same order.
    options : list of list of Option
        Of ending ``class * rolls + roll``. Empty if there is nothing to choose: endings are rolls, and rolls are rows.
    """

    rows: list[Row]
    class_of: NDArray[np.int8]
    classes: list[EndClass]
    options: list[list[Option]]

    def find(self, row: Row) -> int:
        """Index of a row; served dice that score no more than others are found among the plain ones."""
        return self._index.get(row, self._index.get(row._replace(served=False), row.roll))

    @property
    def groups(self) -> int:
        """Number of lines that may be announced, else 1."""
        return int(self.class_of.shape[1]) // 2

    @cached_property
    def _index(self) -> dict[Row, int]:
        return {row: i for i, row in enumerate(self.rows)}

    @property
    def wins(self) -> NDArray[np.bool_]:
        """Which endings win at once, (endings,)."""
        return np.array([len(found) == 1 and self.rows[found[0].row].wins for found in self.options], dtype=np.bool_)


def endings_of(rules: ScorecardRules, lattice: Lattice) -> Endings:
    """How a turn of a game may end."""
    rows = [Row(roll) for roll in range(lattice.rolls)]
    if not rules.by_throw:
        return Endings(rows, np.zeros((rules.throws, 2), dtype=np.int8), [], [])
    return _Builder(rules, lattice, rows).build()


class _Builder:
    def __init__(self, rules: ScorecardRules, lattice: Lattice, rows: list[Row]) -> None:
        self.rules = rules
        self.lattice = lattice
        self.rows = rows
        self.index = {row: i for i, row in enumerate(rows)}
        counts = lattice.roll_counts
        plain = np.array([line.scores(counts) for line in rules.lines])
        served = np.array([line.scores(counts, served=True) for line in rules.lines])
        pattern = np.array([line.is_pattern for line in rules.lines])
        self.shows = (served[pattern] > 0).any(axis=0)
        self.alike = counts.max(axis=1) == rules.dice
        self.differs = (plain != served).any(axis=0) | (self.alike & (rules.alike_as is not None))

    def build(self) -> Endings:
        rules, throws = self.rules, self.rules.throws
        groups = len(rules.lines) if rules.declare else 1
        every = [(group, full) for group in range(groups) for full in (False, True)]
        classes = [self._class(throws - 1, full, group) for group, full in every]
        class_of = np.full((throws, 2 * groups), -1, dtype=np.int8)
        for throw in range(throws):
            for group, full in every if throw else [(0, True)]:
                found = self._class(throw, full, group)
                if found not in classes:
                    classes.append(found)
                class_of[throw, 2 * group + full] = classes.index(found)
        options = [self._options(one, roll) for one in classes for roll in range(self.lattice.rolls)]
        if rules.declare and len(self.rows) > MOST_ROWS:
            problem = (
                f"= true with {rules.dice} dice, {rules.faces} faces and {groups} lines makes {len(self.rows):,} kinds"
                f" of final dice, above the limit of {MOST_ROWS:,}; use fewer of them"
            )
            raise FieldError("declare", problem, rules.name)
        return Endings(self.rows, class_of, classes, options)

    def _class(self, throw: int, full: bool, group: int) -> EndClass:
        """Class of a turn that ends with a throw (from 0), of all dice or not, in a group."""
        rules, flips = self.rules, self.rules.flips
        first_or_any = {"any_full_throw": full, "first_throw_only": throw == 0}
        by_throw = [win.throw for win in rules.instant_wins if win.throw is not None]
        limit = ANYTHING
        if throw == 0 and rules.throws > 1:
            limit = {"free": ANYTHING, "scoring": SCORING, "patterns": PATTERNS}[rules.first_stop]
        elif rules.declare:
            limit = ONLY + group
        least, most, waived = _flips(flips, throw, full) if flips else (0, 0, True)
        wins = bool(by_throw) and first_or_any[by_throw[0]]
        return EndClass(first_or_any[rules.served], wins, limit, least, most, waived)

    def _row(self, row: Row) -> int:
        if row.served and not self.differs[row.roll]:
            row = row._replace(served=False)
        if row not in self.index:
            self.index[row] = len(self.rows)
            self.rows.append(row)
        return self.index[row]

    def _options(self, one: EndClass, roll: int) -> list[Option]:
        """As they lie first, then single flips, then double flips, each in ascending order of the dice flipped."""
        if one.wins and self.alike[roll]:
            return [Option(self._row(Row(roll, True, ANYTHING, True)))]
        flips = self.rules.flips
        found: list[Option] = []
        if one.least == 0:
            found.append(Option(self._row(Row(roll, one.served, one.limit))))
        elif one.waived and self.shows[roll] and flips:
            when = IF_OPEN if flips.waiver == "cell_open" else ALWAYS
            found.append(Option(self._row(Row(roll, one.served, one.limit)), when))
        dice = self.lattice.faces_of(self.lattice.first_roll + roll)[::-1]
        for some in (pair for n in range(1, one.most + 1) for pair in combinations(range(len(dice)), n)):
            row = self._flipped(dice, some, one.limit)
            if flips and flips.second == "must_improve" and len(some) == 2:
                single = sorted(self._flipped(dice, (i,), one.limit) for i in some)
                found.append(Option(row, IF_BETTER, *single))
            else:
                found.append(Option(row))
        always = {option.row: i for i, option in reversed(list(enumerate(found))) if option.when == ALWAYS}
        first = {option: i for i, option in reversed(list(enumerate(found)))}
        return [
            option
            for i, option in enumerate(found)
            if first[option] == i and (option.row not in always or always[option.row] == i)
        ]

    def _flipped(self, dice: tuple[int, ...], some: tuple[int, ...], limit: int) -> int:
        faces = [self.rules.faces + 1 - die if i in some else die for i, die in enumerate(dice)]
        return self._row(Row(self.lattice.index(faces) - self.lattice.first_roll, False, limit))


def _flips(flips: Flips, throw: int, full: bool) -> tuple[int, int, bool]:
    """Dice that must be flipped after a throw (from 0), dice that may be, and whether a pattern waives the former."""
    if throw + 1 < flips.from_throw:
        return 0, flips.early if throw == 0 else 0, True
    must = flips.first == "compulsory" and throw > 0
    return int(must), flips.most, full or flips.natural_waives
