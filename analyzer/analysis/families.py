"""The built-in policies, for people: those of dice games, and those of each card game."""

from __future__ import annotations

from collections.abc import Mapping

from analyzer.dice.scorecard import ScorecardRules
from analyzer.games.card_rules import CardRules

FAMILIES = {
    "optimal": "maximises the expected final score (exact)",
    "greedy": "maximises the points of the turn; rerolls are optimal for that",
    "par": "maximises the points of the turn above the par of the line; pars can be set: par:chance=22,sixes=18",
    "line": "spends the next turn on one line, whatever it brings, then plays greedily: line:large_straight",
    "points": "maximises the expected full scorecard, as if nobody could win at once (games with instant wins)",
    "mixed": "maximises the expected score and the points given more for an instant win: mixed:win_value=50",
    "instant": "maximises the chance of an instant win, of any kind or of one: instant:dormida",
    "random": "every legal keep and every legal entry equally likely",
    "FILE.py:NAME": "your own function(dice, throws_left, card): what to keep, or which line to fill",
}
"""Built-in policies of dice games and what they do."""

EUCHRE_FAMILIES = {
    "random": "every legal call and every legal card equally likely",
    "rules": "bids and plays by fixed rules of thumb",
    "strength": "bids by the strength of the hand, a sum over its cards; plays as rules does",
    "pimc": "deals the hidden cards at random many times and does what is best on average with all hands open",
    "computed": "bids by what hands earn on average, computed beforehand; plays as rules does",
    "FILE.py:NAME": "your own function: what to call, or which card to play",
}
"""Built-in policies of Euchre and what they do."""

CARD_FAMILIES: Mapping[str, Mapping[str, str]] = {"euchre": EUCHRE_FAMILIES}
"""The policies of each card game, by the name of its class."""


ALL_FAMILIES = frozenset(FAMILIES).union(*CARD_FAMILIES.values())
"""Names of all built-in policies."""
DEFAULT_POLICY = "optimal"
DEFAULT_CARD_POLICY = "rules"


def default_policy(rules: ScorecardRules | CardRules) -> str:
    """Return the policy that plays a game if none is named.

    Examples
    --------
    >>> import analyzer
    >>> default_policy(analyzer.game("euchre"))
    'rules'
    """
    return DEFAULT_CARD_POLICY if isinstance(rules, CardRules) else DEFAULT_POLICY


def families_of(rules: ScorecardRules | CardRules) -> Mapping[str, str]:
    """Return the built-in policies of a game and what they do.

    Examples
    --------
    >>> import analyzer
    >>> list(families_of(analyzer.game("euchre")))[0]
    'random'
    """
    return CARD_FAMILIES[type(rules).name] if isinstance(rules, CardRules) else FAMILIES
