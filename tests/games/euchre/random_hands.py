"""Hands of Euchre played at random through `Hand`, with a plain record of what everybody could see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyzer.games.euchre.hand import Hand, choice_text
from analyzer.games.euchre.layout import ACTIVE, DISCARD, DISCARDING, TRICKS, TRUMP
from analyzer.games.euchre.rules import Euchre
from tests.games.euchre.test_rules import CHOICES, random_rules
from tests.games.euchre_referee import suit_in_play


def rules_at_random(rng: np.random.Generator, **fixed: Any) -> Euchre:
    """Rules with each option at random, but for some."""
    values = {name: choices[int(rng.integers(len(choices)))] for name, choices in CHOICES.items()}
    return random_rules(values | fixed)


@dataclass
class Played:
    """A hand up to some decision.

    Attributes
    ----------
    hand
        At that decision.
    dealer, maker, trump, second, blind
        As they became known; `second` and `blind` tell how trump was made.
    cards
        The cards that each seat has played.
    voids
        The suits that each seat has shown to be out of.
    discard
        The dealer's.
    log
        Stage, seat and choice in words.
    notes
        Whatever was asked for at every decision.
    """

    hand: Hand
    dealer: int
    maker: int = -1
    trump: str = ""
    second: bool = False
    blind: bool = False
    cards: list[list[str]] = field(default_factory=lambda: [[], [], [], []])
    voids: list[set[str]] = field(default_factory=lambda: [set(), set(), set(), set()])
    discard: str = ""
    log: list[tuple[str, int, str]] = field(default_factory=list)
    notes: list[int] = field(default_factory=list)
    trick: list[str] = field(default_factory=list)

    def choices(self, world: NDArray[np.int64]) -> list[str]:
        """What was chosen, with the discard of a world."""
        trump = int(self.hand.seen[TRUMP])
        discard = choice_text(int(world[DISCARD]), DISCARDING, trump) if world[DISCARD] else ""
        return [discard if stage == "discard" else text for stage, _, text in self.log]

    def choose(self, text: str) -> None:
        """Play on, and write down what can be seen."""
        hand, stage, seat = self.hand, self.hand.stage, self.hand.seat
        before = int(hand.seen[TRUMP])
        self.log.append((stage, seat, text))
        playing = sum(1 for one in range(4) if hand.seen[ACTIVE] >> one & 1)
        hand.choose(text)
        if before < 0 <= int(hand.seen[TRUMP]):
            self.maker, self.trump = seat, "cdhs"[int(hand.seen[TRUMP])]
            self.second, self.blind = stage == "second round", stage == "naming"
        if stage == "discard":
            self.discard = _name(text)
        if stage == "play":
            card = _name(text)
            led = suit_in_play((self.trick or [card])[0], self.trump)
            if suit_in_play(card, self.trump) != led:
                self.voids[seat].add(led)
            self.cards[seat].append(card)
            self.trick.append(card)
            if len(self.trick) == playing:
                self.trick = []


def _name(text: str) -> str:
    """A card as the referee writes it."""
    return "*" if text == "joker" else text.replace("10", "T")


def played_at_random(
    rules: Euchre,
    rng: np.random.Generator,
    decisions: int,
    tricks: int = 0,
    until: str = "over",
    note: Callable[[Hand], int] | None = None,
) -> Played:
    """A random hand after so many decisions, or more until so many tricks are finished, or over, or in a stage."""
    dealer = int(rng.integers(int(rules.players)))
    deal = Hand.deal(rules, seed=int(rng.integers(2**31)), index=int(rng.integers(2**31)), dealer=dealer)
    played = Played(deal, dealer)
    while deal.stage not in ("over", until) and (decisions > 0 or deal.seen[TRICKS] < tricks):
        if note is not None:
            played.notes.append(note(deal))
        legal = deal.legal
        calls = [text for text in legal if text not in ("pass", "together")]
        wanted = calls if calls and rng.random() < 0.3 else legal
        played.choose(wanted[int(rng.integers(len(wanted)))])
        decisions -= 1
    return played
