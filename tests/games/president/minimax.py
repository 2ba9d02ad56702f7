"""Plain minimax for the endgame of President, over the referee: every legal choice tried, nothing pruned."""

from __future__ import annotations

from collections.abc import Hashable
from random import Random
from typing import Any

from analyzer.games.president.rules import President
from tests.games.president_referee import JOKER, RANKS, Play, Table, all_plays, deck_of


class Ending(Table):
    """A round in which two have cards; positions that come again, and what may be played, are worked out once."""

    def __init__(self, *position: Any, **more: Any) -> None:
        super().__init__(*position, **more)
        self.hands = [sorted(hand) for hand in self.hands]
        self.known: dict[Hashable, int] = {}
        self.found: dict[Hashable, list[Play | None]] = {}
        self.chosen: list[Play | None] = []

    def legal(self) -> list[Play | None]:
        """All that the player may do."""
        if self.chosen:
            return self.chosen
        key = tuple(self.hands[self.turn]), self._measured, self.reversed
        if key not in self.found:
            self.found[key] = super().legal()
        return self.found[key]

    @property
    def _measured(self) -> tuple[str, int, int] | None:
        """What of the pile decides what may answer it."""
        return self.pile and (self.pile.kind, self.pile.low, len(self.pile.cards))

    def after(self, play: Play | None) -> Ending:
        """The round after a legal choice."""
        table = Ending.__new__(Ending)
        table.__dict__.update(self.__dict__)
        table.hands, table.passed, table.out = [list(hand) for hand in self.hands], set(self.passed), list(self.out)
        table.chosen = [play]
        table.do(play)
        table.chosen = []
        return table

    def winner_after(self, play: Play | None) -> int:
        """Who goes out first if both play best after a choice."""
        table = self.after(play)
        return self.turn if table.over else table.winner()

    def winner(self) -> int:
        """Who goes out first if both play best."""
        hands = tuple(tuple(hand) for hand in self.hands)
        position = hands, self.turn, self._measured, self.last, frozenset(self.passed), self.reversed
        if position not in self.known:
            winners = {self.winner_after(play) for play in self.legal()}
            # Somebody wins, and he does if any of his choices makes him.
            self.known[position] = self.turn if self.turn in winners else winners.pop()
        return self.known[position]


def random_options(rng: Random) -> President:
    """Rules with every option that matters for an ending at random."""
    runs, jokers = rng.random() < 0.8, rng.choice((0, 1, 2, 2))
    revolution, eights = rng.random() < 0.6, rng.random() < 0.5
    options: dict[str, Any] = {"beat": ("equal_or_higher", "higher"), "pass_locks": (True, False)}
    if runs:
        options["run_beat"] = ("top", "disjoint")
    if jokers:
        options["all_jokers"] = ("highest", "may_be_2s")
    if revolution:
        options["closer_in_revolution"] = ("twos", "threes")
        if runs:
            options["run_revolution"] = (True, False)
    if runs and jokers and eights:
        options["eight_by_joker"] = (True, False)
    chosen = {name: rng.choice(values) for name, values in options.items()}
    players = rng.randint(3, 6)
    return President(players=players, runs=runs, jokers=jokers, revolution=revolution, eight_stop=eights, **chosen)


def random_ending(rng: Random, most: int) -> Ending:
    """An ending with up to so many cards in each hand, by random rules.

    It has a pile more often than not, by the other or by a seat that has gone out; then the other has passed, or not.
    """
    while True:
        ending = _some_ending(random_options(rng), rng, most)
        if ending is not None:
            return ending


def _some_ending(rules: President, rng: Random, most: int) -> Ending | None:
    """The same, or nothing if cards do not suffice."""
    # Few suits and ranks have more runs and groups.
    lowest, suits = rng.choice((0, rng.randrange(10))), rng.choice(("cdhs", rng.sample("cdhs", 2)))
    deck = [card for card in deck_of(rules) if card != JOKER]
    near = [card for card in deck if RANKS.index(card[0]) >= lowest and card[1] in suits]
    rng.shuffle(near)
    if most >= 3 and rng.random() < 0.4:
        # A run for the first hand, whose cards are the last of these.
        suit, low = rng.choice(near)[1], rng.randrange(lowest, 11)
        near.sort(key=lambda card: card[1] == suit and low <= RANKS.index(card[0]) < low + 3)
    seats = list(range(rules.players))
    rng.shuffle(seats)
    turn, other, *gone = seats
    hands: list[list[str]] = [[] for _ in seats]
    for seat in (turn, other):
        hands[seat] = [near.pop() for _ in range(min(rng.randint(1, most), len(near) // 2))]
    jokers = rules.jokers
    while jokers and rng.random() < 0.7:
        hands[rng.choice((turn, other))][:1] = [JOKER]
        jokers -= 1
    if not hands[turn] or not hands[other]:
        return None
    order = rules.revolution and rng.random() < 0.5
    own = sorted(all_plays(rules, hands[turn]), key=str)
    like = rng.choice([play for play in own if play.kind == "run"] or own) if rng.random() < 0.7 else None
    if like is None:
        return Ending(rules, hands, turn, reversed=order)
    rest = [card for card in deck if card not in {*hands[turn], *hands[other]}]
    suit = rng.choice("cdhs")
    rest = [card for card in rest if card[1] == suit][:8] if like.kind == "run" else rng.sample(rest, 16)
    rest += [JOKER] * jokers
    piles = [play for play in all_plays(rules, rest) if (play.kind, len(play.cards)) == (like.kind, len(like.cards))]
    if not piles:
        return None
    pile = rng.choice(sorted(piles, key=str))
    last = rng.choice((other, rng.choice(gone)))
    passed = [seat for seat in (other, *gone) if seat != last and rng.random() < 0.5]
    return Ending(rules, hands, turn, pile, last, passed, order)
