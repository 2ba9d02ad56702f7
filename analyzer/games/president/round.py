"""A round of President in Python: who is to decide what, in words, and what a choice leads to."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.engine.jit import kernel
from analyzer.errors import PositionError
from analyzer.fields import counted, shown, unknown
from analyzer.games.president.deals import begin_match, best_cards, deal_round, make_return, start_round
from analyzer.games.president.layout import (
    ACTIVE,
    CARDS,
    HIDDEN,
    JOKER,
    LAST,
    NATURALS,
    OUT,
    OWES,
    PASSED,
    PILE,
    PLACE,
    REVERSED,
    SEEN,
    TURN,
)
from analyzer.games.president.lowering import lower
from analyzer.games.president.moves import closes, make_play
from analyzer.games.president.notation import cards_text, parse_cards, parse_play, play_text
from analyzer.games.president.plays import count_plays, play_at
from analyzer.games.president.worlds import worse_cards

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from analyzer.games.president.rules import President


@kernel
def begin_now(dealer: Any, seen: Any) -> None:
    """Set offices and points to the start of a match."""
    begin_match(dealer, seen)


@kernel
def deal_now(rules: Any, deck: Any, seed: Any, index: Any, hidden: Any, seen: Any) -> None:
    """Deal the next round of a match and start it."""
    deal_round(rules, deck, seed, index, np.empty_like(deck), hidden, seen)


@kernel
def start_now(rules: Any, leader: Any, hidden: Any, seen: Any) -> None:
    """Start a round whose hands are dealt."""
    start_round(rules, leader, hidden, seen)


@kernel
def list_plays(rules: Any, hand: Any, pile: Any, turned: Any) -> Any:
    """All legal choices of a hand: an array of plays, of which 0 is the pass."""
    found = np.empty(count_plays(rules, hand, pile, turned), np.int64)
    for number in range(found.size):
        found[number] = play_at(rules, hand, pile, turned, number)
    return found


@kernel
def take(rules: Any, choice: Any, hidden: Any, seen: Any) -> None:
    """Play on by a choice of the seat in turn: a play, or the cards that it gives back."""
    if seen[OWES]:
        make_return(rules, choice, hidden, seen)
    else:
        make_play(rules, choice, hidden, seen)


@dataclass(eq=False)
class Round:
    """A round of President at some point of it. Made by `Round.deal` or `Round.start`, played on by `choose`.

    Attributes
    ----------
    rules : President
    hidden, seen : int64 arrays
        See `analyzer.games.president.layout`.

    Examples
    --------
    >>> from analyzer.games.president.rules import President
    >>> some = Round.start(President(players=3), ["3c 5h 5s 2d", "4h 4d", "9s"], turn=0)
    >>> some.choose("5h 5s")
    >>> some.turn, some.legal
    (1, ('pass',))
    >>> some.choose("pass")
    >>> some.choose("pass")
    >>> some.turn, some.legal, some.pile
    (0, ('3c', '2d'), '')
    """

    rules: President
    hidden: NDArray[np.int64] = field(repr=False)
    seen: NDArray[np.int64] = field(repr=False)

    @classmethod
    def deal(cls, rules: President, *, seed: int, index: int = 0, dealer: int = 0) -> Round:
        """The first round of an addressed match, as simulations play it.

        Parameters
        ----------
        rules : President
        seed, index : int
            Its address.
        dealer : int
            Seat.
        """
        hidden, seen = np.zeros(HIDDEN, np.int64), np.zeros(SEEN, np.int64)
        begin_now(dealer, seen)
        deal_now(lower(rules), deck_of(rules), np.uint64(seed), np.uint64(index), hidden, seen)
        return cls(rules, hidden, seen)

    @classmethod
    def start(
        cls,
        rules: President,
        hands: Sequence[str],
        turn: int,
        *,
        pile: str = "",
        last: int | None = None,
        passed: Sequence[int] = (),
        reversed_order: bool = False,
    ) -> Round:
        """A round from given cards on.

        Parameters
        ----------
        rules : President
        hands : sequence of str
            The hand of each seat, such as ``3c 5h *``; empty for a seat that has gone out, and those before it in the
            sequence went out before.
        turn : int
            Who decides.
        pile : str
            The play on top, see `parse_play`; empty for a lead.
        last : int, optional
            Who made it.
        passed : sequence of int
            Who has passed on this pile, see `layout.PASSED`.
        reversed_order : bool
            Whether the order is reversed.

        Raises
        ------
        PositionError
            If hands are too few or too many, a card lies in two places or is not in the deck, or the seats do not go
            together.
        """
        if len(hands) != rules.players:
            raise PositionError(f"there are {len(hands)} hands; {rules.players} play, give one for each")
        sets, top = [parse_cards(hand) for hand in hands], parse_play(pile) if pile else 0
        check_cards(rules, [*sets, top & CARDS])
        if not 0 <= turn < len(sets) or not sets[turn]:
            raise PositionError(f"turn {shown(turn)} is no seat with cards; choose one from 0 to {rules.players - 1}")
        if top and (last is None or not 0 <= last < len(sets)):
            raise PositionError(f"who made the play {play_text(top)} is {shown(last)}; give last, a seat")
        if not set(passed) <= set(range(len(sets))):
            raise PositionError(
                f"passed {shown(list(passed))} are no seats; give numbers from 0 to {rules.players - 1}"
            )
        if sum(map(bool, sets)) < 2:
            raise PositionError("fewer than two seats have cards; the round is over")
        hidden, seen = np.zeros(HIDDEN, np.int64), np.zeros(SEEN, np.int64)
        hidden[: len(sets)] = sets
        start_now(lower(rules), turn, hidden, seen)
        for seat, cards in enumerate(sets):
            if not cards:
                seen[OUT] += 1
                seen[PLACE + seat] = seen[OUT]
                seen[ACTIVE] &= ~(1 << seat)
        seen[PILE], seen[REVERSED] = top, reversed_order
        seen[LAST] = last if top and last is not None else -1
        seen[PASSED] = sum(1 << seat for seat in set(passed))
        return cls(rules, hidden, seen)

    def copy(self) -> Round:
        """The same round, to be played on apart from this one."""
        return Round(self.rules, self.hidden.copy(), self.seen.copy())

    @property
    def over(self) -> bool:
        """Whether only one seat has cards left."""
        return bool(self.seen[TURN] < 0)

    @property
    def turn(self) -> int:
        """Who decides; -1 when the round is over."""
        return int(self.seen[TURN])

    @property
    def owes(self) -> int:
        """How many cards the seat in turn is to give back; 0 in the play."""
        return int(self.seen[OWES])

    @property
    def pile(self) -> str:
        """The play on top of the pile, in words; empty if there is none."""
        return play_text(int(self.seen[PILE])) if self.seen[PILE] else ""

    @property
    def reversed_order(self) -> bool:
        """Whether the order is reversed."""
        return bool(self.seen[REVERSED])

    @property
    def choices(self) -> dict[str, int]:
        """What may be chosen: the number of each choice by its words."""
        if self.over:
            return {}
        hand = int(self.hidden[self.turn])
        if self.owes:
            return {cards_text(cards): cards for cards in returns_of(hand, self.owes)}
        plays = list_plays(lower(self.rules), hand, self.seen[PILE], self.seen[REVERSED])
        return {play_text(int(play)): int(play) for play in plays}

    @property
    def legal(self) -> tuple[str, ...]:
        """What may be chosen, in words; nothing when the round is over."""
        return tuple(self.choices)

    def choose(self, text: str) -> None:
        """Play on by a choice of the seat in turn.

        Raises
        ------
        PositionError
            If it is not legal.
        """
        choices = self.choices
        if text not in choices:
            what = "return" if self.owes else "play"
            raise PositionError(unknown(f"{what} of seat {self.turn}", text, tuple(choices)))
        take(lower(self.rules), choices[text], self.hidden, self.seen)

    def held(self, seat: int) -> str:
        """The cards of a seat, in words."""
        return cards_text(int(self.hidden[seat]))

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat, from 1; 0 while it has cards and the round goes on."""
        return tuple(self.seen[PLACE : PLACE + self.rules.players].tolist())


def deck_of(rules: President) -> NDArray[np.uint8]:
    """The numbers of the cards that are dealt."""
    return np.arange(JOKER + rules.jokers, dtype=np.uint8)


def closes_pile(rules: President, play: int, reversed_order: bool) -> bool:
    """Whether a play closes its pile, in the order that is in force after it.

    Examples
    --------
    >>> from analyzer.games.president.rules import President
    >>> closes_pile(President(eight_stop=True), parse_play("8c"), False)
    True
    """
    return bool(closes(lower(rules), play, reversed_order))


def best_kept(hand: int, got: int, gave: int) -> int:
    """The best card of a hand that should have been given as a gift of best cards before others; 0 if there is none.

    Examples
    --------
    >>> from analyzer.games.president.notation import parse_cards
    >>> cards_text(best_kept(parse_cards("3c Kd Ks Ah"), parse_cards("Ah"), parse_cards("Qd As")))
    'Ks'
    """
    better = hand & ~got & ~int(worse_cards(gave))
    return int(best_cards(better, 1)) if better else 0


def returns_of(hand: int, count: int) -> list[int]:
    """All sets of one or two cards of a hand; a single joker is the lower one.

    Examples
    --------
    >>> returns_of(0b111, 2), returns_of(0b11 << JOKER, 1) == [1 << JOKER]
    ([3, 5, 6], True)
    """
    cards = [card for card in range(JOKER + 2) if hand >> card & 1]
    if count == 1:
        return [1 << card for card in cards if card <= JOKER]
    pairs = (
        (one, two) for one, two in combinations(cards, 2) if two != JOKER + 1 or one == JOKER or hand >> JOKER == 1
    )
    return [1 << one | 1 << two for one, two in pairs]


def check_cards(rules: President, sets: Sequence[int]) -> None:
    """Raise PositionError unless sets of cards can be in different places of the deck.

    Examples
    --------
    >>> from analyzer.games.president.rules import President
    >>> check_cards(President(), [0b11, 0b10])
    Traceback (most recent call last):
    analyzer.errors.PositionError: 3d lies in two places; every card is there once, name it once
    """
    everything = jokers = 0
    for cards in sets:
        twice = cards & everything & NATURALS
        if twice:
            raise PositionError(f"{cards_text(twice)} lies in two places; every card is there once, name it once")
        everything |= cards
        jokers += (cards >> JOKER).bit_count()
    if jokers > rules.jokers:
        raise PositionError(
            f"the deck has {counted(rules.jokers, 'joker')}, not {jokers}; set jokers or leave them out"
        )
