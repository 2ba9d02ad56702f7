"""The options of Euchre: values, what goes together, points, ids and files."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.errors import RulesError
from analyzer.fields import FieldError
from analyzer.games.euchre.rules import Euchre
from analyzer.games.options import options_of_class
from analyzer.games.registry import rules_from_toml
from tests.games.euchre_referee import points_of

NUMBERS = {"target": (5, 7, 10, 11, 15), "games": (1, 2, 3)}
CHOICES: dict[str, tuple[Any, ...]] = {
    one.name: one.choices or ((True, False) if one.kind == "switch" else NUMBERS[one.name])
    for one in options_of_class(Euchre)
}
DEFAULTS = {one.name: one.default for one in options_of_class(Euchre)}
WITH_PARTNERS = (
    "alone",
    "alone_timing",
    "alone_lead",
    "lone_maker_euchre",
    "lone_defence",
    "assist_alone",
    "best_card",
)
"""Options that only four players have."""


def random_rules(values: dict[str, Any]) -> Euchre:
    """Rules of these values, but for those that do not go with the players, the deck and the games."""
    values = dict(values)
    apart: list[str] = []
    if values["players"] == "3":
        values["deck"] = {"25": "24", "33": "32"}.get(values["deck"], values["deck"])
    if values["players"] != "4":
        apart += WITH_PARTNERS
    if values["deck"] in {"24", "32"}:
        apart.append("joker_turn_up")
    if values["games"] == 1:
        apart.append("laps")
    return Euchre(**(values | {name: DEFAULTS[name] for name in apart}))


any_rules = st.fixed_dictionaries({name: st.sampled_from(choices) for name, choices in CHOICES.items()}).map(
    random_rules
)


def test_defaults() -> None:
    assert DEFAULTS == {
        "players": "4",
        "deck": "24",
        "dealer_pickup": "optional",
        "discard_turn_up": "allowed",
        "name_turned_down": False,
        "stick_dealer": False,
        "alone": "anyone",
        "alone_timing": "before_lead",
        "alone_lead": "left_of_lone",
        "lone_maker_euchre": "2",
        "lone_defence": "2/4",
        "joker_turn_up": "dealer_blind",
        "call_needs_suit": False,
        "assist_alone": False,
        "best_card": False,
        "target": 10,
        "games": 1,
        "laps": False,
        "slam": False,
    }
    assert all(one.meaning.endswith(".") for one in options_of_class(Euchre))


@pytest.mark.parametrize(
    ("lone_maker", "lone_defender", "points"),
    [
        (False, False, [2, 1, 1, -2, -2, -2]),
        (True, False, [4, 1, 1, -2, -2, -2]),
        (False, True, [2, 1, 1, -2, -2, -4]),
        (True, True, [4, 1, 1, -2, -2, -4]),
    ],
)
def test_points_of_a_hand(lone_maker: bool, lone_defender: bool, points: list[int]) -> None:
    rules = Euchre()
    for tricks, expected in zip((5, 4, 3, 2, 1, 0), points, strict=True):
        assert rules.points(tricks, lone_maker=lone_maker, lone_defender=lone_defender) == expected


def test_points_agree_with_the_referee() -> None:
    for euchre, defence in product(CHOICES["lone_maker_euchre"], CHOICES["lone_defence"]):
        rules = Euchre(lone_maker_euchre=euchre, lone_defence=defence)
        for tricks, maker, defender in product(range(6), (False, True), (False, True)):
            makers, defenders = points_of(rules, tricks, maker, defender)
            assert rules.points(tricks, lone_maker=maker, lone_defender=defender) == makers - defenders


@pytest.mark.parametrize(("players", "points"), [("2", [2, 1, 1, -2, -2, -2]), ("3", [3, 1, 1, -2, -2, -2])])
def test_points_without_partners(players: str, points: list[int]) -> None:
    rules = Euchre(players=players)
    for tricks, expected in zip((5, 4, 3, 2, 1, 0), points, strict=True):
        makers, defenders = points_of(rules, tricks, lone_maker=False, lone_defender=False)
        assert rules.points(tricks) == expected == makers - defenders


@pytest.mark.parametrize("tricks", [-1, 6, 2.5, True])
def test_tricks_out_of_range(tricks: Any) -> None:
    with pytest.raises(RulesError, match="maker_tricks"):
        Euchre().points(tricks)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"deck": "52"}, "euchre: deck = '52' is not allowed"),
        ({"deck": 24}, "euchre: deck = 24 is not allowed"),
        ({"alone": "anyon"}, "did you mean 'anyone'"),
        ({"target": 0}, "euchre: target = 0 is outside 1..100"),
        ({"stick_dealer": 1}, "euchre: stick_dealer = 1 is not a switch"),
        ({"joker_turn_up": "hearts"}, "euchre: joker_turn_up = 'hearts' needs the joker; set deck = \"25\""),
        ({"joker_turn_up": "spades", "deck": "32"}, "joker_turn_up = 'spades' needs the joker"),
        ({"players": "5"}, "euchre: players = '5' is not allowed"),
        ({"players": 2}, "euchre: players = 2 is not allowed"),
        ({"games": 0}, "euchre: games = 0 is outside 1..100"),
        ({"laps": True}, "euchre: laps = True needs a next game; set games = 2 or more"),
        ({"players": "3", "deck": "33"}, "deck = '33' has a joker, with which three do not play; set deck = \"24\""),
        *(
            ({"players": players, name: value}, f"euchre: {name} = .* is for four players; leave it out")
            for players in "23"
            for name in WITH_PARTNERS
            for value in CHOICES[name]
            if value != DEFAULTS[name]
        ),
    ],
)
def test_values_that_are_not_allowed(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(FieldError, match=complaint):
        Euchre(**options)


def test_every_option_is_in_the_id() -> None:
    """All of them change it, and to different ones; three players need another deck here."""
    plain = {**DEFAULTS, "deck": "25", "games": 2}
    ids = {random_rules(plain | {name: value}).id for name, choices in CHOICES.items() for value in choices}
    assert len(ids) == 1 + sum(len(choices) - 1 for choices in CHOICES.values())


def test_ids_stay() -> None:
    assert Euchre().id == "01c6a97f533694d7"
    assert Euchre(deck="32", stick_dealer=True, target=5).id == "c2a26680e14422a7"


@given(any_rules)
def test_files_give_the_rules_back(rules: Euchre) -> None:
    again = rules_from_toml(rules.to_toml())
    assert again == rules
    assert again.id == rules.id


def test_a_file_with_first_words_and_text() -> None:
    text = 'base = "euchre"\n[options]\nalone-lead = "left of dealer"\nstick_dealer = "yes"\nalone = "caller"\n'
    expected = Euchre(alone_lead="left_of_dealer", stick_dealer=True, alone="caller_then_lone_defence")
    assert rules_from_toml(text) == expected
    assert rules_from_toml('base = "euchre"') == Euchre()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('base = "euchre"\n[options', "mine: not a TOML file"),
        ('base = "euchr"', "mine: game 'euchr' is unknown; did you mean 'euchre'?"),
        ('base = "euchre"\ndeck = "24"', "mine: deck is an unknown key; choose from: base, options, name, title"),
        ('base = "euchre"\ntitel = "Ours"', "mine: titel is an unknown key; did you mean 'title'?"),
        (
            'base = "euchre"\n[[lines]]\nname = "pair"',
            "mine: lines is for dice games, and Euchre is none; leave it out",
        ),
        ('base = "euchre"\n[change.pair]\npoints = 1', "mine: change is for dice games, and Euchre is none"),
        ('base = "euchre"\nthrows = 3', "mine: throws is for dice games, and Euchre is none"),
        ('base = "euchre"\nname = "Ours"', "mine: name = 'Ours' is not a name; use 1..40 of a-z, 0-9 and _"),
        ('base = "euchre"\ntitle = 3', "mine: title = 3 is not a title; write 1..100 printable characters"),
        ('base = "euchre"\noptions = 3', "mine: options = 3 is not a table"),
        ('base = "euchre"\n[options]\nstick_the_dealer = true', "unknown; did you mean 'stick_dealer'"),
        ('base = "euchre"\n[options]\ndeck = "23"', "mine: options.deck = '23' is not allowed"),
        (
            'base = "euchre"\n[options]\njoker_turn_up = "hearts"',
            "mine: options.joker_turn_up = 'hearts' needs the joker",
        ),
    ],
)
def test_files_that_are_no_rules(text: str, complaint: str) -> None:
    with pytest.raises(RulesError, match=complaint.replace("[", r"\[")) as caught:
        rules_from_toml(text, "mine")
    assert "\n" not in str(caught.value)
