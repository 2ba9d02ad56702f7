"""Slow referee of Euchre in plain Python: cards are texts, and nothing of the compiled code is used.

A card is rank and suit, such as ``Jh`` or ``Td``, the joker ``*``; a hand is a tuple of cards. Seats are numbered
clockwise from 0; of four, 0 and 2, 1 and 3 are partners. The options are those of `Euchre`, a table of plain values;
everything that follows from them is worked out here once more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random

from analyzer.games.euchre.rules import Euchre

Card = str
Hand = tuple[Card, ...]
Deal = tuple[Sequence[Hand], Card]
"""The hands of all seats and the turn-up."""

SUITS = "cdhs"
RANKS = "789TJQKA"
SAME_COLOUR = {"c": "s", "s": "c", "d": "h", "h": "d"}
JOKER = "*"


@dataclass(frozen=True)
class Decision:
    """What a player is asked.

    Attributes
    ----------
    seat
        Who is asked.
    stage
        ``blind``: the dealer names trump, without a look at the hand. ``first``, ``second``: the rounds of the bidding.
        ``turn_up``: the dealer takes or leaves it. ``discard``. ``alone``. ``exchange``: a card for the partner's best.
        ``play``.
    hand
        The cards of the seat; none in the stage ``blind``.
    legal
        The answers to choose from. Bids are ``pass``, ``order`` or a suit, with `` alone`` after it if that is said
        with the call. The dealer answers ``take`` or ``leave``, everybody ``alone`` or ``together``, or a card.
    """

    seat: int
    stage: str
    hand: Hand
    legal: tuple[str, ...]


Choose = Callable[[Decision], str]


@dataclass
class Played:
    """A hand as it was played.

    Attributes
    ----------
    trump
        The suit; empty if all passed.
    maker
        Who made trump, -1 if nobody did.
    lone
        Who played alone.
    hands
        The hands before the first lead.
    discard
        What the dealer discarded; empty if the turn-up was not taken.
    tricks
        For each trick (who led, the cards in their order, who won).
    points
        Of the sides 0/2 and 1/3; of each seat if two or three play.
    log
        Every decision and its answer.
    """

    trump: str = ""
    maker: int = -1
    lone: set[int] = field(default_factory=set)
    hands: list[list[Card]] = field(default_factory=list)
    discard: Card = ""
    tricks: list[tuple[int, list[Card], int]] = field(default_factory=list)
    points: tuple[int, ...] = (0, 0)
    log: list[tuple[Decision, str]] = field(default_factory=list)

    @property
    def maker_tricks(self) -> int:
        """Tricks of the makers."""
        return sum(self.on_makers_side(winner) for _, _, winner in self.tricks)

    def on_makers_side(self, seat: int) -> bool:
        """Whether a seat is one of the makers."""
        return seat == self.maker or (len(self.hands) == 4 and (seat - self.maker) % 2 == 0)


def deck_of(rules: Euchre) -> list[Card]:
    """All cards of the deck."""
    ranks = RANKS if rules.deck in {"32", "33"} else RANKS[2:]
    return [rank + suit for suit in SUITS for rank in ranks] + ([JOKER] if rules.deck in {"25", "33"} else [])


def random_deal(rules: Euchre, rng: Random) -> Deal:
    """A deal, of those with the joker more with it turned up than chance would give."""
    players = int(rules.players)
    cards = rng.sample(deck_of(rules), 5 * players + 1)
    if JOKER in cards and rng.random() < 0.3:
        place = cards.index(JOKER)
        cards[place], cards[-1] = cards[-1], cards[place]
    return tuple(tuple(cards[5 * seat : 5 * seat + 5]) for seat in range(players)), cards[-1]


def suit_in_play(card: Card, trump: str) -> str:
    """The suit that a card belongs to once trump is made."""
    if card == JOKER or (card[0] == "J" and card[1] == SAME_COLOUR[trump]):
        return trump
    return card[1]


def order_of(suit: str, trump: str) -> list[Card]:
    """All cards of a suit in play, the lowest first."""
    if suit != trump:
        jackless = suit == SAME_COLOUR[trump]
        return [rank + suit for rank in RANKS if not (jackless and rank == "J")]
    return [*(rank + suit for rank in RANKS if rank != "J"), "J" + SAME_COLOUR[trump], "J" + trump, JOKER]


def legal_cards(hand: Iterable[Card], led: Card, trump: str) -> list[Card]:
    """The cards that may be played; `led` is empty for the leader."""
    cards = list(hand)
    if not led:
        return cards
    suit = suit_in_play(led, trump)
    return [card for card in cards if suit_in_play(card, trump) == suit] or cards


def winner_of(cards: Sequence[Card], trump: str) -> int:
    """The place in the trick of the card that wins it."""
    trumps = [card for card in cards if suit_in_play(card, trump) == trump]
    suit = trump if trumps else suit_in_play(cards[0], trump)
    order = order_of(suit, trump)
    return cards.index(max((card for card in cards if card in order), key=order.index))


def best_of(hand: Iterable[Card], trump: str) -> Card:
    """The card that a lone player's partner gives him."""
    cards = list(hand)
    trumps = [card for card in cards if suit_in_play(card, trump) == trump]
    if trumps:
        return max(trumps, key=order_of(trump, trump).index)
    first = SAME_COLOUR[trump]
    suits = [first, *(suit for suit in "shcd" if suit not in {trump, first})]
    return min(cards, key=lambda card: (-RANKS.index(card[0]), suits.index(card[1])))


def first_leader(rules: Euchre, dealer: int, maker: int, lone: Iterable[int]) -> int:
    """Who leads to the first trick."""
    alone = set(lone)
    if not alone:
        return (dealer + 1) % int(rules.players)
    if rules.alone_lead == "left_of_dealer":
        seat = (dealer + 1) % 4
        while (seat + 2) % 4 in alone:
            seat = (seat + 1) % 4
        return seat
    if len(alone) == 2:
        return next(seat for seat in alone if seat % 2 != maker % 2)
    return (alone.pop() + 1) % 4


def points_of(rules: Euchre, maker_tricks: int, lone_maker: bool, lone_defender: bool) -> tuple[int, int]:
    """Points of the makers and the defenders; three players: of the maker and each of the others."""
    if maker_tricks == 5 and rules.players == "3":
        return 3, 0
    if maker_tricks == 5:
        return (4 if lone_maker else 2), 0
    if maker_tricks >= 3:
        return 1, 0
    if lone_defender:
        return 0, 4 if maker_tricks == 0 or rules.lone_defence == "flat4" else 2
    return 0, int(rules.lone_maker_euchre) if lone_maker else 2


class Table:
    """A hand of Euchre: `play` asks `choose` whatever there is to decide."""

    def __init__(self, rules: Euchre, deal: Deal, dealer: int, choose: Choose) -> None:
        hands, self.turn_up = deal
        players = int(rules.players)
        cards = [*(card for hand in hands for card in hand), self.turn_up]
        assert len(hands) == players
        assert len(set(cards)) == 5 * players + 1
        assert set(cards) <= set(deck_of(rules))
        self.rules = rules
        self.dealer = dealer
        self.choose = choose
        self.played = Played(hands=[list(hand) for hand in hands], points=(0,) * parties_of(rules))
        self.order = [(dealer + place) % players for place in range(1, players + 1)]

    def ask(self, seat: int, stage: str, legal: Iterable[str], hand: Hand | None = None) -> str:
        decision = Decision(seat, stage, tuple(self.played.hands[seat]) if hand is None else hand, tuple(legal))
        answer = self.choose(decision)
        if answer not in decision.legal:
            raise ValueError(f"{answer!r} is not among {decision.legal}")
        self.played.log.append((decision, answer))
        return answer

    def play(self) -> Played:
        if self.turn_up == JOKER and self.rules.joker_turn_up == "dealer_blind":
            self.make(self.dealer, self.ask(self.dealer, "blind", SUITS, ()))
            self.take_turn_up(may_discard_it=False)
        elif not self.first_round() and not self.second_round():
            return self.played
        if len(self.order) == 4:
            self.go_alone()
            if self.rules.best_card:
                self.exchange()
        self.play_tricks()
        played = self.played
        lone = [played.on_makers_side(seat) for seat in played.lone]
        for_makers, for_defenders = points_of(self.rules, played.maker_tricks, True in lone, False in lone)
        played.points = tuple(
            for_makers if played.on_makers_side(party) else for_defenders for party in range(parties_of(self.rules))
        )
        return played

    def make(self, seat: int, call: str) -> None:
        """Trump is made by a call, such as ``h alone``."""
        self.played.maker = seat
        self.played.trump = call[0]
        if call.endswith(" alone"):
            self.played.lone.add(seat)

    def proposed(self) -> str:
        """The suit of the turn-up."""
        return self.rules.joker_turn_up[0] if self.turn_up == JOKER else self.turn_up[1]

    def holds(self, seat: int, suit: str) -> bool:
        return any(card.endswith(suit) for card in self.played.hands[seat])

    def calls(self, words: Iterable[str]) -> list[str]:
        """What may be said to make trump in one of these ways."""
        if self.rules.alone_timing == "before_lead":
            return list(words)
        return [call for word in words for call in (word, f"{word} alone")]

    def first_round(self) -> bool:
        for seat in self.order:
            calls = self.calls(["order"])
            if self.rules.call_needs_suit and seat != self.dealer and not self.holds(seat, self.proposed()):
                calls = []
            if self.rules.assist_alone and seat == (self.dealer + 2) % 4:
                calls = [call for call in calls if call.endswith("alone")] or calls
            answer = self.ask(seat, "first", ["pass", *calls])
            if answer != "pass":
                self.make(seat, answer.replace("order", self.proposed()))
                self.turn_up_is_ordered()
                return True
        return False

    def turn_up_is_ordered(self) -> None:
        caller = self.played.maker
        if caller == self.dealer:
            self.take_turn_up(may_discard_it=False)
        elif (self.dealer + 2) % 4 in self.played.lone:
            return
        elif self.rules.dealer_pickup == "mandatory" or self.ask(self.dealer, "turn_up", ["take", "leave"]) == "take":
            self.take_turn_up(may_discard_it=self.rules.discard_turn_up == "allowed")

    def take_turn_up(self, may_discard_it: bool) -> None:
        hand = self.played.hands[self.dealer]
        hand.append(self.turn_up)
        self.played.discard = self.ask(self.dealer, "discard", hand if may_discard_it else hand[:-1])
        hand.remove(self.played.discard)

    def second_round(self) -> bool:
        allowed = [suit for suit in SUITS if self.rules.name_turned_down or suit != self.proposed()]
        for seat in self.order:
            stuck = self.rules.stick_dealer and seat == self.dealer
            suits = allowed
            if self.rules.call_needs_suit:
                suits = [suit for suit in allowed if self.holds(seat, suit)] or (allowed if stuck else [])
            answer = self.ask(seat, "second", [*([] if stuck else ["pass"]), *self.calls(suits)])
            if answer != "pass":
                self.make(seat, answer)
                return True
        return False

    def go_alone(self) -> None:
        played, rules = self.played, self.rules
        before_lead = rules.alone_timing == "before_lead" or played.log[0][0].stage == "blind"
        who = list(self.order)
        if rules.alone == "caller_then_lone_defence":
            who = [played.maker, *(seat for seat in self.order if seat % 2 != played.maker % 2)]
        for seat in who:
            called = seat == played.maker
            if (seat + 2) % 4 in played.lone or (called and not before_lead):
                continue
            if rules.alone == "caller_then_lone_defence" and not called and played.maker not in played.lone:
                continue
            assisted = called and seat == (self.dealer + 2) % 4 and not self.asked_twice()
            forced = rules.assist_alone and assisted
            if self.ask(seat, "alone", ["alone"] if forced else ["together", "alone"]) == "alone":
                played.lone.add(seat)

    def exchange(self) -> None:
        hands = self.played.hands
        for seat in self.order:
            if seat in self.played.lone:
                given = self.ask(seat, "exchange", hands[seat])
                best = best_of(hands[(seat + 2) % 4], self.played.trump)
                for owner, gone, new in ((seat, given, best), ((seat + 2) % 4, best, given)):
                    hands[owner].remove(gone)
                    hands[owner].append(new)

    def asked_twice(self) -> bool:
        return any(decision.stage == "second" for decision, _ in self.played.log)

    def play_tricks(self) -> None:
        played = self.played
        hands = [list(hand) for hand in played.hands]
        leader = first_leader(self.rules, self.dealer, played.maker, played.lone)
        for _ in range(5):
            place = self.order.index(leader)
            seats = [*self.order[place:], *self.order[:place]]
            seats = [seat for seat in seats if (seat + 2) % 4 not in played.lone]
            trick: list[Card] = []
            for seat in seats:
                legal = legal_cards(hands[seat], trick[0] if trick else "", played.trump)
                card = self.ask(seat, "play", legal, tuple(hands[seat]))
                hands[seat].remove(card)
                trick.append(card)
            winner = seats[winner_of(trick, played.trump)]
            played.tricks.append((leader, trick, winner))
            leader = winner


def play_hand(rules: Euchre, deal: Deal, dealer: int, choose: Choose) -> Played:
    """Play one hand; its trump is empty if all passed."""
    return Table(rules, deal, dealer, choose).play()


def parties_of(rules: Euchre) -> int:
    """How many have a score: two sides, or two or three players."""
    return 3 if rules.players == "3" else 2


@dataclass
class Match:
    """One game after the other.

    Attributes
    ----------
    scores
        Of the sides 0/2 and 1/3, or of each seat of two or three players, in the game that goes on or was the last.
    won
        The games that each has won, those that count double twice.
    winners
        Who won each game; two of three players, if they reach the target together with as many points.
    dealers
        Who dealt each hand.
    hands
        The hands, those that all passed included.
    """

    scores: list[int]
    won: list[int]
    winners: list[list[int]] = field(default_factory=list)
    dealers: list[int] = field(default_factory=list)
    hands: list[Played] = field(default_factory=list)

    def count(self, rules: Euchre, hand: Played) -> bool:
        """Count the points of a hand; whether it was the last."""
        self.scores = [score + points for score, points in zip(self.scores, hand.points, strict=True)]
        highest = max(self.scores)
        if highest < rules.target:
            return False
        winners = [party for party, score in enumerate(self.scores) if score == highest]
        self.winners.append(winners)
        shut_out = sum(self.scores) == highest * len(winners)
        for party in winners:
            self.won[party] += 2 if rules.slam and shut_out else 1
        if len(self.winners) == rules.games:
            return True
        surplus = highest - rules.target if rules.laps else 0
        self.scores = [surplus if party in winners else 0 for party in range(len(self.scores))]
        return False


def play_match(
    rules: Euchre, deals: Iterable[Deal], dealer: int, choose: Choose, scores: Sequence[int] = (0, 0)
) -> Match:
    """Play hands until a match is over, or the deals are; the deal passes clockwise whatever happens."""
    match = Match(list(scores), [0] * len(scores))
    for deal in deals:
        hand = play_hand(rules, deal, dealer, choose)
        match.dealers.append(dealer)
        match.hands.append(hand)
        if match.count(rules, hand):
            break
        dealer = (dealer + 1) % int(rules.players)
    return match
