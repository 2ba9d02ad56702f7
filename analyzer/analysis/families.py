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
    "rules": "a club player: calls by seat and round, counts cards, leads trump as maker, helps the partner",
    "strength": "bids by weights of cards and thresholds of seats: strength:right=1.4,first_dealer=3; plays as rules",
    "pimc": "solves likely deals with all hands open and does what is best on average: pimc:worlds=32,doubt=0.1",
    "computed": "bids by a chart of best responses, computed once: computed:deals=2000000,iterations=4; plays as rules",
    "BIDDING/PLAY": "bids by one of these and plays by another: computed/pimc",
    "FILE.py:NAME": "your own function(view): what to say, or which card to play",
}
"""Built-in policies of Euchre and what they do."""

PRESIDENT_FAMILIES = {
    "random": "every legal play, a pass among them, equally likely",
    "lowest": "the cheapest legal play; never passes if it can play",
    "rules": "a club player: plans the fewest plays, keeps stoppers, counts cards; with slips: rules:slips=0.1",
    "rollout": "plays on in likely deals and does what comes to the best place: rollout:rollouts=400",
    "FILE.py:NAME": "your own function(view): what to play, or to give back",
}
"""Built-in policies of President and what they do."""

CARD_FAMILIES: Mapping[str, Mapping[str, str]] = {"euchre": EUCHRE_FAMILIES, "president": PRESIDENT_FAMILIES}
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
