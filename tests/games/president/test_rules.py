"""The options of President: values, what goes together, points, ids and files."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.errors import RulesError
from analyzer.fields import FieldError
from analyzer.games.options import options_of_class
from analyzer.games.president.rules import President
from analyzer.games.registry import rules_from_toml

NUMBERS = {"players": (3, 4, 5, 6, 7, 8), "jokers": (0, 1, 2), "rounds": (1, 2, 5, 100)}
CHOICES: dict[str, tuple[Any, ...]] = {
    one.name: one.choices or ((True, False) if one.kind == "switch" else NUMBERS[one.name])
    for one in options_of_class(President)
}
DEFAULTS = {one.name: one.default for one in options_of_class(President)}
FULL = {"players": 3, "jokers": 1, "revolution": True, "eight_stop": True, "exchange": True}
"""Options with which every other one decides something."""

NEEDING = (
    "run_beat",
    "run_revolution",
    "eight_by_joker",
    "all_jokers",
    "closer_in_revolution",
    "next_lead",
    "exchange",
    "exchange_of_three",
)
"""Options that decide nothing without others."""


def random_rules(values: dict[str, Any]) -> President:
    """Rules of these values, but for those that decide nothing."""
    needed = {
        "run_beat": values["runs"],
        "run_revolution": values["runs"] and values["revolution"],
        "eight_by_joker": values["runs"] and values["jokers"] > 0 and values["eight_stop"],
        "all_jokers": values["jokers"] > 0,
        "closer_in_revolution": values["revolution"],
        "next_lead": values["rounds"] > 1,
        "exchange": values["rounds"] > 1,
        "exchange_of_three": values["players"] == 3 and values["exchange"] and values["rounds"] > 1,
    }
    return President(**(values | {name: DEFAULTS[name] for name, met in needed.items() if not met}))


any_rules = st.fixed_dictionaries({name: st.sampled_from(choices) for name, choices in CHOICES.items()}).map(
    random_rules
)


def test_defaults() -> None:
    assert DEFAULTS == {
        "players": 4,
        "jokers": 0,
        "runs": True,
        "beat": "equal_or_higher",
        "run_beat": "top",
        "all_jokers": "highest",
        "revolution": False,
        "run_revolution": False,
        "closer_in_revolution": "twos",
        "eight_stop": False,
        "eight_by_joker": True,
        "pass_locks": True,
        "first_lead": "club3",
        "next_lead": "last",
        "exchange": False,
        "exchange_of_three": "2",
        "rounds": 5,
    }
    assert list(DEFAULTS) == [one.option.name for one in President().settings]
    assert all(one.meaning.endswith(".") for one in options_of_class(President))


def test_ranges_and_choices() -> None:
    allowed = {one.name: one.allowed for one in options_of_class(President) if one.kind != "switch"}
    assert allowed == {
        "players": "3..8",
        "jokers": "0..2",
        "beat": "equal_or_higher, higher",
        "run_beat": "top, disjoint",
        "all_jokers": "highest, may_be_2s",
        "closer_in_revolution": "twos, threes",
        "first_lead": "club3, random, dealer_left",
        "next_lead": "last, president",
        "exchange_of_three": "2, 1",
        "rounds": "1..100",
    }


@pytest.mark.parametrize("players", NUMBERS["players"])
def test_points_of_a_round(players: int) -> None:
    rules = President(players=players)
    table = rules.score_table()
    assert [row["place"] for row in table] == list(range(1, players + 1))
    assert [row["points"] for row in table] == list(range(players - 1, -1, -1))
    assert [rules.points(row["place"]) for row in table] == [row["points"] for row in table]


@pytest.mark.parametrize("place", [0, 5, 2.5, True])
def test_places_out_of_range(place: Any) -> None:
    with pytest.raises(RulesError, match="president: place = "):
        President().points(place)


def test_played_with() -> None:
    cards = ["52 cards", "53 cards with 1 joker", "54 cards with 2 jokers"]
    assert [President(jokers=jokers).played_with for jokers in (0, 1, 2)] == cards


NOTHING = "decides nothing without"
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"players": 2}, "players = 2 is outside 3..8; choose a whole number in that range"),
    ({"players": 9}, "players = 9 is outside 3..8; choose a whole number in that range"),
    ({"players": "4"}, "players = '4' is not a whole number; choose one in 3..8"),
    ({"jokers": 3}, "jokers = 3 is outside 0..2; choose a whole number in that range"),
    ({"jokers": True}, "jokers = True is not a whole number; choose one in 0..2"),
    ({"rounds": 0}, "rounds = 0 is outside 1..100; choose a whole number in that range"),
    ({"rounds": 101}, "rounds = 101 is outside 1..100; choose a whole number in that range"),
    ({"beat": "lower"}, "beat = 'lower' is not allowed; choose from: 'equal_or_higher', 'higher'"),
    (
        {"first_lead": "club"},
        "first_lead = 'club' is not allowed; did you mean 'club3'? Allowed: 'club3', 'random', 'dealer_left'",
    ),
    ({"runs": 1}, "runs = 1 is not a switch; write true or false"),
    ({"exchange_of_three": 1}, "exchange_of_three = 1 is not allowed; choose from: '2', '1'"),
    (
        {"runs": False, "run_beat": "disjoint"},
        f"run_beat = 'disjoint' {NOTHING} runs = true; set that too, or leave it out",
    ),
    (
        {"all_jokers": "may_be_2s"},
        f"all_jokers = 'may_be_2s' {NOTHING} jokers = 1 or 2; set that too, or leave it out",
    ),
    (
        {"run_revolution": True},
        f"run_revolution = True {NOTHING} revolution = true; set that too, or leave it out",
    ),
    (
        {"run_revolution": True, "revolution": True, "runs": False},
        f"run_revolution = True {NOTHING} runs = true; set that too, or leave it out",
    ),
    (
        {"closer_in_revolution": "threes"},
        f"closer_in_revolution = 'threes' {NOTHING} revolution = true; set that too, or leave it out",
    ),
    (
        {"eight_by_joker": False},
        f"eight_by_joker = False {NOTHING} jokers = 1 or 2 and eight_stop = true; set that too, or leave it out",
    ),
    (
        {"eight_by_joker": False, "jokers": 1},
        f"eight_by_joker = False {NOTHING} eight_stop = true; set that too, or leave it out",
    ),
    (
        {"eight_by_joker": False, "jokers": 1, "eight_stop": True, "runs": False},
        f"eight_by_joker = False {NOTHING} runs = true; set that too, or leave it out",
    ),
    (
        {"next_lead": "president", "rounds": 1},
        f"next_lead = 'president' {NOTHING} rounds = 2 or more; set that too, or leave it out",
    ),
    (
        {"exchange": True, "rounds": 1},
        f"exchange = True {NOTHING} rounds = 2 or more; set that too, or leave it out",
    ),
    (
        {"exchange_of_three": "1"},
        f"exchange_of_three = '1' {NOTHING} exchange = true and players = 3; set that too, or leave it out",
    ),
    (
        {"exchange_of_three": "1", "exchange": True},
        f"exchange_of_three = '1' {NOTHING} players = 3; set that too, or leave it out",
    ),
    (
        {"exchange_of_three": "1", "players": 3},
        f"exchange_of_three = '1' {NOTHING} exchange = true; set that too, or leave it out",
    ),
]


@pytest.mark.parametrize(("options", "complaint"), REFUSED)
def test_values_that_are_not_allowed(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(FieldError) as caught:
        President(**options)
    assert str(caught.value) == f"president: {complaint}"


def test_where_others_need_nothing_every_value_is_allowed() -> None:
    for name, choices in CHOICES.items():
        for value in choices:
            needed = FULL if name in NEEDING and value != DEFAULTS[name] else {}
            assert getattr(President(**(needed | {name: value})), name) == value


def test_every_option_is_in_the_id() -> None:
    """All of them change it, and to different ones."""
    plain = {**DEFAULTS, **FULL}
    ids = {random_rules(plain | {name: value}).id for name, choices in CHOICES.items() for value in choices}
    assert len(ids) == 1 + sum(len(choices) - 1 for choices in CHOICES.values())


def test_ids_stay() -> None:
    assert President().id == "154436bd3a7bf013"
    assert President(players=6, jokers=2, eight_stop=True).id == "498a611d7a115fe1"


def test_titles() -> None:
    assert President().title == "President"
    assert President(players=5, jokers=2).title == "President (players = 5, jokers = 2)"


@given(any_rules)
def test_files_give_the_rules_back(rules: President) -> None:
    again = rules_from_toml(rules.to_toml())
    assert again == rules
    assert again.id == rules.id
    assert President(**tomllib.loads(rules.to_toml())["options"]) == rules


def test_a_file_with_first_words_and_text() -> None:
    text = 'base = "president"\n[options]\nplayers = 3\nfirst-lead = "dealer left"\nexchange = "yes"\nbeat = "equal"\n'
    assert rules_from_toml(text) == President(players=3, first_lead="dealer_left", exchange=True)
    assert rules_from_toml('base = "president"') == President()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[options]\njoker = 1", "mine: option of president 'joker' is unknown; did you mean 'jokers'"),
        ("[options]\nplayers = 9", "mine: options.players = 9 is outside 3..8"),
        ("[options]\nrun_revolution = true", "mine: options.run_revolution = True decides nothing without revolution"),
        ("throws = 3", "mine: throws is for dice games, and President is none"),
    ],
)
def test_files_that_are_no_rules(text: str, complaint: str) -> None:
    with pytest.raises(RulesError) as caught:
        rules_from_toml(f'base = "president"\n{text}', "mine")
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)
