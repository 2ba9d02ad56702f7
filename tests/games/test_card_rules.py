"""Names, titles, ids and files of card games."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from analyzer.fields import MOST_TEXT, FieldError
from analyzer.games.euchre.rules import Euchre
from analyzer.games.registry import make_rules, rules_from_toml

OURS = Euchre(deck="32", name="ours", given_title="Ours")


def test_the_title_tells_the_options_in_force() -> None:
    assert Euchre().title == "Euchre"
    assert Euchre(deck="32", stick_dealer=True).title == "Euchre (deck = 32, stick_dealer = true)"
    assert replace(Euchre(deck="32"), deck="24", target=5).title == "Euchre (target = 5)"
    assert OURS.title == "Ours"
    assert make_rules("euchre", target=5).title == "Euchre (target = 5)"


def test_a_title_that_would_be_too_long_tells_no_options() -> None:
    changed = {"name_turned_down": True, "stick_dealer": True, "call_needs_suit": True, "assist_alone": True}
    rules = Euchre(**changed, target=5)  # type: ignore[arg-type]
    assert rules.title == "Euchre (options changed)"
    full = Euchre(**(changed | {"assist_alone": False}))  # type: ignore[arg-type]
    assert full.title.count("true") == 3
    assert len(full.title) <= MOST_TEXT


def test_settings_are_those_in_force() -> None:
    assert {one.option.name: one.value for one in OURS.settings if one.changed} == {"deck": "32"}


def test_names_are_no_part_of_the_id() -> None:
    assert OURS.id == Euchre(deck="32").id != Euchre().id


def test_names_survive_a_file() -> None:
    for rules in (OURS, Euchre(name="ours"), Euchre(given_title="Ours, with « ü »")):
        assert rules_from_toml(rules.to_toml()) == rules
    assert 'base = "euchre"\nname = "ours"    # ' in OURS.to_toml()
    assert "title" not in Euchre().to_toml()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"name": "Ours"}, "euchre: name = 'Ours' is not a name"),
        ({"name": ""}, "euchre: name = '' is not a name"),
        ({"given_title": " "}, "euchre: title = ' ' is not a title"),
        ({"given_title": "a\nb"}, "is not a title"),
        ({"given_title": "a" * 101}, "is not a title"),
        ({"name": "ours", "deck": "52"}, "ours: deck = '52' is not allowed"),
    ],
)
def test_names_that_are_none(given: dict[str, Any], message: str) -> None:
    with pytest.raises(FieldError) as caught:
        Euchre(**given)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
