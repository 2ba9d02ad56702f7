"""Advice in a hand of Euchre: positions as people tell them, values beside plain enumeration, and what cannot be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import analyzer
from analyzer.analysis.euchre.advise import DOUBT, TRIES, advise_hand
from analyzer.analysis.euchre.policies import bind_all
from analyzer.analysis.euchre.position import read_position
from analyzer.cards.notation import cards_text, parse_cards
from analyzer.errors import PositionError, UsageError
from analyzer.games.euchre.hand import Hand
from analyzer.games.euchre.layout import HIDDEN, LONE, MAKER, SCORE, TAKEN, TRUMP
from analyzer.games.euchre.likely_worlds import likely_worlds
from analyzer.games.euchre.lowering import lower
from analyzer.games.euchre.relabel import physical
from analyzer.games.euchre.rules import Euchre
from tests.games.euchre.stepwise import played_on

EUCHRE = Euchre()
DEALER: dict[str, Any] = {"hand": "JH AH KH 9S 9C", "upcard": "TH", "seat": "dealer"}


def test_the_dealer_with_a_strong_hand() -> None:
    advice = advise_hand(EUCHRE, **DEALER, score="6-9", worlds=2000)
    options = advice.options()
    assert options["choice"].tolist()[0] in ("order", "order alone")
    assert options["choice"].tolist()[-1] == "pass"
    assert options["loss"].iloc[0] == 0
    assert (options["loss"].diff().dropna() >= 0).all()
    assert set(advice.discards()["discard"]) == {"9s", "9c", "Kh", "Ah", "Jh"}
    assert advice.discards()["discard"].iloc[0] in ("9s", "9c")
    shares = options[["euchred", "one", "two", "four", "other_scores", "nobody"]].sum(axis=1)
    assert shares.to_numpy() == pytest.approx(np.ones(len(options)))
    assert (options["win_lower"] <= options["win"]).all()
    assert advice.position.scores == (6, 9)
    assert "score 6-9" in str(advice)
    again = advise_hand(EUCHRE, **DEALER, score="6-9", worlds=2000, workers=1)
    assert again.options().equals(options)
    assert again.task_id == advice.task_id
    assert advice.to_dict()["options"][0]["choice"] == options["choice"].iloc[0]


def test_nine_to_go_does_not_need_to_be_alone() -> None:
    """At 9 any point wins, so that four are worth no more than one."""
    advice = advise_hand(EUCHRE, **DEALER, score="9-0", worlds=2000)
    options = advice.options().set_index("choice")
    assert options.loc["order", "win"] >= options.loc["order alone", "win"]


def test_the_last_two_tricks_are_known() -> None:
    """Nobody has a choice but the leader: what each card brings, by all deals that agree, each as likely."""
    # Hearts; left leads. After three tricks the maker's side has all three; the left has the right bower and a nine.
    position = {
        "hand": "JH 9C",
        "upcard": "TH",
        "seat": "left",
        "said": "order",
        "played": "AH 9H QH KH  AS 9S TS KS  AD 9D TD KD",
    }
    advice = advise_hand(EUCHRE, **position, worlds=3000)
    options = advice.options().set_index("choice")
    assert set(options.index) == {"Jh", "9c"}
    assert (options["euchred"] == 0).all()
    # Every order of the two tricks: with the bower first or last a march needs the nine of clubs to win a trick.
    assert options["one"].to_numpy() + options["two"].to_numpy() == pytest.approx([1.0, 1.0])


@pytest.mark.parametrize(
    "position",
    [
        DEALER,
        {"hand": "9S AH KH 9C QC", "upcard": "TH", "seat": "left", "second_round": True},
        {"hand": "9S AH KH 9C QC", "upcard": "TH", "seat": "dealer", "said": "pass order"},
        {"hand": "AC KH 9S 9C", "upcard": "TH", "seat": "right", "said": "order", "played": "JH 9H QH 9D KC QC"},
        {"hand": "9S AH KH 9C QC", "upcard": "TH", "seat": "left", "said": "pass order"},
    ],
)
def test_values_beside_hands_that_are_played_one_by_one(position: dict[str, Any]) -> None:
    """In the same deals, every choice in turn, decision by decision."""
    n, seed = 30, 3
    advice = advise_hand(EUCHRE, **position, worlds=n, seed=seed)
    players = bind_all(EUCHRE, ["rules"])[1].players
    here, worlds = advice.position, np.empty((n, HIDDEN), np.int64)
    seat = np.uint64(seed)
    args = (lower(EUCHRE), players, DOUBT, here.seat, here.hand, here.discard, here.seen, seat, TRIES * n, worlds)
    kept, drawn = likely_worlds(*args)
    assert (kept, drawn) == (n, advice.drawn)
    for k, option in enumerate(advice.options_given):
        plan = {stage: choice for stage, choice in enumerate(option.plan) if choice}
        found = [played_on(Hand(EUCHRE, world.copy(), here.seen.copy()), players, here.seat, plan) for world in worlds]
        assert advice.points[:, k].tolist() == found


def test_what_a_position_tells() -> None:
    read = read_position(
        EUCHRE, hand="9S AH KH 9C QC", upcard="TH", seat="right", said="order", alone="partner", score="3-4"
    )
    assert read.stage == "alone"
    assert read.seen[TAKEN] == 1
    assert read.seen[SCORE : SCORE + 2].tolist() == [3, 4]
    assert read.seen[MAKER] == 0
    assert read.seen[LONE] == 0b10
    second = read_position(EUCHRE, hand="9S AH KH 9C QC", upcard="TH", seat="partner", second_round=True)
    assert second.stage == "second round"
    dealer = read_position(EUCHRE, hand="9S AH KH 9C QC", upcard="TH", seat="dealer", said="pass order")
    assert dealer.stage == "turn-up"
    taken = read_position(EUCHRE, hand="9S AH KH 9C QC", upcard="TH", seat="dealer", said="pass order take")
    assert taken.stage == "discard"
    assert cards_text(int(physical(taken.hand, taken.seen[TRUMP]))) == "9s Ah Kh Th Qc 9c"
    play = read_position(
        EUCHRE,
        hand="TH AH KH QC",
        upcard="TH",
        seat="dealer",
        said="order",
        discard="9S",
        played="9D QD KD 9C  AC",
    )
    assert play.stage == "play"
    assert play.discard
    assert parse_cards("TH AH KH QC") == int(physical(play.hand, play.seen[TRUMP]))
    three = read_position(Euchre(players="3"), hand="9S AH KH 9C QC", upcard="TH", seat="right", score="1-2-3")
    assert three.scores == (1, 2, 3)
    assert advise_hand(Euchre(players="3"), hand="JH AH KH JD QH", upcard="TH", seat="dealer", worlds=200).wins is None
    other = advise_hand(Euchre(players="2"), hand="JH AH KH JD QH", upcard="TH", seat="other", worlds=200)
    assert other.best == "order"


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"hand": "JH AH KH 9S"}, "has 4 cards; you hold 5"),
        ({"hand": "JH AH KH 9S 9S"}, "stands twice"),
        ({"hand": "JH AH KH 9S 7C"}, "not in the deck of 24"),
        ({"hand": "JH AH KH 9S TH"}, "Th is turned up and not in a hand"),
        ({"upcard": "XX"}, "card 'XX' is unknown"),
        ({"seat": "north"}, "seat 'north' is unknown"),
        ({"score": "6"}, "score '6' cannot be; give 2 numbers below 10"),
        ({"score": "10-3"}, "score '10-3' cannot be"),
        ({"score": "a-b"}, "score 'a-b' cannot be"),
        ({"said": "pass " * 8}, "all have passed; tell what was said"),
        ({"said": "fly"}, "'fly' is nothing that left can say"),
        ({"said": "pass pass pass alone"}, "'pass alone' is nothing that right can say"),
        ({"said": "pass pass pass pass h"}, "the rules do not allow left to say 'h' in the second round"),
        ({"second_round": True, "play": True}, "it is the second round, not the play"),
        ({"alone": "partner"}, "partner cannot have said 'alone' before this"),
        ({"seat": "left", "discard": "QS"}, "you have discarded nothing; leave discard Qs out"),
        ({"said": "pass order leave", "discard": "QS", "played": "9D QD KD"}, "you have discarded nothing"),
        ({"said": "pass pass pass order", "discard": "TH", "played": "9D QD KD"}, "do not allow to discard Th here"),
        ({"seat": "left", "said": "order take leave", "play": True}, "'leave' was said too much"),
        ({"seat": "left", "said": "pass order", "play": True, "hand": "9D"}, "you hold 5"),
        ({"seat": "right", "said": "order", "played": "TH AH"}, "Th was turned up; only a dealer who took it"),
        ({"seat": "right", "said": "order", "played": "9H"}, "it is the turn of partner to play"),
        ({"seat": "right", "said": "order", "played": "9H 9H"}, "9h is played twice"),
        (
            {"seat": "right", "hand": "9H AH KH 9S 9C", "said": "order", "played": "9H QH"},
            "a card of the hand has been",
        ),
        ({"said": "order", "play": True, "hand": "AH KH TH 9S 9C"}, "tell which as discard"),
        ({"said": "order", "discard": "QS", "play": True}, "it is the turn of left"),
        ({"said": "order", "discard": "QS", "played": "9D QS QD"}, "the discard Qs does not go with the hand"),
    ],
)
def test_positions_that_cannot_be(changed: dict[str, Any], complaint: str) -> None:
    with pytest.raises(PositionError, match=complaint) as caught:
        advise_hand(EUCHRE, **{**DEALER, **changed}, worlds=10)
    assert "\n" not in str(caught.value)


def test_a_suit_that_was_not_followed() -> None:
    base = {"hand": "KH 9S 9C", "upcard": "TH", "seat": "left", "said": "order"}
    with pytest.raises(PositionError, match="partner cannot play 9h after not following that suit"):
        advise_hand(EUCHRE, **base, played="QH 9D TD JC  AH 9H", worlds=10)


def test_what_is_refused() -> None:
    with pytest.raises(UsageError, match="policy 'random' is none to play on by"):
        advise_hand(EUCHRE, **DEALER, policy="random", worlds=10)
    with pytest.raises(UsageError, match="worlds = 1 cannot be"):
        advise_hand(EUCHRE, **DEALER, worlds=1)
    with pytest.raises(UsageError, match="advise is for card games"):
        analyzer.advise(analyzer.game("yahtzee"))  # type: ignore[arg-type]


def test_railroad_positions() -> None:
    """Who is alone is asked for a card; the dealer's partner may then hold the turn-up; an assist is alone."""
    railroad = analyzer.game("railroad-euchre")
    mine = {"hand": "JH KH QH 9S 9C", "upcard": "TH", "seat": "left", "said": "order"}
    assert read_position(railroad, **mine, alone="me").stage == "exchange"
    given = {"hand": "AH KH QH 9S TH", "upcard": "TH", "seat": "partner", "said": "pass order", "alone": "me"}
    assert read_position(railroad, **given, played="9C QC").stage == "play"
    assisted = read_position(
        Euchre(assist_alone=True), hand="9S 9H KH 9C QC", upcard="TH", seat="right", said="pass order", played=""
    )
    assert assisted.seen[LONE] == 0b10
