"""What people are told of the rules of President."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from analyzer.games.president.rules import President
from tests.games.president.test_rules import CHOICES, DEFAULTS, FULL, any_rules, random_rules

RUNS = (
    "Played are groups: one to four cards of a rank; and runs: three or more ranks in a row of one suit, "
    "at most up to the 2."
)
ONE_MORE = "A joker is one more card of a group"
REVERSED = "reverse the order of ranks, from that play until it is reversed again or the round ends."
GIFTS = (
    "From the second round on the last gives the first his two best cards, the last but one gives the second his best "
    "card; as many cards are given back, whichever."
)


def test_the_plain_game() -> None:
    assert President().text.splitlines() == [
        "Cards of each suit from the lowest: 3, 4, 5, 6, 7, 8, 9, 10, jack, queen, king, ace, 2.",
        "All of them are dealt, so that some hands may have a card more.",
        RUNS,
        "An answer is of the same kind and has as many cards as the last play; nobody has to answer.",
        "A group answers if it is equal or higher, a run of any suit if its top card is equal or higher.",
        "A pile ends when all others have passed, and who played last leads. Who has passed is out until then.",
        "A group of 2s closes the pile: who plays it leads again.",
        "The holder of the 3 of clubs leads first, in later rounds the last of the round before.",
        "By place 3, 2, 1, 0 points; most after 5 rounds win.",
    ]


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"players": 6}, "By place 5, 4, 3, 2, 1, 0 points; most after 5 rounds win."),
        (
            {"jokers": 2},
            "A joker is one more card of a group or any card of a run; jokers alone are a group above the 2s.",
        ),
        ({"jokers": 1, "runs": False}, f"{ONE_MORE}; jokers alone are a group above the 2s."),
        (
            {"jokers": 1, "runs": False, "all_jokers": "may_be_2s"},
            f"{ONE_MORE}; jokers alone are a group above the 2s, or 2s if who plays them says so.",
        ),
        (
            {"runs": False, "beat": "higher"},
            "An answer has as many cards as the last play and is higher; nobody has to answer.",
        ),
        (
            {"run_beat": "disjoint"},
            "A group answers if it is equal or higher, a run of any suit if all of it is above the last run.",
        ),
        (
            {"revolution": True},
            f"Four cards of a rank {REVERSED}",
        ),
        ({"revolution": True}, "A run is then measured by its lowest card."),
        ({"revolution": True, "run_beat": "disjoint"}, "A run is then measured by all of its cards."),
        (
            {"revolution": True, "run_revolution": True},
            f"Four cards of a rank or a run of four or more cards {REVERSED}",
        ),
        ({"revolution": True, "jokers": 1}, "Jokers alone stay above all other groups."),
        (
            {"revolution": True, "closer_in_revolution": "threes"},
            "In the reversed order a group of 3s closes the pile, and one of 2s does not.",
        ),
        ({"eight_stop": True}, "A group of 2s or 8s and a run with an 8 close the pile: who plays it leads again."),
        ({"eight_stop": True, "runs": False}, "A group of 2s or 8s closes the pile: who plays it leads again."),
        (
            {"eight_stop": True, "jokers": 1, "eight_by_joker": False},
            "A group of 2s or 8s and a run with an 8 that is no joker close the pile: who plays it leads again.",
        ),
        (
            {"pass_locks": False},
            "A pile ends when all others have passed, and who played last leads. Who has passed may still play later.",
        ),
        ({"first_lead": "random", "rounds": 1}, "A player drawn by lot leads first."),
        (
            {"first_lead": "dealer_left", "next_lead": "president"},
            "The player on the dealer's left leads first, in later rounds the first of the round before.",
        ),
        (
            {"exchange": True},
            GIFTS,
        ),
        (
            {"exchange": True, "players": 3, "exchange_of_three": "1"},
            "From the second round on the last gives the first his best card; as many cards are given back, whichever.",
        ),
        ({"rounds": 1}, "By place 3, 2, 1, 0 points; there is one round."),
    ],
)
def test_lines_of_options(options: dict[str, Any], line: str) -> None:
    assert line in President(**options).text.splitlines()


def test_every_option_is_told() -> None:
    plain = {**DEFAULTS, **FULL}
    for name, choices in CHOICES.items():
        texts = {random_rules(plain | {name: value}).text for value in choices}
        assert len(texts) == len(choices), name


@given(any_rules)
def test_lines_are_sentences(rules: President) -> None:
    for line in rules.text.splitlines():
        assert line.endswith(".")
        assert "  " not in line
