"""Positions of President for worked examples, in few words, for every way to play a round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from analyzer.games.president.rules import President
from tests.games.president_referee import ABOVE_TWO, JOKER, PASS, RANKS, Play, deck_of, readings

A, B, C, D = range(4)
"""Seats, clockwise."""
FULL_DECK = deck_of(President(jokers=2))


class Round(Protocol):
    """A round as it is played, such as `Table`."""

    @property
    def turn(self) -> int: ...
    @property
    def pile(self) -> Play | None: ...
    @property
    def reversed(self) -> bool: ...
    @property
    def over(self) -> bool: ...
    def legal(self) -> Sequence[Play | None]: ...
    def do(self, play: Play | None) -> None: ...
    def places(self) -> list[int]: ...


class Game(Protocol):
    """A way to play a round."""

    def table(
        self,
        rules: President,
        hands: Sequence[Sequence[str]],
        turn: int,
        pile: Play | None = None,
        last: int | None = None,
        passed: Iterable[int] = (),
        reversed: bool = False,  # noqa: A002
    ) -> Round: ...


def play(cards: str, low: str = "", kind: str = "") -> Play:
    """Cards as the only play that they can be, of this lowest rank, ``*`` above the 2, and of this kind if given."""
    anything = President(jokers=2, all_jokers="may_be_2s")
    lowest = {"": None, JOKER: ABOVE_TWO}.get(low, RANKS.find(low))
    (found,) = (
        one for one in readings(anything, cards.split()) if lowest in {None, one.low} and kind in {"", one.kind}
    )
    return found


def at(game: Game, options: dict[str, Any], *hands: str, turn: int = A, **position: Any) -> Round:
    """A round in which these hands are left."""
    rules = President(**{"players": len(hands), **options})
    pile = position.get("pile")
    cards = Counter([*" ".join(hands).split(), *(pile.cards if pile else ())])
    assert cards <= Counter(deck_of(rules))
    return game.table(rules, [hand.split() for hand in hands], turn, **position)


def after(game: Game, options: dict[str, Any], hands: Sequence[str], *plays: Play | None, **position: Any) -> Round:
    """The same after some plays."""
    table = at(game, options, *hands, **position)
    for one in plays:
        table.do(one)
    return table


def answers(game: Game, options: dict[str, Any], hand: str, pile: Play | None, order: bool = False) -> set[Play]:
    """What a hand may play on a pile, of three players who all have cards."""
    cards = hand.split()
    others = [card for card in FULL_DECK if card not in {*cards, *(pile.cards if pile else ()), JOKER}]
    last = None if pile is None else C
    legal = at(game, options, hand, others[0], others[1], pile=pile, last=last, reversed=order).legal()
    assert (PASS in legal) == (pile is not None)
    return {one for one in legal if one is not None}


def runs(plays: Iterable[Play]) -> set[str]:
    """The runs among plays, by their ranks and suit."""
    return {RANKS[one.low : one.top + 1] + one.suit for one in plays if one.kind == "run"}


def closes(game: Game, options: dict[str, Any], led: Play | None, closer: Play, order: bool = False) -> bool:
    """Whether a play, on the left neighbour's or led, ends the pile at once; who played then leads."""
    deck = [card for card in FULL_DECK if card not in {*closer.cards, *(led.cards if led else ()), JOKER}]
    hand = " ".join((*closer.cards, deck[0]))
    last = None if led is None else C
    table = at(game, options, hand, deck[1], deck[2], pile=led, last=last, reversed=order)
    table.do(closer)
    assert (table.pile is None) == (table.turn == A)
    return table.pile is None
