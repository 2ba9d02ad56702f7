"""Games by name; every game of the registry, class or rules file, keeps the same promises."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from analyzer.dice.scorecard import ScorecardRules
from analyzer.errors import RulesError
from analyzer.games import registry
from analyzer.games.card_rules import CardRules
from analyzer.games.euchre.rules import Euchre
from analyzer.games.options import Option
from analyzer.games.registry import (
    GAMES,
    game_class,
    game_names,
    load_rules,
    make_rules,
    notes_of,
    options_of,
    rules_from_toml,
    scorecard_names,
    settings_of,
)

NEEDED: dict[tuple[str, Any], dict[str, Any]] = {
    ("flips_from_throw", 3): {"throws": 3},
    ("served_in_plain_g", "80"): {"double_grande_row": True},
    ("run_revolution", True): {"revolution": True},
    ("all_jokers", "may_be_2s"): {"jokers": 1},
    ("closer_in_revolution", "threes"): {"revolution": True},
    ("eight_by_joker", False): {"jokers": 1, "eight_stop": True},
    ("exchange_of_three", "1"): {"players": 3, "exchange": True},
    ("joker_turn_up", "hearts"): {"deck": "25"},
    ("joker_turn_up", "spades"): {"deck": "25"},
    ("laps", True): {"games": 2},
}
"""Options without which a value of another option means nothing or is refused."""


def values_of(option: Option) -> list[Any]:
    match option.kind:
        case "choice":
            return list(option.choices)
        case "switch":
            return [False, True]
        case "number":
            return [option.low, option.high]


def variants(game: str) -> Iterator[dict[str, Any]]:
    """No options, and each value of each option with what it needs, the option last."""
    yield {}
    for option in options_of(game):
        for value in values_of(option):
            yield {**NEEDED.get((option.name, value), {}), option.name: value}


@pytest.fixture(params=game_names())
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("game", GAMES)
def test_games_with_options_are_frozen_dataclasses(game: str) -> None:
    kind = GAMES[game]
    assert kind.name == game
    assert is_dataclass(kind)
    own = [field.name for field in fields(kind) if field.name not in CardRules.__dataclass_fields__]
    assert [option.name for option in options_of(game)] == own
    with pytest.raises(AttributeError):
        setattr(kind(), options_of(game)[0].name, "x")


def test_defaults_make_the_game(game: str) -> None:
    rules = make_rules(game)
    assert isinstance(rules, ScorecardRules if game in scorecard_names() else CardRules)
    assert rules.name == game
    assert rules.title == game.replace("_", " ").title()
    assert rules.played_with.split()[-1] in {"faces", "cards"}
    assert make_rules(game, **{option.name: option.default for option in options_of(game)}) == rules


def test_options_are_described(game: str) -> None:
    for option in options_of(game):
        assert option.meaning.endswith(".")
        option.check(option.default)
        assert option.allowed
        if option.kind == "choice":
            assert option.choices[0] == option.default


def test_every_option_value_makes_rules_from_values_and_from_text(game: str) -> None:
    for option in options_of(game):
        for value in values_of(option):
            needed = NEEDED.get((option.name, value), {})
            rules = make_rules(game, **needed, **{option.name: value})
            assert make_rules(game, **needed, **{option.name: str(value)}) == rules
            shouted = {option.name.replace("_", "-").upper(): f" {str(value).upper()} "}
            assert make_rules(game, **needed, **shouted) == rules
            assert (rules.id == make_rules(game, **needed).id) == (value == option.default)


def test_rules_survive_a_file(game: str, tmp_path: Path) -> None:
    for options in variants(game):
        rules = make_rules(game, **options)
        path = tmp_path / "rules.toml"
        path.write_text(rules.to_toml(), encoding="utf-8")
        assert load_rules(path) == rules
        assert load_rules(str(path)).id == rules.id


def test_a_file_may_start_from_a_game(game: str) -> None:
    for options in variants(game):
        written = (
            f"{name} = {str(value).lower() if isinstance(value, bool | int) else repr(value)}"
            for name, value in options.items()
        )
        text = "\n".join([f'base = "{game}"', *["[options]"] * bool(options), *written])
        assert rules_from_toml(text) == make_rules(game, **options)


@pytest.mark.parametrize("word", ["yes", "On", "TRUE", "true "])
def test_switches_as_text(word: str) -> None:
    assert make_rules("yahtzee", lock_kept=word).lock_kept is True


@pytest.mark.parametrize("name", ["dice_poker", "dice-poker", "Dice Poker"])
def test_games_are_found_however_they_are_written(name: str) -> None:
    assert game_class(name) is GAMES["dice_poker"]


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        (
            "yatzee",
            {},
            "game 'yatzee' is unknown; did you mean 'yahtzee'? Known: dice_poker, escalero, cacho_alalay, yahtzee, ",
        ),
        ("poker", {}, "did you mean 'dice_poker'?"),
        ("bingo", {}, f"game 'bingo' is unknown; choose from: {', '.join(game_names())}"),
        (7, {}, "game 7 is unknown"),
        ("../files/crag", {}, "game '../files/crag' is unknown; choose from: dice_poker, "),
        ("yahtzee", {"jokers": "free"}, "option of yahtzee 'jokers' is unknown; did you mean 'joker'?"),
        ("yahtzee", {"joker": "freee"}, "joker = 'freee' is not allowed; did you mean 'free'?"),
        ("yahtzee", {"joker": 1}, "joker = 1 is not allowed"),
        ("yahtzee", {"throws": "three"}, "throws = 'three' is not a whole number; choose one in 1..10"),
        ("yahtzee", {"throws": "99"}, "throws = 99 is outside 1..10"),
        ("yahtzee", {"throws": "9" * 5000}, "is not a whole number"),
        ("yahtzee", {"throws": "³"}, "throws = '³' is not a whole number"),
        ("yahtzee", {"throws": 2.0}, "throws = 2.0 is not a whole number"),
        ("yahtzee", {"lock_kept": "maybe"}, "lock_kept = 'maybe' is not a switch; write true or false"),
        ("yahtzee", {"lock_kept": 1}, "lock_kept = 1 is not a switch"),
        ("euchre", {"stick": "maybe"}, "euchre: stick_dealer = 'maybe' is not a switch"),
        ("euchre", {"throws": 2}, "option of euchre 'throws' is unknown; choose from: players, deck, "),
        ("euchre", {"joker-turn-up": "hearts"}, "euchre: joker_turn_up = 'hearts' needs the joker; set deck = \"25\""),
        ("euchre", {"name": "ours"}, "name_turned_down = 'ours' is not a switch"),
        ("euchre", {"given_title": "Ours"}, "option of euchre 'given_title' is unknown"),
        ("yahtzee", {"lock_kept": True, "lock-kept": True}, "option 'lock_kept' of yahtzee is given twice"),
    ],
)
def test_what_is_unknown_is_refused_in_one_line(name: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(RulesError) as caught:
        make_rules(name, **options)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("game", GAMES)
def test_settings_are_all_options_with_the_values_that_make_the_rules(game: str) -> None:
    options = options_of(game)
    assert [one.option for one in settings_of(game)] == list(options)
    assert not any(one.changed for one in settings_of(game))
    for option in options:
        other = next((value for value in values_of(option) if value != option.default), option.default)
        settings = settings_of(game, **{option.name.replace("_", "-"): str(other)})
        assert [one.option.name for one in settings if one.changed] == [option.name] * (other != option.default)
        assert {one.option.name: one.value for one in settings}[option.name] == other


def test_a_rules_file_has_no_settings() -> None:
    assert settings_of("crag") == ()
    with pytest.raises(RulesError, match="option 'throws' cannot be set: crag is a rules file and has no options"):
        settings_of("crag", throws=2)


def test_a_card_game_is_its_rules() -> None:
    rules = make_rules("Euchre", stick_dealer="yes", **{"alone-lead": "left of dealer"})
    assert rules == Euchre(stick_dealer=True, alone_lead="left_of_dealer")
    assert rules.title == "Euchre (stick_dealer = true, alone_lead = left_of_dealer)"
    assert game_class("euchre") is Euchre
    assert "euchre" not in scorecard_names()
    assert set(scorecard_names()) < set(game_names())


RAILROAD = """\
# Railroad Euchre: with the joker.
# Second line.

base = "euchre"
name = "railroad_euchre"
title = "Railroad Euchre"

[options]
deck = "25"
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The package has one rules file, that of a card game."""
    monkeypatch.setattr(registry, "_FILES", tmp_path)
    (tmp_path / "railroad_euchre.toml").write_text(RAILROAD)
    caches = (registry.file_names, registry.scorecard_names, registry._file_text, registry._file_rules)
    for cached in caches:
        cached.cache_clear()
    yield
    for cached in caches:
        cached.cache_clear()


@pytest.mark.usefixtures("package")
def test_a_rules_file_of_the_package_may_be_a_card_game() -> None:
    assert game_names() == (*GAMES, "railroad_euchre")
    assert scorecard_names() == tuple(name for name in GAMES if name not in {"euchre", "president"})
    rules = make_rules("Railroad-Euchre")
    assert rules == Euchre(deck="25", name="railroad_euchre", given_title="Railroad Euchre")
    assert (rules.name, rules.title, rules.played_with) == ("railroad_euchre", "Railroad Euchre", "25 cards")
    assert rules.id == Euchre(deck="25").id
    assert rules_from_toml(rules.to_toml()) == rules
    assert notes_of("railroad euchre") == ("Railroad Euchre: with the joker.", "Second line.")
    assert options_of("railroad_euchre") == settings_of("railroad_euchre") == ()
    with pytest.raises(RulesError, match="option 'deck' cannot be set: railroad_euchre is a rules file"):
        make_rules("railroad_euchre", deck="32")
    again = rules_from_toml('base = "railroad_euchre"\ntitle = "Ours"')
    assert (again.name, again.title, again.deck) == ("railroad_euchre", "Ours", "25")


def test_card_games_that_are_rules_files() -> None:
    railroad, british = make_rules("railroad-euchre"), make_rules("british-euchre")
    changed = {one.option.name: one.value for one in railroad.settings if one.changed}
    assert changed == {
        "deck": "25",
        "joker_turn_up": "hearts",
        "alone": "caller_then_lone_defence",
        "lone_defence": "flat4",
        "best_card": True,
        "target": 5,
        "games": 2,
        "laps": True,
        "slam": True,
    }
    assert {one.option.name: one.value for one in british.settings if one.changed} == {"deck": "25", "target": 11}
    assert (railroad.title, british.title) == ("Railroad Euchre", "British Euchre")
