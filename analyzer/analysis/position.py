"""Where a game stands: a scorecard as people give it, and its column in the state space."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from analyzer.analysis.arguments import check_rules
from analyzer.dice.entries import check_extra_points, checked_card, final_score, upper_total, won
from analyzer.errors import PositionError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from analyzer.dice.scorecard import ScorecardRules
    from analyzer.dice.states import StateSpace


@dataclass(frozen=True)
class Position:
    """A scorecard with at least one open line.

    Parameters
    ----------
    rules : ScorecardRules
    card : mapping of str to int
        Points by filled line; lines not named are open.
    extra_points : int
        Extra-five points earned so far.

    Raises
    ------
    PositionError
        An impossible score, or a scorecard without an open line.
    RulesError
        An unknown line.
    """

    rules: ScorecardRules
    card: Mapping[str, int] = field(default_factory=dict)
    extra_points: int = 0

    def __post_init__(self) -> None:
        check_rules(self.rules)
        card = checked_card(self.rules, self.card)
        check_extra_points(self.rules, card, self.extra_points)
        object.__setattr__(self, "card", card)
        if len(card) == len(self.rules.lines):
            raise PositionError(f"all {len(card)} lines of {self.rules.title} are filled; leave a line open")
        win = won(self.rules, card)
        if win:
            raise PositionError(f"the scorecard has won already ({win}); leave a line of it out")

    @property
    def score(self) -> int:
        """Points so far, with the upper bonus if it is earned already."""
        return final_score(self.rules, self.card, self.extra_points)

    @property
    def open_lines(self) -> tuple[str, ...]:
        """Lines still open, in the order of the scorecard."""
        return tuple(name for name in self.rules.line_names if name not in self.card)

    def column(self, space: StateSpace) -> int:
        """Column of the position in the state space."""
        card = {self.rules.line_index(name): points for name, points in self.card.items()}
        return space.column_of(space.state_of(card), upper_total(self.rules, self.card))

    def check_open(self, line: str) -> None:
        """Refuse an announced line that is filled; an empty name is none.

        Raises
        ------
        PositionError
            The line is filled.
        RulesError
            There is no such line.
        """
        if line and self.rules.line_names[self.rules.line_index(line)] in self.card:
            raise PositionError(f"announced line '{line}' is filled; choose an open one: {', '.join(self.open_lines)}")

    @property
    def text(self) -> str:
        """The filled lines, the same text for equal positions as far as the rest of the game is concerned."""
        return ",".join(f"{name}={points}" for name, points in self.card.items())
