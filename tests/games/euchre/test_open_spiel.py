"""The kernels beside the euchre of open_spiel: the same legal actions and the same points, action by action.

Its rules are a setting of ours: the dealer must take an ordered turn-up and may not discard it, `alone` is said after
that, a lone hand changes nothing about who leads, and any euchre by a lone defender is worth 4. Nothing of it is left
out: hands in which all pass or the makers get no trick, and a lone defender against two makers, are compared as well.
What differs is who may play alone: each question that only is asked here is counted by its name, and answered with no.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from analyzer.cards.notation import parse_card, parse_cards
from analyzer.games.euchre.hand import Hand
from analyzer.games.euchre.layout import LONE, MADE, MAKER
from analyzer.games.euchre.rules import Euchre

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")

SUITS = "cdhs"
CARDS = [rank + suit for rank in "9TJQKA" for suit in SUITS]
WORDS = [*CARDS, "pass", *SUITS, "alone", "together"]
"""What its actions are called here, by number."""
PARTNER = "the maker's partner is not asked whether to play alone"
DEFENDER = "a defender is not asked whether to play alone"


class Beside:
    """A hand here and in open_spiel, played at random action by action."""

    def __init__(self, rules: Euchre, state: Any, rng: Random) -> None:
        while state.is_chance_node():
            state.apply_action(rng.choice(state.legal_actions()))
        held: list[list[str]] = [[], [], [], []]
        for card, holder in enumerate(state.card_holder()):
            if holder is not None and card != state.upcard():
                held[holder].append(CARDS[card])
        turn_up = CARDS[state.upcard()]
        hands = [parse_cards(" ".join(cards)) for cards in held]
        self.hand = Hand.start(rules, hands, parse_card(turn_up), state.dealer())
        self.proposed = turn_up[1]
        self.state = state
        self.rng = rng
        self.alone: dict[int, str] = {}
        self.seen: Counter[str] = Counter()

    def act(self, answer: str) -> None:
        """In open_spiel."""
        self.state.apply_action(WORDS.index(answer))

    def play(self) -> None:
        """To the end, with the same legal actions all along and the same points."""
        hand, state = self.hand, self.state
        while not hand.over:
            hand.choose(self.say_alone() if hand.stage == "alone" else self.decide())
        assert state.is_terminal()
        points = hand.points
        assert list(state.returns()) == [points[seat % 2] - points[1 - seat % 2] for seat in range(4)]

    def decide(self) -> str:
        """Answer at random, after a look that open_spiel has the same decision."""
        stage, legal = self.hand.stage, self.hand.legal
        words = [WORDS[action] for action in self.state.legal_actions()]
        if stage == "first round":
            words = ["order" if word == self.proposed else word for word in words]
        assert self.state.current_player() == self.hand.seat
        assert sorted(words) == sorted(legal)
        passes = "pass" in legal and self.rng.random() < 0.7  # so that all pass now and then
        answer = "pass" if passes else self.rng.choice(legal)
        self.act(self.proposed if answer == "order" else answer)
        self.seen[stage] += 1
        return answer

    def say_alone(self) -> str:
        """The maker is asked first there, here the dealer's left; so all are asked there at once."""
        hand = self.hand
        while self.state.current_phase() == pyspiel.euchre.Phase.GO_ALONE:
            assert [WORDS[action] for action in self.state.legal_actions()] == ["alone", "together"]
            answer = self.rng.choice(hand.legal)
            self.alone[self.state.current_player()] = answer
            self.act(answer)
            self.seen["alone"] += 1
        if hand.seat not in self.alone:
            self.seen[DEFENDER if (hand.seat - hand.seen[MAKER]) % 2 else PARTNER] += 1
        return self.alone.get(hand.seat, "together")


def compare(hands: int, seed: int, *, lone_defender: bool, stick_dealer: bool) -> Counter[str]:
    """How often what was compared, and what only is asked here."""
    game = pyspiel.load_game("euchre", {"allow_lone_defender": lone_defender, "stick_the_dealer": stick_dealer})
    rules = Euchre(
        dealer_pickup="mandatory",
        discard_turn_up="forbidden",
        stick_dealer=stick_dealer,
        alone_lead="left_of_dealer",
        lone_defence="flat4",
    )
    rng = Random(seed)
    seen: Counter[str] = Counter()
    for _ in range(hands):
        beside = Beside(rules, game.new_initial_state(), rng)
        beside.play()
        seen += beside.seen
        hand = beside.hand
        maker = int(hand.seen[MAKER])
        if maker < 0:
            seen["all passed"] += 1
            continue
        lone = [seat for seat in range(4) if hand.seen[LONE] >> seat & 1]
        makers = 2 - sum(seat % 2 == maker % 2 for seat in lone)
        seen[f"{makers} makers, {4 - len(lone) - makers} defenders"] += 1
        seen["no trick for the makers"] += hand.seen[MADE] == 0
    return seen


def check(hands: int, seed: int, *, lone_defender: bool, stick_dealer: bool) -> None:
    seen = compare(hands, seed, lone_defender=lone_defender, stick_dealer=stick_dealer)
    print({"lone defender": lone_defender, "stick the dealer": stick_dealer}, dict(seen))
    named = hands - seen["all passed"]
    tables = {
        (makers, defenders): f"{makers} makers, {defenders} defenders" for makers in (1, 2) for defenders in (1, 2)
    }
    assert seen["play"] == 5 * sum(sum(players) * seen[table] for players, table in tables.items())
    assert (seen["all passed"] == 0) is stick_dealer
    reached = ["first round", "second round", "discard", "alone", "2 makers, 2 defenders", "1 makers, 2 defenders"]
    if lone_defender:
        reached += ["2 makers, 1 defenders", "1 makers, 1 defenders"]
    assert all(seen[what] > hands / 100 for what in reached)
    assert seen["no trick for the makers"] > 0
    # Questions that are not asked there. No defender is left out where they are asked at all.
    assert 0 < seen[PARTNER] < named
    assert (seen[DEFENDER] == 0) is lone_defender


@pytest.mark.parametrize("stick_dealer", [True, False])
@pytest.mark.parametrize("lone_defender", [True, False])
def test_same_actions_and_points(lone_defender: bool, stick_dealer: bool) -> None:
    check(300, 1, lone_defender=lone_defender, stick_dealer=stick_dealer)


@pytest.mark.nightly
@pytest.mark.parametrize("stick_dealer", [True, False])
@pytest.mark.parametrize("lone_defender", [True, False])
def test_same_actions_and_points_of_many_hands(lone_defender: bool, stick_dealer: bool) -> None:
    check(25_000, 2, lone_defender=lone_defender, stick_dealer=stick_dealer)
