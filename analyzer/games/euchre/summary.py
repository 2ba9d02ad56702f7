"""The rules of Euchre told to people: which cards there are, in which order, and what a hand is worth."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from analyzer.games.euchre.rules import TRICKS

if TYPE_CHECKING:
    from analyzer.games.euchre.rules import Euchre

RANKS = ("ace", "king", "queen", "jack", "10", "9", "8", "7")


def text_of(rules: Euchre) -> str:
    """Return the cards and their order, and what is won, line by line.

    Examples
    --------
    >>> from analyzer.games.euchre.rules import Euchre
    >>> print(text_of(Euchre(deck="25")).splitlines()[2])
    Other suits from the highest: ace, king, queen, jack, 10, 9; the left bower is a trump.
    """
    size = int(rules.deck)
    ranks, joker = RANKS[: size // 4], size % 4
    bowers = ("jack of trumps (right bower)", "jack of the other suit of that colour (left bower)")
    trumps = (*["joker"] * joker, *bowers, *(rank for rank in ranks if rank != "jack"))
    suit = ", ".join(ranks)
    return "\n".join(
        (
            f"Cards of each suit: {suit}{'; and a joker' * joker}.",
            f"Trumps from the highest: {', '.join(trumps)}.",
            f"Other suits from the highest: {suit}; the left bower is a trump.",
            *_forms(rules),
            f"Who has {rules.target} points first wins {'the match' if rules.games == 1 else 'a game'}.",
        )
    )


def _forms(rules: Euchre) -> list[str]:
    """What two or three players do otherwise, and what the options of railroad Euchre mean."""
    found = []
    if rules.players == "3":
        found.append("Three players: the maker plays against the two others, each of whom gets the points of a euchre.")
    elif rules.players == "2":
        found.append("Two players, each for himself; nobody plays alone.")
    if rules.best_card:
        found.append("Who plays alone discards a card and receives his partner's best.")
    if rules.games > 1:
        laps = "; points above the target count in the next game" * rules.laps
        found.append(f"A match is {rules.games} games{laps}.")
    if rules.slam:
        found.append("A game counts double if the other side has no point.")
    return found


def points_table(rules: Euchre) -> list[dict[str, int]]:
    """Return the points of a hand by the makers' tricks and by who plays alone; below 0 they are the defenders'.

    Examples
    --------
    >>> from analyzer.games.euchre.rules import Euchre
    >>> points_table(Euchre())[0]
    {'tricks_of_makers': 5, 'nobody_alone': 2, 'defender_alone': 2, 'maker_alone': 4, 'both_alone': 4}
    """
    if rules.players != "4":
        return [{"tricks_of_maker": tricks, "points": rules.points(tricks)} for tricks in range(TRICKS, -1, -1)]
    names = ("nobody_alone", "defender_alone", "maker_alone", "both_alone")
    who = dict(zip(names, product((False, True), repeat=2), strict=True))
    return [
        {"tricks_of_makers": tricks}
        | {name: rules.points(tricks, lone_maker=maker, lone_defender=other) for name, (maker, other) in who.items()}
        for tricks in range(TRICKS, -1, -1)
    ]
