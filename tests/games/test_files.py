"""Games that are rules files of the package: what each line of a dice game scores, the best sheet, and no options."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any

import pytest

import analyzer
from analyzer.analysis.solve import solve
from analyzer.dice.entries import bonus_points, final_score, legal_entries, possible_scores
from analyzer.errors import RulesError
from analyzer.games.registry import (
    GAMES,
    file_names,
    game_class,
    game_names,
    make_rules,
    notes_of,
    options_of,
    rules_from_toml,
    scorecard_names,
)

FILES = resources.files("analyzer.games") / "files"
NUMBERS = ("ones", "twos", "threes", "fours", "fives", "sixes")
NO_NUMBERS = dict.fromkeys(NUMBERS, 0)

EXAMPLES: dict[str, list[tuple[tuple[int, ...], dict[str, int]]]] = {
    "yacht": [
        ((1, 1, 2, 3, 3), {"ones": 2, "twos": 2, "threes": 6, "fours": 0, "fives": 0, "sixes": 0, "choice": 10}),
        ((4, 5, 5, 6, 6), {"fours": 4, "fives": 10, "sixes": 12, "full_house": 0, "choice": 26}),
        ((2, 2, 2, 5, 5), {"full_house": 16, "four_of_a_kind": 0, "choice": 16}),
        ((6, 6, 6, 6, 1), {"four_of_a_kind": 24, "full_house": 0, "yacht": 0, "choice": 25}),
        ((1, 2, 3, 4, 5), {"little_straight": 30, "big_straight": 0, "choice": 15}),
        ((2, 3, 4, 5, 6), {"little_straight": 0, "big_straight": 30, "choice": 20}),
        ((1, 2, 3, 4, 6), {"little_straight": 0, "big_straight": 0}),
        ((3, 3, 3, 3, 3), {"yacht": 50, "four_of_a_kind": 12, "full_house": 0, "threes": 15}),
    ],
    "kniffel": [
        ((1, 1, 2, 3, 3), {"ones": 2, "twos": 2, "threes": 6, "fours": 0, "fives": 0, "sixes": 0, "chance": 10}),
        ((5, 5, 5, 6, 4), {"fours": 4, "fives": 15, "sixes": 6, "three_of_a_kind": 25, "four_of_a_kind": 0}),
        ((2, 2, 2, 2, 6), {"three_of_a_kind": 14, "four_of_a_kind": 14, "full_house": 0}),
        ((2, 2, 2, 5, 5), {"full_house": 25, "three_of_a_kind": 16}),
        ((1, 3, 4, 5, 6), {"small_straight": 30, "large_straight": 0}),
        ((2, 3, 4, 5, 6), {"small_straight": 30, "large_straight": 40}),
        ((4, 4, 4, 4, 4), {"kniffel": 50, "full_house": 0, "small_straight": 0, "four_of_a_kind": 20, "chance": 20}),
    ],
    "generala": [
        ((1, 1, 2, 3, 3), {"ones": 2, "twos": 2, "threes": 6, "fours": 0, "fives": 0, "sixes": 0}),
        ((4, 4, 5, 6, 6), {"fours": 8, "fives": 5, "sixes": 12, "straight": 0, "full_house": 0, "poker": 0}),
        ((1, 2, 3, 4, 5), {"straight": 20, "poker": 0}),
        ((2, 3, 4, 5, 6), {"straight": 20}),
        ((1, 3, 4, 5, 6), {"straight": 0}),
        ((2, 2, 2, 5, 5), {"full_house": 30, "poker": 0}),
        ((2, 2, 2, 2, 5), {"full_house": 0, "poker": 40, "generala": 0}),
        ((6, 6, 6, 6, 6), {"full_house": 0, "poker": 40, "generala": 50, "sixes": 30}),
    ],
    "crag": [
        ((1, 6, 6), {"crag": 50, "thirteen": 26, "ones": 1, "sixes": 12, "three_alike": 0}),
        ((3, 5, 5), {"crag": 50, "thirteen": 26, "threes": 3, "fives": 10}),
        ((4, 4, 5), {"crag": 50, "thirteen": 26, "fours": 8}),
        ((2, 5, 6), {"crag": 0, "thirteen": 26, "twos": 2}),
        ((3, 4, 6), {"crag": 0, "thirteen": 26}),
        ((4, 4, 4), {"crag": 0, "thirteen": 0, "three_alike": 25, "fours": 12}),
        ((1, 2, 3), {"low_straight": 20, "high_straight": 0, "odd_straight": 0, "even_straight": 0}),
        ((4, 5, 6), {"low_straight": 0, "high_straight": 20, "odd_straight": 0, "even_straight": 0}),
        ((1, 3, 5), {"low_straight": 0, "high_straight": 0, "odd_straight": 20, "even_straight": 0}),
        ((2, 4, 6), {"low_straight": 0, "high_straight": 0, "odd_straight": 0, "even_straight": 20}),
        ((2, 3, 4), {"low_straight": 0, "high_straight": 0, "odd_straight": 0, "even_straight": 0}),
    ],
    "cameroon": [
        ((1, 1, 2, 3, 3), {"ones": 2, "twos": 2, "threes": 6, "fours": 0, "fives": 0, "sixes": 0}),
        ((4, 5, 5, 5, 6), {"fours": 4, "fives": 15, "sixes": 6, "full_house": 0}),
        ((1, 2, 3, 4, 5), {"little_straight": 15, "big_straight": 0}),
        ((2, 3, 4, 5, 6), {"little_straight": 0, "big_straight": 20}),
        ((1, 1, 1, 2, 2), {"full_house": 7}),
        ((6, 6, 6, 5, 5), {"full_house": 28}),
        ((2, 2, 2, 2, 2), {"five_alike": 30, "full_house": 0, "twos": 10}),
    ],
}

FIVE_OF = {name: (face,) * 5 for face, name in enumerate(NUMBERS, start=1)}
LITTLE, BIG, FULL, SIXES = (1, 2, 3, 4, 5), (2, 3, 4, 5, 6), (5, 5, 6, 6, 6), (6, 6, 6, 6, 6)
BEST: dict[str, tuple[int, dict[str, tuple[int, ...]]]] = {
    "yacht": (
        297,
        FIVE_OF
        | {"full_house": FULL, "four_of_a_kind": SIXES, "little_straight": LITTLE, "big_straight": BIG}
        | {"choice": SIXES, "yacht": SIXES},
    ),
    "generala": (260, FIVE_OF | {"straight": BIG, "full_house": FULL, "poker": (6, 6, 6, 6, 1), "generala": SIXES}),
    "crag": (
        244,
        {name: (face,) * 3 for face, name in enumerate(NUMBERS, start=1)}
        | {"crag": (1, 6, 6), "thirteen": (3, 4, 6), "three_alike": (2, 2, 2)}
        | {"low_straight": (1, 2, 3), "high_straight": (4, 5, 6)}
        | {"odd_straight": (1, 3, 5), "even_straight": (2, 4, 6)},
    ),
    "cameroon": (
        198,
        FIVE_OF | {"little_straight": LITTLE, "big_straight": BIG, "full_house": FULL, "five_alike": SIXES},
    ),
}
"""The best sheet of the games without bonuses, and dice for each of its lines. Served dice are entered where they
do not win at once."""

every_file = pytest.mark.parametrize("game", file_names())


def test_the_files_are_the_games_told_of() -> None:
    assert [name for name in file_names() if name in scorecard_names()] == sorted(EXAMPLES)
    assert game_names() == (*GAMES, *file_names())
    assert analyzer.game_names() == game_names()
    assert not set(GAMES) & set(file_names())


@every_file
def test_a_file_is_its_game(game: str) -> None:
    text = (FILES / f"{game}.toml").read_text(encoding="utf-8")
    rules = rules_from_toml(text)
    assert rules == make_rules(game) == analyzer.game(game.upper())
    assert (rules.name, tomllib.loads(text)["title"]) == (game, rules.title)
    assert rules_from_toml(rules.to_toml()) == rules
    assert all(len(line) <= 120 for line in text.splitlines())


@every_file
def test_a_file_says_what_game_it_is(game: str) -> None:
    notes = notes_of(game)
    assert notes[0].startswith(make_rules(game).title)
    text = (FILES / f"{game}.toml").read_text(encoding="utf-8")
    assert text.startswith("\n".join(f"# {note}" for note in notes) + "\n\n")


def test_a_game_with_a_class_has_no_notes() -> None:
    assert notes_of("yahtzee") == ()
    with pytest.raises(RulesError, match="game 'yatzee' is unknown"):
        notes_of("yatzee")


@pytest.mark.parametrize("game", EXAMPLES)
def test_lines_score(game: str) -> None:
    rules = make_rules(game)
    scored = set()
    for dice, scores in EXAMPLES[game]:
        assert {name: rules.score(dice, name) for name in scores} == scores
        scored |= {name for name, points in scores.items() if points}
    assert scored == set(rules.line_names)


@pytest.mark.parametrize("game", BEST)
def test_the_best_sheet(game: str) -> None:
    rules = make_rules(game)
    most, dice = BEST[game]
    card: dict[str, int] = {}
    for name in rules.line_names:
        alike_wins = rules.instant_wins and len(set(dice[name])) == 1
        card[name] = legal_entries(rules, dice[name], card, served=not alike_wins)[name]
        assert card[name] == possible_scores(rules, name)[-1]
    assert final_score(rules, card) == most


def test_a_further_kniffel_is_no_joker() -> None:
    rules = make_rules("kniffel")
    fours = (4,) * 5
    for held, extra in ((50, 100), (0, 0)):
        card = {"kniffel": held, "fours": 12}
        entries = legal_entries(rules, fours, card)
        assert set(entries) == set(rules.line_names) - set(card)
        assert {name: points for name, points in entries.items() if points} == {
            "three_of_a_kind": 20,
            "four_of_a_kind": 20,
            "chance": 20,
        }
        assert bonus_points(rules, fours, card) == extra
    assert bonus_points(rules, fours, {}) == 0
    assert [rules.upper_bonus.earned(total) for total in (62, 63)] == [0, 35] if rules.upper_bonus else False
    best = {name: possible_scores(rules, name)[-1] for name in rules.line_names}
    assert final_score(rules, best) == 105 + 35 + 30 + 30 + 25 + 30 + 40 + 50 + 30
    assert final_score(rules, best, 1200) == 1575


def test_kniffel_is_yahtzee_without_jokers() -> None:
    exact = solve(make_rules("kniffel"))
    other = solve(make_rules("yahtzee", joker="none"))
    assert (exact.expected_score, exact.standard_deviation) == (other.expected_score, other.standard_deviation)


def test_served_generala() -> None:
    """What counts as served is known by the throw, not by how many dice it had."""
    rules = make_rules("generala")
    assert rules.served == "first_throw_only"
    assert [(win.throw, win.needs, win.any_of) for win in rules.instant_wins] == [("first_throw_only", (), ())]
    served = {
        name: rules.score(dice, name, served=True)
        for dice, name in (
            ((2, 3, 4, 5, 6), "straight"),
            ((1, 1, 1, 6, 6), "full_house"),
            ((1, 1, 1, 1, 6), "poker"),
            ((1, 1, 1, 1, 1), "generala"),
            ((1, 1, 1, 2, 6), "ones"),
        )
    }
    assert served == {"straight": 25, "full_house": 35, "poker": 45, "generala": 50, "ones": 3}
    last = dict.fromkeys(rules.line_names, 0)
    del last["straight"]
    first = solve(make_rules("generala"), card=last).expected_score
    again = solve(rules_from_toml('base = "generala"\nserved = "any_full_throw"'), card=last).expected_score
    assert first < again
    # 120 orders of each of the two straights.
    once = solve(rules_from_toml('base = "generala"\nthrows = 1'), card=last).expected_score
    assert once == pytest.approx(25 * 240 / 7776)


def test_crag_is_small_enough_to_be_solved_by_hand_near_its_end() -> None:
    """With the thirteen alone open, the exact value is that of a plain search over two throws."""
    rules = make_rules("crag")
    card = {name: 0 for name in rules.line_names if name != "thirteen"}
    faces = range(1, 7)
    rolls = [(a, b, c) for a in faces for b in faces for c in faces]

    def chance(roll: tuple[int, ...]) -> float:
        """Best chance of a sum of 13 from a first throw, any dice thrown again."""
        best = 0.0
        for mask in range(8):
            kept = [die for place, die in enumerate(roll) if mask >> place & 1]
            sums = [sum(kept) + sum(new[: 3 - len(kept)]) for new in rolls]
            best = max(best, sums.count(13) / len(sums))
        return best

    expected = 26 * sum(chance(roll) for roll in rolls) / len(rolls)
    assert solve(rules, card=card).expected_score == pytest.approx(expected)


@every_file
@pytest.mark.parametrize(("options", "named"), [({"throws": 2}, "throws"), ({"joker": "free", "x": 1}, "joker")])
def test_options_are_refused(game: str, options: dict[str, Any], named: str) -> None:
    assert options_of(game) == ()
    with pytest.raises(RulesError) as caught:
        make_rules(game, **options)
    message = str(caught.value)
    assert message.startswith(f"option '{named}' cannot be set: {game} is a rules file and has no options; ")
    assert f"'analyzer rules {game} --toml'" in message
    assert "\n" not in message


def test_options_in_a_file_are_refused_too() -> None:
    with pytest.raises(RulesError, match=r"mine: option 'throws' cannot be set: yacht is a rules file"):
        rules_from_toml('base = "yacht"\n[options]\nthrows = 2', "mine")


def test_a_file_has_no_class() -> None:
    with pytest.raises(RulesError, match="game 'crag' is a rules file and has no class; choose from: dice_poker, "):
        game_class("crag")


def test_a_file_may_change_another() -> None:
    rules = rules_from_toml('base = "kniffel"\nthrows = 2\n[extra_five]\njoker = "forced"')
    assert (rules.throws, rules.title) == (2, "Kniffel, changed")
    assert rules.extra_five is not None
    assert rules.extra_five.joker == "forced"


def test_no_file_is_read_for_other_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analyzer.games.registry._FILES", None)
    file_names.cache_clear()
    try:
        assert make_rules("yahtzee", throws=2).throws == 2
        assert options_of("dice-poker")
    finally:
        monkeypatch.undo()
    assert "crag" in file_names()
