"""The referee of Euchre: who wins and leads, what follows suit, points, invariants of random hands."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from analyzer.cards.notation import SUITS as SUIT_NUMBERS
from analyzer.cards.notation import cards_text, parse_cards
from analyzer.games.euchre.relabel import legal_plays, physical, relabel, winning_card
from analyzer.games.euchre.rules import Euchre
from tests.games.euchre.test_rules import CHOICES, random_rules
from tests.games.euchre_referee import (
    Deal,
    Played,
    best_of,
    first_leader,
    legal_cards,
    play_hand,
    points_of,
    random_deal,
    winner_of,
)

N, E, S, W = range(4)
STANDARD = Euchre()


@pytest.mark.parametrize(
    ("trick", "winner"),
    [("9d Jd Ad 9h", "Jd"), ("Jd Ah Jh 9h", "Jh"), ("Ac Kd 9c Qs", "Ac"), ("Jh * Ah 9h", "*")],
)
def test_who_wins_a_trick(trick: str, winner: str) -> None:
    cards = trick.split()
    assert cards[winner_of(cards, "h")] == winner


@pytest.mark.parametrize(
    ("led", "hand", "legal"), [("9d", "Jd As 9h", "Jd As 9h"), ("9h", "Jd Ad", "Jd"), ("Jd", "Kd 9h", "9h")]
)
def test_what_follows_suit(led: str, hand: str, legal: str) -> None:
    assert legal_cards(hand.split(), led, "h") == legal.split()


@pytest.mark.parametrize(
    ("maker", "lone", "leader", "from_dealer"),
    [
        (N, set(), N, N),
        (S, {S}, W, E),
        (N, {N}, E, N),
        (E, {E}, S, N),
        (S, {S, W}, W, S),
        (S, {S, E}, E, E),
        (N, {E}, S, N),
        (N, {N, E}, E, N),
    ],
)
def test_who_leads_first(maker: int, lone: set[int], leader: int, from_dealer: int) -> None:
    assert first_leader(STANDARD, W, maker, lone) == leader
    assert first_leader(Euchre(alone_lead="left_of_dealer"), W, maker, lone) == from_dealer


@pytest.mark.parametrize(
    ("lone_maker", "lone_defender", "points"),
    [
        (False, False, "2/0 1/0 1/0 0/2 0/2 0/2"),
        (True, False, "4/0 1/0 1/0 0/2 0/2 0/2"),
        (False, True, "2/0 1/0 1/0 0/2 0/2 0/4"),
        (True, True, "4/0 1/0 1/0 0/2 0/2 0/4"),
    ],
)
def test_points_from_five_tricks_to_none(lone_maker: bool, lone_defender: bool, points: str) -> None:
    for tricks, pair in zip((5, 4, 3, 2, 1, 0), points.split(), strict=True):
        makers, defenders = points_of(STANDARD, tricks, lone_maker, lone_defender)
        assert f"{makers}/{defenders}" == pair


@pytest.mark.parametrize(
    ("hand", "best"),
    [
        ("Ac As Ad 9h", "9h"),
        ("Jd Ah Kh Qh", "Jd"),
        ("Jd Jh * Ah", "*"),
        ("Ac As Ad Kd", "Ad"),
        ("Ac As Kd Qd", "As"),
        ("Kc Ks Qd 9d", "Ks"),
        ("9c 8s Td 7d", "Td"),
    ],
)
def test_the_best_card_for_the_partner(hand: str, best: str) -> None:
    assert best_of(hand.split(), "h") == best


def test_of_the_other_colour_the_best_card_is_a_heart_before_a_diamond() -> None:
    assert best_of(["Ad", "Ah", "Kc"], "s") == "Ah"
    assert best_of(["Ad", "Ah", "Ac"], "s") == "Ac"


def check(rules: Euchre, deal: Deal, dealer: int, hand: Played) -> None:
    """What holds of every hand, and what the relabelled masks say of its tricks."""
    players = int(rules.players)
    if not hand.trump:
        assert len(hand.log) == 2 * players
        assert not rules.stick_dealer
        assert not any(hand.points)
        return
    out = {(seat + 2) % 4 for seat in hand.lone}
    assert len(hand.tricks) == 5
    assert len({seat % 2 for seat in hand.lone}) == len(hand.lone)
    known = {card for cards in deal[0] for card in cards} | {deal[1]}
    held = {card for cards in hand.hands for card in cards}
    assert len(held) == 5 * players
    assert held <= known
    gone = Counter(card for _, cards, _ in hand.tricks for card in cards)
    assert gone == Counter(card for seat in range(players) if seat not in out for card in hand.hands[seat])
    lone_maker = any(seat % 2 == hand.maker % 2 for seat in hand.lone)
    points = rules.points(hand.maker_tricks, lone_maker=lone_maker, lone_defender=len(hand.lone) > lone_maker)
    maker = hand.maker % 2 if players == 4 else hand.maker
    assert hand.points == tuple(max(points if one == maker else -points, 0) for one in range(len(hand.points)))
    trump = SUIT_NUMBERS.index(hand.trump)
    for decision, _ in hand.log:
        assert decision.stage == "blind" or decision.hand
    plays = iter([decision for decision, _ in hand.log if decision.stage == "play"])
    for leader, cards, winner in hand.tricks:
        seats = [seat for seat in ((leader + place) % players for place in range(players)) if seat not in out]
        masks = [int(relabel(parse_cards(card), trump)) for card in cards]
        for place, seat in enumerate(seats):
            decision = next(plays)
            assert decision.seat == seat
            legal = legal_plays(relabel(parse_cards(" ".join(decision.hand)), trump), masks[0] if place else 0)
            assert set(cards_text(int(physical(legal, trump))).split()) == set(decision.legal)
        assert seats[masks.index(winning_card(sum(masks), masks[0]))] == winner


def test_random_hands_under_random_rules() -> None:
    rng = Random(5)
    seen: Counter[str] = Counter()
    for _ in range(600):
        rules = random_rules({name: rng.choice(choices) for name, choices in CHOICES.items()})
        deal, dealer = random_deal(rules, rng), rng.randrange(int(rules.players))
        hand = play_hand(rules, deal, dealer, lambda decision: rng.choice(decision.legal))
        check(rules, deal, dealer, hand)
        seen.update({"all passed": not hand.trump, f"lone {len(hand.lone)}": 1, hand.log[0][0].stage: 1})
        seen.update({stage for stage in ("second", "exchange") if any(one.stage == stage for one, _ in hand.log)})
    assert min(seen[key] for key in ("lone 0", "lone 1", "lone 2", "blind", "first", "second", "exchange")) > 5
