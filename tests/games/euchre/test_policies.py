"""The policies `rules` and `strength`: what a player expects of them, and what must hold for any hand."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

from analyzer.cards.notation import parse_card, parse_cards
from analyzer.errors import PolicyError, RulesError
from analyzer.games.euchre.chart_index import chart_index
from analyzer.games.euchre.hand import Hand, choice_text, legal_now, take
from analyzer.games.euchre.layout import DEALER, DISCARD, LEFT, OVER, PLAYED, PLAYING, STAGE, TRUMP
from analyzer.games.euchre.lowering import lower
from analyzer.games.euchre.play import play_until
from analyzer.games.euchre.players import ASK, CHART, RANDOM, RULES, STRENGTH, Players, answer
from analyzer.games.euchre.randomness import DIGITS
from analyzer.games.euchre.rules import Euchre
from analyzer.games.euchre.strength import Strength
from tests.games.euchre.test_chart_search import random_chart
from tests.games.euchre.test_rules import CHOICES

NO_DIGITS = np.zeros(DIGITS, np.int64)


MANDATORY = Euchre(dealer_pickup="mandatory")


@cache
def charts() -> dict[str, Any]:
    """A chart of random choices for each of four policies."""
    words, _ = random_chart(MANDATORY, 1)
    return {"chart_index": chart_index(24), "charts": np.tile(words, (4, 1))}


def table(*kinds: int, strength: Strength | None = None) -> Players:
    """The policies of the four seats; cards are played by rules but by those that are asked or random."""
    playing = [RULES if kind in {STRENGTH, CHART} else kind for kind in kinds]
    parameters = np.tile((strength or Strength()).lower(), (4, 1))
    more = charts() if CHART in kinds else {}
    return Players(np.arange(4), np.array(kinds), np.array(playing), parameters=parameters, **more)


def choice(hand: Hand, kind: int = RULES, strength: Strength | None = None) -> int:
    """The bit that a policy chooses for the seat in turn."""
    players, seat = table(*[kind] * 4, strength=strength), hand.seat
    held = 0 if hand.stage == "naming" else int(hand.hidden[seat])
    discard = int(hand.hidden[DISCARD]) if seat == hand.seen[DEALER] else 0
    rules = lower(hand.rules)
    legal = int(legal_now(rules, hand.hidden, hand.seen))
    return int(answer(rules, players, legal, held, discard, hand.seen, NO_DIGITS))


def said(hand: Hand, kind: int = RULES, strength: Strength | None = None) -> str:
    return choice_text(choice(hand, kind, strength), int(hand.seen[STAGE]), int(hand.seen[TRUMP]))


FILL = tuple(parse_card(rank + suit) for suit in "cdhs" for rank in "9TQKJA")


def at(
    seat: int,
    cards: str,
    turn_up: str,
    *words: str,
    dealer: int = 3,
    others: dict[int, str] | None = None,
    **options: Any,
) -> Hand:
    """A hand in which a seat has these cards and others what is said of them; the cards that are left are dealt out."""
    given = {seat: cards, **(others or {})}
    used = parse_cards(" ".join([turn_up, *given.values()]))
    free = [card for card in FILL if not used >> card & 1]
    held = []
    for one in range(4):
        mask = parse_cards(given[one]) if one in given else 0
        while mask.bit_count() < 5:
            mask |= 1 << free.pop(0)
        held.append(mask)
    hand = Hand.start(Euchre(**options), held, parse_card(turn_up), dealer)
    for word in words:
        hand.choose(word)
    return hand


TOGETHER = ("together",) * 4


@pytest.mark.parametrize("kind", [RULES, STRENGTH])
@pytest.mark.parametrize(
    ("seat", "cards", "turn_up", "words", "expected"),
    [
        (0, "Jh Jd Ah As Kc", "9h", (), "order"),
        (0, "9c Tc 9d Td Qs", "Ah", (), "pass"),
        (1, "Ah Kh Qh As 9c", "Jh", ("pass",), "order"),
        (1, "9c Ts Qs 9d Td", "9h", ("pass",), "pass"),
        (2, "Ah Kh As 9c 9d", "Jh", ("pass", "pass"), "pass"),
        (2, "Jh Jd Kh Qh As", "9h", ("pass", "pass"), "order"),
        (3, "Jh Ah 9h As 9c", "Kh", ("pass",) * 3, "order"),
        (3, "9c Tc Ad Qs 9s", "9h", ("pass",) * 3, "pass"),
        (0, "Jd Jh Ad 9c Ts", "9h", ("pass",) * 4, "d"),
        (0, "9c Tc Qd 9s Ts", "9h", ("pass",) * 4, "pass"),
        (1, "Jc Js Ac As 9d", "9h", ("pass",) * 5, "c"),
    ],
)
def test_calls(kind: int, seat: int, cards: str, turn_up: str, words: tuple[str, ...], expected: str) -> None:
    assert said(at(seat, cards, turn_up, *words), kind) == expected


@pytest.mark.parametrize("kind", [RULES, STRENGTH])
def test_a_dealer_who_must_names_his_best_suit(kind: int) -> None:
    assert said(at(3, "9c Tc Kd Qs Ts", "9h", *["pass"] * 7, stick_dealer=True), kind) in {"c", "s"}


@pytest.mark.parametrize(
    ("cards", "turn_up", "discarded"),
    [
        ("Jh Ah Kc Qs 9s", "9h", "Kc"),
        ("Jh Ah Ac Ks 9d", "9h", "9d"),
        ("Jh Ah As 9s Tc", "Kh", "Tc"),
        ("Jh Ah Kh Qh Th", "9h", "Th"),
        ("Jh Ah Kc 9c As", "9h", "9c"),
    ],
)
def test_discards(cards: str, turn_up: str, discarded: str) -> None:
    hand = at(3, cards, turn_up, "pass", "pass", "pass", "order")
    assert said(hand) == discarded


def test_the_turn_up_is_taken_if_it_is_better_than_a_card() -> None:
    assert said(at(3, "Jh Ah Kc Qs 9s", "9h", "order")) == "take"
    assert said(at(3, "Jh Ah Kh Qh Th", "9h", "order")) == "leave"


@pytest.mark.parametrize("kind", [RULES, STRENGTH])
def test_lone_hands(kind: int) -> None:
    best = "Jh Jd Ah Kh As"
    assert said(at(0, best, "9h", "order", "leave"), kind) == "alone"
    assert said(at(0, "Jh Kh Qh 9c Td", "9h", "order", "leave"), kind) == "together"
    assert said(at(0, best, "9h", alone_timing="with_call"), kind) == "order alone"
    near = at(0, best, "9h", "order", "leave")
    near.seen[19] = 9
    assert said(near, kind) == "together"
    weak = at(1, "9c Tc 9d Td Qs", "9h", "order", "leave", "together", others={0: best})
    assert said(weak, kind) == "together"


def test_with_assist_alone_the_partner_orders_only_a_lone_hand() -> None:
    cards = "Ah Kh As 9c 9d"
    assert said(at(1, cards, "Jh", "pass", assist_alone=True)) == "pass"
    assert said(at(1, "Jh Jd Ah Kh As", "9h", "pass", assist_alone=True)) == "order"


def played(hand: Hand, *cards: str) -> Hand:
    for card in cards:
        hand.choose(card)
    return hand


ORDERED = ("order", "leave", *TOGETHER)
"""North orders hearts, West leaves the turn-up, and North leads."""


@pytest.mark.parametrize(
    ("cards", "lead"),
    [
        ("Jh Ah 9h As 9c", "Jh"),
        ("Jd Ah Kh 9s 9c", "Jd"),
        ("Ah Th As 9s 9c", "As"),
    ],
)
def test_the_maker_leads_trumps_from_the_top(cards: str, lead: str) -> None:
    assert said(at(0, cards, "9h" if "9h" not in cards else "Qh", *ORDERED)) == lead


def test_a_defender_leads_an_ace_and_no_trump() -> None:
    words = ("pass", "order", "leave", *TOGETHER)
    assert said(at(0, "Jh Qh As 9s 9c", "9h", *words, others={1: "Jd Ah Kh Tc Td"})) == "As"
    assert said(at(0, "Jh Qh Ts Qs Qc", "9h", *words, others={1: "Jd Ah Kh Tc Td"})) == "Qc"


def test_the_makers_partner_leads_a_trump() -> None:
    words = ("pass", "pass", "order", "leave", *TOGETHER)
    assert said(at(0, "Qh Ts Qs Qc Tc", "9h", *words, others={2: "Jh Jd Ah Kh 9d"})) == "Qh"


def test_no_trump_on_the_partners_ace() -> None:
    hand = at(2, "9h Th 9s 9d Td", "Qh", *ORDERED, others={0: "Jh Ah Ac Qc As", 1: "9c Tc Kc Ks Ts"})
    assert said(played(hand, "Ac", "9c")) not in {"9h", "Th"}


def test_a_trump_on_the_opponents_ace_and_the_cheapest() -> None:
    hand = at(1, "Th Qh 9s 9d Td", "9h", *ORDERED, others={0: "Jh Ah Ac Qc As"})
    assert said(played(hand, "Ac")) == "Th"


def test_the_last_hand_wins_with_the_cheapest() -> None:
    hand = at(
        3, "Qc Kc 9s 9d Td", "9h", *ORDERED, others={0: "Jh Ah Tc 9c As", 1: "Jc Jd Ad Qd Qs", 2: "Ac Ts Ks Th Kd"}
    )
    assert said(played(hand, "9c", "Jc", "Ac")) == "Qc"
    hand = at(
        3, "Qc Kc 9s 9d Td", "9h", *ORDERED, others={0: "Jh Ah 9c Jc As", 1: "Tc Jd Ad Qd Qs", 2: "Ts Ks Th Kd Qh"}
    )
    assert said(played(hand, "Jc", "Tc", "Ts")) == "Qc"


def test_the_last_hand_leaves_the_trick_to_its_partner() -> None:
    hand = at(
        3, "Ac 9c 9s 9d Td", "9h", *ORDERED, others={0: "Jh Ah Tc Qs As", 1: "Kc Jd Ad Qd Jc", 2: "Qc Ts Ks Th Kd"}
    )
    assert said(played(hand, "Tc", "Kc", "Qc")) == "9c"


def test_the_second_hand_plays_low_or_a_high_card() -> None:
    others = {0: "Jh Ah Qc 9d As"}
    assert said(played(at(1, "Kc 9c 9s Kd Td", "9h", *ORDERED, others=others), "Qc")) == "9c"
    assert said(played(at(1, "Ac 9c 9s Kd Td", "9h", *ORDERED, others=others), "Qc")) == "Ac"


def test_the_third_hand_plays_high() -> None:
    others = {0: "Jh Ah 9c 9d As", 1: "Tc Js Qs Ks Ad"}
    assert said(played(at(2, "Kc Jc 9s Kd Td", "9h", *ORDERED, others=others), "9c", "Tc")) == "Kc"


@pytest.mark.parametrize(("turn_up", "lead"), [("Jh", "Jd"), ("Qh", "9h")])
def test_a_seat_knows_that_the_turn_up_is_out(turn_up: str, lead: str) -> None:
    """The maker's partner leads his highest trump if it is high: the left bower, once the right one was left."""
    words = ("pass", "pass", "order", "leave", *TOGETHER)
    assert said(at(0, "Jd 9h As 9s 9c", turn_up, *words, others={2: "Ah Kh Th Ac Ad"})) == lead


def any_rules(rng: Random) -> Euchre:
    while True:
        try:
            return Euchre(**{name: rng.choice(values) for name, values in CHOICES.items()})
        except RulesError:
            continue


@pytest.mark.parametrize("kind", [RULES, STRENGTH])
def test_every_choice_is_legal_by_any_rules(kind: int) -> None:
    rng, stages = Random(kind), set()
    for index in range(400):
        rules = any_rules(rng)
        hand = Hand.deal(rules, seed=kind, index=index, dealer=rng.randrange(int(rules.players)))
        hand.seen[19:22] = [rng.randrange(rules.target) for _ in range(3)]
        lowered = lower(rules)
        while not hand.over:
            legal = int(legal_now(lowered, hand.hidden, hand.seen))
            chosen = legal
            if legal & (legal - 1):
                chosen = choice(hand, kind)
                assert chosen.bit_count() == 1
                assert chosen & legal
                stages.add(hand.stage)
            if rng.random() < 0.3:  # so that unlikely positions come up too
                options = [1 << place for place in range(64) if legal >> place & 1]
                chosen = rng.choice(options)
            take(lowered, chosen, hand.hidden, hand.seen)
    assert stages == {"naming", "first round", "second round", "turn-up", "discard", "alone", "exchange", "play"}


def reshuffled(hand: Hand, seat: int, rng: Random) -> Hand:
    """The same to the seat: what it cannot know is dealt anew, hands of the same size."""
    found = hand.copy()
    places = [place for place in range(4) if place != seat] + [LEFT]
    if seat != hand.seen[DEALER]:
        places.append(DISCARD)
    cards = [1 << bit for place in places for bit in range(63) if int(hand.hidden[place]) >> bit & 1]
    rng.shuffle(cards)
    for place in places:
        size = int(hand.hidden[place]).bit_count()
        found.hidden[place] = sum(cards[:size])
        del cards[:size]
    return found


def after(hand: Hand, seat: int, kind: int) -> tuple[Any, ...] | None:
    """What the seat does before another must decide; None if it plays two cards, as what others play is between."""
    kinds = [kind if one == seat else ASK for one in range(4)]
    before = int(hand.seen[PLAYED + seat])
    plays = hand.stage == "play"
    until = OVER if plays else PLAYING
    play_until(lower(hand.rules), table(*kinds), hand.hidden, hand.seen, NO_DIGITS, until)
    card = int(hand.seen[PLAYED + seat]) ^ before
    if plays:
        return (card,) if card.bit_count() == 1 else None
    known = [int(value) for value in hand.seen[:PLAYED]]
    return (*known, int(hand.hidden[seat]), int(hand.hidden[DISCARD]) if seat == hand.seen[DEALER] else 0)


@pytest.mark.parametrize("kind", [RULES, STRENGTH, CHART])
def test_hidden_cards_are_not_seen(kind: int) -> None:
    rng, compared = Random(10 + kind), 0
    rules = MANDATORY
    lowered = lower(rules)
    for index in range(150):
        hand = Hand.deal(rules, seed=20 + kind, index=index, dealer=index % 4)
        while not hand.over:
            seat = hand.seat
            legal = int(legal_now(lowered, hand.hidden, hand.seen))
            if legal & (legal - 1):
                there = after(hand.copy(), seat, kind)
                for _ in range(3):
                    other = after(reshuffled(hand, seat, rng), seat, kind)
                    if there is not None and other is not None:
                        assert there == other
                        compared += 1
                legal = choice(hand, kind)
            take(lowered, legal, hand.hidden, hand.seen)
    assert compared > 3_000


def points_of_pairs(kind: int, other: int, pairs: int) -> np.ndarray[Any, Any]:
    """Points per hand of one policy over the other; each deal is played twice, with sides exchanged."""
    found = np.zeros(pairs)
    rules = Euchre()
    for index in range(pairs):
        for side in range(2):
            hand = Hand.deal(rules, seed=99, index=index, dealer=index % 4)
            kinds = (kind, other) * 2 if side == 0 else (other, kind) * 2
            digits = np.array([Random(f"{index} {side} {k}").randrange(60 if k < 28 else 2520) for k in range(DIGITS)])
            play_until(lower(rules), table(*kinds), hand.hidden, hand.seen, digits, OVER)
            found[index] += (hand.points[side] - hand.points[1 - side]) / 2
    return found


@pytest.mark.parametrize("kind", [RULES, STRENGTH])
def test_random_play_is_beaten_by_far(kind: int) -> None:
    """The mean is near 1.5 with a standard error of 0.02, so that it is below 1.3 less than once in a million."""
    assert points_of_pairs(kind, RANDOM, 1_500).mean() > 1.3


def test_the_text_of_the_parameters() -> None:
    strength = Strength.parse("strength:right=3.1, first-left=7.5,alone=-1")
    assert strength == Strength(right=3.1, first_left=7.5, alone=-1)
    assert Strength.parse(str(strength)) == strength
    assert str(Strength()) == "strength"
    assert strength.lower().tolist() == [getattr(strength, one.name) for one in fields(Strength)]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("strenth", "policy 'strenth' is not strength; write strength or"),
        ("strength:rigt=1", "parameter 'rigt' is unknown; did you mean 'right'?"),
        ("strength:right", "'right' has no value; write a parameter as right=1.5"),
        ("strength:right=much", "right = 'much' is not a number; write one such as 1.5"),
        ("strength:right=nan", "right = nan is not a number"),
        ("strength:right=1,right=2", "right is set twice; set it once"),
    ],
)
def test_texts_that_are_wrong(text: str, complaint: str) -> None:
    with pytest.raises(PolicyError, match=complaint.replace("?", r"\?")):
        Strength.parse(text)


def test_a_parameter_that_is_no_number() -> None:
    with pytest.raises(PolicyError, match="right = True is not a number"):
        Strength(right=True)


CALLS_ALL = {one.name: -9.0 for one in fields(Strength) if one.name.startswith(("first_", "second_"))}


@pytest.mark.parametrize("name", [one.name for one in fields(Strength)])
def test_every_parameter_changes_a_choice(name: str) -> None:
    """By hands dealt with a joker, at a score where both sides are near the end, or with two players."""
    rng = Random(name)
    rules = Euchre(players="2", deck="25") if name == "no_partner" else Euchre(deck="25", joker_turn_up="hearts")
    base = Strength()
    changed = replace(base, **{name: getattr(base, name) + 2}), replace(base, **{name: getattr(base, name) - 2})
    for index in range(3_000):
        hand = Hand.deal(rules, seed=3, index=index, dealer=index % int(rules.players))
        if name.endswith("_last"):
            hand.seen[19:21] = 9
        while not hand.over and hand.stage != "play":
            legal = int(legal_now(lower(rules), hand.hidden, hand.seen))
            here = choice(hand, STRENGTH, base)
            if any(choice(hand, STRENGTH, one) != here for one in changed):
                return
            options = [1 << place for place in range(64) if legal >> place & 1]
            take(lower(rules), rng.choice([here, rng.choice(options)]), hand.hidden, hand.seen)
    pytest.fail(f"{name} changes nothing")
