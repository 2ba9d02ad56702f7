"""The built-in policies of scorecard games, as data: a family, its parameters, and what it maximises in a turn.

`optimal`, `greedy`, `par` and `line` maximise an objective, with rerolls that are optimal for it; `random` plays
uniformly at random. A user's own policy is in `analyzer.dice.own_policy`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.dice.decisions import (
    Decisions,
    TablePolicy,
    UniformEndings,
    UniformPolicy,
    best_decisions,
    uniform_decisions,
)
from analyzer.dice.solver import turn_values
from analyzer.dice.turn import Objective
from analyzer.errors import PolicyError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from analyzer.dice.states import StateSpace

ELSEWHERE = 1e-4
"""A chased line outweighs every other entry by less than this, so that rerolls look at its points alone."""


class Policy(ABC):
    """A policy bound to a game: it decides every turn of it.

    Attributes
    ----------
    space : StateSpace
        The game.
    family : str
        Name without parameters.
    by_column : bool
        Whether decisions depend on the upper total; else one slot of decisions serves all columns of a state.
    """

    space: StateSpace
    family: str
    by_column: bool

    @property
    @abstractmethod
    def text(self) -> str:
        """Name and parameters, the same text for equal policies; `parse_policy` reads it."""

    @abstractmethod
    def tables(self, columns: NDArray[np.int64]) -> Decisions:
        """Decisions for a turn from each of the given columns (ascending), one slot each."""

    def tables_for_games(self, columns: NDArray[np.int64], *games: Any) -> Decisions:
        """As `tables`, where only the decisions that the given games come to are needed."""
        return self.tables(columns)


@dataclass(frozen=True, eq=False)
class Optimal(Policy):
    """Maximises the expected final score.

    Attributes
    ----------
    space : StateSpace
    values : float64 array (columns,)
        What the rest of the game is worth, from every column.
    """

    space: StateSpace
    values: NDArray[np.float64]
    family = "optimal"
    by_column = True
    point = 1.0
    """What a point is worth to it."""
    worth = "expected_score"
    """What its values are: ``expected_score``, ``expected_value`` (with what a win is worth), or ``chance``."""

    @property
    def text(self) -> str:
        """See `Policy`."""
        return self.family

    @cached_property
    def objective(self) -> Objective:
        """Points of the entry and the value of what follows."""
        return Objective(_same(self.point * self.space.tables.entry_points), -1, True, self.values)

    def tables(self, columns: NDArray[np.int64]) -> TablePolicy:
        """See `Policy`."""
        return best_decisions(self.space, self.objective, columns)


class Points(Optimal):
    """Maximises the expected score of the full scorecard, as if nobody could win at once."""

    family = "points"


@dataclass(frozen=True, eq=False)
class Mixed(Optimal):
    """Maximises the expected score with so many points more for an instant win, which ends the game."""

    win_value: float = 0.0
    family = "mixed"
    worth = "expected_value"

    @property
    def text(self) -> str:
        """See `Policy`."""
        return f"mixed:win_value={_number(self.win_value)}"


@dataclass(frozen=True, eq=False)
class Instant(Optimal):
    """Maximises the chance of an instant win, of any kind or of one."""

    win: str = ""
    family = "instant"
    point = 0.0
    worth = "chance"

    @property
    def text(self) -> str:
        """See `Policy`."""
        return f"instant:{self.win}" if self.win else "instant"


class Shortsighted(Policy):
    """A policy that looks no further than the turn."""

    by_column = False

    @property
    @abstractmethod
    def objective(self) -> Objective:
        """Worth of every entry."""

    def tables(self, columns: NDArray[np.int64]) -> TablePolicy:
        """See `Policy`."""
        return best_decisions(self.space, self.objective, columns)


@dataclass(frozen=True, eq=False)
class Greedy(Shortsighted):
    """Maximises the points of the turn: what the entry writes and an extra-five bonus. The upper bonus is left out."""

    space: StateSpace
    family = "greedy"

    @property
    def text(self) -> str:
        """See `Policy`."""
        return self.family

    @cached_property
    def objective(self) -> Objective:
        """Points of the entry."""
        return _turn_objective(_same(self.space.tables.entry_points))


@dataclass(frozen=True, eq=False)
class Par(Shortsighted):
    """Maximises the points of the turn above the par of the line that they are entered in."""

    space: StateSpace
    pars: Mapping[str, float]
    """Pars that differ from the built-in ones, by line."""
    family = "par"

    @property
    def text(self) -> str:
        """See `Policy`."""
        names = [name for name in self.space.rules.line_names if name in self.pars]
        given = ",".join(f"{name}={_number(self.pars[name])}" for name in names)
        return f"par:{given}" if given else "par"

    @cached_property
    def objective(self) -> Objective:
        """Points of the entry, less the par of its line."""
        t = self.space.tables
        par = built_in_pars(self.space)
        for name, value in self.pars.items():
            par[self.space.rules.line_index(name)] = value
        par = np.append(par, 0.0)  # for the entry that wins by a throw
        return _turn_objective(_same(t.entry_points - par[t.entry_line]))


@dataclass(frozen=True, eq=False)
class Chase(Shortsighted):
    """Plays for one line until it is filled, then greedily.

    While the line is open, rerolls maximise the points written there, and the turn is entered there. Where the joker
    rule sends the dice elsewhere, that counts as no points.
    """

    space: StateSpace
    line: str
    family = "line"

    @property
    def text(self) -> str:
        """See `Policy`."""
        return f"line:{self.line}"

    @cached_property
    def objective(self) -> Objective:
        """Points of the entry; entries elsewhere only as a last resort."""
        t = self.space.tables
        focus = self.space.rules.line_index(self.line)
        elsewhere = ELSEWHERE * (t.entry_points / (1 + t.entry_points.max()) - 1)
        chase = np.where(t.entry_line == focus, t.entry_points, elsewhere)
        return _turn_objective(np.stack([t.entry_points, chase]), focus)


@dataclass(frozen=True, eq=False)
class Random(Policy):
    """Every different legal keep equally likely, then every legal entry equally likely."""

    space: StateSpace
    family = "random"
    by_column = False

    @property
    def text(self) -> str:
        """See `Policy`."""
        return self.family

    def tables(self, columns: NDArray[np.int64]) -> UniformPolicy | UniformEndings:
        """See `Policy`."""
        return uniform_decisions(self.space, columns)


def _same(worth: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.stack([worth, worth])


def _turn_objective(worth: NDArray[np.float64], focus: int = -1) -> Objective:
    return Objective(worth, focus, False, np.zeros(1))


def _number(value: float) -> str:
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


def built_in_pars(space: StateSpace) -> NDArray[np.float64]:
    """What one turn spent on a line alone is worth: the expected points of chasing it, float64 array (lines,).

    To enter less than that wastes the line, to enter more is a gain over what it would bring anyway.
    """
    chases = [Chase(space, name) for name in space.rules.line_names]
    return np.array([turn_values(space, chase.objective, np.zeros(1, dtype=np.int64))[0] for chase in chases])


def check_line(space: StateSpace, name: str) -> str:
    """The line's name as the rules spell it."""
    return space.rules.line_names[space.rules.line_index(name)]


def parse_pars(space: StateSpace, text: str) -> dict[str, float]:
    """Read ``chance=22,sixes=18``.

    Raises
    ------
    PolicyError
        A part without ``=``, a value that is no number, or a line given twice.
    RulesError
        An unknown line.
    """
    pars: dict[str, float] = {}
    for part in text.split(","):
        name, equals, value = part.partition("=")
        if not equals:
            raise PolicyError(f"par '{part.strip()}' has no '='; write line=points, such as par:chance=22")
        line = check_line(space, name)
        try:
            number = float(value)
        except ValueError:
            number = float("nan")
        if not abs(number) < 1e5:
            raise PolicyError(f"par of {line} is '{value.strip()}'; give a number of points, such as {line}=20")
        if line in pars:
            raise PolicyError(f"par of {line} is given twice; give it once")
        pars[line] = number
    return pars
