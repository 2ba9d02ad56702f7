"""The referee of Euchre: worked examples, one outcome changed by every option, invariants of random hands."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from analyzer.cards.notation import SUITS as SUIT_NUMBERS
from analyzer.cards.notation import cards_text, parse_cards
from analyzer.games.euchre.relabel import legal_plays, physical, relabel, winning_card
from analyzer.games.euchre.rules import Euchre
from analyzer.games.options import options_of_class
from tests.games.euchre.test_rules import CHOICES, random_rules
from tests.games.euchre_referee import (
    JOKER,
    SUITS,
    Deal,
    Decision,
    Played,
    deck_of,
    first_leader,
    legal_cards,
    play_hand,
    play_match,
    points_of,
    winner_of,
)

N, E, S, W = range(4)
NOBODY: set[int] = set()
STANDARD = Euchre()
CALLER = "caller_then_lone_defence"

DEAL: Deal = (
    (
        ("Ac", "Kc", "Qc", "Kh", "Ah"),
        ("As", "Ks", "Qs", "Ts", "9s"),
        ("Ad", "Kd", "Qd", "Td", "9d"),
        ("Jh", "Jd", "Th", "Tc", "9c"),
    ),
    "9h",
)
"""West deals in the examples, so North is asked first."""
WITH_JOKER: Deal = (DEAL[0], JOKER)


class Says:
    """Answers by seat and stage; else passes, plays with the partner, and takes the first of what is legal."""

    def __init__(self, *answers: tuple[int, str, str]) -> None:
        self.answers = {(seat, stage): answer for seat, stage, answer in answers}
        self.asked: list[Decision] = []

    def __call__(self, decision: Decision) -> str:
        self.asked.append(decision)
        if (decision.seat, decision.stage) in self.answers:
            return self.answers[decision.seat, decision.stage]
        return next((word for word in ("pass", "together") if word in decision.legal), decision.legal[0])

    def legal(self, seat: int, stage: str) -> set[str]:
        """What the seat could answer in a stage; nothing if it was not asked."""
        return next((set(one.legal) for one in self.asked if (one.seat, one.stage) == (seat, stage)), set())

    def stages(self) -> list[tuple[int, str]]:
        """Who was asked what before the play."""
        return [(one.seat, one.stage) for one in self.asked if one.stage != "play"]


def played(options: dict[str, Any], *answers: tuple[int, str, str], deal: Deal = DEAL) -> tuple[Played, Says]:
    says = Says(*answers)
    return play_hand(Euchre(**options), deal, W, says), says


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


def test_the_dealer_declines_the_turn_up() -> None:
    hand, says = played({}, (N, "first", "order"), (W, "turn_up", "leave"))
    assert hand.hands[W] == list(DEAL[0][W])
    assert (hand.trump, hand.maker, hand.discard) == ("h", N, "")
    assert (W, "discard") not in says.stages()


def test_trump_is_named_in_the_second_round() -> None:
    hand, says = played({}, (E, "second", "s"))
    assert (hand.trump, hand.maker) == ("s", E)
    assert says.stages()[:6] == [(N, "first"), (E, "first"), (S, "first"), (W, "first"), (N, "second"), (E, "second")]
    assert says.legal(E, "second") == {"pass", "c", "d", "s"}
    with pytest.raises(ValueError, match="'h' is not among"):
        played({}, (E, "second", "h"))
    assert hand.points == (0, 2)  # five tricks
    assert [len(cards) for cards in hand.hands] == [5, 5, 5, 5]


def test_all_pass_twice_and_the_next_player_deals() -> None:
    silent = Says()
    match = play_match(STANDARD, [DEAL, DEAL], W, silent)
    assert match.scores == [0, 0]
    assert match.dealers == [W, N]
    assert [hand.trump for hand in match.hands] == ["", ""]
    assert len(silent.asked) == 16
    assert silent.asked[8].seat == E


def test_the_tenth_point_ends_the_match() -> None:
    match = play_match(STANDARD, [DEAL] * 3, W, Says((N, "first", "order"), (W, "discard", "Jh")), (9, 0))
    assert match.hands[0].maker_tricks in {3, 4}
    assert match.scores == [10, 0]
    assert len(match.hands) == 1


def test_what_the_dealer_accepts_he_takes() -> None:
    for options in ({}, {"dealer_pickup": "mandatory"}, {"discard_turn_up": "forbidden"}):
        hand, says = played(options, (W, "first", "order"), (W, "discard", "9c"))
        assert says.legal(W, "discard") == set(DEAL[0][W])
        assert set(hand.hands[W]) == {"Jh", "Jd", "Th", "Tc", "9h"}
        assert (W, "turn_up") not in says.stages()


def test_no_second_lone_player_of_a_side() -> None:
    hand, says = played({}, (S, "first", "order"), (N, "alone", "alone"), (W, "alone", "alone"))
    assert hand.lone == {N, W}
    assert says.stages()[-3:] == [(N, "alone"), (E, "alone"), (W, "alone")]
    assert next(leader for leader, _, _ in hand.tricks) == W
    assert all(len(cards) == 2 for _, cards, _ in hand.tricks)


def test_lone_players_sit_without_their_partners() -> None:
    hand, _ = played({}, (N, "first", "order"), (N, "alone", "alone"))
    assert hand.lone == {N}
    assert all(len(cards) == 3 for _, cards, _ in hand.tricks)
    assert not {card for _, cards, _ in hand.tricks for card in cards} & set(DEAL[0][S])


# One test for every option: the same deal and the same answers, another outcome.


def test_deck() -> None:
    assert [len(deck_of(Euchre(deck=deck))) for deck in ("24", "25", "32")] == [24, 25, 32]
    with_eight = (DEAL[0], "8h")
    hand, _ = played({"deck": "32"}, (N, "first", "order"), deal=with_eight)
    assert hand.trump == "h"
    for deck, deal in (("24", with_eight), ("25", with_eight), ("24", WITH_JOKER), ("32", WITH_JOKER)):
        with pytest.raises(AssertionError):
            played({"deck": deck}, (N, "first", "order"), deal=deal)


def test_dealer_pickup() -> None:
    answers = ((N, "first", "order"), (W, "turn_up", "leave"), (W, "discard", "9c"))
    left, _ = played({}, *answers)
    taken, says = played({"dealer_pickup": "mandatory"}, *answers)
    assert (W, "turn_up") not in says.stages()
    assert set(taken.hands[W]) - set(left.hands[W]) == {"9h"}


def test_discard_turn_up() -> None:
    for pickup in ("optional", "mandatory"):
        answers = ((N, "first", "order"), (W, "turn_up", "take"), (W, "discard", "9h"))
        hand, _ = played({"dealer_pickup": pickup}, *answers)
        assert (hand.discard, hand.hands[W]) == ("9h", list(DEAL[0][W]))
        with pytest.raises(ValueError, match="'9h' is not among"):
            played({"dealer_pickup": pickup, "discard_turn_up": "forbidden"}, *answers)


def test_name_turned_down() -> None:
    hand, says = played({"name_turned_down": True}, (E, "second", "h"))
    assert (hand.trump, hand.maker) == ("h", E)
    assert says.legal(N, "second") == {"pass", *SUITS}
    assert hand.hands[W] == list(DEAL[0][W])


def test_stick_dealer() -> None:
    assert not played({})[0].trump
    hand, says = played({"stick_dealer": True})
    assert (hand.trump, hand.maker) == ("c", W)
    assert says.legal(W, "second") == {"c", "d", "s"}
    assert "pass" in says.legal(S, "second")


def test_alone() -> None:
    partner = ((N, "first", "order"), (S, "alone", "alone"))
    assert played({}, *partner)[0].lone == {S}
    hand, says = played({"alone": CALLER}, *partner)
    assert hand.lone == NOBODY
    assert [seat for seat, stage in says.stages() if stage == "alone"] == [N]

    defender = ((N, "first", "order"), (W, "alone", "alone"))
    assert played({}, *defender)[0].lone == {W}
    assert played({"alone": CALLER}, *defender)[0].lone == NOBODY

    both = ((S, "first", "order"), (S, "alone", "alone"), (E, "alone", "alone"), (W, "alone", "alone"))
    hand, says = played({"alone": CALLER}, *both)
    assert hand.lone == {S, E}
    assert [seat for seat, stage in says.stages() if stage == "alone"] == [S, E]


def test_alone_timing() -> None:
    before, says = played({}, (S, "first", "order"), (W, "discard", "9c"), (S, "alone", "alone"))
    assert "9h" in before.hands[W]
    assert says.stages()[3:] == [(W, "turn_up"), (W, "discard"), (N, "alone"), (E, "alone"), (S, "alone"), (W, "alone")]

    options = {"alone_timing": "with_call"}
    called, says = played(options, (E, "first", "order alone"), (W, "discard", "9c"))
    assert called.lone == {E}
    assert says.legal(E, "first") == {"pass", "order", "order alone"}
    assert says.stages()[2:] == [(N, "alone"), (S, "alone")]
    assert called.hands[W] == list(DEAL[0][W])  # who lays his cards down takes nothing

    named, says = played(options, (E, "second", "s"), (E, "alone", "alone"))
    assert named.lone == NOBODY
    assert says.legal(E, "second") == {"pass", *(word for suit in "cds" for word in (suit, f"{suit} alone"))}
    assert [seat for seat, stage in says.stages() if stage == "alone"] == [N, S, W]

    lone, says = played({**options, "alone": CALLER}, (W, "second", "c alone"), (S, "alone", "alone"))
    assert lone.lone == {W, S}
    assert says.stages()[-2:] == [(N, "alone"), (S, "alone")]


def test_alone_lead() -> None:
    answers = ((N, "first", "order"), (N, "alone", "alone"))
    assert played({}, *answers)[0].tricks[0][0] == E
    assert played({"alone_lead": "left_of_dealer"}, *answers)[0].tricks[0][0] == N


def test_lone_maker_euchre() -> None:
    answers = ((E, "first", "order"), (E, "alone", "alone"))
    for points in ("2", "3", "4"):
        hand, _ = played({"lone_maker_euchre": points}, *answers)
        assert hand.maker_tricks < 3
        assert hand.points == (int(points), 0)
        both, _ = played({"lone_maker_euchre": points}, *answers, (S, "alone", "alone"))
        assert both.maker_tricks == 0
        assert both.points == (4, 0)
        pair, _ = played({"lone_maker_euchre": points}, (S, "second", "c"), (N, "alone", "together"))
        assert pair.points in {(1, 0), (2, 0), (0, 2)}


def test_lone_defence() -> None:
    answers = ((N, "first", "order"), (W, "discard", "9c"), (W, "alone", "alone"))
    hand, _ = played({}, *answers)
    assert (hand.maker_tricks, hand.points) == (2, (0, 2))
    assert played({"lone_defence": "flat4"}, *answers)[0].points == (0, 4)


def test_joker_turn_up() -> None:
    blind, says = played({"deck": "25"}, (W, "blind", "h"), (W, "discard", "9c"), deal=WITH_JOKER)
    assert says.asked[0] == Decision(W, "blind", (), tuple(SUITS))
    assert says.legal(W, "discard") == set(DEAL[0][W])
    assert (blind.trump, blind.maker, blind.lone) == ("h", W, NOBODY)
    assert JOKER in blind.hands[W]
    assert (W, "alone") in says.stages()

    for name in ("hearts", "spades"):
        options = {"deck": "25", "joker_turn_up": name}
        hand, says = played(
            options, (N, "first", "order"), (W, "turn_up", "take"), (W, "discard", "9c"), deal=WITH_JOKER
        )
        assert (hand.trump, hand.maker) == (name[0], N)
        assert JOKER in hand.hands[W]
        _, says = played(options, deal=WITH_JOKER)
        assert says.legal(N, "second") == {"pass", *SUITS} - {name[0]}


def test_a_blind_dealer_goes_alone_before_the_lead() -> None:
    options = {"deck": "25", "alone_timing": "with_call"}
    hand, says = played(options, (W, "blind", "h"), (W, "alone", "alone"), deal=WITH_JOKER)
    assert hand.lone == {W}
    assert says.legal(W, "blind") == set(SUITS)


def test_call_needs_suit() -> None:
    assert "order" in played({})[1].legal(E, "first")
    options = {"call_needs_suit": True}
    _, says = played(options)
    assert says.legal(N, "first") == {"pass", "order"}
    assert says.legal(E, "first") == {"pass"}
    assert says.legal(W, "first") == {"pass", "order"}
    assert says.legal(N, "second") == {"pass", "c"}
    assert says.legal(S, "second") == {"pass", "d"}
    assert played({**options, "stick_dealer": True})[1].legal(W, "second") == {"c", "d"}

    _, says = played(options, deal=(DEAL[0], "Js"))
    assert says.legal(N, "first") == {"pass"}
    assert says.legal(W, "first") == {"pass", "order"}  # the turn-up is his spade

    hands = (("Jd", "Ac", "Kc", "Qc", "Tc"), DEAL[0][E], DEAL[0][S], ("Ah", "Kh", "Qh", "Jh", "Th"))
    _, says = played({**options, "stick_dealer": True}, deal=(hands, "9h"))
    assert says.legal(N, "first") == {"pass"}  # the left bower is a diamond until hearts are trump
    assert says.legal(W, "second") == {"c", "d", "s"}  # hearts only: free


def test_assist_alone() -> None:
    answers = ((E, "first", "order"), (W, "discard", "9c"))
    assert played({}, *answers)[0].lone == NOBODY
    hand, says = played({"assist_alone": True}, *answers)
    assert hand.lone == {E}
    assert says.legal(E, "alone") == {"alone"}
    for seat in (N, S, W):
        assert played({"assist_alone": True}, (seat, "first", "order"))[0].lone == NOBODY
    assert played({"assist_alone": True}, (E, "second", "s"))[0].lone == NOBODY
    _, says = played({"assist_alone": True, "alone_timing": "with_call"})
    assert says.legal(E, "first") == {"pass", "order alone"}
    assert says.legal(N, "first") == {"pass", "order", "order alone"}


def test_target() -> None:
    for target, hands in ((5, 3), (10, 5), (1, 1)):
        match = play_match(Euchre(target=target), [DEAL] * 9, W, Says((E, "second", "s"), (N, "second", "pass")))
        assert len(match.hands) == hands
        assert match.scores[1] >= target > match.scores[1] - match.hands[-1].points[1]


def test_every_option_has_its_test() -> None:
    assert {f"test_{one.name}" for one in options_of_class(Euchre)} <= set(globals())


def random_deal(rules: Euchre, rng: Random) -> Deal:
    cards = rng.sample(deck_of(rules), 21)
    if JOKER in cards and rng.random() < 0.3:
        place = cards.index(JOKER)
        cards[place], cards[20] = cards[20], cards[place]
    return tuple(tuple(cards[5 * seat : 5 * seat + 5]) for seat in range(4)), cards[20]


def check(rules: Euchre, deal: Deal, dealer: int, hand: Played) -> None:
    """What holds of every hand, and what the relabelled masks say of its tricks."""
    if not hand.trump:
        assert len(hand.log) == 8
        assert not rules.stick_dealer
        assert hand.points == (0, 0)
        return
    out = {(seat + 2) % 4 for seat in hand.lone}
    assert len(hand.tricks) == 5
    assert len({seat % 2 for seat in hand.lone}) == len(hand.lone)
    known = {card for cards in deal[0] for card in cards} | {deal[1]}
    held = {card for cards in hand.hands for card in cards}
    assert len(held) == 20
    assert held <= known
    gone = Counter(card for _, cards, _ in hand.tricks for card in cards)
    assert gone == Counter(card for seat in range(4) if seat not in out for card in hand.hands[seat])
    lone_maker = any(seat % 2 == hand.maker % 2 for seat in hand.lone)
    points = rules.points(hand.maker_tricks, lone_maker=lone_maker, lone_defender=len(hand.lone) > lone_maker)
    assert hand.points[hand.maker % 2] - hand.points[1 - hand.maker % 2] == points
    assert min(hand.points) == 0
    trump = SUIT_NUMBERS.index(hand.trump)
    for decision, _ in hand.log:
        assert decision.stage == "blind" or decision.hand
    plays = iter([decision for decision, _ in hand.log if decision.stage == "play"])
    for leader, cards, winner in hand.tricks:
        seats = [(leader + place) % 4 for place in range(4) if (leader + place) % 4 not in out]
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
        deal, dealer = random_deal(rules, rng), rng.randrange(4)
        hand = play_hand(rules, deal, dealer, lambda decision: rng.choice(decision.legal))
        check(rules, deal, dealer, hand)
        seen.update({"all passed": not hand.trump, f"lone {len(hand.lone)}": 1, hand.log[0][0].stage: 1})
    assert min(seen[key] for key in ("lone 0", "lone 1", "lone 2", "blind", "first")) > 5
