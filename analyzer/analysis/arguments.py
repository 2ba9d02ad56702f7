"""Checks on what the verbs are given; a complaint is one line: value, constraint, remedy."""

from __future__ import annotations

import numpy as np

from analyzer.dice.scorecard import ScorecardRules
from analyzer.errors import UsageError
from analyzer.fields import shown
from analyzer.games.card_rules import CardRules
from analyzer.games.registry import scorecard_names

NEAREST = 1e-11
"""A confidence is no nearer to 0 or 1: what of it is shared out over thousands of intervals must still be a number."""


def whole(name: str, value: object, low: int, high: int) -> int:
    """Return a whole number.

    Raises
    ------
    UsageError
        The value is none, or is not in ``low..high``.

    Examples
    --------
    >>> whole("games", np.int64(1000), 1, 10**12)
    1000
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= int(value) <= high:
        raise UsageError(f"{name} = {shown(value)} cannot be; give a whole number in {low}..{high}")
    return int(value)


def level(confidence: object) -> float:
    """Return a level of confidence.

    Raises
    ------
    UsageError
        The value is no number between 0 and 1, or nearer to one of them than `NEAREST`.

    Examples
    --------
    >>> level(0.95)
    0.95
    """
    if isinstance(confidence, bool) or not isinstance(confidence, int | float | np.number) or not 0 < confidence < 1:
        raise UsageError(f"confidence = {shown(confidence)} cannot be; give a number between 0 and 1, such as 0.95")
    if not NEAREST <= confidence <= 1 - NEAREST:
        raise UsageError(
            f"confidence = {shown(confidence)} is too near {int(confidence > 0.5)} to compute with; give one in"
            f" {NEAREST:g}..{1 - NEAREST:.11f}"
        )
    return float(confidence)


def check_rules(rules: object) -> ScorecardRules:
    """Return the rules of a dice game with a scorecard.

    Raises
    ------
    UsageError
        These are the rules of another kind of game, or none.
    """
    if isinstance(rules, ScorecardRules):
        return rules
    if isinstance(rules, CardRules):
        games = ", ".join(scorecard_names())
        raise UsageError(f"{shown(rules.title)} is a card game, and this is for scorecard games; choose from: {games}")
    name = shown(rules) if isinstance(rules, str) else "'yahtzee'"
    raise UsageError(f"{shown(rules)} are no rules; give those of a game, such as analyzer.game({name})")
