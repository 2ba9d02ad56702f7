"""The result of grading a played game: decisions, throws and turns, and the sum that they make."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pandas as pd

from analyzer.analysis.result import Shown, records
from analyzer.dice.turn import TIE
from analyzer.engine.provenance import versions_in_use

if TYPE_CHECKING:
    from analyzer.dice.scorecard import ScorecardRules

PERCENT = "z.3%"
DECISIONS = ["turn", "throw", "kind", "dice", "chosen", "best", "value_chosen", "value_best", "lost"]
THROWS = ["turn", "throw", "kept", "dice", "value_before", "value_after", "luck"]
TURNS = ["turn", "line", "label", "points", "value_start", "luck", "lost", "value_end"]


@dataclass(frozen=True, eq=False, repr=False)
class Grading(Shown):
    """A played game, graded. Made by `grade`.

    A *value* is what best play can expect of the final score, or of what else the game is played for. It moves with the
    dice (luck) and falls with decisions that are not the best (mistakes); what best play expects never moves otherwise,
    so that ``start_value + luck - mistakes = final_value``.

    Attributes
    ----------
    rules : ScorecardRules
    policy : str
        What the game is played for: ``optimal``, ``points``, ``mixed:win_value=50``, ``instant``.
    value_name : str
        What values are: ``expected_score``, ``expected_value`` (with what an instant win is worth) or ``chance``.
    start_value : float
        Value before the first throw.
    final_value : float
        Value at the end of the record. Of a finished game it is the final score (with what a win is worth, or 1 or 0
        for the chance of one); of a game that goes on, and of one won at once that is graded for points, what best play
        can still expect.
    final_score : int
        Points written, with all bonuses; of a game that goes on, the score so far.
    finished : bool
        Whether the game is over: won at once, or all lines are filled.
    win : str
        Title of the instant win that ended the game, or nothing.
    """

    rules: ScorecardRules
    policy: str
    value_name: str
    start_value: float
    final_value: float
    final_score: int
    finished: bool
    win: str
    _decisions: pd.DataFrame = field(repr=False)
    _throws: pd.DataFrame = field(repr=False)
    _turns: pd.DataFrame = field(repr=False)

    @property
    def luck(self) -> float:
        """Value gained by the dice, in all throws together."""
        return float(self._throws["luck"].sum())

    @property
    def mistakes(self) -> float:
        """Value lost by decisions, in all of them together; never negative."""
        return float(self._decisions["lost"].sum())

    @property
    def title(self) -> str:
        """The game."""
        return self.rules.title

    @property
    def label(self) -> str:
        """What charts call it: the policy."""
        return self.policy

    @property
    def formats(self) -> dict[str, str]:
        """How its tables are shown: chances as per cents."""
        if self.value_name != "chance":
            return {}
        shown = dict.fromkeys(["value", *DECISIONS[-3:-1], *THROWS[-3:-1], "value_start", "value_end"], PERCENT)
        return shown | {"lost": PERCENT, "luck": f"+{PERCENT}"}

    def decisions(self) -> pd.DataFrame:
        """Every decision, in the order of the game.

        Returns
        -------
        pandas.DataFrame
            turn, throw (after which it was made), both from 1; kind (``keep``, or ``entry`` once the turn's throws are
            over); dice (on the table); chosen and best (in words; the same where the choice was as good); value_chosen,
            value_best, lost.
        """
        return self._decisions.copy()

    def throws(self) -> pd.DataFrame:
        """Every throw, in the order of the game.

        Returns
        -------
        pandas.DataFrame
            turn and throw from 1; kept (the dice that lay already), dice (all on the table after it); value_before,
            value_after, luck (the difference, 0 in the mean over all throws of the dice).
        """
        return self._throws.copy()

    def turns(self) -> pd.DataFrame:
        """Every turn.

        Returns
        -------
        pandas.DataFrame
            turn from 1; line (its name, or that of the win by the throw), label; points (that the turn added to the
            score, bonuses included); value_start, luck, lost, value_end.
        """
        return self._turns.copy()

    def summary(self) -> pd.DataFrame:
        """The sum of the game: item (start value, luck, mistakes, final value), value; the last one is the sum."""
        items = {"start": self.start_value, "luck": self.luck, "mistakes": -self.mistakes, "final": self.final_value}
        return pd.DataFrame({"item": list(items), "value": list(items.values())})

    def costliest(self, count: int = 10) -> pd.DataFrame:
        """The decisions that lost most, as `decisions` has them, without those that lost nothing."""
        frame = self._decisions[self._decisions["lost"] > TIE]
        return frame.sort_values("lost", ascending=False, kind="stable", ignore_index=True).head(count)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON; what ``analyzer grade --json`` prints."""
        return {
            "game": self.rules.name,
            "rules_id": self.rules.id,
            "policy": self.policy,
            "value_name": self.value_name,
            "start_value": self.start_value,
            "luck": self.luck,
            "mistakes": self.mistakes,
            "final_value": self.final_value,
            "final_score": self.final_score,
            "finished": self.finished,
            "win": self.win,
            "turns": records(self._turns),
            "decisions": records(self._decisions),
            "throws": records(self._throws),
            "versions": versions_in_use(),
        }

    def __str__(self) -> str:
        number = PERCENT if self.value_name == "chance" else "z.3f"
        start, luck, lost, final = (
            f"{value:{number}}" for value in (self.start_value, abs(self.luck), self.mistakes, self.final_value)
        )
        sign = "-" if self.luck < 0 else "+"
        what = self.value_name.replace("_", " ")
        turns, lines = len(self._turns), len(self.rules.lines)
        how = f", won at once: {self.win}" if self.win else "" if self.finished else ", the game goes on"
        return (
            f"{self.title}, {turns} of {lines} turns: {what} {start} {sign} {luck} luck - {lost} mistakes = {final}"
            f" (played for {self.policy}; score {self.final_score}{how})"
        )

    def main_table(self) -> pd.DataFrame:
        """See `Shown`."""
        return self._turns
