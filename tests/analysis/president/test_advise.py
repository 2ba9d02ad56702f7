"""Advice for positions of President, read from what a person describes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import analyzer
from analyzer.analysis.president.advise import advise_play
from analyzer.analysis.president.position import read_position
from analyzer.errors import PolicyError, PositionError, UsageError
from analyzer.games.president.endgame import solve_endgame
from analyzer.games.president.layout import (
    ACTIVE,
    HELD,
    LAST,
    LEADER,
    OFFICE,
    OUT,
    OWES,
    PASSED,
    PILE,
    PLAYED,
    REVERSED,
)
from analyzer.games.president.notation import cards_text, parse_cards, parse_play
from analyzer.games.president.round import Round
from analyzer.games.president.rules import President

DECK = [rank + suit for rank in "3456789TJQKA2" for suit in "cdhs"]


def test_a_position_is_what_was_told() -> None:
    rules = President(players=5, revolution=True)
    told = read_position(rules, hand="3H 4H 5H", counts="6,0,4,9", pile="7C", passed="1", reversed_order=True)
    seen = told.seen
    assert seen[HELD : HELD + 5].tolist() == [3, 6, 0, 4, 9]
    assert (seen[PILE], seen[LAST], seen[PASSED]) == (parse_play("7c"), 4, 0b10)
    assert (seen[ACTIVE], seen[OUT], seen[REVERSED]) == (0b11011, 1, 1)
    assert cards_text(int(seen[PLAYED + 1])) == "7c"
    assert told.text == "3h 4h 5h, on 7c, the others hold 6-0-4-9, order reversed"
    start = read_position(President(), hand=" ".join(DECK[:13]))
    assert start.seen[HELD : HELD + 4].tolist() == [13, 13, 13, 13]
    with pytest.raises(PositionError, match="counts are missing"):  # two of five have a card more, nobody knows who
        read_position(President(players=5), hand=" ".join(DECK[:10]))
    waiting = read_position(rules, hand="3H", counts="6,2,4,9", pile="7C", last=2)
    assert (waiting.seen[LAST], waiting.seen[PASSED]) == (2, 0b11000)
    gone = read_position(President(), hand="3H", counts="0,4,9", pile="7C", passed="2,3")
    assert gone.seen[LAST] == 1


def test_a_position_of_the_exchange() -> None:
    rules = President(exchange=True)
    hand = " ".join(DECK[:15])
    told = read_position(rules, hand=hand, offices="1,3,2,4", got="3c 3d", give_back=True)
    assert told.seen[OWES] == 2
    assert told.seen[OFFICE : OFFICE + 4].tolist() == [1, 3, 2, 4]
    assert told.seen[HELD : HELD + 4].tolist() == [15, 12, 14, 11]
    assert told.seen[LEADER] == 3  # the last leads
    first = read_position(
        President(exchange=True, next_lead="president"), hand=hand, offices="1,4,2,3", got="3c 3d", give_back=True
    )
    assert first.seen[HELD : HELD + 4].tolist() == [15, 11, 14, 12]
    assert first.seen[LEADER] == 0
    vice = read_position(rules, hand=" ".join(DECK[:14]), offices="2,4,1,3", got="3c", give_back=True)
    assert vice.seen[HELD : HELD + 4].tolist() == [14, 13, 13, 12]
    later = read_position(rules, hand="5h 6h", counts="3,2,4", offices="4,2,3,1", gave="2h 2s", got="3c 3d", pile="Ts")
    assert later.own.gave == parse_cards("2h 2s")
    assert cards_text(int(later.seen[PLAYED + 3])) == "Ts"


FULL = "3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac 2c"


@pytest.mark.parametrize(
    ("options", "position", "message"),
    [
        ({}, {"hand": ""}, "hand has no cards"),
        ({}, {"hand": "3c 4c"}, "counts are missing; give how many cards the others hold, clockwise: 5,5,5"),
        ({}, {"hand": "3c", "counts": "3,4"}, "counts '3,4' are not 3 numbers"),
        ({}, {"hand": "3c", "counts": "0,0,0"}, "counts '0,0,0' say that all others have gone out"),
        ({}, {"hand": "3c", "counts": "40,9,9"}, "counts '40,9,9' add up to 58, but only 51 cards are not seen"),
        ({}, {"hand": "3c", "counts": "1,1,1", "pile": "3c"}, "3c lies in two places"),
        ({}, {"hand": "*", "counts": "1,1,1"}, "the deck has 0 jokers, not 1; set jokers or leave them out"),
        ({}, {"hand": "3c", "counts": "1,1,1", "played": "4c"}, "the others hold 3 cards but 50 are neither yours nor"),
        ({}, {"hand": "3c", "counts": "1,1,1", "passed": "2"}, "nobody has passed or played where you lead"),
        ({}, {"hand": "3c", "counts": "1,1,1", "pile": "4c", "passed": "4"}, "passed '4' is no seat to your left"),
        ({}, {"hand": "3c", "counts": "1,1,1", "pile": "4c", "last": 0}, "last 0 is no seat to your left"),
        ({}, {"hand": "3c", "counts": "1,1,1", "offices": "1,1,2,3"}, "offices '1,1,2,3' are not the places of all"),
        ({}, {"hand": "3c", "counts": "1,1,1", "gave": "4c"}, "gave and got are of an exchange; set exchange = true"),
        ({}, {"hand": "3c", "counts": "1,1,1", "give_back": True}, "nothing is given back without an exchange"),
        ({}, {"hand": "3c", "counts": "1,1,1", "reversed_order": True}, "the order is never reversed in this game"),
        ({}, {"hand": "3c", "counts": "1,1,1", "pile": "pass"}, "pile 'pass' is no play"),
        ({}, {"hand": "3c", "counts": "1,1,1", "pile": "2c"}, "pile 2c closes at once, so that nobody plays on it"),
        (
            {"runs": False},
            {"hand": "3c", "counts": "1,1,1", "pile": "4c 5c 6c"},
            "pile 4c 5c 6c is a run, and this game",
        ),
        ({"jokers": 1}, {"hand": "3c", "counts": "1,1,1", "pile": "* for 2s"}, "pile * for 2s: jokers are no 2s here"),
        ({}, {"hand": "3c", "counts": "1,1,1", "pile": "4c", "passed": "3", "last": 3}, "seat 3 made the play on top"),
        (
            {},
            {"hand": "3c", "counts": "1,1,1", "pile": "4c", "passed": "1,2,3"},
            "all others who hold cards have passed",
        ),
        (
            {"exchange": True},
            {"hand": "3c", "counts": "5,5,5", "offices": "1,4,2,3", "give_back": True},
            "hand has 1 card, of which 2 are given back",
        ),
        (
            {"exchange": True},
            {"hand": "3c", "counts": "1,1,1", "offices": "4,1,2,3", "gave": "* *", "got": "3d 3h"},
            "gave has more jokers than the deck",
        ),
        (
            {"exchange": True},
            {"hand": "3c", "counts": "1,1,1", "offices": "4,1,2,3", "gave": "2c 2d", "got": "3d 3h"},
            "2 of the cards that were given away are not played, but who got them holds 1",
        ),
        (
            {"exchange": True},
            {"hand": "3c 4c 5c", "counts": "5,5,5", "offices": "1,4,2,3", "got": "2c 2d", "give_back": True},
            "2c 2d was got but is neither in the hand nor played",
        ),
        (
            {"exchange": True},
            {"hand": "3c", "counts": "1,1,1", "offices": "4,1,2,3", "give_back": True},
            "who gives cards back came first or second",
        ),
        (
            {"exchange": True},
            {"hand": "3c", "counts": "1,1,1", "offices": "4,1,2,3", "gave": "2c", "got": "3d 3h"},
            "gave has 1 card; place 4 exchanges 2",
        ),
        (
            {"exchange": True},
            {"hand": "3c", "counts": "1,1,1", "offices": "4,1,2,3", "gave": "3c 2c", "got": "3d 3h"},
            "3c was given away but is in the hand",
        ),
        (
            {"exchange": True, "players": 5},
            {"hand": "3c", "counts": "1,1,1,1", "offices": "3,1,2,4,5", "gave": "2c", "got": "3d"},
            "who came to place 3 of 5 exchanges nothing",
        ),
        ({}, {"hand": "3c", "counts": "-1,1,1"}, "counts '-1,1,1' are not 3 numbers"),
        ({}, {"hand": "3c", "counts": "1--1-1"}, "counts '1--1-1' are not 3 numbers"),
        ({}, {"hand": "3c", "counts": "１,1,1"}, "counts '１,1,1' are not 3 numbers"),  # noqa: RUF001
        ({}, {"hand": "3c", "counts": "14,1,1"}, "counts '14,1,1' have a hand of 14, but nobody has more than 13"),
        ({}, {"hand": FULL + " 3d", "counts": "12,13,13"}, "hand has 14 cards, but nobody has more than 13"),
        ({}, {"hand": FULL, "counts": "12,13,13", "pile": "3d", "last": 2}, "seat 2 holds 13 of 13 cards"),
        ({}, {"hand": FULL, "counts": "12,12,13", "pile": "3d 3h"}, "nobody can have made the play on top"),
        ({}, {"hand": "3c", "counts": "6,0,9", "pile": "6c", "passed": "2"}, "seat 2 has no cards"),
        (
            {"exchange": True},
            {"hand": FULL, "counts": "13,13,13", "offices": "1,4,2,3", "gave": "3d 4d", "got": "2d 2h"},
            "2d 2h was got but is neither in the hand nor played",
        ),
        (
            {"exchange": True},
            {"hand": "Kc", "counts": "3,1,1", "offices": "4,1,2,3", "gave": "Qd As", "got": "3d 3h"},
            "Qd As was given away but the hand has kept Kc",
        ),
        (
            {"exchange": True, "jokers": 1},
            {"hand": "*", "counts": "3,1,1", "offices": "4,1,2,3", "gave": "Qd As", "got": "3d 3h"},
            "Qd As was given away but the hand has kept a joker",
        ),
        (
            {"exchange": True, "jokers": 2, "players": 3},
            {"hand": "3c 4d", "counts": "1,3", "offices": "3,1,2", "gave": "* *", "got": "3c 4d"},
            "2 of the cards that were given away are not played, but who got them holds 1",
        ),
        (
            {"exchange": True, "jokers": 2, "players": 3},
            {"hand": "* 4d", "counts": "2,3", "offices": "3,1,2", "gave": "* *", "got": "3c 4d"},
            "jokers of the hand, played and given away are more than the deck has",
        ),
    ],
)
def test_positions_that_cannot_be(options: dict[str, Any], position: dict[str, Any], message: str) -> None:
    with pytest.raises(PositionError) as error:
        read_position(President(**options), **position)
    assert str(error.value).startswith(message)


def test_who_made_the_play_on_top_is_who_can_have() -> None:
    position = read_position(President(), hand=FULL, counts="12,13,13", pile="3d")
    assert position.seen[LAST] == 1


def test_every_legal_play_is_ranked() -> None:
    game = analyzer.game("president", jokers=1)
    advice = analyzer.advise(game, hand="3H 4H 5H 9S 9D *", pile="7C 8C 9C", counts="6,4,9", worlds=300, seed=3)
    table = advice.options()
    assert len(table) == len(advice.choices) == 1
    advice = analyzer.advise(game, hand="3H 4H 5H 9S 9D 2D", pile="6C", counts="6,4,9", worlds=300, seed=3)
    table = advice.options()
    assert sorted(table["choice"]) == ["2d", "9d", "9s", "pass"]
    assert table["place"].is_monotonic_increasing
    assert table["loss"].iloc[0] == 0
    assert table[[f"place_{k}" for k in range(1, 5)]].sum(axis=1).tolist() == pytest.approx([1] * 4)
    assert (table["lower"] <= table["place"]).all()
    assert (table["loss"] - (table["place"] - table["place"].iloc[0])).abs().max() < 1e-12
    assert advice.to_dict()["exact"] is False
    assert advice.best == table["choice"].iloc[0]


def test_lists_say_the_same_as_text() -> None:
    text = advise_play(President(), hand="3H 4H 9S 2D", counts="6,4,9", pile="6C", passed="2", worlds=20)
    lists = advise_play(
        President(), hand=["3H", "4H", "9S", "2D"], counts=[6, 4, 9], pile=["6C"], passed=(2,), worlds=20
    )
    assert text.tally == lists.tally
    with pytest.raises(PositionError, match="hand has no cards; name yours"):
        analyzer.advise(analyzer.game("president"))


def test_same_bits_for_any_number_of_workers() -> None:
    position: dict[str, Any] = {
        "hand": "3H 4H 5H 9S 9D 2D",
        "counts": "6,4,9",
        "worlds": 200,
        "policy": "rules:slips=0.2",
    }
    tallies = [advise_play(President(), **position, workers=workers).tally for workers in (1, 2, 7)]
    assert tallies[0] == tallies[1] == tallies[2]


def test_an_endgame_is_exact() -> None:
    rules = President(players=3)
    hand, other = "4h 5h 6h 9c", "7s 8s Kd"
    played = " ".join(card for card in DECK if card not in {*hand.split(), *other.split()})
    advice = advise_play(rules, hand=hand, counts="3,0", played=played)
    assert advice.exact
    wins = solve_endgame(Round.start(rules, [hand, other, ""], turn=0)).wins
    table = advice.options().set_index("choice")
    assert {choice: bool(place == 2) for choice, place in table["place"].items()} == dict(wins)
    assert (table["lower"] == table["upper"]).all()
    assert "exact: all cards are known" in str(advice)
    unknown = advise_play(rules, hand=hand, counts="3,0", worlds=50)
    assert not unknown.exact
    assert unknown.options()["place_1"].max() == 0 if "place_1" in unknown.options() else True


def test_what_is_given_back_is_ranked() -> None:
    rules = President(exchange=True)
    hand = "3c 3d 5h 6h 7h 9c 9d Jh Js Kc Kd Ah 2c 2d 2h"
    advice = advise_play(rules, hand=hand, offices="1,3,2,4", got="2d 2h", give_back=True, worlds=40)
    table = advice.options()
    assert len(table) == 15 * 14 // 2
    assert table["place"].iloc[-1] - table["place"].iloc[0] > 0.3
    assert not {"2c", "2d", "2h"} & set(advice.best.split())
    assert np.isfinite(table["loss_error"]).all()


def test_what_is_refused() -> None:
    for policy, error, message in (
        ("rollout", UsageError, "policy 'rollout:rollouts=400' is none to play on by; choose rules, lowest or random"),
        ("optimal", PolicyError, "policy 'optimal' is unknown"),
    ):
        with pytest.raises(error, match=message):
            advise_play(President(), hand="3c", counts="1,1,1", policy=policy)
    with pytest.raises(UsageError, match="worlds = 1 cannot be"):
        advise_play(President(), hand="3c", counts="1,1,1", worlds=1)
