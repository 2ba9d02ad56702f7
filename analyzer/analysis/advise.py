"""What to do here: every legal decision with its exact value and its loss against the best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analyzer.analysis.result import Shown
from analyzer.dice.decisions import legal_ends
from analyzer.dice.turn import ILLEGAL, TIE
from analyzer.errors import PositionError
from analyzer.fields import shown

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.analysis.position import Position
    from analyzer.dice.lattice import Lattice
    from analyzer.dice.scorecard import ScorecardRules
    from analyzer.dice.states import StateSpace
    from analyzer.dice.turn_detail import TurnDetail


@dataclass(frozen=True, eq=False, repr=False)
class Advice(Shown):
    """The legal decisions of one position, best first.

    Attributes
    ----------
    position : Position
        The scorecard.
    dice : tuple of int
        All dice on the table, ascending.
    throws_left : int
        With 0 the decisions are entries, else keeps.
    target : int or None
        With a target, values are chances to reach it.
    value_name : str
        Column that options are ranked by: ``expected_score``, ``expected_value`` (with what an instant win is worth) or
        ``chance``.
    """

    position: Position
    dice: tuple[int, ...]
    throws_left: int
    target: int | None
    value_name: str
    _options: pd.DataFrame = field(repr=False)
    _outcomes: pd.DataFrame = field(repr=False)

    @property
    def _wins(self) -> str:
        """The instant win that the best keep has made already, or nothing."""
        first = self._outcomes.iloc[0]
        won = self.throws_left and first["probability"] == 1 and first["line"] not in self.position.rules.line_names
        return str(first["label"]) if won else ""

    @property
    def label(self) -> str:
        """The dice."""
        return " ".join(map(str, self.dice))

    @property
    def title(self) -> str:
        """The game."""
        return self.position.rules.title

    @property
    def best(self) -> tuple[int, ...] | str:
        """The best keep, or the best line."""
        row = self._options.iloc[0]
        found: tuple[int, ...] | str = row["keep"] if self.throws_left else row["line"]
        return found

    def options(self) -> pd.DataFrame:
        """Every legal decision, best first.

        Returns
        -------
        pandas.DataFrame
            With throws left: keep (tuple of faces), expected_score, loss; where a line is announced with the keep of
            the first throw, also declare (its label, empty for who stops). Without: line, label, points (gained by the
            entry, extra-five bonus included), expected_score, loss; in games with flips first laid (the dice as they
            lie after the flips) and served, in games with instant wins also wins (the title of the win that the entry
            makes, or nothing). See `value_name` for other columns than expected_score. Among equals the
            one that policies take stands first.
        """
        return self._options.copy()

    def outcomes(self) -> pd.DataFrame:
        """How the turn ends after the best decision: line, label, points, probability; the likeliest first."""
        return self._outcomes.copy()

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON; what ``analyzer advise --json`` prints."""
        options = self._options.copy()
        if self.throws_left:
            options["keep"] = [list(keep) for keep in options["keep"]]
        found: dict[str, Any] = {
            "game": self.position.rules.name,
            "rules_id": self.position.rules.id,
            "card": dict(self.position.card),
            "extra_points": self.position.extra_points,
            "dice": list(self.dice),
            "throws_left": self.throws_left,
            "options": options.to_dict("records"),
            "outcomes": self._outcomes.to_dict("records"),
        }
        return found if self.target is None else found | {"target": self.target}

    def __str__(self) -> str:
        best = self._options.iloc[0]
        value = best[self.value_name]
        choice = f"keep {faces(best['keep'])}" if self.throws_left else f"enter {best['label']}"
        if best.get("declare"):
            choice += f", announce {best['declare']}"
        if "laid" in self._options and best["laid"] != self.dice:
            choice = f"flip to {faces(best['laid'])}, {choice}"
        win = best.get("wins", "")
        if self._wins:
            what = f"wins at once: {self._wins}"
        elif win:
            what = f"wins at once: {win}; {self.value_name.replace('_', ' ')} {value:.3f}"
        elif self.target is not None:
            what = f"chance of {self.target} points {value:.3%}"
        elif self.value_name == "chance":
            what = f"chance of an instant win {value:.3%}"
        else:
            what = f"{self.value_name.replace('_', ' ')} {value:.3f}"
        return f"{self.title}, {self.label}, throws left {self.throws_left}: {choice} ({what})"

    def main_table(self) -> pd.DataFrame:
        """See `Shown`."""
        return self._options


@dataclass(frozen=True, eq=False, repr=False)
class OpeningTable(Shown):
    """The best keep of every roll of a turn's first throw."""

    position: Position
    table: pd.DataFrame = field(repr=False)
    """roll, probability, keep, expected_score, second_best_keep, loss (of the second best).

    Where a line is announced with the keep, also declare (its label, empty for who stops); all keeps count with their
    best lines.
    """

    def __str__(self) -> str:
        return f"{self.position.rules.title}: best keep of {len(self.table)} first rolls"

    def main_table(self) -> pd.DataFrame:
        """See `Shown`."""
        return self.table


def faces(dice: Sequence[int]) -> str:
    """Dice as people read them, ``nothing`` for none."""
    return " ".join(map(str, dice)) or "nothing"


def _ranked(frame: pd.DataFrame, value: str, tie: Sequence[int] | NDArray[np.int64]) -> pd.DataFrame:
    """Best first, with losses; equal values (to 1e-9) in the order of the tie rule."""
    values = frame[value].to_numpy()
    falling = np.argsort(-values, kind="stable")
    step = np.concatenate([[0], np.cumsum(-np.diff(values[falling]) > TIE)])
    order = falling[np.lexsort((np.asarray(tie)[falling], step))]
    frame = frame.iloc[order].reset_index(drop=True)
    frame["loss"] = np.maximum(frame[value].iloc[0] - frame[value], 0.0)
    return frame


def _outcome_frame(space: StateSpace, chances: NDArray[np.float64]) -> pd.DataFrame:
    made = np.flatnonzero(chances > 0)
    names = [_entry_name(space, int(entry)) for entry in made]
    frame = pd.DataFrame(
        {
            "line": [name for name, _ in names],
            "label": [label for _, label in names],
            "points": space.tables.entry_points[made].astype(np.int64),
            "probability": chances[made],
        }
    )
    return frame.sort_values("probability", ascending=False, kind="stable", ignore_index=True)


def advise_keep(
    position: Position,
    detail: TurnDetail,
    dice: Sequence[int],
    throws_left: int,
    *,
    locked: Sequence[int] = (),
    served: bool = False,
    declared: str = "",
    target: int | None = None,
    value_name: str = "expected_score",
) -> Advice:
    """Rank every keep.

    Parameters
    ----------
    position : Position
    detail : TurnDetail
        Of the position's column.
    dice : sequence of int
        All dice on the table.
    throws_left : int
        From 1 to the game's throws less 1.
    locked : sequence of int
        Dice that must be kept.
    served : bool
        Whether the last throw threw all dice, as the first does.
    declared : str
        The line announced after the first throw, in games where one is; see `check_turn`.
    target : int, optional
        If the values of `detail` are chances to reach it.
    value_name : str
        What the values of `detail` are.

    Raises
    ------
    PositionError
        Dice, throws or locked dice that do not exist in the game.
    """
    space, lattice = detail.space, detail.space.lattice
    thrown = check_turn(position.rules, dice, throws_left, locked, declared=declared)
    rest = list((Counter(thrown) - Counter(locked)).elements())
    roll = lattice.index(thrown)
    parts = lattice.union(lattice.index(locked), _parts(lattice, lattice.index(rest)))
    group = _group(position.rules, declared)
    ending = space.ending(roll - lattice.first_roll, space.rules.throws - 1 - throws_left, served, group)
    groups = _to_announce(position) if position.rules.declare and not declared else [group]
    keeps, values = _keep_values(detail, roll, parts, groups, throws_left, ending)
    base = position.score if value_name != "chance" else 0
    nodes = _nodes(space, keeps, roll)
    frame = pd.DataFrame({"keep": [lattice.faces_of(int(k))[::-1] for k in nodes]})
    if position.rules.declare and not declared:
        frame["declare"] = _labels(space, keeps)
    frame[value_name] = values + base
    frame["after"] = keeps
    options = _ranked(frame, value_name, keeps - nodes * (space.stop + space.ends))
    outcomes = _outcome_frame(space, detail.outcomes(int(options.pop("after").iloc[0]), throws_left))
    return Advice(position, thrown, throws_left, target, value_name, options, outcomes)


def _group(rules: ScorecardRules, declared: str) -> int:
    """Group of keeps (see `analyzer.dice.endings`) after a line was announced, or before."""
    return rules.line_index(declared) if declared else 0


def _to_announce(position: Position) -> list[int]:
    """Groups of the lines that may be announced."""
    return [position.rules.line_index(name) for name in position.open_lines]


def _nodes(space: StateSpace, keeps: NDArray[np.int64], roll: int) -> NDArray[np.int64]:
    """Node of each keep of a roll (a node)."""
    if not space.endings.options:
        return keeps
    return np.where(keeps < space.stop, keeps % space.lattice.first_roll, roll)


def _labels(space: StateSpace, keeps: NDArray[np.int64]) -> list[str]:
    """Label of the line announced with each keep, empty for who stops."""
    lines = space.rules.lines
    return [lines[k // space.lattice.first_roll].label if k < space.stop else "" for k in keeps.tolist()]


def _keep_values(
    detail: TurnDetail, roll: int, parts: NDArray[np.int64], groups: Sequence[int], throws_left: int, ending: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The legal keeps of a roll (a node) and their values, from its parts in some groups; who stops has `ending`."""
    space = detail.space
    if not space.endings.options:
        values = detail.keep_values[throws_left][parts]
        return parts[values > ILLEGAL], values[values > ILLEGAL]
    stop = np.array([space.stop + ending])
    if space.tables.ending_wins[ending]:
        return stop, detail.end_values[[ending]]
    less = parts[parts != roll]
    keeps = np.concatenate([*(group * space.lattice.first_roll + less for group in groups), stop])
    values = np.append(detail.keep_values[throws_left][keeps[:-1]], detail.end_values[ending])
    legal = values > ILLEGAL
    return keeps[legal], values[legal]


def advise_line(
    position: Position,
    detail: TurnDetail,
    dice: Sequence[int],
    *,
    served: bool = False,
    throw: int | None = None,
    declared: str = "",
    target: int | None = None,
    value_name: str = "expected_score",
) -> Advice:
    """Rank every legal entry of the final dice, in games with flips after every legal way to flip them.

    Parameters as for `advise_keep`; `throw` (from 0) is the throw after which the turn ends, by default the last.

    Raises
    ------
    PositionError
        Dice that do not exist in the game, or with which the rules do not allow to stop.
    """
    rules, space = position.rules, detail.space
    t, lattice = space.tables, space.lattice
    thrown = rules.checked_dice(dice)
    roll = lattice.index(thrown) - lattice.first_roll
    last = rules.throws - 1 if throw is None else throw
    legal = legal_ends(space, np.array([position.column(space)]))
    if space.endings.options:
        ending = space.ending(roll, last, served or last == 0, _group(rules, declared))
        laid_rows = legal.rows[0, ending, : legal.row_count[0, ending]].tolist()
    else:
        laid_rows = [roll]
    base = position.score if value_name != "chance" else 0
    rows = []
    for row in laid_rows:
        laid = lattice.faces_of(lattice.first_roll + space.endings.rows[row].roll)[::-1]
        for entry in legal.entries[0, row, : legal.entry_count[0, row]].tolist():
            name, label = _entry_name(space, entry)
            rows.append(
                {
                    "laid": laid,
                    "served": space.endings.rows[row].served,
                    "line": name,
                    "label": label,
                    "points": int(t.entry_points[entry]),
                    "wins": _win_by(space, detail.state, entry),
                    value_name: float(detail.entry_values[entry]) + base,
                }
            )
    if not rows:
        raise PositionError(f"the rules do not allow to stop with {faces(thrown)}, as nothing scores; throw again")
    frame = pd.DataFrame(rows)
    left_out = [] if rules.flips else ["laid", "served"]
    left_out += [] if rules.instant_wins else ["wins"]
    options = _ranked(frame.drop(columns=left_out), value_name, range(len(rows)))
    best = options.iloc[0]
    outcome = {"line": [best["line"]], "label": [best["label"]], "points": [best["points"]], "probability": [1.0]}
    return Advice(position, thrown, 0, target, value_name, options, pd.DataFrame(outcome))


def _win_by(space: StateSpace, state: int, entry: int) -> str:
    """Title of the instant win that an entry makes, or nothing."""
    t = space.tables
    win = int(space.ended[t.column_start[state + t.move_step[t.entry_move[entry]]]])
    return space.rules.instant_wins[win].title if win >= 0 else ""


def _entry_name(space: StateSpace, entry: int) -> tuple[str, str]:
    """Line and label of an entry; those of the instant win for the one that wins by a throw."""
    rules, line = space.rules, int(space.tables.entry_line[entry])
    if line < len(rules.lines):
        return rules.lines[line].name, rules.lines[line].label
    win = next(win for win in rules.instant_wins if win.throw is not None)
    return win.name, win.title


def _parts(lattice: Lattice, node: int) -> NDArray[np.int64]:
    """Every part of a node's dice, itself and nothing included; `Lattice.subsets` would list those of all nodes."""
    found, layer = {node}, {node}
    while layer:
        layer = {int(one) for k in layer for one in lattice.remove[k, : lattice.removals[k]]}
        found |= layer
    return np.array(sorted(found))


def check_turn(
    rules: ScorecardRules,
    dice: Sequence[int],
    throws_left: int,
    locked: Sequence[int] = (),
    *,
    served: bool = False,
    declared: str = "",
) -> tuple[int, ...]:
    """Dice of a turn, ascending.

    Where a line is announced after the first throw, `declared` tells it from then on.

    Raises
    ------
    PositionError
        Dice, throws, locked or served dice that do not exist in the game; a line announced too early, or not at all.
    RulesError
        An announced line that does not exist in the game.
    """
    thrown, throws = rules.checked_dice(dice), rules.throws
    given: object = throws_left
    if isinstance(given, bool) or not isinstance(given, int | np.integer) or not 0 <= given < throws:
        turn = "1 throw, so give 0" if throws == 1 else f"{throws} throws, so give 0..{throws - 1}"
        raise PositionError(f"throws left = {shown(throws_left)} cannot be; a turn has {turn}")
    held: object = locked
    if not isinstance(held, Sequence):
        raise PositionError(f"locked dice {shown(locked)} are no list of faces; give one, such as [5, 5]")
    if locked and not rules.lock_kept:
        raise PositionError(f"locked dice '{faces(locked)}' mean nothing in {rules.title}; leave them out")
    if served and not rules.by_throw:
        raise PositionError(f"served dice mean nothing in {rules.title}; leave served out")
    if declared and not rules.declare:
        raise PositionError(f"no line is announced in {rules.title}; leave declared out")
    if declared and throws_left == throws - 1:
        raise PositionError("a line is announced after the first throw, with the dice kept; leave declared out")
    if declared:
        rules.line_index(declared)
    elif rules.declare and throws_left < throws - 1:
        raise PositionError(f"{rules.title} has a line announced after the first throw; give it as declared")
    if Counter(locked) - Counter(thrown):
        raise PositionError(
            f"locked dice '{faces(locked)}' are not part of the roll {faces(thrown)}; choose dice from the roll"
        )
    return thrown


def open_game(position: Position, detail: TurnDetail, value_name: str = "expected_score") -> OpeningTable:
    """Best and second-best keep of every first roll, in the order of the dice."""
    space, lattice, rules = detail.space, detail.space.lattice, detail.space.rules
    if rules.throws < 2:
        raise PositionError(f"{rules.title} has one throw a turn; there is no keep to choose")
    base = position.score if value_name != "chance" else 0
    groups = _to_announce(position) if rules.declare else [0]
    rows = []
    for roll in range(lattice.rolls):
        node = lattice.first_roll + roll
        parts = lattice.subsets[lattice.subset_offset[node] : lattice.subset_offset[node + 1]].astype(np.int64)
        ending = space.ending(roll, 0, full=True)
        keeps, values = _keep_values(detail, node, parts, groups, rules.throws - 1, ending)
        nodes = _nodes(space, keeps, node)
        best = int(detail.tables.keeps[0, roll + (lattice.rolls if space.endings.options else 0), 0])
        value = float(values[keeps == best][0])
        kept = int(nodes[keeps == best][0])
        others, other_values = nodes[nodes != kept], values[nodes != kept]
        second = int(np.argmax(other_values)) if len(others) else None
        rows.append(
            {
                "roll": lattice.faces_of(node)[::-1],
                "probability": float(lattice.probability[node]),
                "keep": lattice.faces_of(kept)[::-1],
                **({"declare": _labels(space, np.array([best]))[0]} if rules.declare else {}),
                value_name: value + base,
                "second_best_keep": None if second is None else lattice.faces_of(int(others[second]))[::-1],
                "loss": np.nan if second is None else max(value - float(other_values[second]), 0.0),
            }
        )
    return OpeningTable(position, pd.DataFrame(rows).sort_values("roll", ignore_index=True))
