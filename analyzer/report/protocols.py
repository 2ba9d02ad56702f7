"""What results and advice must offer to be drawn; those of the analysis floor do, and so can yours."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from analyzer.errors import UsageError
from analyzer.fields import shown

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.dice.scorecard import ScorecardRules

__all__ = [
    "VALUES",
    "Advice",
    "FullResult",
    "LineResult",
    "Result",
    "RoundResult",
    "ScoreResult",
    "ServedResult",
    "WinResult",
    "all_of",
    "check_games",
    "method_of",
    "names_of",
]


class Result(Protocol):
    """What one policy earns in one game, computed exactly or simulated."""

    @property
    def label(self) -> str:
        """What sets it apart from the others, such as the policy."""

    @property
    def title(self) -> str:
        """The game."""

    @property
    def exact(self) -> bool:
        """Whether it is computed, not simulated."""


class LineResult(Result, Protocol):
    """A result that tells what each line of the scorecard earns."""

    def lines(self) -> pd.DataFrame:
        """One row for each line and bonus, in the order of the sheet.

        line, label, section, mean, standard_deviation, zero_rate, mean_round; simulations add lower, upper,
        zero_rate_lower, zero_rate_upper.
        """


class RoundResult(LineResult, Protocol):
    """A result that tells when each line is filled."""

    def line_rounds(self) -> pd.DataFrame:
        """One row for each line and round: line, label, round (from 1), rate, mean."""


class ScoreResult(Result, Protocol):
    """A result that tells how its total score is distributed."""

    def distribution(self) -> pd.DataFrame:
        """One row for each score, ascending: score, probability, at_least; simulations add count."""


class FullResult(LineResult, ScoreResult, Protocol):
    """A result that tells of its lines and of its total."""


class ServedResult(LineResult, Protocol):
    """A result of a game in which served results are worth more; its lines have served_rate, some filled_rate."""

    @property
    def rules(self) -> ScorecardRules:
        """The rules, whose lines have served points."""


class WinResult(Result, Protocol):
    """A result that tells how games end in an instant win."""

    def wins(self) -> pd.DataFrame:
        """One row for each way to win: win, label, chance, mean_round; simulations add lower, upper."""

    def win_rounds(self) -> pd.DataFrame:
        """One row for each way to win and round: win, label, round (from 1), chance."""


class Advice(Protocol):
    """The decisions that are possible in one position."""

    def options(self) -> pd.DataFrame:
        """One row for each, best first: keep, or label and points of the entry; one of `VALUES`; loss.

        In games with flips entries also have laid, the dice as they lie then, and served.
        """


VALUES = ("expected_score", "expected_value", "chance")
"""What decisions are ranked by: points, points with what an instant win is worth, or the chance of something."""

Some = TypeVar("Some", bound=Result)


def check_games(result: Any, *methods: str) -> None:
    """Raise UsageError unless a result is one of whole games that has the given methods.

    Examples
    --------
    >>> check_games("optimal", "lines")
    Traceback (most recent call last):
    analyzer.errors.UsageError: 'optimal' is no result of games with lines; give what solve or simulate returns
    """
    if getattr(result, "unit", "games") != "games":
        raise UsageError(f"{shown(result)} are {result.unit}, not games; give what solve or simulate(games=) returns")
    if not all(hasattr(result, method) for method in ("title", *methods)):
        what = f"{shown(result)} is no result of games with {' and '.join(methods)}"
        raise UsageError(f"{what}; give what solve or simulate returns")


def all_of(results: Some | Iterable[Some], *methods: str) -> list[Some]:
    """The results to draw, be it one or several.

    Parameters
    ----------
    results : result or iterable of results
    *methods : str
        What each of them must have.

    Returns
    -------
    list of results

    Raises
    ------
    UsageError
        If there are none, or one is no result of games.

    Examples
    --------
    >>> all_of([])
    Traceback (most recent call last):
    analyzer.errors.UsageError: there is no result to draw; give at least one
    """
    found = list(results) if isinstance(results, Iterable) else [results]
    if not found:
        raise UsageError("there is no result to draw; give at least one")
    for result in found:
        check_games(result, *methods)
    return found


def names_of(results: Iterable[Result]) -> list[str]:
    """How results are told apart in one chart: by label, and by game, method or number where labels repeat.

    Parameters
    ----------
    results : iterable of results

    Returns
    -------
    list of str
        All different.

    Examples
    --------
    >>> from types import SimpleNamespace as Result
    >>> names_of([Result(label="optimal", title="Yahtzee", exact=exact) for exact in (True, False)])
    ['optimal (exact)', 'optimal (simulated)']
    """
    found = list(results)
    titles, methods = {result.title for result in found}, {result.exact for result in found}
    names = [result.label for result in found]
    if len(set(names)) < len(names) and len(titles) > 1:
        names = [f"{result.title}, {name}" for result, name in zip(found, names, strict=True)]
    if len(set(names)) < len(names) and len(methods) > 1:
        names = [
            f"{name} ({'exact' if result.exact else 'simulated'})" for result, name in zip(found, names, strict=True)
        ]
    if len(set(names)) < len(names):
        names = [f"{number}: {name}" for number, name in enumerate(names, start=1)]
    return names


def method_of(results: Iterable[Result], *, intervals: bool = True) -> str:
    """How the numbers of results came about, in a few words; `intervals` tells whether those are shown.

    Examples
    --------
    >>> from types import SimpleNamespace as Result
    >>> method_of([Result(exact=True)])
    'exact values'
    """
    methods = {result.exact for result in results}
    shown = ", with intervals" if intervals else ""
    if len(methods) > 1:
        return f"exact values, and simulations{shown.removeprefix(',')}"
    return "exact values" if methods == {True} else f"simulated{shown}"
