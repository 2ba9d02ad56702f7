"""Worked examples of Euchre, and for every option an outcome that it changes: played by the referee and by kernels."""

from __future__ import annotations

from random import Random
from typing import Any, Protocol

import pytest

from analyzer.errors import PositionError
from analyzer.games.euchre.rules import Euchre
from analyzer.games.options import options_of_class
from tests.games import euchre_referee as referee
from tests.games.euchre import through_kernel
from tests.games.euchre_referee import JOKER, SUITS, Deal, Decision, deck_of, legal_cards

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


class Played(Protocol):
    """Plays the example under some options; its dealer is West, of three players South, of two East."""

    def __call__(
        self, options: dict[str, Any], *answers: tuple[int, str, str], deal: Deal = DEAL
    ) -> tuple[referee.Played, Says]: ...


@pytest.fixture(params=[referee, through_kernel], ids=["referee", "kernel"])
def table(request: pytest.FixtureRequest) -> Any:
    """Who plays: a module with `play_hand` and `play_match`."""
    return request.param


@pytest.fixture
def played(table: Any) -> Played:
    def play(options: dict[str, Any], *answers: tuple[int, str, str], deal: Deal = DEAL) -> tuple[referee.Played, Says]:
        rules, says = Euchre(**options), Says(*answers)
        players = int(rules.players)
        return table.play_hand(rules, (deal[0][:players], deal[1]), players - 1, says), says

    return play


def a_deal_of(trick: list[str]) -> Deal:
    """A deal in which four cards, from North on, are a legal trick when hearts are trump."""
    rng = Random(1)
    rest = [card for card in deck_of(Euchre(deck="25")) if card not in {*trick, "Th"}]
    while True:
        rng.shuffle(rest)
        hands = tuple((card, *rest[4 * seat : 4 * seat + 4]) for seat, card in enumerate(trick))
        if all(card in legal_cards(hand, trick[0], "h") for card, hand in zip(trick, hands, strict=True)):
            return hands, "Th"


@pytest.mark.parametrize(
    ("trick", "winner"),
    [("9d Jd Ad 9h", E), ("Jd Ah Jh 9h", S), ("Ac Kd 9c Qs", N), ("Jh * Ah 9h", E)],
)
def test_who_wins_a_trick(played: Played, trick: str, winner: int) -> None:
    cards = trick.split()
    # The first card of every hand is legal in the first trick, and the first that is legal is played.
    hand, _ = played({"deck": "25"}, (N, "first", "order"), (W, "turn_up", "leave"), deal=a_deal_of(cards))
    assert hand.tricks[0] == (N, cards, winner)


@pytest.mark.parametrize(
    ("led", "hand", "legal"),
    [("9d", "Jd As 9h", "Jd As 9h"), ("9h", "Jd Ad", "Jd"), ("Jd", "Kd 9h", "9h")],
)
def test_what_follows_suit(played: Played, led: str, hand: str, legal: str) -> None:
    cards = hand.split()
    rest = [card for card in deck_of(STANDARD) if card not in {led, *cards, "Th"} and card[0] != "J"]
    clubs = [card for card in rest if card[1] == "c"]
    rest = [card for card in rest if card not in clubs]
    east = (*cards, *clubs[: 5 - len(cards)])
    hands = ((led, *rest[:4]), east, tuple(rest[4:9]), ("Jh", "Jc", "Js", *rest[9:11]))
    _, says = played({}, (N, "first", "order"), (W, "turn_up", "leave"), deal=(hands, "Th"))
    assert says.legal(E, "play") == set(east if legal == hand else legal.split())  # void of the suit: clubs too


@pytest.mark.parametrize(
    ("maker", "lone", "leader"),
    [(N, {}, N), (S, {S}, W), (N, {N}, E), (S, {S, W}, W), (S, {S, E}, E), (N, {E}, S)],
)
def test_who_leads_first(played: Played, maker: int, lone: set[int], leader: int) -> None:
    hand, _ = played({}, (maker, "first", "order"), *((seat, "alone", "alone") for seat in lone))
    assert (hand.maker, hand.lone, hand.tricks[0][0]) == (maker, set(lone), leader)


def test_the_dealer_declines_the_turn_up(played: Played) -> None:
    hand, says = played({}, (N, "first", "order"), (W, "turn_up", "leave"))
    assert hand.hands[W] == list(DEAL[0][W])
    assert (hand.trump, hand.maker, hand.discard) == ("h", N, "")
    assert (W, "discard") not in says.stages()


def test_trump_is_named_in_the_second_round(played: Played) -> None:
    hand, says = played({}, (E, "second", "s"))
    assert (hand.trump, hand.maker) == ("s", E)
    assert says.stages()[:6] == [(N, "first"), (E, "first"), (S, "first"), (W, "first"), (N, "second"), (E, "second")]
    assert says.legal(E, "second") == {"pass", "c", "d", "s"}
    with pytest.raises(ValueError, match="'h' is not among"):
        played({}, (E, "second", "h"))
    assert hand.points == (0, 2)  # five tricks
    assert [len(cards) for cards in hand.hands] == [5, 5, 5, 5]


def test_all_pass_twice_and_the_next_player_deals(table: Any) -> None:
    silent = Says()
    match = table.play_match(STANDARD, [DEAL, DEAL], W, silent)
    assert match.scores == [0, 0]
    assert match.dealers == [W, N]
    assert [hand.trump for hand in match.hands] == ["", ""]
    assert len(silent.asked) == 16
    assert silent.asked[8].seat == E


def test_the_tenth_point_ends_the_match(table: Any) -> None:
    match = table.play_match(STANDARD, [DEAL] * 3, W, Says((N, "first", "order"), (W, "discard", "Jh")), (9, 0))
    assert match.hands[0].maker_tricks in {3, 4}
    assert match.scores == [10, 0]
    assert len(match.hands) == 1


def test_what_the_dealer_accepts_he_takes(played: Played) -> None:
    for options in ({}, {"dealer_pickup": "mandatory"}, {"discard_turn_up": "forbidden"}):
        hand, says = played(options, (W, "first", "order"), (W, "discard", "9c"))
        assert says.legal(W, "discard") == set(DEAL[0][W])
        assert set(hand.hands[W]) == {"Jh", "Jd", "Th", "Tc", "9h"}
        assert (W, "turn_up") not in says.stages()


def test_no_second_lone_player_of_a_side(played: Played) -> None:
    hand, says = played({}, (S, "first", "order"), (N, "alone", "alone"), (W, "alone", "alone"))
    assert hand.lone == {N, W}
    assert says.stages()[-3:] == [(N, "alone"), (E, "alone"), (W, "alone")]
    assert next(leader for leader, _, _ in hand.tricks) == W
    assert all(len(cards) == 2 for _, cards, _ in hand.tricks)


def test_lone_players_sit_without_their_partners(played: Played) -> None:
    hand, _ = played({}, (N, "first", "order"), (N, "alone", "alone"))
    assert hand.lone == {N}
    assert all(len(cards) == 3 for _, cards, _ in hand.tricks)
    assert not {card for _, cards, _ in hand.tricks for card in cards} & set(DEAL[0][S])


# One test for every option: the same deal and the same answers, another outcome.


def test_deck(played: Played) -> None:
    assert [len(deck_of(Euchre(deck=deck))) for deck in ("24", "25", "32", "33")] == [24, 25, 32, 33]
    with_eight = (DEAL[0], "8h")
    for deck in ("32", "33"):
        hand, _ = played({"deck": deck}, (N, "first", "order"), deal=with_eight)
        assert hand.trump == "h"
    for deck, deal in (("24", with_eight), ("25", with_eight), ("24", WITH_JOKER), ("32", WITH_JOKER)):
        with pytest.raises((AssertionError, PositionError)):
            played({"deck": deck}, (N, "first", "order"), deal=deal)


def test_dealer_pickup(played: Played) -> None:
    answers = ((N, "first", "order"), (W, "turn_up", "leave"), (W, "discard", "9c"))
    left, _ = played({}, *answers)
    taken, says = played({"dealer_pickup": "mandatory"}, *answers)
    assert (W, "turn_up") not in says.stages()
    assert set(taken.hands[W]) - set(left.hands[W]) == {"9h"}


def test_discard_turn_up(played: Played) -> None:
    for pickup in ("optional", "mandatory"):
        answers = ((N, "first", "order"), (W, "turn_up", "take"), (W, "discard", "9h"))
        hand, _ = played({"dealer_pickup": pickup}, *answers)
        assert (hand.discard, hand.hands[W]) == ("9h", list(DEAL[0][W]))
        with pytest.raises(ValueError, match="'9h' is not among"):
            played({"dealer_pickup": pickup, "discard_turn_up": "forbidden"}, *answers)


def test_name_turned_down(played: Played) -> None:
    hand, says = played({"name_turned_down": True}, (E, "second", "h"))
    assert (hand.trump, hand.maker) == ("h", E)
    assert says.legal(N, "second") == {"pass", *SUITS}
    assert hand.hands[W] == list(DEAL[0][W])


def test_stick_dealer(played: Played) -> None:
    assert not played({})[0].trump
    hand, says = played({"stick_dealer": True})
    assert (hand.trump, hand.maker) == ("c", W)
    assert says.legal(W, "second") == {"c", "d", "s"}
    assert "pass" in says.legal(S, "second")


def test_alone(played: Played) -> None:
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


def test_alone_timing(played: Played) -> None:
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


def test_alone_lead(played: Played) -> None:
    answers = ((N, "first", "order"), (N, "alone", "alone"))
    assert played({}, *answers)[0].tricks[0][0] == E
    assert played({"alone_lead": "left_of_dealer"}, *answers)[0].tricks[0][0] == N


def test_lone_maker_euchre(played: Played) -> None:
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


def test_lone_defence(played: Played) -> None:
    answers = ((N, "first", "order"), (W, "discard", "9c"), (W, "alone", "alone"))
    hand, _ = played({}, *answers)
    assert (hand.maker_tricks, hand.points) == (2, (0, 2))
    assert played({"lone_defence": "flat4"}, *answers)[0].points == (0, 4)


def test_joker_turn_up(played: Played) -> None:
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


def test_a_blind_dealer_goes_alone_before_the_lead(played: Played) -> None:
    options = {"deck": "25", "alone_timing": "with_call"}
    hand, says = played(options, (W, "blind", "h"), (W, "alone", "alone"), deal=WITH_JOKER)
    assert hand.lone == {W}
    assert says.legal(W, "blind") == set(SUITS)


def test_call_needs_suit(played: Played) -> None:
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


def test_assist_alone(played: Played) -> None:
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


def test_target(table: Any) -> None:
    for target, hands in ((5, 3), (10, 5), (1, 1)):
        match = table.play_match(Euchre(target=target), [DEAL] * 9, W, Says((E, "second", "s")))
        assert len(match.hands) == hands
        assert match.scores[1] >= target > match.scores[1] - match.hands[-1].points[1]


def test_players(played: Played) -> None:
    points = {}
    for players in ("2", "3", "4"):
        hand, says = played({"players": players}, (N, "second", "c"))
        seats = int(players)
        order = [(seats - 1 + place) % seats for place in range(1, seats + 1)]
        assert [seat for seat, stage in says.stages() if stage == "first"] == order
        assert hand.tricks[0][0] == N
        assert all(len(cards) == seats for _, cards, _ in hand.tricks)
        assert [seat for seat, stage in says.stages() if stage == "alone"] == (order if players == "4" else [])
        assert hand.maker_tricks == 5
        points[players] = hand.points
    assert points == {"2": (2, 0), "3": (3, 0, 0), "4": (2, 0)}

    # Three: both others get the points of a euchre.
    hand, _ = played({"players": "3"}, (E, "second", "c"))
    assert (hand.maker_tricks, hand.points) == (0, (2, 0, 2))


def test_best_card(played: Played) -> None:
    answers = ((E, "first", "order"), (W, "turn_up", "take"), (W, "discard", "9c"), (E, "alone", "alone"))
    hand, says = played({}, *answers)
    assert set(hand.hands[E]) == set(DEAL[0][E])
    hand, says = played({"best_card": True}, *answers, (E, "exchange", "9s"))
    assert says.stages()[-1] == (E, "exchange")
    assert says.legal(E, "exchange") == set(DEAL[0][E])
    assert set(hand.hands[E]) == {"As", "Ks", "Qs", "Ts", "Jh"}
    assert set(hand.hands[W]) == {"9s", "Jd", "Th", "Tc", "9h"}

    both = ((S, "first", "order"), (S, "alone", "alone"), (E, "alone", "alone"), (W, "discard", "9c"))
    hand, says = played({"best_card": True, "dealer_pickup": "mandatory"}, *both, (S, "exchange", "9d"))
    assert says.stages()[-2:] == [(E, "exchange"), (S, "exchange")]
    assert set(hand.hands[S]) == {"Ad", "Kd", "Qd", "Td", "Ah"}


def test_games(table: Any) -> None:
    won = {}
    for games, hands in ((1, 3), (2, 6), (3, 9)):
        match = table.play_match(Euchre(target=5, games=games), [DEAL] * 20, W, Says((E, "second", "s")))
        assert len(match.hands) == hands
        won[games] = match.won
    assert won == {1: [0, 1], 2: [0, 2], 3: [0, 3]}


def test_laps(table: Any) -> None:
    lengths = {}
    for laps in (False, True):
        match = table.play_match(Euchre(target=5, games=3, laps=laps), [DEAL] * 20, W, Says((E, "second", "s")))
        lengths[laps] = len(match.hands)
    assert lengths == {False: 9, True: 8}  # two points for every hand: 5 + 5 + 5 are made by eight of them


def test_slam(table: Any) -> None:
    for slam in (False, True):
        rules = Euchre(target=5, games=2, slam=slam)
        assert table.play_match(rules, [DEAL] * 20, W, Says((E, "second", "s"))).won == [0, 4 if slam else 2]
        match = table.play_match(rules, [DEAL] * 20, W, Says((E, "second", "s")), (1, 0))
        assert match.won == [0, 3 if slam else 2]


def test_every_option_has_its_test() -> None:
    assert {f"test_{one.name}" for one in options_of_class(Euchre)} <= set(globals())
