"""Hands in kernels beside the referee, decision by decision, under random rules; suits renamed; errors."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.cards.deck import deals
from analyzer.cards.notation import SUITS, cards_text, parse_card, parse_cards
from analyzer.errors import PositionError
from analyzer.games.euchre.hand import Hand
from analyzer.games.euchre.layout import (
    DOWN,
    LED,
    LEFT,
    MADE,
    OVER,
    PLAYED,
    SCORE,
    STAGE,
    TAKEN,
    TRICKS,
    TURN_UP,
    VOID,
)
from analyzer.games.euchre.relabel import physical, relabel
from analyzer.games.euchre.rules import Euchre
from tests.games.euchre.test_rules import CHOICES, any_rules, random_rules
from tests.games.euchre.through_kernel import STAGES, next_decision, play_out, start
from tests.games.euchre_referee import (
    JOKER,
    SAME_COLOUR,
    Choose,
    Decision,
    Played,
    deck_of,
    play_hand,
    random_deal,
    suit_in_play,
)


def at_random(rng: Random) -> Choose:
    """Random answers, in which all pass now and then."""

    def choose(decision: Decision) -> str:
        passes = "pass" in decision.legal and rng.random() < 0.6
        return "pass" if passes else rng.choice(decision.legal)

    return choose


def same_answers(hand: Played) -> Choose:
    """The answers of a hand that was played, with a look that the same is asked; bids stand in another order."""
    log = iter(hand.log)

    def choose(decision: Decision) -> str:
        expected, answer = next(log)
        assert (decision.seat, decision.stage, decision.hand) == (expected.seat, expected.stage, expected.hand)
        assert sorted(decision.legal) == sorted(expected.legal)
        return answer

    return choose


def written(cards: Any, trump: int) -> set[str]:
    return set(cards_text(int(physical(cards, trump))).split())


def check_public(rules: Euchre, hand: Hand, played: Played, turn_up: str) -> None:
    """What everybody has seen when the hand is over, and what was left, from the tricks."""
    seen, hidden, players = hand.seen, hand.hidden, int(rules.players)
    assert not hand.legal
    assert seen[STAGE] == OVER
    if not played.trump:
        return
    assert (seen[TRICKS], seen[MADE]) == (5, played.maker_tricks)
    assert not seen[DOWN : DOWN + 4].any()
    assert seen[LED] == 0
    shown: dict[int, set[str]] = {seat: set() for seat in range(4)}
    for leader, cards, _ in played.tricks:
        out = {(seat + 2) % 4 for seat in played.lone}
        seats = [seat for seat in ((leader + place) % players for place in range(players)) if seat not in out]
        led = suit_in_play(cards[0], played.trump)
        for seat, card in zip(seats, cards, strict=True):
            if suit_in_play(card, played.trump) != led:
                shown[seat].add(led)
    trump = SUITS.index(played.trump)
    for seat in range(players):
        gone = {card for decision, card in played.log if (decision.seat, decision.stage) == (seat, "play")}
        assert written(seen[PLAYED + seat], trump) == gone
        for card in deck_of(Euchre(deck="33")):
            void = int(seen[VOID + seat]) & int(relabel(parse_cards(card), trump)) != 0
            assert void == (suit_in_play(card, played.trump) in shown[seat])
    taken = bool(played.discard)
    assert seen[TAKEN] == taken
    held = {card for cards in played.hands for card in cards}
    assert written(hidden[LEFT], trump) == set(deck_of(rules)) - held - ({played.discard} if taken else {turn_up})


def compare(hands: int, seed: int) -> None:
    """Random hands under random rules, by the referee and by kernels."""
    rng = Random(seed)
    asked: Counter[str] = Counter()
    paid: Counter[tuple[Any, ...]] = Counter()
    for _ in range(hands):
        rules = random_rules({name: rng.choice(choices) for name, choices in CHOICES.items()})
        deal, dealer = random_deal(rules, rng), rng.randrange(int(rules.players))
        expected = play_hand(rules, deal, dealer, at_random(rng))
        hand = start(rules, deal, dealer)
        found = play_out(hand, deal, same_answers(expected))
        check_public(rules, hand, found, deal[1])
        for one in (found, expected):
            one.log = [(replace(decision, legal=tuple(sorted(decision.legal))), answer) for decision, answer in one.log]
        assert found == expected
        asked.update({decision.stage for decision, _ in found.log} | {rules.players, rules.deck})
        if found.trump:
            lone = [found.on_makers_side(seat) for seat in found.lone]
            paid[rules.players, True in lone, False in lone, found.maker_tricks] += 1
        else:
            asked["all passed"] += 1
    # Nothing that can happen was left out.
    assert set(asked) == {*STAGES.values(), "all passed", *CHOICES["players"], *CHOICES["deck"]}
    assert min(asked.values()) > 10
    lone = set(product("4", (False, True), (False, True), range(6)))
    assert set(paid) == lone | set(product("23", (False,), (False,), range(6)))


def test_random_hands_under_random_rules() -> None:
    compare(1_000, seed=14)


@pytest.mark.nightly
def test_many_random_hands_under_random_rules() -> None:
    compare(50_000, seed=15)


def renamed(card: str, suits: dict[str, str]) -> str:
    return card if card == JOKER else card[0] + suits[card[1]]


def renamed_answer(stage: str, answer: str, suits: dict[str, str]) -> str:
    if stage in {"discard", "play"}:
        return renamed(answer, suits)
    return suits[answer[0]] + answer[1:] if stage == "blind" or (stage == "second" and answer != "pass") else answer


def renamings() -> list[dict[str, str]]:
    """The eight ways to rename suits that keep the colours together."""
    return [
        {"c": first, "s": SAME_COLOUR[first], "d": second, "h": SAME_COLOUR[second]}
        for first in SUITS
        for second in SUITS
        if second not in {first, SAME_COLOUR[first]}
    ]


@given(any_rules, st.sampled_from(renamings()), st.integers(0, 2**32))
def test_names_of_suits_do_not_matter(rules: Euchre, suits: dict[str, str], seed: int) -> None:
    """But for the two rules that name suits."""
    rules = replace(rules, joker_turn_up="dealer_blind", best_card=False)
    rng = Random(seed)
    deal, dealer = random_deal(rules, rng), rng.randrange(int(rules.players))
    answers = at_random(rng)
    hands = tuple(tuple(renamed(card, suits) for card in cards) for cards in deal[0])
    other_deal = hands, renamed(deal[1], suits)
    other = start(rules, other_deal, dealer)
    other_held = [list(cards) for cards in hands]

    def choose(decision: Decision) -> str:
        there = next_decision(other, other_held)
        assert (there.seat, there.stage) == (decision.seat, decision.stage)
        assert set(there.legal) == {renamed_answer(decision.stage, answer, suits) for answer in decision.legal}
        answer = answers(decision)
        other.choose(renamed_answer(decision.stage, answer, suits))
        return answer

    hand = start(rules, deal, dealer)
    play_out(hand, deal, choose)
    assert other.over
    assert other.points == hand.points
    assert other.seen[MADE] == hand.seen[MADE]


def test_a_dealt_hand_is_the_addressed_deal() -> None:
    for players in ("2", "3", "4"):
        rules = Euchre(players=players, deck="32")
        made = deals(32, seed=9, first=4, count=1)
        hand = Hand.deal(rules, seed=9, index=4, dealer=1)
        assert [hand.held(seat) for seat in range(int(players))] == made.hands[0, : int(players)].tolist()
        assert hand.seen[TURN_UP] == made.turn_up[0]
        rest = [*made.hands[0, int(players) :].tolist(), int(made.left[0])]
        assert hand.hidden[LEFT] == sum(rest)
        assert (hand.seat, hand.stage) == (2 % int(players), "first round")


def test_a_copy_is_played_apart() -> None:
    hand = Hand.deal(Euchre(), seed=1)
    other = hand.copy()
    other.choose("order")
    assert (hand.stage, other.stage) == ("first round", "turn-up")
    assert hand.held(0) == other.held(0)


def five(text: str) -> int:
    return parse_cards(text)


HANDS = [five("9c Tc Jc Qc Kc"), five("9d Td Jd Qd Kd"), five("9h Th Jh Qh Kh"), five("9s Ts Js Qs Ks")]


@pytest.mark.parametrize(
    ("hands", "turn_up", "dealer", "complaint"),
    [
        (HANDS[:3], "Ac", 0, "there are 3 hands; 4 play, give one for each"),
        ([*HANDS, five("Ac Ad Ah As")], "Ac", 0, "there are 5 hands; 4 play"),
        ([five("9c Tc Jc Qc"), *HANDS[1:]], "Ac", 0, "hand Qc Jc Tc 9c has 4 cards; give 5"),
        ([HANDS[0], *HANDS[:3]], "Ac", 0, "Kc Qc Jc Tc 9c lies in two places; deal every card once"),
        (HANDS, "9s", 0, "9s lies in two places"),
        ([five("7c Tc Jc Qc Kc"), *HANDS[1:]], "Ac", 0, "7c is not in the deck of 24 cards; choose another card"),
        (HANDS, "*", 0, r"\* is not in the deck of 24 cards"),
        (HANDS, "Ac", 4, "dealer 4 is no seat; choose from 0 to 3"),
        (HANDS, "Ac", -1, "dealer -1 is no seat"),
    ],
)
def test_cards_that_cannot_be_dealt(hands: list[int], turn_up: str, dealer: int, complaint: str) -> None:
    with pytest.raises(PositionError, match=complaint) as caught:
        Hand.start(Euchre(), hands, parse_card(turn_up), dealer)
    assert "\n" not in str(caught.value)


def test_choices_that_are_not_legal() -> None:
    hand = Hand.start(Euchre(), HANDS, parse_card("Ac"), 3)
    with pytest.raises(PositionError, match="first round choice of seat 0 'ordr' is unknown; did you mean 'order'"):
        hand.choose("ordr")
    hand.choose("order")
    hand.choose("leave")
    for _ in range(4):
        hand.choose("together")
    with pytest.raises(PositionError, match="play choice of seat 0 '9d' is unknown"):
        hand.choose("9d")
    assert hand.legal == ("9c", "Tc", "Qc", "Kc", "Jc")


def test_scores_are_kept() -> None:
    hand = Hand.start(Euchre(), HANDS, parse_card("Ac"), 3, scores=(9, 6))
    hand.choose("order")
    assert hand.seen[SCORE : SCORE + 3].tolist() == [9, 6, 0]
