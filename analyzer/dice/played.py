"""A record of a game against the rules: what every turn was played from, and what it wrote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from analyzer.dice.decisions import legal_ends
from analyzer.dice.endings import Row
from analyzer.dice.entries import final_score, upper_total, won
from analyzer.dice.own_policy import LegalEntries
from analyzer.errors import AnalyzerError, PositionError
from analyzer.fields import shown, unknown

if TYPE_CHECKING:
    from analyzer.dice.record import Dice, GameRecord, TurnRecord
    from analyzer.dice.states import StateSpace


@dataclass(frozen=True)
class PlayedTurn:
    """A turn that the rules allow.

    Attributes
    ----------
    turn : TurnRecord
    card : mapping of str to int
        Points by line filled before the turn.
    extra_points : int
        Extra-five points earned before it.
    laid : tuple of int
        The dice as they were entered, ascending; other than those thrown if some were flipped.
    served : bool
        Whether they were entered as served, in games where that matters.
    written : int
        Points written into the line; 0 without one.
    extra : int
        Extra-five points earned by the turn.
    win : str
        Name of the instant win that the turn made, or nothing.
    """

    turn: TurnRecord
    card: Mapping[str, int]
    extra_points: int
    laid: Dice
    served: bool
    written: int
    extra: int
    win: str

    @property
    def after(self) -> tuple[dict[str, int], int]:
        """Points by filled line, and the extra-five points, after the turn."""
        line = self.turn.line
        card = dict(self.card) | ({line: self.written} if line else {})
        return card, self.extra_points + self.extra

    def full(self, throw: int) -> bool:
        """Whether a throw (from 0) threw all dice."""
        return throw == 0 or not self.turn.keeps[throw - 1]


def check_record(space: StateSpace, record: GameRecord) -> list[PlayedTurn]:
    """Check a record against the rules of a game.

    Parameters
    ----------
    space : StateSpace
        Of the rules.
    record : GameRecord
        Of one player's game, from an empty scorecard on.

    Returns
    -------
    list of PlayedTurn

    Raises
    ------
    PositionError
        What cannot have been played so; the message names the turn, and the throw where it is one.

    Examples
    --------
    >>> from analyzer.dice.record import read_record
    >>> from analyzer.dice.states import StateSpace
    >>> from analyzer.games.yahtzee import Yahtzee
    >>> turn = {"throws": [[5, 5, 3, 2, 1], [5, 5, 5, 2, 6]], "keeps": [[5, 3]], "line": "fives"}
    >>> check_record(StateSpace.of(Yahtzee().scorecard()), read_record({"turns": [turn]}))
    Traceback (most recent call last):
    analyzer.errors.PositionError: turn 1, throw 2: dice 2 5 5 5 6 do not hold the kept dice 3 5; correct one of them
    """
    rules = space.rules
    card: dict[str, int] = {}
    extra = 0
    found: list[PlayedTurn] = []
    for number, turn in enumerate(record.turns, start=1):
        if found and found[-1].win:
            title = next(win.title for win in rules.instant_wins if win.name == found[-1].win)
            raise PositionError(f"turn {number} comes after turn {number - 1} has won the game ({title}); leave it out")
        if len(card) == len(rules.lines):
            raise PositionError(f"turn {number} has no line to fill: {rules.title} has {len(card)}; leave it out")
        with _at(f"turn {number}"):
            found.append(_Turn(space, turn, card, extra).check())
        card, extra = found[-1].after
    score = final_score(rules, card, extra)
    if record.score is not None and record.score != score:
        raise PositionError(f"score {record.score} is not what the turns make, {score}; correct it or a turn")
    return found


@contextmanager
def _at(where: str) -> Iterator[None]:
    """Complaints say where in the record."""
    try:
        yield
    except AnalyzerError as error:
        between = ", " if str(error).startswith("throw ") else ": "
        raise PositionError(f"{where}{between}{error}") from None


class _Turn:
    """A turn to be checked, from a scorecard."""

    def __init__(self, space: StateSpace, turn: TurnRecord, card: Mapping[str, int], extra_points: int) -> None:
        self.space = space
        self.rules = space.rules
        self.turn = turn
        self.card = card
        self.extra_points = extra_points

    def check(self) -> PlayedTurn:
        turn, rules, space = self.turn, self.rules, self.space
        self._check_declared()
        ending = self._check_throws()
        dice, last = turn.throws[-1], len(turn.throws) - 1
        full = last == 0 or not turn.keeps[-1]
        if space.endings.options and space.tables.ending_wins[ending]:
            win = next(win for win in rules.instant_wins if win.throw is not None)
            if turn.line or turn.flipped:
                raise PositionError(f"throw {last + 1} wins the game at once ({win.title}); leave line and flipped out")
            return PlayedTurn(turn, dict(self.card), self.extra_points, dice, full, 0, 0, win.name)
        legal = legal_in(space, self.card)
        row = self._row(legal, ending)
        entry, written = self._entry(legal, row)
        roll, served = space.endings.rows[row].roll, space.endings.rows[row].served
        laid = space.lattice.faces_of(space.lattice.first_roll + roll)[::-1]
        win_name = won(rules, dict(self.card) | {turn.line: written}) or ""
        extra = int(space.extra[entry])
        return PlayedTurn(turn, dict(self.card), self.extra_points, laid, served, written, extra, win_name)

    def _check_declared(self) -> None:
        turn, rules = self.turn, self.rules
        if not turn.declared:
            if rules.declare and len(turn.throws) > 1:
                raise PositionError("no line is announced before throw 2; give it as declared")
            return
        if not rules.declare:
            raise PositionError(f"no line is announced in {rules.title}; leave declared out")
        if len(turn.throws) == 1:
            raise PositionError("who stops after the first throw announces no line; leave declared out")
        rules.line_index(turn.declared)
        self._check_open(turn.declared, "announced line")

    def _check_open(self, line: str, what: str) -> None:
        if line in self.card:
            open_lines = [name for name in self.rules.line_names if name not in self.card]
            raise PositionError(f"{what} {line!r} is filled already; choose an open one: {', '.join(open_lines)}")

    def _check_throws(self) -> int:
        """Check dice and keeps; returns how the turn ended (see `analyzer.dice.endings`)."""
        turn, rules, space = self.turn, self.rules, self.space
        if not turn.throws:
            raise PositionError("there is no throw; give the dice after each")
        if len(turn.throws) > rules.throws:
            raise PositionError(f"{len(turn.throws)} throws are too many; {rules.title} has {rules.throws} a turn")
        if len(turn.keeps) != len(turn.throws) - 1:
            raise PositionError(
                f"{len(turn.throws)} throws and {len(turn.keeps)} keeps do not fit; give what was kept before each"
                f" further throw, {len(turn.throws) - 1} in all"
            )
        held: Dice = ()
        for throw, dice in enumerate(turn.throws):
            with _at(f"throw {throw + 1}"):
                rules.checked_dice(dice)
                if Counter(held) - Counter(dice):
                    raise PositionError(
                        f"dice {_said(dice)} do not hold the kept dice {_said(held)}; correct one of them"
                    )
                if throw < len(turn.keeps):
                    held = self._checked_keep(turn.keeps[throw], dice, held)
            full = throw == 0 or not turn.keeps[throw - 1]
            group = rules.line_index(turn.declared) if turn.declared and throw else 0
            roll = space.lattice.index(dice) - space.lattice.first_roll
            ending = space.ending(roll, throw, full, group)
            if space.endings.options and space.tables.ending_wins[ending] and throw < len(turn.keeps):
                raise PositionError(f"throw {throw + 1} wins the game at once; leave out what comes after")
        return ending

    def _checked_keep(self, keep: Dice, dice: Dice, held: Dice) -> Dice:
        if Counter(keep) - Counter(dice):
            raise PositionError(f"kept dice {_said(keep)} are not part of the roll {_said(dice)}; choose dice from it")
        if len(keep) == len(dice):
            raise PositionError("who keeps all dice stops; leave out this keep and the throws after it")
        if self.rules.lock_kept and Counter(held) - Counter(keep):
            raise PositionError(
                f"kept dice {_said(keep)} leave out some of {_said(held)}, which the rules lock; keep those too"
            )
        return keep

    def _row(self, legal: LegalEntries, ending: int) -> int:
        """The dice as they were entered."""
        space, turn = self.space, self.turn
        endings, lattice = space.endings, space.lattice
        if turn.flipped and self.rules.flips is None:
            raise PositionError(f"no dice are flipped in {self.rules.title}; leave flipped out")
        if not endings.options:
            return ending
        rows = legal.rows_of(ending)
        if not rows:
            raise PositionError(
                f"the rules do not allow to stop with {_said(turn.throws[-1])}, as nothing scores; correct the throws"
            )
        most = endings.classes[ending // lattice.rolls].most
        if len(turn.flipped) > most:
            raise PositionError(f"{len(turn.flipped)} flipped dice are too many after this throw; flip {most} at most")
        if Counter(turn.flipped) - Counter(turn.throws[-1]):
            raise PositionError(
                f"flipped dice {_said(turn.flipped)} are not part of the roll {_said(turn.throws[-1])}; give the faces"
                " that they showed before"
            )
        row = row_after(space, ending, turn.flipped)
        if row not in rows:
            ways = [_said(flips) for flips in flips_of(space, ending) if row_after(space, ending, flips) in rows]
            how = f"with {_said(turn.flipped)} flipped" if turn.flipped else "as they lie, with none flipped"
            raise PositionError(
                f"the dice {_said(turn.throws[-1])} may not be entered {how}; flip one of: {'; '.join(ways)}"
            )
        return row

    def _entry(self, legal: LegalEntries, row: int) -> tuple[int, int]:
        """Entry and points written."""
        line, rules = self.turn.line, self.rules
        if not line:
            raise PositionError("no line is filled; give it as line")
        if line not in rules.line_names:
            raise PositionError(unknown("line", line, rules.line_names))
        self._check_open(line, "line")
        found = legal.of_row(row)
        if line not in found:
            rows = self.space.endings.rows
            dice = self.space.lattice.faces_of(self.space.lattice.first_roll + rows[row].roll)[::-1]
            raise PositionError(
                f"the rules do not allow to enter {_said(dice)} as {shown(line)}; choose from {', '.join(found)}"
            )
        return found[line]


def legal_in(space: StateSpace, card: Mapping[str, int]) -> LegalEntries:
    """What may be done at the end of a turn from a scorecard."""
    return LegalEntries(space, *(found[0] for found in legal_ends(space, np.array([column_at(space, card)]))))


def column_at(space: StateSpace, card: Mapping[str, int]) -> int:
    """Column of a scorecard, also of one that is full or has won by its lines."""
    held = {space.rules.line_index(name): points for name, points in card.items()}
    return space.column_of(space.state_of(held), upper_total(space.rules, card))


def flips_of(space: StateSpace, ending: int) -> list[Dice]:
    """Every different choice of dice to flip at an ending, as far as their number is allowed: none first."""
    one, roll = divmod(ending, space.lattice.rolls)
    dice = space.lattice.faces_of(space.lattice.first_roll + roll)[::-1]
    most = space.endings.classes[one].most
    return list(dict.fromkeys(some for n in range(most + 1) for some in combinations(dice, n)))


def row_after(space: StateSpace, ending: int, flipped: Dice) -> int:
    """Row of an ending after some of its dice are flipped; it need not be a legal one."""
    one, roll = divmod(ending, space.lattice.rolls)
    kind, lattice = space.endings.classes[one], space.lattice
    if not flipped:
        return space.endings.find(Row(roll, kind.served, kind.limit))
    left = Counter(lattice.faces_of(lattice.first_roll + roll)) - Counter(flipped)
    laid = [*left.elements(), *(space.rules.faces + 1 - face for face in flipped)]
    return space.endings.find(Row(lattice.index(laid) - lattice.first_roll, False, kind.limit))


def _said(dice: Dice) -> str:
    return " ".join(map(str, dice)) or "nothing"
