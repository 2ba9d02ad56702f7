"""What the verbs do for card games: where each game has its own, loaded when it is needed."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from analyzer.errors import UsageError
from analyzer.games.card_rules import CardRules

if TYPE_CHECKING:
    from collections.abc import Callable

_VERBS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "euchre": {
        "solve": ("analyzer.analysis.euchre.bidding", "bidding_chart"),
        "simulate": ("analyzer.analysis.euchre.hands", "simulate_hands"),
        "match": ("analyzer.analysis.euchre.matches", "match_euchre"),
        "advise": ("analyzer.analysis.euchre.advise", "advise_hand"),
        "compare": ("analyzer.analysis.euchre.contests", "contest_of"),
    },
    "president": {
        "simulate": ("analyzer.analysis.president.rounds", "simulate_rounds"),
        "match": ("analyzer.analysis.president.matches", "match_president"),
        "advise": ("analyzer.analysis.president.advise", "advise_play"),
        "compare": ("analyzer.analysis.president.contests", "contest_of"),
    },
}
"""Module and function by game (the name of its class) and verb."""


def card_verb(rules: CardRules, verb: str) -> Callable[..., Any]:
    """The function of a card game for a verb.

    Raises
    ------
    UsageError
        If the game has none.
    """
    known = _VERBS[type(rules).name]
    if verb not in known:
        raise UsageError(f"'{verb}' is not for {rules.title}; choose from: {', '.join(known)}")
    module, function = known[verb]
    found: Callable[..., Any] = getattr(import_module(module), function)
    return found


def advise(rules: CardRules, **position: Any) -> Any:
    """Rank every choice in a position of a card game.

    Parameters
    ----------
    rules : CardRules
        The game, from `analyzer.game`.
    **position
        What the game asks for; of Euchre see `analyzer.analysis.euchre.advise.advise_hand`, of President
        `analyzer.analysis.president.advise.advise_play`.

    Returns
    -------
    object
        Of Euchre an `EuchreAdvice`, of President a `PresidentAdvice`.

    Raises
    ------
    UsageError
        The rules are those of a dice game.
    PositionError, PolicyError
        A position that cannot be, an unknown policy.

    Examples
    --------
    >>> import analyzer
    >>> game = analyzer.game("euchre")
    >>> analyzer.advise(game, hand="JH JD AH KH QH", upcard="9C", seat="left", worlds=500).best
    'pass'
    """
    if not isinstance(rules, CardRules):
        raise UsageError(
            "advise is for card games; of a dice game ask analyzer.solve(game).advise(dice, throws_left=2)"
        )
    return card_verb(rules, "advise")(rules, **position)


def refuse(rules: CardRules, arguments: Mapping[str, object]) -> None:
    """Raise UsageError at the first argument that is given and means nothing in a card game."""
    for name, value in arguments.items():
        if value:
            raise UsageError(f"{name} means nothing in {rules.title}; leave it out")
