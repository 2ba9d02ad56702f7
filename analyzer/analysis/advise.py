"""What to do here: every legal decision with its exact value and its loss against the best."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analyzer.analysis.result import Shown
from analyzer.dice.entries import legal_entries
from analyzer.dice.turn import TIE
from analyzer.errors import PositionError
from analyzer.fields import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

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
        With a target, values are chances to reach it; else expected final scores.
    """

    position: Position
    dice: tuple[int, ...]
    throws_left: int
    target: int | None
    _options: pd.DataFrame = field(repr=False)
    _outcomes: pd.DataFrame = field(repr=False)

    @property
    def value_name(self) -> str:
        """Column that options are ranked by: ``expected_score`` or ``chance``."""
        return "expected_score" if self.target is None else "chance"

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
            With throws left: keep (tuple of faces), expected_score, loss. Without: line, label, points (gained by the
            entry, extra-five bonus included), expected_score, loss. With a target, chance stands for expected_score.
            Among equals the one that policies take stands first.
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
        what = f"expected score {value:.3f}" if self.target is None else f"chance of {self.target} points {value:.3%}"
        return f"{self.title}, {self.label}, throws left {self.throws_left}: {choice} ({what})"

    def main_table(self) -> pd.DataFrame:
        """See `Shown`."""
        return self._options


@dataclass(frozen=True, eq=False, repr=False)
class OpeningTable(Shown):
    """The best keep of every roll of a turn's first throw."""

    position: Position
    table: pd.DataFrame = field(repr=False)
    """roll, probability, keep, expected_score, second_best_keep, loss (of the second best)."""

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
    rules = space.rules
    made = np.flatnonzero(chances > 0)
    lines = space.tables.entry_line[made]
    frame = pd.DataFrame(
        {
            "line": [rules.lines[j].name for j in lines],
            "label": [rules.lines[j].label for j in lines],
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
    locked: Sequence[int] = (),
    target: int | None = None,
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
    target : int, optional
        If the values of `detail` are chances to reach it.

    Raises
    ------
    PositionError
        Dice, throws or locked dice that do not exist in the game.
    """
    rules, space = position.rules, detail.space
    lattice = space.lattice
    thrown = check_turn(rules, dice, throws_left, locked)
    fixed = lattice.index(locked)
    rest = list((Counter(thrown) - Counter(locked)).elements())
    node = lattice.index(rest)
    keeps = lattice.union(fixed, _parts(lattice, node))
    name = "expected_score" if target is None else "chance"
    base = position.score if target is None else 0
    values = detail.keep_values[throws_left][keeps] + base
    frame = pd.DataFrame({"keep": [lattice.faces_of(int(k))[::-1] for k in keeps], name: values})
    options = _ranked(frame, name, -keeps)
    best = lattice.index(options["keep"].iloc[0])
    outcomes = _outcome_frame(space, detail.outcomes(best, throws_left))
    return Advice(position, thrown, throws_left, target, options, outcomes)


def advise_line(position: Position, detail: TurnDetail, dice: Sequence[int], target: int | None = None) -> Advice:
    """Rank every legal entry of the final dice; parameters as for `advise_keep`."""
    rules, space = position.rules, detail.space
    t = space.tables
    thrown = rules.checked_dice(dice)
    five = rules.extra_five
    alike = len(set(thrown)) == 1
    extra = five.points if five and alike and int(t.state_five[detail.state]) == 2 else 0
    name = "expected_score" if target is None else "chance"
    base = position.score if target is None else 0
    rows = []
    for line, written in legal_entries(rules, thrown, position.card).items():
        index = rules.line_index(line)
        match = (t.entry_line == index) & (space.written == written) & (space.extra == extra)
        entry = int(np.flatnonzero(match)[0])
        value = float(detail.entry_values[entry]) + base
        rows.append({"line": line, "label": rules.lines[index].label, "points": written + extra, name: value})
    options = _ranked(pd.DataFrame(rows), name, range(len(rows)))
    best = options.iloc[0]
    outcome = {"line": [best["line"]], "label": [best["label"]], "points": [best["points"]], "probability": [1.0]}
    return Advice(position, thrown, 0, target, options, pd.DataFrame(outcome))


def _parts(lattice: Lattice, node: int) -> NDArray[np.int64]:
    """Every part of a node's dice, itself and nothing included; `Lattice.subsets` would list those of all nodes."""
    found, layer = {node}, {node}
    while layer:
        layer = {int(one) for k in layer for one in lattice.remove[k, : lattice.removals[k]]}
        found |= layer
    return np.array(sorted(found))


def check_turn(
    rules: ScorecardRules, dice: Sequence[int], throws_left: int, locked: Sequence[int] = ()
) -> tuple[int, ...]:
    """Dice of a turn, ascending.

    Raises
    ------
    PositionError
        Dice, throws or locked dice that do not exist in the game.
    """
    thrown, throws = rules.checked_dice(dice), rules.throws
    if not 0 <= throws_left < throws:
        raise PositionError(
            f"throws left = {shown(throws_left)} cannot be; a turn has {throws} throws, so give 0..{throws - 1}"
        )
    if locked and not rules.lock_kept:
        raise PositionError(f"locked dice '{faces(locked)}' mean nothing in {rules.title}; leave them out")
    if Counter(locked) - Counter(thrown):
        raise PositionError(
            f"locked dice '{faces(locked)}' are not part of the roll {faces(thrown)}; choose dice from the roll"
        )
    return thrown


def open_game(position: Position, detail: TurnDetail) -> OpeningTable:
    """Best and second-best keep of every first roll, in the order of the dice."""
    lattice, rules = detail.space.lattice, detail.space.rules
    if rules.throws < 2:
        raise PositionError(f"{rules.title} has one throw a turn; there is no keep to choose")
    rows = []
    for roll in range(lattice.rolls):
        node = lattice.first_roll + roll
        keeps = lattice.subsets[lattice.subset_offset[node] : lattice.subset_offset[node + 1]].astype(np.int64)
        values = detail.keep_values[rules.throws - 1][keeps]
        best = int(detail.tables.keeps[0, roll, 0])
        others = np.where(keeps == best, -np.inf, values)
        second = int(np.argmax(others))
        value = float(detail.keep_values[rules.throws - 1][best])
        rows.append(
            {
                "roll": lattice.faces_of(node)[::-1],
                "probability": float(lattice.probability[node]),
                "keep": lattice.faces_of(best)[::-1],
                "expected_score": value + position.score,
                "second_best_keep": lattice.faces_of(int(keeps[second]))[::-1],
                "loss": max(value - float(others[second]), 0.0),
            }
        )
    return OpeningTable(position, pd.DataFrame(rows).sort_values("roll", ignore_index=True))
