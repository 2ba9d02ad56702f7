"""The user's own policy: a plain Python function, asked once for every position that comes up.

Its answers become decision tables like any other policy's, so that games still run at the kernels' speed; only the
positions that really occur are asked about.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.dice.decisions import TablePolicy, empty_tables, legal_ends
from analyzer.dice.endings import ANYTHING, ONLY, Row
from analyzer.dice.policies import Policy
from analyzer.dice.simulator import find_undecided
from analyzer.dice.throws import throws_of
from analyzer.errors import AnalyzerError, PolicyError
from analyzer.fields import shown, slug

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from numpy.typing import NDArray

    from analyzer.dice.scorecard import ScorecardRules
    from analyzer.dice.states import StateSpace

MAX_QUESTIONS = 50_000_000
"""Positions that an exact evaluation may ask about at most."""


@dataclass(frozen=True)
class Card:
    """What a policy sees of the scorecard: all that matters to the rest of the game.

    Attributes
    ----------
    rules : ScorecardRules
    open : tuple of str
        Open lines, in the order of the scorecard.
    upper_total : int
        Points written in the upper section.
    extra_five : str
        The line that counts for extra fives: ``"open"``, ``"zero"`` or ``"scored"``; ``"none"`` if there is no such
        line.
    round : int
        Number of this turn, from 1.
    locked : tuple of int
        Dice that were kept and, by the rules, stay kept; else empty.
    served : bool
        In games where that matters, whether the last throw threw all dice, and none has been flipped since.
    flips : tuple of tuples of int
        After the last throw, in games with flips: every way in which the dice may lie after them. The function is to
        return one of these, and is then asked for the line with no flips left.
    declared : str
        In games where a line is announced: the line that this turn will be entered in, empty until it is announced.
    """

    rules: ScorecardRules
    open: tuple[str, ...]
    upper_total: int
    extra_five: str
    round: int
    locked: tuple[int, ...] = ()
    served: bool = False
    flips: tuple[tuple[int, ...], ...] = ()
    declared: str = ""
    _legal: LegalEntries | None = field(default=None, repr=False, compare=False)

    def entries(self, dice: Sequence[int]) -> dict[str, int]:
        """Every line that these final dice may be entered in, with the points written there, jokers included."""
        assert self._legal is not None
        limit = ONLY + self.rules.line_index(self.declared) if self.declared else ANYTHING
        found = self._legal.of(self.rules.checked_dice(dice), self.served, limit)
        return {line: written for line, (_, written) in found.items()}

    def score(self, dice: Sequence[int], line: str) -> int:
        """Points of dice in a line as they lie, jokers aside."""
        return self.rules.score(dice, line, served=self.served)


@dataclass(frozen=True, eq=False)
class LegalEntries:
    """What may be done at the end of a turn in one state; the arrays are those of `LegalEnds`, of one slot."""

    space: StateSpace
    rows: NDArray[np.uint16]
    row_count: NDArray[np.uint8]
    entries: NDArray[np.uint16]
    entry_count: NDArray[np.uint8]

    def of(self, dice: Sequence[int], served: bool = False, limit: int = ANYTHING) -> dict[str, tuple[int, int]]:
        """Entry and points written, by line, in the order of the scorecard; see `Row.limit`."""
        lattice = self.space.lattice
        roll = lattice.index(dice) - lattice.first_roll
        return self.of_row(self.space.endings.find(Row(roll, served, limit)) if served or limit else roll)

    def of_row(self, row: int) -> dict[str, tuple[int, int]]:
        """As `of`, for a row."""
        space = self.space
        found = self.entries[row, : self.entry_count[row]]
        names = space.rules.line_names
        return {names[space.tables.entry_line[e]]: (int(e), int(space.written[e])) for e in found}

    def rows_of(self, ending: int) -> list[int]:
        """Rows of the options of an ending, in order."""
        return [int(row) for row in self.rows[ending, : self.row_count[ending]]]


class OwnPolicy(Policy):
    """A policy that a Python function decides.

    Parameters
    ----------
    space : StateSpace
        With unmerged lanes, as the function is told the upper total.
    function : callable
        ``function(dice, throws_left, card)``. `dice` are the faces on the table, ascending; `card` is a `Card`. With
        throws left it returns the faces to keep, all of them to stop; with none it returns the name of the line to
        fill. Where a line is announced, it returns ``(faces, line)`` to throw again after the first throw. It must give
        the same answer whenever it is asked the same.
    name : str
        What results call it.
    """

    family = "own"
    by_column = True

    def __init__(self, space: StateSpace, function: Callable[..., Any], name: str) -> None:
        self.space = space
        self.function = function
        self.name = name

    @property
    def text(self) -> str:
        """See `Policy`."""
        return self.name

    def tables(self, columns: NDArray[np.int64]) -> TablePolicy:
        """Complete decisions, whether they come up or not: one question for every position of every column.

        Raises
        ------
        PolicyError
            An illegal answer, or an exception in the function.
        """
        tables = empty_tables(self.space, len(columns))
        first = np.ones(tables.keeps.shape, dtype=np.bool_)
        if not self.space.endings.options:  # with locked dice there are fewer positions after the first throw
            first[0:1, self.space.lattice.rolls :] = False
        self.answer(columns, tables, first, np.ones(tables.entries.shape, dtype=np.bool_))
        return tables

    def tables_for_games(self, columns: NDArray[np.int64], *games: Any) -> TablePolicy:
        """Decisions that the given games come to; `games` are the last arguments of `find_undecided`."""
        tables = empty_tables(self.space, len(columns))
        throws = throws_of(self.space)
        while True:
            keeps = np.zeros(tables.keeps.shape, dtype=np.bool_)
            entries = np.zeros(tables.entries.shape, dtype=np.bool_)
            undecided = int(np.iinfo(tables.keeps.dtype).max)
            if not find_undecided(throws, tables, undecided, keeps, entries, *games):
                return tables
            self.answer(columns, tables, keeps, entries)

    def answer(
        self,
        columns: NDArray[np.int64],
        tables: TablePolicy,
        keeps: NDArray[np.bool_],
        entries: NDArray[np.bool_],
    ) -> None:
        """Ask about the marked positions and fill in the answers."""
        lattice = self.space.lattice
        legal = zip(*legal_ends(self.space, columns), strict=True)
        cards = [
            self.card(int(column), LegalEntries(self.space, *mine)) for column, mine in zip(columns, legal, strict=True)
        ]
        for s, position, slot in np.argwhere(keeps):
            tables.keeps[s, position, slot] = self._keep_at(int(s), int(position), cards[slot])
        for end, slot in np.argwhere(entries):
            if self.space.endings.options:
                tables.entries[end, slot] = self._entry_at(int(end), cards[slot])
            else:
                dice = lattice.faces_of(lattice.first_roll + int(end))[::-1]
                tables.entries[end, slot] = self._ask_entry(dice, cards[slot], int(end))

    def card(self, column: int, legal: LegalEntries) -> Card:
        """What the function sees of a column's scorecard."""
        space, rules = self.space, self.space.rules
        t = space.tables
        state = int(space.column_state[column])
        open_lines = int(t.state_open[state])
        lane = column - int(t.column_start[state])
        total = int(space.totals[int(t.lane_start[t.state_upper[state]]) + lane])
        names = tuple(name for j, name in enumerate(rules.line_names) if open_lines >> j & 1)
        five = ("open", "zero", "scored")[int(t.state_five[state])] if rules.extra_five else "none"
        return Card(rules, names, total, five, int(space.filled[state]) + 1, _legal=legal)

    def _keep_at(self, s: int, position: int, card: Card) -> int:
        """What is kept at a position after throw s."""
        throws_left = self.space.rules.throws - 1 - s
        if not self.space.endings.options:
            dice, locked = self._dice_at(s, position)
            return self._ask_keep(dice, throws_left, card, locked)
        space, lattice, t = self.space, self.space.lattice, self.space.tables
        one, roll = divmod(position, lattice.rolls)
        ending = int(t.class_of[s, one]) * lattice.rolls + roll
        if ending < 0 or t.ending_wins[ending]:
            return space.stop + max(ending, 0)
        group, full = divmod(one, 2)
        dice = lattice.faces_of(lattice.first_roll + roll)[::-1]
        card = replace(card, served=bool(full), declared=self._declared(int(t.class_of[s, one])))
        if card.declared and card.declared not in card.open:  # nobody can get here
            return space.stop + ending
        if space.rules.declare and s == 0:
            return self._ask_declaration(dice, throws_left, card, ending)
        node = self._ask_keep(dice, throws_left, card, ())
        if node < lattice.first_roll:
            return group * lattice.first_roll + node
        return self._checked_stop(dice, throws_left, card, ending)

    def _declared(self, one: int) -> str:
        """The line announced in the turns that end in a class."""
        limit = self.space.endings.classes[one].limit
        return self.space.rules.line_names[limit - ONLY] if limit >= ONLY else ""

    def _checked_stop(self, dice: tuple[int, ...], throws_left: int, card: Card, ending: int) -> int:
        """The keep of who stops, if that is allowed."""
        assert card._legal is not None
        if not card._legal.rows_of(ending):
            raise PolicyError(
                f"policy {self.name} kept all dice at {describe(dice, throws_left, card)}; the rules do not allow to"
                " stop there, as nothing scores; keep fewer"
            )
        return self.space.stop + ending

    def _ask_declaration(self, dice: tuple[int, ...], throws_left: int, card: Card, ending: int) -> int:
        """The keep after the first throw where a line is announced: less than all dice with a line, or all of them."""
        answer = self._call(dice, throws_left, card)
        line = ""
        faces = answer
        if isinstance(answer, tuple | list) and len(answer) == 2 and isinstance(answer[1], str):
            faces, line = answer[0], slug(answer[1])
        node = self._node(faces, dice, ())
        lattice = self.space.lattice
        if node is None or (node < lattice.first_roll) != (line in card.open):
            raise PolicyError(
                f"policy {self.name} answered {shown(answer)} at {describe(dice, throws_left, card)}; return (faces to"
                " keep, open line to announce), or all dice to stop"
            )
        if node < lattice.first_roll:
            return self.space.rules.line_index(line) * lattice.first_roll + node
        return self._checked_stop(dice, throws_left, card, ending)

    def _entry_at(self, ending: int, card: Card) -> int:
        """Entry at an ending: first the flips, if there is a choice, then the line."""
        lattice, legal, endings = self.space.lattice, card._legal, self.space.endings
        assert legal is not None
        one, roll = divmod(ending, lattice.rolls)
        dice = lattice.faces_of(lattice.first_roll + roll)[::-1]
        card = replace(card, declared=self._declared(one))
        laid: dict[tuple[int, ...], int] = {}
        for row in legal.rows_of(ending):
            laid.setdefault(lattice.faces_of(lattice.first_roll + endings.rows[row].roll)[::-1], row)
        if not laid:  # nobody can get here
            return 0
        if len(laid) > 1:
            card = replace(card, served=endings.classes[one].served, flips=tuple(laid))
            dice = self._ask_flips(dice, card, laid)
        row = laid[dice] if len(laid) > 1 else next(iter(laid.values()))
        if endings.rows[row].wins:
            return int(self.space.tables.row_win[row])
        dice = lattice.faces_of(lattice.first_roll + endings.rows[row].roll)[::-1]
        return self._ask_entry(dice, replace(card, served=endings.rows[row].served, flips=()), row)

    def _ask_flips(self, dice: tuple[int, ...], card: Card, laid: Collection[tuple[int, ...]]) -> tuple[int, ...]:
        answer = self._call(dice, 0, card)
        try:
            chosen = tuple(sorted(operator.index(face) for face in answer))
        except TypeError:
            chosen = ()
        if chosen not in laid:
            raise PolicyError(
                f"policy {self.name} answered {shown(answer)} at {describe(dice, 0, card)}; return the dice as they"
                " shall lie after the flips, one of card.flips"
            )
        return chosen

    def _dice_at(self, s: int, position: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Dice and locked dice of a position, ascending."""
        lattice, t = self.space.lattice, self.space.tables
        if t.union.size == 0 or s == 0:
            return lattice.faces_of(lattice.first_roll + position)[::-1], ()
        keep = int(np.searchsorted(t.pair_start, position, side="right")) - 1
        roll = lattice.first_roll + int(throws_of(self.space).position_roll[position])
        return lattice.faces_of(roll)[::-1], lattice.faces_of(keep)[::-1]

    def _call(self, dice: tuple[int, ...], throws_left: int, card: Card) -> Any:
        try:
            answer = self.function(dice, throws_left, card)
            return tuple(answer) if isinstance(answer, Iterator) else answer
        except (AnalyzerError, KeyboardInterrupt):
            raise
        except BaseException as error:
            raise PolicyError(
                f"policy {self.name} raised {type(error).__name__}: {error} at {describe(dice, throws_left, card)};"
                " make it answer there"
            ) from error

    def _ask_keep(self, dice: tuple[int, ...], throws_left: int, card: Card, locked: tuple[int, ...]) -> int:
        if locked:
            card = replace(card, locked=locked)
        answer = self._call(dice, throws_left, card)
        node = self._node(answer, dice, locked)
        if node is None:
            must = f" that holds the locked dice {_faces(locked)}" if locked else ""
            raise PolicyError(
                f"policy {self.name} answered {shown(answer)} at {describe(dice, throws_left, card)};"
                f" return a part of the dice to keep{must}"
            )
        return node

    def _node(self, answer: Any, dice: tuple[int, ...], locked: tuple[int, ...]) -> int | None:
        """Node of the faces to keep, None if they cannot be kept."""
        try:
            keep = sorted(operator.index(face) for face in answer)
        except TypeError:
            return None
        if any(isinstance(face, bool) for face in answer):
            return None
        if Counter(keep) - Counter(dice) or Counter(locked) - Counter(keep):
            return None
        return self.space.lattice.index(keep)

    def _ask_entry(self, dice: tuple[int, ...], card: Card, row: int) -> int:
        answer = self._call(dice, 0, card)
        assert card._legal is not None
        legal = card._legal.of_row(row)
        if not isinstance(answer, str) or slug(answer) not in legal:
            raise PolicyError(
                f"policy {self.name} answered {shown(answer)} at {describe(dice, 0, card)};"
                f" return one of {', '.join(legal)}"
            )
        return legal[slug(answer)][0]


def describe(dice: Sequence[int], throws_left: int, card: Card) -> str:
    """A position in one line, for messages."""
    throws = f"{throws_left} throw{'' if throws_left == 1 else 's'} left"
    declared = f", announced: {card.declared}" if card.declared else ""
    return f"dice {_faces(dice)} with {throws}, open: {', '.join(card.open)}, upper total {card.upper_total}{declared}"


def _faces(dice: Sequence[int]) -> str:
    return " ".join(str(face) for face in dice)
