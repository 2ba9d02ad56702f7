"""A hand of Euchre in Python: who is to decide what, in words, and what a choice leads to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.cards.deck import DECKS, HAND, SEATS, deals
from analyzer.cards.notation import SUITS, card_name, cards_text
from analyzer.engine.jit import kernel
from analyzer.errors import PositionError
from analyzer.fields import shown, unknown
from analyzer.games.euchre.layout import (
    DISCARDING,
    FIRST,
    GIVING,
    HIDDEN,
    LEFT,
    LONELY,
    MAKER,
    NAME,
    NAMING,
    ORDER,
    OVER,
    PASS,
    PLAYING,
    POINTS,
    SCORE,
    SEAT,
    SECOND,
    SEEN,
    STAGE,
    TRUMP,
    TURNING,
)
from analyzer.games.euchre.lowering import lower
from analyzer.games.euchre.moves import begin_hand, legal_choices, make_choice, side_of
from analyzer.games.euchre.relabel import physical, physical_card

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from analyzer.games.euchre.rules import Euchre

STAGES = {
    NAMING: "naming",
    FIRST: "first round",
    SECOND: "second round",
    TURNING: "turn-up",
    DISCARDING: "discard",
    LONELY: "alone",
    GIVING: "exchange",
    PLAYING: "play",
    OVER: "over",
}
"""What is decided, in words."""
_ANSWERS = {TURNING: ("leave", "take"), LONELY: ("together", "alone")}


@kernel
def begin(rules: Any, dealer: Any, turn_up: Any, seen: Any) -> None:
    """Set the public array to the start of a hand."""
    begin_hand(rules, dealer, turn_up, seen)


@kernel
def legal_now(rules: Any, hidden: Any, seen: Any) -> Any:
    """What the seat in turn may choose, a bit each; 0 when the hand is over."""
    if seen[STAGE] == OVER:
        return 0
    return legal_choices(rules, hidden[seen[SEAT]], seen)


@kernel
def take(rules: Any, choice: Any, hidden: Any, seen: Any) -> None:
    """Play on by a choice of the seat in turn."""
    make_choice(rules, choice, hidden, seen)


def choice_text(choice: int, stage: int, trump: int) -> str:
    """A choice (a set of one) in words.

    Parameters
    ----------
    choice : int
        One bit of what `legal_now` gives.
    stage, trump : int
        From the public array.

    Examples
    --------
    >>> choice_text(0b100, SECOND, -1), choice_text(0b1, FIRST, -1)
    ('d', 'pass')
    """
    place = choice.bit_length() - 1
    if stage in (DISCARDING, GIVING, PLAYING):
        return card_name(int(physical_card(choice, trump)))
    if stage in _ANSWERS:
        return _ANSWERS[stage][place]
    if stage == NAMING:
        return SUITS[place - NAME]
    if place == PASS:
        return "pass"
    if stage == FIRST:
        return "order" if place == ORDER else "order alone"
    return SUITS[(place - NAME) % 4] + (" alone" if place >= NAME + 4 else "")


def choices_in_words(legal: int, seen: NDArray[np.int64]) -> dict[str, int]:
    """The bit of each legal choice by its words."""
    found = {}
    while legal:
        choice = legal & -legal
        legal ^= choice
        found[choice_text(choice, int(seen[STAGE]), int(seen[TRUMP]))] = choice
    return found


@dataclass(eq=False)
class Hand:
    """A hand of Euchre at some point of it. Made by `Hand.deal` or `Hand.start`, played on by `choose`.

    Attributes
    ----------
    rules : Euchre
    hidden, seen : int64 arrays
        See `analyzer.games.euchre.layout`.

    Examples
    --------
    >>> from analyzer.games.euchre.rules import Euchre
    >>> hand = Hand.deal(Euchre(), seed=7, index=0, dealer=3)
    >>> hand.seat, hand.stage, hand.legal
    (0, 'first round', ('pass', 'order'))
    >>> hand.choose("order")
    >>> hand.seat, hand.legal
    (3, ('leave', 'take'))
    """

    rules: Euchre
    hidden: NDArray[np.int64] = field(repr=False)
    seen: NDArray[np.int64] = field(repr=False)

    @classmethod
    def deal(cls, rules: Euchre, *, seed: int, index: int = 0, dealer: int = 0) -> Hand:
        """The hand of an addressed deal, as simulations play it.

        Parameters
        ----------
        rules : Euchre
        seed, index : int
            Its address.
        dealer : int
            Seat, 0 to 3.
        """
        found = deals(int(rules.deck), seed=seed, first=index, count=1)
        hands = [int(hand) for hand in found.hands[0, : int(rules.players)]]
        return cls.start(rules, hands, int(found.turn_up[0]), dealer)

    @classmethod
    def start(
        cls, rules: Euchre, hands: Sequence[int], turn_up: int, dealer: int = 0, scores: Sequence[int] = ()
    ) -> Hand:
        """A hand of given cards.

        Parameters
        ----------
        rules : Euchre
        hands : sequence of int
            The hand of each seat, sets of five cards (a bit per card number).
        turn_up : int
            Number of the card.
        dealer : int
            Seat.
        scores : sequence of int, optional
            Points of each party before the hand; none by default.

        Raises
        ------
        PositionError
            If hands are too few or too many, have other than five cards, or a card lies in two places or is not in the
            deck.
        """
        players, deck = int(rules.players), DECKS[int(rules.deck)]
        if len(hands) != players:
            raise PositionError(f"there are {len(hands)} hands; {players} play, give one for each")
        everything = 1 << turn_up
        for hand in hands:
            if hand.bit_count() != HAND:
                raise PositionError(f"hand {cards_text(hand)} has {hand.bit_count()} cards; give {HAND}")
            if hand & everything:
                raise PositionError(f"{cards_text(hand & everything)} lies in two places; deal every card once")
            everything |= hand
        if everything & ~deck:
            raise PositionError(
                f"{cards_text(everything & ~deck)} is not in the deck of {rules.deck} cards; choose another card"
            )
        if not 0 <= dealer < players:
            raise PositionError(f"dealer {shown(dealer)} is no seat; choose from 0 to {players - 1}")
        hidden, seen = np.zeros(HIDDEN, np.int64), np.zeros(SEEN, np.int64)
        hidden[:players] = hands
        hidden[LEFT] = deck & ~everything
        begin(lower(rules), dealer, turn_up, seen)
        seen[SCORE : SCORE + len(scores)] = scores
        return cls(rules, hidden, seen)

    def copy(self) -> Hand:
        """The same hand, to be played on apart from this one."""
        return Hand(self.rules, self.hidden.copy(), self.seen.copy())

    @property
    def stage(self) -> str:
        """What is to be decided, see `STAGES`."""
        return STAGES[int(self.seen[STAGE])]

    @property
    def over(self) -> bool:
        """Whether the hand is over."""
        return bool(self.seen[STAGE] == OVER)

    @property
    def seat(self) -> int:
        """Who decides."""
        return int(self.seen[SEAT])

    @property
    def choices(self) -> dict[str, int]:
        """What may be chosen: the bit of each choice by its words."""
        return choices_in_words(int(legal_now(lower(self.rules), self.hidden, self.seen)), self.seen)

    @property
    def legal(self) -> tuple[str, ...]:
        """What may be chosen, in words; nothing when the hand is over."""
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
            raise PositionError(unknown(f"{self.stage} choice of seat {self.seat}", text, tuple(choices)))
        take(lower(self.rules), choices[text], self.hidden, self.seen)

    def held(self, seat: int) -> int:
        """The set of the cards of a seat, a bit per card number."""
        cards, trump = int(self.hidden[seat]), int(self.seen[TRUMP])
        return cards if trump < 0 else int(physical(cards, trump))

    @property
    def points(self) -> tuple[int, ...]:
        """Points of each party for this hand: sides 0 and 1, or the seats of two or three players."""
        players, points, maker = int(self.rules.players), int(self.seen[POINTS]), int(self.seen[MAKER])
        parties = range(2 if players == SEATS else players)
        if maker < 0:
            return tuple(0 for _ in parties)
        own = side_of(maker, players)
        return tuple(max(points if party == own else -points, 0) for party in parties)
