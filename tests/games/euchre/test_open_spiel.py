"""The referee beside the euchre of open_spiel: the same legal actions and the same points, action by action.

Its rules are a setting of ours: the dealer must take an ordered turn-up and may not discard it, `alone` is said after
that, a lone hand changes nothing about who leads, and any euchre by a lone defender is worth 4. What differs is who may
play alone: each question that only the referee asks is counted by its name, and answered with no.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from analyzer.games.euchre.rules import Euchre
from tests.games.euchre_referee import Decision, Played, play_hand

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")

SUITS = "cdhs"
CARDS = [rank + suit for rank in "9TJQKA" for suit in SUITS]
WORDS = [*CARDS, "pass", *SUITS, "alone", "together"]
"""What its actions are called here, by number."""
PARTNER = "the maker's partner is not asked whether to play alone"
DEFENDER = "a defender is not asked whether to play alone"


class Beside:
    """Answers at random, after a look that open_spiel has the same decision; and plays the answer there."""

    def __init__(self, state: Any, rng: Random) -> None:
        self.state = state
        self.rng = rng
        self.proposed = CARDS[state.upcard()][1]
        self.maker = -1
        self.alone: dict[int, str] = {}
        self.seen: Counter[str] = Counter()

    def __call__(self, decision: Decision) -> str:
        if decision.stage == "alone":
            return self.say_alone(decision)
        words = [WORDS[action] for action in self.state.legal_actions()]
        if decision.stage == "first":
            words = ["order" if word == self.proposed else word for word in words]
        assert self.state.current_player() == decision.seat
        assert sorted(words) == sorted(decision.legal)
        answer = self.rng.choice(decision.legal)
        if "pass" in decision.legal and self.rng.random() < 0.7:
            answer = "pass"  # so that all pass now and then
        if decision.stage in {"first", "second"} and answer != "pass":
            self.maker = decision.seat
        self.state.apply_action(WORDS.index(self.proposed if answer == "order" else answer))
        self.seen[decision.stage] += 1
        return answer

    def say_alone(self, decision: Decision) -> str:
        """The maker is asked first there, here the dealer's left; so all are asked there at once."""
        while self.state.current_phase() == pyspiel.euchre.Phase.GO_ALONE:
            assert [WORDS[action] for action in self.state.legal_actions()] == ["alone", "together"]
            answer = self.rng.choice(decision.legal)
            self.alone[self.state.current_player()] = answer
            self.state.apply_action(WORDS.index(answer))
            self.seen["alone"] += 1
        if decision.seat not in self.alone:
            self.seen[DEFENDER if (decision.seat - self.maker) % 2 else PARTNER] += 1
        return self.alone.get(decision.seat, "together")


def play_beside(rules: Euchre, game: Any, rng: Random) -> tuple[Played, Counter[str]]:
    """One hand in both, with the same points at its end."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(rng.choice(state.legal_actions()))
    held: list[list[str]] = [[], [], [], []]
    for card, holder in enumerate(state.card_holder()):
        if holder is not None and card != state.upcard():
            held[holder].append(CARDS[card])
    beside = Beside(state, rng)
    hand = play_hand(rules, (tuple(map(tuple, held)), CARDS[state.upcard()]), state.dealer(), beside)
    assert state.is_terminal()
    assert list(state.returns()) == [hand.points[seat % 2] - hand.points[1 - seat % 2] for seat in range(4)]
    return hand, beside.seen


def compare(hands: int, seed: int, *, lone_defender: bool, stick_dealer: bool) -> Counter[str]:
    """How often what was compared, and what only the referee asked."""
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
        hand, counted = play_beside(rules, game, rng)
        seen += counted
        makers = sum(seat % 2 == hand.maker % 2 for seat in hand.lone)
        seen[f"{2 - makers} makers, {2 - len(hand.lone) + makers} defenders"] += bool(hand.trump)
        seen["all passed"] += not hand.trump
        seen["no trick for the makers"] += bool(hand.trump) and hand.maker_tricks == 0
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
    reached = ["first", "second", "discard", "alone", "2 makers, 2 defenders", "1 makers, 2 defenders"]
    if lone_defender:
        reached += ["2 makers, 1 defenders", "1 makers, 1 defenders"]
    assert all(seen[what] > hands / 100 for what in reached)
    assert seen["no trick for the makers"] > 0
    # Questions of the referee that are not asked there. No defender is left out where they are asked at all.
    assert 0 < seen[PARTNER] < named
    assert (seen[DEFENDER] == 0) is lone_defender


@pytest.mark.parametrize("stick_dealer", [True, False])
@pytest.mark.parametrize("lone_defender", [True, False])
def test_same_actions_and_points(lone_defender: bool, stick_dealer: bool) -> None:
    check(1000, 1, lone_defender=lone_defender, stick_dealer=stick_dealer)


@pytest.mark.nightly
@pytest.mark.parametrize("stick_dealer", [True, False])
@pytest.mark.parametrize("lone_defender", [True, False])
def test_same_actions_and_points_of_many_hands(lone_defender: bool, stick_dealer: bool) -> None:
    check(25_000, 2, lone_defender=lone_defender, stick_dealer=stick_dealer)
