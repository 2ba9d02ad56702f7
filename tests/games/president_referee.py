"""Slow referee of President in plain Python: plays are found by trying subsets of a hand, without compiled code.

A card is rank and suit, such as ``3h`` or ``Ts``; a joker is ``*``, of which a hand may have two. Seats are numbered
clockwise from 0. The options are those of `President`; everything that follows from them is worked out here once more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from analyzer.games.president.rules import President

Card = str

RANKS = "3456789TJQKA2"
SUITS = "cdhs"
JOKER = "*"
THREE, EIGHT, TWO = RANKS.index("3"), RANKS.index("8"), RANKS.index("2")
ABOVE_TWO = len(RANKS)
"""The rank of jokers alone."""
PASS = None
BEST_SUITS = "hsdc"
"""Of cards of a rank, which is given first."""


@dataclass(frozen=True)
class Play:
    """Cards and what they are declared to be.

    Attributes
    ----------
    kind
        ``group`` or ``run``.
    low, top
        The lowest and the highest rank, as places in `RANKS`; of jokers alone `ABOVE_TWO`, unless they are 2s.
    cards
        The cards, sorted.
    suit
        That of a run; empty for a group.
    """

    kind: str
    low: int
    top: int
    cards: tuple[Card, ...]
    suit: str = ""


def deck_of(rules: President) -> list[Card]:
    """All cards of the deck."""
    return [rank + suit for suit in SUITS for rank in RANKS] + [JOKER] * rules.jokers


def deal(rules: President, dealer: int, rng: Random) -> list[list[Card]]:
    """All cards one by one, the first to the dealer's left."""
    cards = rng.sample(deck_of(rules), len(deck_of(rules)))
    first = (dealer + 1) % rules.players
    return [cards[(seat - first) % rules.players :: rules.players] for seat in range(rules.players)]


# What cards may be played as.


def readings(rules: President, cards: Iterable[Card]) -> list[Play]:
    """All plays that these cards, all of them, may be declared as."""
    held = tuple(sorted(cards))
    natural = [card for card in held if card != JOKER]
    ranks, suits = [RANKS.index(card[0]) for card in natural], {card[1] for card in natural}
    found = []
    if 1 <= len(held) <= 4:
        if len(set(ranks)) == 1:
            found.append(Play("group", ranks[0], ranks[0], held))
        elif not natural:
            found.append(Play("group", ABOVE_TWO, ABOVE_TWO, held))
            if rules.all_jokers == "may_be_2s":
                found.append(Play("group", TWO, TWO, held))
    if rules.runs and len(held) >= 3 and len(suits) == 1 and len(set(ranks)) == len(ranks):
        for low in range(len(RANKS) - len(held) + 1):
            top = low + len(held) - 1
            # The jokers are as many as the places that are left.
            if all(low <= rank <= top for rank in ranks):
                found.append(Play("run", low, top, held, natural[0][1]))
    return found


def all_plays(rules: President, hand: Sequence[Card]) -> set[Play]:
    """All plays of a hand, whatever lies on the table."""
    jokers = [card for card in hand if card == JOKER]
    subsets = [cards for size in range(1, 5) for cards in combinations(hand, size)]
    for suit in SUITS:
        cards = [card for card in hand if card[-1] == suit] + jokers
        subsets += [some for size in range(3, len(cards) + 1) for some in combinations(cards, size)]
    return {play for cards in subsets for play in readings(rules, cards)}


def beats(rules: President, new: Play, old: Play, reversed: bool) -> bool:  # noqa: A002
    """Whether a play may answer another in an order of ranks that is reversed or not."""
    if new.kind != old.kind or len(new.cards) != len(old.cards):
        return False
    if new.kind == "run" and rules.run_beat == "disjoint":
        return new.top < old.low if reversed else new.low > old.top
    if new.low == new.top == old.top:
        # Groups of one rank, jokers alone among them.
        return rules.beat == "equal_or_higher"
    if ABOVE_TWO in {new.low, old.low}:
        return new.low == ABOVE_TWO
    if rules.beat == "higher":
        return new.low < old.low if reversed else new.top > old.top
    return new.low <= old.low if reversed else new.top >= old.top


def turns_order(rules: President, play: Play) -> bool:
    """Whether a play reverses the order of ranks."""
    if not rules.revolution or len(play.cards) < 4:
        return False
    return play.kind == "group" or rules.run_revolution


def closes(rules: President, play: Play, reversed_after: bool) -> bool:
    """Whether a play ends the pile; the order is that after the play."""
    if play.kind == "group":
        closer = THREE if reversed_after and rules.closer_in_revolution == "threes" else TWO
        return play.low == closer or (rules.eight_stop and play.low == EIGHT)
    if not rules.eight_stop or not play.low <= EIGHT <= play.top:
        return False
    return rules.eight_by_joker or RANKS[EIGHT] + play.suit in play.cards


# A round.


class Table:
    """A round from some position on.

    Parameters
    ----------
    rules
        The options.
    hands
        The cards of each seat; who has none is out, in the order of the seats.
    turn
        Who is asked.
    pile
        The last play on the pile; None if `turn` leads.
    last
        Who made it; None if there is none.
    passed
        Who is not asked again before somebody plays, and if a pass locks before the pile ends.
    reversed
        Whether the order of ranks is reversed.
    """

    def __init__(
        self,
        rules: President,
        hands: Sequence[Sequence[Card]],
        turn: int,
        pile: Play | None = None,
        last: int | None = None,
        passed: Iterable[int] = (),
        reversed: bool = False,  # noqa: A002
    ) -> None:
        assert len(hands) == rules.players
        assert (pile is None) == (last is None)
        self.rules = rules
        self.hands = [list(hand) for hand in hands]
        self.turn = turn
        self.pile = pile
        self.last = last
        self.passed = set(passed)
        self.out = [seat for seat, hand in enumerate(self.hands) if not hand]
        self.reversed = reversed

    def legal(self) -> list[Play | None]:
        """All that the player may do; a pass is the last of it."""
        plays = all_plays(self.rules, self.hands[self.turn])
        if self.pile is not None:
            plays = {play for play in plays if beats(self.rules, play, self.pile, self.reversed)}
        ordered = sorted(plays, key=lambda play: (play.kind, play.low, play.top, play.suit, play.cards))
        return [*ordered] if self.pile is None else [*ordered, PASS]

    def do(self, play: Play | None) -> None:
        """Take a choice of who is asked; ValueError if it is not legal."""
        if self.over or play not in self.legal():
            raise ValueError(f"{play!r} is not among what is legal")
        seat = self.turn
        if play is None:
            self.passed.add(seat)
        else:
            for card in play.cards:
                self.hands[seat].remove(card)
            if not self.hands[seat]:
                self.out.append(seat)
            if not self.rules.pass_locks:
                self.passed.clear()
            self.pile, self.last = play, seat
            self.reversed ^= turns_order(self.rules, play)
            if closes(self.rules, play, self.reversed):
                self._new_pile()
                return
        self._ask_next(seat)

    def _ask_next(self, seat: int) -> None:
        """Ask the next player who may still play on this pile; without one the pile ends."""
        players = self.rules.players
        for other in ((seat + step) % players for step in range(1, players)):
            if self.hands[other] and other not in self.passed and other != self.last:
                self.turn = other
                return
        self._new_pile()

    def _new_pile(self) -> None:
        """Who played last leads, or the next clockwise who has cards."""
        assert self.last is not None
        players, last = self.rules.players, self.last
        self.turn = next(
            (seat for seat in ((last + step) % players for step in range(players)) if self.hands[seat]), last
        )
        self.pile, self.last, self.passed = None, None, set()

    @property
    def over(self) -> bool:
        """Whether one player at most has cards."""
        return sum(bool(hand) for hand in self.hands) <= 1

    def places(self) -> list[int]:
        """The place of each seat, 1 for who was out first; 0 if it is not known yet."""
        order = [*self.out, *(seat for seat, hand in enumerate(self.hands) if hand)] if self.over else self.out
        return [order.index(seat) + 1 if seat in order else 0 for seat in range(self.rules.players)]


# Between rounds.


def first_leader(rules: President, hands: Sequence[Sequence[Card]], dealer: int) -> int:
    """Who leads in the first round, unless it is drawn."""
    assert rules.first_lead != "random"
    if rules.first_lead == "club3":
        return next(seat for seat, hand in enumerate(hands) if "3c" in hand)
    return (dealer + 1) % rules.players


def next_leader(rules: President, places: Sequence[int]) -> int:
    """Who leads after a round with these places."""
    return places.index(rules.players if rules.next_lead == "last" else 1)


def round_points(rules: President, places: Sequence[int]) -> list[int]:
    """The points of each seat: one for each player who is placed behind."""
    return [sum(other > place for other in places) for place in places]


def best_cards(hand: Iterable[Card], count: int) -> list[Card]:
    """The cards that are given, the best first; the order of ranks is never reversed for that."""
    cards = list(hand)
    jokers = [card for card in cards if card == JOKER]
    natural = [card for card in cards if card != JOKER]
    natural.sort(key=lambda card: (-RANKS.index(card[0]), BEST_SUITS.index(card[1])))
    return (jokers + natural)[:count]


def exchange_pairs(rules: President) -> list[tuple[int, int, int]]:
    """Pairs (place that receives, place that gives, cards)."""
    if not rules.exchange:
        return []
    if rules.players == 3:
        return [(1, 3, int(rules.exchange_of_three))]
    return [(1, rules.players, 2), (2, rules.players - 1, 1)]


def give(rules: President, hands: Sequence[Sequence[Card]], places: Sequence[int]) -> list[list[Card]]:
    """The hands after all gifts, before anything is given back; the places are those of the round before."""
    after = [list(hand) for hand in hands]
    for receives, gives, count in exchange_pairs(rules):
        _move(best_cards(hands[places.index(gives)], count), after[places.index(gives)], after[places.index(receives)])
    return after


def give_back(
    rules: President, hands: Sequence[Sequence[Card]], places: Sequence[int], returned: Mapping[int, Sequence[Card]]
) -> list[list[Card]]:
    """The hands after the returns: the cards that each seat which received gives back, any of its own."""
    after = [list(hand) for hand in hands]
    pairs = exchange_pairs(rules)
    if set(returned) != {places.index(receives) for receives, _, _ in pairs}:
        raise ValueError(f"{sorted(returned)} are not the seats that give back")
    for receives, gives, count in pairs:
        seat = places.index(receives)
        cards = list(returned[seat])
        if len(cards) != count or Counter(cards) - Counter(hands[seat]):
            raise ValueError(f"{cards} are not {count} cards of seat {seat}")
        _move(cards, after[seat], after[places.index(gives)])
    return after


def _move(cards: Iterable[Card], giver: list[Card], receiver: list[Card]) -> None:
    for card in cards:
        giver.remove(card)
        receiver.append(card)


# A game.

Choose = Callable[[Table], "Play | None"]
"""What the player whose turn it is does."""
Return = Callable[[Sequence[Card], int], Sequence[Card]]
"""Which cards of a hand are given back, by their number."""


def play_game(
    rules: President,
    deals: Sequence[Sequence[Sequence[Card]]],
    dealer: int,
    choose: Choose,
    returns: Return,
    drawn_leader: int = 0,
) -> tuple[list[int], list[Table]]:
    """The points of each seat after all rounds, and the rounds.

    Parameters
    ----------
    rules
        The options.
    deals
        The hands of each round, before any exchange.
    dealer
        Who deals in the first round.
    choose, returns
        What players do.
    drawn_leader
        Who leads in the first round if that is drawn.
    """
    assert len(deals) == rules.rounds
    scores, tables, places = [0] * rules.players, list[Table](), list[int]()
    for hands in deals:
        if places:
            leader, held = next_leader(rules, places), give(rules, hands, places)
            back = {places.index(to): returns(held[places.index(to)], count) for to, _, count in exchange_pairs(rules)}
            held = give_back(rules, held, places, back)
        else:
            leader = drawn_leader if rules.first_lead == "random" else first_leader(rules, hands, dealer)
            held = [list(hand) for hand in hands]
        table = Table(rules, held, leader)
        while not table.over:
            table.do(choose(table))
        places = table.places()
        scores = [a + b for a, b in zip(scores, round_points(rules, places), strict=True)]
        tables.append(table)
    return scores, tables
