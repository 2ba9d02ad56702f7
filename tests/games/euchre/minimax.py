"""Plain minimax for Euchre: the rules as they are read, every legal card tried, nothing pruned, nothing remembered.

A card is a number, 8 times the suit (clubs, diamonds, hearts, spades) plus the rank (7 to ace); the joker is 32.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from analyzer.engine.jit import device, kernel

JACK, JOKER = 4, 32
DECKS = {
    24: [8 * suit + rank for suit in range(4) for rank in range(2, 8)],
    25: [8 * suit + rank for suit in range(4) for rank in range(2, 8)] + [JOKER],
    32: list(range(32)),
}
ACTIVE = [(0, 1, 2, 3), (1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2), (0, 1), (1, 2), (2, 3), (0, 3)]


def same_colour(suit: int) -> int:
    """The other suit of a colour."""
    return 3 - suit


def card_of(text: str) -> int:
    """A card by its name, such as Jh."""
    return JOKER if text == "joker" else 8 * "cdhs".index(text[1]) + "789TJQKA".index(text[0])


def suits_and_powers(trump: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of each card the suit for following, and a power: of two cards of a suit the one of greater power is higher."""
    suits, powers = np.zeros(33, np.int64), np.zeros(33, np.int64)
    for card in range(33):
        suit, rank = divmod(card, 8)
        suits[card], powers[card] = suit, rank
        if card == JOKER:
            suits[card], powers[card] = trump, 100
        elif rank == JACK and suit == trump:
            powers[card] = 99
        elif rank == JACK and suit == same_colour(trump):
            suits[card], powers[card] = trump, 98
    return suits, powers


def relabelled(card: int, trump: int) -> int:
    """The card as the search has it, by a list of all places."""
    off = [suit for suit in range(4) if suit not in {trump, same_colour(trump)}]
    places = {8 * suit + rank: 16 * field + rank for field, suit in enumerate(off) for rank in range(8)}
    places |= {8 * same_colour(trump) + rank: 32 + rank for rank in range(8) if rank != JACK}
    places |= {8 * trump + rank: 48 + rank for rank in range(8) if rank != JACK}
    places |= {8 * same_colour(trump) + JACK: 56, 8 * trump + JACK: 57, JOKER: 58}
    return 1 << places[card]


@device
def wins(suits, powers, trump, trick):
    """The place of the card that wins a trick."""
    best = 0
    for k in range(1, trick.size):
        same = suits[trick[k]] == suits[trick[best]]
        if (same and powers[trick[k]] > powers[trick[best]]) or (
            suits[trick[k]] == trump and suits[trick[best]] != trump
        ):
            best = k
    return best


@device
def position(held, winner):
    """A number for the cards that are still held, of five at most, and the seat that leads."""
    number = winner
    for seat in range(4):
        for k in range(held.shape[1]):
            number = 2 * number + (held[seat, k] >= 0)
    return number


@device
def play_on(suits, powers, trump, held, seats, at, tricks, done, played, side, known):
    """Tricks of a side from here on: `held` has the cards of each seat, -1 where one was played."""
    trick = tricks[done]
    if played == seats.size:
        # All have played, so that the one in turn is the leader again.
        winner = (at + wins(suits, powers, trump, trick[:played])) % seats.size
        point = 1 if seats[winner] % 2 == side else 0
        if done + 1 == held.shape[1]:
            return point
        if known.size == 0:
            return point + play_on(suits, powers, trump, held, seats, winner, tricks, done + 1, 0, side, known)
        here = position(held, winner)
        if known[here] < 0:
            known[here] = play_on(suits, powers, trump, held, seats, winner, tricks, done + 1, 0, side, known)
        return point + known[here]
    seat = seats[at]
    can_follow = False
    for card in held[seat]:
        can_follow = can_follow or (card >= 0 and played > 0 and suits[card] == suits[trick[0]])
    value = -1
    for k in range(held.shape[1]):
        card = held[seat, k]
        if card < 0 or (can_follow and suits[card] != suits[trick[0]]):
            continue
        held[seat, k], trick[played] = -1, card
        after = (at + 1) % seats.size
        found = play_on(suits, powers, trump, held, seats, after, tricks, done, played + 1, side, known)
        held[seat, k] = card
        if value < 0 or (found > value if seat % 2 == side else found < value):
            value = found
    return value


@kernel
def minimax(suits, powers, trump, held, seats, turn, done, table, side, remember):
    """Tricks of a side from here on, the trick on the table included.

    Row `held[seat]` has its cards, -1 where one was played; `seats` are those that play, clockwise, `turn` is the place
    in it of the one to play next, `done` the number of finished tricks, `table` the cards of the trick so far. With
    `remember`, every position at the start of a trick is worked out once.
    """
    tricks = np.full((held.shape[1], 4), -1)
    for k in range(table.size):
        tricks[done, k] = table[k]
    known = np.full(1 << 22 if remember else 0, -1, np.int8)
    return play_on(suits, powers, trump, held.copy(), seats, turn, tricks, done, table.size, side, known)


@dataclass(frozen=True)
class Position:
    """Open hands in the middle of play, in cards by number."""

    trump: int
    active: tuple[int, ...]
    leader: int
    hands: tuple[tuple[int, ...], ...]
    """By seat, without the cards on the table."""
    table: tuple[int, ...] = ()

    @property
    def turn(self) -> int:
        """The seat in turn."""
        return self.active[(self.active.index(self.leader) + len(self.table)) % len(self.active)]

    @property
    def relabelled(self) -> list[int]:
        """The hands as the search has them."""
        return [sum(relabelled(card, self.trump) for card in hand) for hand in self.hands]

    @property
    def relabelled_table(self) -> list[int]:
        """The table as the search has it."""
        return [relabelled(card, self.trump) for card in self.table]

    def legal(self) -> list[int]:
        """The cards that the seat in turn may play."""
        suits, _ = suits_and_powers(self.trump)
        hand = list(self.hands[self.turn])
        return [card for card in hand if self.table and suits[card] == suits[self.table[0]]] or hand

    def after(self, card: int) -> Position:
        """The position after a card, with a finished trick taken away."""
        hands = list(self.hands)
        hands[self.turn] = tuple(held for held in self.hands[self.turn] if held != card)
        played = replace(self, hands=tuple(hands), table=(*self.table, card))
        if len(played.table) < len(self.active):
            return played
        suits, powers = suits_and_powers(self.trump)
        winner = self.active.index(self.leader) + int(wins(suits, powers, self.trump, np.array(played.table)))
        return replace(played, leader=self.active[winner % len(self.active)], table=())

    def tricks(self, side: int, *, remember: bool = True) -> int:
        """What minimax finds."""
        suits, powers = suits_and_powers(self.trump)
        held = np.full((4, 5), -1)
        for seat in self.active:
            held[seat, : len(self.hands[seat])] = self.hands[seat]
        done = 5 - max(len(self.hands[seat]) for seat in self.active)
        if len(self.table) == 0 and done == 5:
            return 0
        turn, table = self.active.index(self.turn), np.array(self.table, np.int64)
        return int(minimax(suits, powers, self.trump, held, np.array(self.active), turn, done, table, side, remember))

    def tricks_after(self, card: int, side: int) -> int:
        """What minimax finds after a card, its trick included."""
        after = self.after(card)
        won = not after.table and after.leader % 2 == side
        return int(won) + after.tricks(side)


def random_position(random: np.random.Generator, deck: int, active: tuple[int, ...], plays: int) -> Position:
    """A random deal of five cards with a random trump and leader, after so many random plays."""
    cards = random.permutation(DECKS[deck])[:20].reshape(4, 5)
    hands = tuple(tuple(map(int, row)) if seat in active else () for seat, row in enumerate(cards))
    position = Position(int(random.integers(4)), active, active[int(random.integers(len(active)))], hands)
    for _ in range(plays):
        position = position.after(int(random.choice(position.legal())))
    return position
