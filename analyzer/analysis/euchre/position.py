"""Where a hand of Euchre stands, as a player tells it: his cards, what was turned up, said and played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.cards.deck import DECKS, HAND
from analyzer.cards.notation import card_name, cards_text, parse_card, parse_cards, parse_suit
from analyzer.errors import PositionError
from analyzer.fields import shown, slug, unknown
from analyzer.games.euchre.hand import STAGES, begin, legal_now, take
from analyzer.games.euchre.layout import (
    DEALER,
    DISCARDING,
    FIRST,
    GIVING,
    HIDDEN,
    LONE,
    LONELY,
    MAKER,
    NAME,
    NAME_ALONE,
    NAMING,
    NO,
    ORDER,
    ORDER_ALONE,
    OVER,
    PASS,
    PLAYED,
    PLAYING,
    SCORE,
    SEAT,
    SECOND,
    SEEN,
    STAGE,
    TAKEN,
    TRUMP,
    TURNING,
    VOID,
    YES,
)
from analyzer.games.euchre.lowering import ALONE_WITH_CALL, lower
from analyzer.games.euchre.moves import side_of
from analyzer.games.euchre.relabel import relabel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from analyzer.games.euchre.rules import Euchre

SEAT_NAMES = {4: ("left", "partner", "right", "dealer"), 3: ("left", "right", "dealer"), 2: ("other", "dealer")}
"""Seats by their place from the dealer, the last of whom he is, by the number of players."""
_SAYINGS = {"pass", "order", "take", "leave", "together", "alone"}


@dataclass(frozen=True, eq=False)
class EuchrePosition:
    """A decision of one seat: what everybody has seen, and what it knows besides.

    Attributes
    ----------
    rules : Euchre
    seat : int
        Whose decision it is; the dealer has the last seat.
    hand, discard : int
        Its cards and, if it is the dealer, its discard: sets as in `analyzer.games.euchre.layout`.
    seen : (SEEN,) int64 array
    """

    rules: Euchre
    seat: int
    hand: int
    discard: int
    seen: NDArray[np.int64]

    @property
    def stage(self) -> str:
        """What is to be decided."""
        return STAGES[int(self.seen[STAGE])]

    @property
    def scores(self) -> tuple[int, ...]:
        """Points of the own party, and of the others."""
        players = int(self.rules.players)
        parties = range(2 if players == 4 else players)
        own = int(side_of(self.seat, players))
        return tuple(int(self.seen[SCORE + (own + k) % len(parties)]) for k in parties)

    @property
    def legal(self) -> int:
        """What may be chosen, a bit each."""
        hidden = np.zeros(HIDDEN, np.int64)
        hidden[self.seat] = self.hand
        return int(legal_now(lower(self.rules), hidden, self.seen))


def read_position(
    rules: Euchre,
    *,
    hand: str,
    upcard: str,
    seat: str,
    score: str = "",
    second_round: bool = False,
    said: str = "",
    alone: str = "",
    discard: str = "",
    play: bool = False,
    played: str = "",
) -> EuchrePosition:
    """Read where a hand stands.

    Parameters
    ----------
    rules : Euchre
    hand : str
        The cards that the player holds now, such as ``"JH AH KH 9S 9C"``; the dealer's without the turn-up until he has
        discarded.
    upcard : str
        The card that was turned up.
    seat : str
        ``dealer``, or his ``left``, ``partner`` or ``right``; of two players ``dealer`` or ``other``.
    score : str
        Points of the own side and the other's, such as ``6-9``; of three players the own, then clockwise.
    second_round : bool
        All have passed in the first round.
    said : str
        What was said from the dealer's left on, such as ``"pass, order"`` or ``"pass pass pass pass pass s"``: pass,
        order, a suit, each with `` alone`` where that belongs to the call; then take or leave. What is not told is a
        pass up to the player's own turn; the dealer takes what was ordered.
    alone : str
        Who plays alone: ``me`` or seats.
    discard : str
        What the player, as the dealer, has discarded.
    play : bool
        It is the player's turn to play a card.
    played : str
        The cards played so far, in their order.

    Raises
    ------
    PositionError
        A position that cannot be; one line says why.

    Examples
    --------
    >>> from analyzer.games.euchre.rules import Euchre
    >>> read_position(Euchre(), hand="JH AH KH 9S 9C", upcard="TH", seat="dealer").stage
    'first round'
    """
    return _Reader(rules, hand, upcard, seat, score, alone, discard, play or bool(played)).read(
        second_round, said, played
    )


class _Reader:
    """Goes through what happened, one decision after the other, until the player's own."""

    def __init__(
        self, rules: Euchre, hand: str, upcard: str, seat: str, score: str, alone: str, discard: str, play: bool
    ) -> None:
        self.rules, self.lowered, self.players = rules, lower(rules), int(rules.players)
        deck = int(rules.deck)
        self.names = SEAT_NAMES[self.players]
        self.me = self.seat_of(seat)
        self.cards, self.turn_up = parse_cards(hand, deck), parse_card(upcard, deck)
        self.given_discard = parse_card(discard, deck) if discard.strip() else -1
        self.alone = {self.seat_of(name) for name in alone.replace(",", " ").split()}
        self.play = play
        self.discarded = False
        self.hidden, self.seen = np.zeros(HIDDEN, np.int64), np.zeros(SEEN, np.int64)
        begin(self.lowered, self.players - 1, self.turn_up, self.seen)
        self.set_scores(score)

    def seat_of(self, name: str) -> int:
        """The number of a seat."""
        word = slug(name)
        if word == "me":
            return self.me
        if word not in self.names:
            raise PositionError(unknown("seat", name, self.names))
        return self.names.index(word)

    def set_scores(self, score: str) -> None:
        parties = 2 if self.players == 4 else self.players
        parts = score.replace(":", "-").split("-") if score.strip() else ["0"] * parties
        good = len(parts) == parties and all(part.strip().isdecimal() and len(part.strip()) < 4 for part in parts)
        if not good or max(map(int, parts)) >= self.rules.target:
            raise PositionError(
                f"score {shown(score)} cannot be; give {parties} numbers below {self.rules.target}, your own first,"
                f" such as {'-'.join(['6', '9', '3'][:parties])}"
            )
        own = int(side_of(self.me, self.players))
        for k, part in enumerate(parts):
            self.seen[SCORE + (own + k) % parties] = int(part)

    def read(self, second_round: bool, said: str, played: str) -> EuchrePosition:
        words = _words(said)
        if second_round:
            passes = sum(word == "pass" for word in words)
            if passes < self.players:
                words = ["pass"] * self.players + words
        cards = [parse_card(word, int(self.rules.deck)) for word in played.replace(",", " ").split()]
        while not self.is_mine(words, cards):
            self.step(words, cards)
            if self.seen[STAGE] == OVER:
                what = "all have passed" if self.seen[MAKER] < 0 else f"the hand is over after {shown(played)}"
                raise PositionError(f"{what}; tell what was said and played up to your decision, and no more")
        self.check_all_used()
        return EuchrePosition(self.rules, self.me, *self.own_cards(), self.seen)

    def check_all_used(self) -> None:
        """Raise PositionError if something was told that does not come before this decision."""
        stage, unasked = int(self.seen[STAGE]), [seat for seat in self.alone if not self.seen[LONE] >> seat & 1]
        if unasked:
            raise PositionError(f"{self.names[min(unasked)]} cannot have said 'alone' before this; leave alone out")
        if self.play and stage != PLAYING:
            raise PositionError(f"it is the {STAGES[stage]}, not the play; tell with said who made trump")
        if self.given_discard >= 0 and not self.discarded:
            raise PositionError(f"you have discarded nothing; leave discard {card_name(self.given_discard)} out")

    def is_mine(self, words: Sequence[str], cards: Sequence[int]) -> bool:
        """Whether this is the decision that is asked about."""
        stage = self.seen[STAGE]
        if self.seen[SEAT] != self.me or words or cards:
            return False
        if stage == DISCARDING:
            return not self.play and self.given_discard < 0
        if stage == LONELY:
            return not self.play and self.me not in self.alone
        if stage == GIVING:
            return not self.play
        if stage == TURNING:
            return not self.play and self.given_discard < 0
        return True

    def step(self, words: list[str], cards: list[int]) -> None:
        """Make the next decision as it was told, or else as is usual."""
        stage, seat = int(self.seen[STAGE]), int(self.seen[SEAT])
        if stage == PLAYING:
            choice = self.next_card(words, cards)
        elif stage in (FIRST, SECOND, NAMING):
            choice = self.call(stage, words)
        elif stage == TURNING:
            word = words.pop(0) if words and words[0] in ("take", "leave") else "take"
            choice = 1 << (YES if word == "take" else NO)
        elif stage == LONELY:
            choice = 1 << (YES if seat in self.alone else NO)
            choice = choice if choice & self.legal_for_all() else self.legal_for_all()
        elif stage == DISCARDING and seat == self.me:
            if self.given_discard < 0:
                raise PositionError("you took the turn-up and discarded a card; tell which as discard")
            if self.given_discard == self.turn_up and not self.may_discard_turn_up():
                raise PositionError(
                    f"the rules do not allow to discard {card_name(self.turn_up)} here; name another card"
                )
            choice, self.discarded = int(relabel(1 << self.given_discard, int(self.seen[TRUMP]))), True
        else:
            choice = 0  # what is not seen
        take(self.lowered, choice, self.hidden, self.seen)

    def legal_for_all(self) -> int:
        """What the seat in turn may choose as far as all know, whatever its cards are."""
        anything = np.full(HIDDEN, DECKS[int(self.rules.deck)], np.int64)
        return int(legal_now(self.lowered, anything, self.seen))

    def may_discard_turn_up(self) -> bool:
        ordered = self.seen[MAKER] != self.seen[DEALER]
        return bool(ordered and self.rules.discard_turn_up == "allowed")

    def call(self, stage: int, words: list[str]) -> int:
        """What is said in the bidding, checked against the rules."""
        word = words.pop(0) if words else "pass"
        choice = self.said_by(stage, word)
        if not choice & self.legal_for_all():
            who = self.names[int(self.seen[SEAT])]
            raise PositionError(
                f"the rules do not allow {who} to say {shown(word)} in the {STAGES[stage]}; correct said"
            )
        return choice

    def said_by(self, stage: int, word: str) -> int:
        with_alone = word.endswith(" alone")
        if with_alone and word != "pass alone" and not self.lowered[ALONE_WITH_CALL]:
            self.alone.add(int(self.seen[SEAT]))
            with_alone = False
        name = word.removesuffix(" alone")
        who = self.names[int(self.seen[SEAT])]
        if word == "pass" and stage != NAMING:
            return 1 << PASS
        if stage == FIRST and name == "order":
            return 1 << (ORDER_ALONE if with_alone else ORDER)
        if stage != FIRST and name not in _SAYINGS:
            return 1 << (NAME_ALONE if with_alone else NAME) + parse_suit(name)
        calls = {FIRST: "pass or order", SECOND: "pass or a suit"}.get(stage, "a suit")
        problem = f"{shown(word)} is nothing that {who} can say in the {STAGES[stage]}"
        raise PositionError(f"{problem}; give {calls}, in turn from the dealer's left on")

    def next_card(self, words: list[str], cards: list[int]) -> int:
        seat = int(self.seen[SEAT])
        if words:
            raise PositionError(f"{shown(' '.join(words))} was said too much; the play has begun before that")
        if not cards:
            raise PositionError(f"it is the turn of {self.names[seat]} to play; name the cards played up to your turn")
        card = cards.pop(0)
        everything = sum(int(self.seen[PLAYED + k]) for k in range(4))
        bit = int(relabel(1 << card, int(self.seen[TRUMP])))
        if everything & bit:
            raise PositionError(f"{card_name(card)} is played twice; name each card once")
        if bit & int(self.seen[VOID + seat]):
            raise PositionError(
                f"{self.names[seat]} cannot play {card_name(card)} after not following that suit; correct the cards"
            )
        if card == self.turn_up and not self.may_hold_turn_up(seat):
            raise PositionError(f"{card_name(card)} was turned up; only a dealer who took it can play it")
        return bit

    def may_hold_turn_up(self, seat: int) -> bool:
        """Whether a seat may have the turn-up: the dealer who took it, or his lone partner who was given it."""
        given = self.rules.best_card and self.seen[LONE] >> seat & 1 and seat == 1
        return bool(self.seen[TAKEN] == 1 and (seat == self.seen[DEALER] or given))

    def own_cards(self) -> tuple[int, int]:
        """The hand and the discard as kernels take them."""
        trump, stage = int(self.seen[TRUMP]), int(self.seen[STAGE])
        dealer = self.me == self.seen[DEALER]
        took = dealer and self.seen[TAKEN] == 1
        mine = int(self.seen[PLAYED + self.me])
        hand, discard, up = self.cards, 0, 1 << self.turn_up
        if stage == NAMING:
            return 0, 0
        wanted = HAND - mine.bit_count()
        if hand.bit_count() != wanted:
            raise PositionError(f"hand {cards_text(hand)} has {hand.bit_count()} cards; you hold {wanted}")
        if hand & up and (stage == DISCARDING or not self.may_hold_turn_up(self.me)):
            raise PositionError(f"{card_name(self.turn_up)} is turned up and not in a hand; give the five cards dealt")
        if trump < 0:
            return hand, 0
        if stage == DISCARDING:
            hand |= up
        hand = int(relabel(hand, trump))
        others = sum(int(self.seen[PLAYED + k]) for k in range(4))
        if hand & int(self.seen[VOID + self.me]):
            raise PositionError("the hand has a card of a suit that you did not follow; give the cards that you hold")
        if hand & others:
            raise PositionError("a card of the hand has been played; give the cards that you still hold")
        if took and stage != DISCARDING:
            discard = int(relabel(1 << self.given_discard, trump))
            up_now = int(relabel(up, trump))
            changed = self.rules.best_card and self.seen[LONE] >> self.me & 1
            if discard & (hand | others) or not (changed or up_now & (hand | mine | discard)):
                raise PositionError(
                    f"the discard {card_name(self.given_discard)} does not go with the hand: of your six cards, the"
                    f" {card_name(self.turn_up)} among them, five are in the hand or played"
                )
        return hand, discard


def _words(said: str) -> list[str]:
    """What was said, one text for each decision."""
    words: list[str] = []
    for word in said.replace(",", " ").lower().split():
        if word == "alone" and words:
            words[-1] += " alone"
        else:
            words.append(word)
    return words


def choice_name(position: EuchrePosition, choice: int) -> Any:
    """A choice of a position in words."""
    from analyzer.games.euchre.hand import choice_text

    return choice_text(choice, int(position.seen[STAGE]), int(position.seen[TRUMP]))
