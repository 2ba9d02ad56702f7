"""Strategy analyzer for dice and card games of chance.

The verbs are `solve`, `solve_for_target`, `simulate`, `match`, `compare` and `grade`, of card games also `advise`;
`game` gives the rules of a game that they work on.

>>> import analyzer
>>> game = analyzer.game("dice-poker", upper_bonus="gte63")
>>> analyzer.solve(game).advise([5, 5, 3, 2, 1], throws_left=2).best
(5, 5)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analyzer.analysis.arms import Arm, load_arms
    from analyzer.analysis.card_games import advise
    from analyzer.analysis.compare import compare
    from analyzer.analysis.euchre.bidding import bidding_chart
    from analyzer.analysis.euchre.calls import call_values
    from analyzer.analysis.euchre.win_table import win_table
    from analyzer.analysis.grade import grade
    from analyzer.analysis.match import match
    from analyzer.analysis.play_changes import play_changes
    from analyzer.analysis.president.worth import option_worth
    from analyzer.analysis.replay import record_game
    from analyzer.analysis.simulate import simulate
    from analyzer.analysis.solve import line_values, solve, solve_for_target
    from analyzer.dice.clauses import ExtraFive, UpperBonus
    from analyzer.dice.lines import Line
    from analyzer.dice.own_policy import Card
    from analyzer.dice.scorecard import ScorecardRules
    from analyzer.errors import AnalyzerError
    from analyzer.games.registry import game_names, load_rules
    from analyzer.games.registry import make_rules as game
    from analyzer.report import charts as plot

__all__ = [
    "AnalyzerError",
    "Arm",
    "Card",
    "ExtraFive",
    "Line",
    "ScorecardRules",
    "UpperBonus",
    "advise",
    "bidding_chart",
    "call_values",
    "compare",
    "game",
    "game_names",
    "grade",
    "line_values",
    "load_arms",
    "load_rules",
    "match",
    "option_worth",
    "play_changes",
    "plot",
    "record_game",
    "simulate",
    "solve",
    "solve_for_target",
    "win_table",
]

_SOURCES = {
    "AnalyzerError": ("analyzer.errors", "AnalyzerError"),
    "Arm": ("analyzer.analysis.arms", "Arm"),
    "Card": ("analyzer.dice.own_policy", "Card"),
    "ExtraFive": ("analyzer.dice.clauses", "ExtraFive"),
    "Line": ("analyzer.dice.lines", "Line"),
    "ScorecardRules": ("analyzer.dice.scorecard", "ScorecardRules"),
    "UpperBonus": ("analyzer.dice.clauses", "UpperBonus"),
    "advise": ("analyzer.analysis.card_games", "advise"),
    "bidding_chart": ("analyzer.analysis.euchre.bidding", "bidding_chart"),
    "call_values": ("analyzer.analysis.euchre.calls", "call_values"),
    "compare": ("analyzer.analysis.compare", "compare"),
    "game": ("analyzer.games.registry", "make_rules"),
    "game_names": ("analyzer.games.registry", "game_names"),
    "grade": ("analyzer.analysis.grade", "grade"),
    "line_values": ("analyzer.analysis.solve", "line_values"),
    "load_arms": ("analyzer.analysis.arms", "load_arms"),
    "load_rules": ("analyzer.games.registry", "load_rules"),
    "match": ("analyzer.analysis.match", "match"),
    "option_worth": ("analyzer.analysis.president.worth", "option_worth"),
    "play_changes": ("analyzer.analysis.play_changes", "play_changes"),
    "record_game": ("analyzer.analysis.replay", "record_game"),
    "simulate": ("analyzer.analysis.simulate", "simulate"),
    "solve": ("analyzer.analysis.solve", "solve"),
    "solve_for_target": ("analyzer.analysis.solve", "solve_for_target"),
    "win_table": ("analyzer.analysis.euchre.win_table", "win_table"),
}


def __getattr__(name: str) -> Any:
    """Import public names when they are first used: ``--help`` need not wait half a second for numba and pandas."""
    if name == "plot":
        return importlib.import_module("analyzer.report.charts")
    if name in _SOURCES:
        module, attribute = _SOURCES[name]
        return getattr(importlib.import_module(module), attribute)
    raise AttributeError(f"module 'analyzer' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
