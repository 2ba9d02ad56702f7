"""A user's function as a policy: what it is told, what its answers do, and what happens if they are wrong."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zlib import crc32

import numpy as np
import pytest

from analyzer.analysis.simulate import simulate
from analyzer.analysis.solve import solve
from analyzer.dice import own_policy
from analyzer.dice.entries import legal_entries
from analyzer.dice.evaluation import evaluate
from analyzer.dice.own_policy import Card, OwnPolicy, describe
from analyzer.dice.scorecard import ScorecardRules
from analyzer.dice.simulator import game_block
from analyzer.dice.states import StateSpace
from analyzer.engine.blocks import Block
from analyzer.errors import PolicyError, PositionError, UsageError
from analyzer.games.cacho_alalay import CachoAlalay
from analyzer.games.dice_poker import DicePoker
from analyzer.games.registry import make_rules
from analyzer.own_function import load_function, name_of
from tests.dice import reference
from tests.dice.reference import SMALL_GAMES, Dice, Draws, Entry, Game, entry_chances, entry_of, keeps_of, play_all

Function = Callable[[Dice, int, Any], Any]
RULES = SMALL_GAMES["forced"]
POKER = DicePoker().scorecard()


def own(rules: ScorecardRules, function: Function, name: str = "mine") -> OwnPolicy:
    return OwnPolicy(StateSpace.of(rules, merged=False), function, name)


def decide_anything(dice: Dice, throws_left: int, card: Any) -> Any:
    """A legal decision that looks random but depends on all that a policy is told."""
    told = (dice, throws_left, card.open, card.upper_total, card.extra_five, card.round, card.locked)
    number = crc32(repr(told).encode())
    if throws_left:
        keeps = keeps_of(dice, card.locked)
        return keeps[number % len(keeps)]
    entries = sorted(card.entries(dice))
    return entries[number % len(entries)]


class Told:
    """What a policy is told on a card of points, in plain Python."""

    def __init__(self, game: Game, card: reference.Card) -> None:
        self.game, self.card = game, card
        five = None if game.five < 0 else card[game.five]
        self.told = {
            "open": tuple(n for n, points in zip(game.rules.line_names, card, strict=True) if points is None),
            "upper_total": game.upper_points(card),
            "extra_five": "none" if game.five < 0 else "open" if five is None else "scored" if five else "zero",
            "round": game.lines - card.count(None) + 1,
            "entries": self.entries,
        }

    def entries(self, dice: Dice) -> dict[str, int]:
        return legal_entries(self.game.rules, dice, self.game.named(self.card))

    def keep(self, held: Dice, dice: Dice, left: int) -> Dice:
        return decide_anything(dice, left, SimpleNamespace(**self.told, locked=held))

    def entry(self, dice: Dice) -> Entry:
        line = decide_anything(dice, 0, SimpleNamespace(**self.told, locked=()))
        (found,) = (e for e in self.game.entries(dice, self.card) if self.game.rules.line_names[e[0]] == line)
        return found


class Anything:
    """`decide_anything` as a family of the plain reference."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def chances(self, card: reference.Card) -> dict[Entry, float]:
        told = Told(self.game, card)
        return entry_chances(
            self.game.rules,
            lambda held, dice, left: {told.keep(held, dice, left): 1.0},
            lambda dice: {told.entry(dice): 1.0},
        )

    def player(self, card: reference.Card) -> AnyPlayer:
        return AnyPlayer(Told(self.game, card))


class AnyPlayer:
    def __init__(self, told: Told) -> None:
        self.told = told

    def keep(self, held: Dice, dice: Dice, throw: int, draws: Draws | None = None) -> Dice:
        return self.told.keep(held, dice, self.told.game.rules.throws - 1 - throw)

    def entry(self, dice: Dice, draws: Draws | None = None) -> Entry:
        return self.told.entry(dice)


SMALLEST = ["coins", "one_die", "no_bonus", "bonus_out_of_reach", "forced_when_zero"]


@pytest.mark.parametrize("name", SMALLEST)
def test_exact_evaluation_is_following_every_game(name: str) -> None:
    """The upper total, the round and the locked dice count, so all of them are told right everywhere."""
    rules = SMALL_GAMES[name]
    game, policy = Game(rules), own(rules, decide_anything)
    found, expected = evaluate(policy), play_all(game, Anything(game))
    scores = np.zeros(len(found.scores))
    for score, chance in expected.scores.items():
        scores[score] += chance
    assert found.scores == pytest.approx(scores, abs=1e-13)
    assert found.upper_bonus == pytest.approx(expected.upper_bonus, abs=1e-13)
    entries = {
        (entry_of(policy.space, e), turn): chance for (e, turn), chance in np.ndenumerate(found.entries) if chance > 0
    }
    assert entries == pytest.approx(expected.entries, abs=1e-13)


@pytest.mark.parametrize("name", ["forced", "forced_natural", "free", "extra_without_joker", "one_throw"])
def test_simulated_games_are_those_of_a_replay(name: str) -> None:
    rules = SMALL_GAMES[name]
    game, policy, family = Game(rules), own(rules, decide_anything), Anything(Game(rules))
    count, seed = 60, 5
    tally = game_block(policy, 0, seed, Block(0, 10, 10 + count))
    entries = np.zeros_like(tally["entries"])
    scores = np.zeros_like(tally["scores"])
    numbers = reference.entry_numbers(policy.space)
    for index in range(10, 10 + count):
        card, extra, made = reference.replay_game(game, policy.space, family.player, seed, index, game.blank)
        scores[own_score(game, card, extra)] += 1
        for turn, entry in enumerate(made):
            entries[numbers[entry], turn] += 1
    assert np.array_equal(tally["scores"], scores)
    assert np.array_equal(tally["entries"], entries)


def own_score(game: Game, card: reference.Card, extra: int) -> int:
    bonus = game.rules.upper_bonus
    earned = bonus.earned(game.upper_points(card)) if bonus else 0
    return sum(points for points in card if points is not None) + earned + extra


def imitate_greedy(rules: ScorecardRules) -> Function:
    """The built-in policy `greedy`, written as a user would: from what the card says."""
    game = Game(rules)

    @cache
    def turn(still_open: tuple[str, ...], extra_five: str) -> reference.Turn:
        filled = {
            line.name: int(np.min(possible)) if line.name != five_name or extra_five == "zero" else int(max(possible))
            for line in rules.lines
            if line.name not in still_open
            for possible in [reference.possible_scores(rules, line.name)]
        }
        return game.shortsighted(game.card(filled), lambda entry: entry[1] + entry[2])

    five_name = rules.extra_five.line if rules.extra_five else ""

    def greedy(dice: Dice, throws_left: int, card: Card) -> Any:
        mine = turn(card.open, card.extra_five)
        if throws_left:
            return mine.keep(card.locked, dice, throws_left)
        return rules.line_names[mine.entry(dice)[0]]

    return greedy


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_a_function_that_plays_greedily_gives_the_tables_of_greedy(name: str) -> None:
    rules = SMALL_GAMES[name]
    mine = simulate(rules, policy=imitate_greedy(rules), games=3000, seed=11)
    built_in = simulate(rules, policy="greedy", games=3000, seed=11)
    for table in ("lines", "line_rounds", "distribution", "quantiles"):
        assert getattr(mine, table)().to_csv() == getattr(built_in, table)().to_csv()
    assert mine.mean == built_in.mean
    assert mine.task_id != built_in.task_id


def test_a_function_that_plays_greedily_evaluates_like_greedy() -> None:
    rules = SMALL_GAMES["coins"]
    mine, built_in = solve(rules, policy=imitate_greedy(rules)), solve(rules, policy="greedy", cache=False)
    assert mine.expected_score == pytest.approx(built_in.expected_score, abs=1e-12)
    assert mine.standard_deviation == pytest.approx(built_in.standard_deviation, abs=1e-12)
    numbers = mine.lines().select_dtypes("number").to_numpy()
    assert numbers == pytest.approx(built_in.lines().select_dtypes("number").to_numpy(), abs=1e-12, nan_ok=True)


def test_turns_are_played_by_the_function_too() -> None:
    rules = SMALL_GAMES["no_bonus"]
    mine = simulate(rules, policy=imitate_greedy(rules), turns=2000, seed=3)
    assert mine.lines().equals(simulate(rules, policy="greedy", turns=2000, seed=3).lines())


SEEN: dict[str, tuple[dict[str, int], dict[str, Any]]] = {
    "blank": ({}, {"upper_total": 0, "extra_five": "open", "round": 1}),
    "upper total beyond the bonus": (
        {"aces": 5, "fours": 16, "fives": 20, "sixes": 30},
        {"upper_total": 71, "extra_five": "open", "round": 5},
    ),
    "poker with points": ({"poker": 50, "chance": 17}, {"upper_total": 0, "extra_five": "scored", "round": 3}),
    "poker with 0": ({"poker": 0, "twos": 4}, {"upper_total": 4, "extra_five": "zero", "round": 3}),
}


@pytest.mark.parametrize("name", SEEN)
def test_what_a_policy_sees(name: str) -> None:
    filled, expected = SEEN[name]
    cards: list[Card] = []

    def look(dice: Dice, throws_left: int, card: Card) -> Any:
        cards.append(card)
        return dice if throws_left else next(iter(card.entries(dice)))

    simulate(POKER, policy=look, turns=20, card=filled)
    for card in (cards[0], cards[-1]):
        assert card.rules is POKER
        assert card.open == tuple(line for line in POKER.line_names if line not in filled)
        assert {key: getattr(card, key) for key in expected} == expected
        assert card.locked == ()
        for dice in ((4, 4, 4, 4, 4), (1, 2, 3, 4, 6), (2, 2, 2, 2, 6)):
            assert card.entries(dice) == legal_entries(POKER, dice, filled)
        assert card.score((2, 2, 2, 2, 6), "three of a kind") == 14
        with pytest.raises(PositionError, match="'1 2' are 2; give 5"):
            card.entries((1, 2))


def test_a_policy_sees_sorted_dice_and_the_throws_left() -> None:
    seen: set[tuple[int, bool]] = set()

    def look(dice: Dice, throws_left: int, card: Card) -> Any:
        assert isinstance(dice, tuple)
        assert list(dice) == sorted(dice)
        assert all(type(face) is int for face in dice)
        seen.add((throws_left, len(dice) == 5))
        return () if throws_left else card.open[0]

    simulate(POKER, policy=look, turns=50)
    assert seen == {(2, True), (1, True), (0, True)}


def test_every_position_that_comes_up_is_asked_about_once_and_no_other() -> None:
    asked: list[tuple[Any, ...]] = []

    def keep_nothing(dice: Dice, throws_left: int, card: Card) -> Any:
        asked.append((dice, throws_left, card.open, card.upper_total, card.extra_five, card.locked))
        return () if throws_left else min(card.entries(dice))

    policy = own(POKER, keep_nothing)
    game_block(policy, 0, 1, Block(0, 0, 3))
    assert len(set(asked)) == len(asked)
    assert len(asked) <= 3 * 15 * 3
    assert {throws for _, throws, *_ in asked} == {0, 1, 2}


@pytest.mark.parametrize("name", ["forced", "extra_without_joker"])
def test_who_keeps_all_dice_is_not_asked_again_in_this_turn(name: str) -> None:
    asked: list[int] = []

    def stops(dice: Dice, throws_left: int, card: Card) -> Any:
        asked.append(throws_left)
        return dice if throws_left else next(iter(card.entries(dice)))

    rules = SMALL_GAMES[name]
    simulate(rules, policy=stops, games=30)
    assert set(asked) == {rules.throws - 1, 0}


KEEPS: dict[str, Callable[[Dice], Any]] = {
    "tuple": lambda dice: (dice[2], dice[0]),
    "list": lambda dice: [dice[0], dice[2]],
    "array": lambda dice: np.array([dice[2], dice[0]]),
    "generator": lambda dice: (dice[i] for i in (2, 0)),
    "set": lambda dice: {dice[0], dice[2]} if dice[0] != dice[2] else dice[:1] * 2,
    "counts": lambda dice: sorted((dice[0], dice[2]), reverse=True),
}


@pytest.mark.parametrize("form", KEEPS)
def test_a_keep_may_have_any_form_and_order(form: str) -> None:
    def mine(dice: Dice, throws_left: int, card: Card, keep: Callable[[Dice], Any]) -> Any:
        return keep(dice) if throws_left else "Chance"

    rules = ScorecardRules(name="sums", lines=(reference.CHANCE,), dice=3)
    found = simulate(rules, policy=partial(mine, keep=KEEPS[form]), games=200)
    expected = simulate(rules, policy=partial(mine, keep=KEEPS["tuple"]), games=200)
    assert found.lines().equals(expected.lines())


@pytest.mark.parametrize("spelt", ["three_of_a_kind", "Three of a Kind", " three-of-a-kind "])
def test_a_line_is_read_like_everywhere(spelt: str) -> None:
    result = simulate(POKER, policy=lambda dice, left, card: dice if left else spelt, turns=100)
    assert result.lines().set_index("line")["rate"]["three_of_a_kind"] == 1


WRONG_KEEPS: dict[str, Callable[[Dice], Any]] = {
    "not in the roll": lambda dice: (7,),
    "a die too many": lambda dice: (*dice, dice[0]),
    "twice": lambda dice: (dice[0],) * (dice.count(dice[0]) + 1),
    "text": lambda dice: "".join(map(str, dice)),
    "texts": lambda dice: [str(face) for face in dice],
    "nothing": lambda dice: None,
    "a number": lambda dice: dice[0],
    "fractions": lambda dice: [face + 0.5 for face in dice],
    "whole fractions": lambda dice: [float(face) for face in dice],
    "a mask": lambda dice: [True] * 3,
    "nested": lambda dice: [dice],
    "a line": lambda dice: "chance",
}


@pytest.mark.parametrize("wrong", WRONG_KEEPS)
@pytest.mark.parametrize("whole", [True, False], ids=["games", "turns"])
def test_an_illegal_keep(wrong: str, whole: bool) -> None:
    def mine(dice: Dice, throws_left: int, card: Card) -> Any:
        return WRONG_KEEPS[wrong](dice) if throws_left == 1 else () if throws_left else min(card.open)

    rules = ScorecardRules(name="sums", lines=(reference.CHANCE, *reference.face_lines(1)), dice=3)
    number = {"games": 100} if whole else {"turns": 100}
    with pytest.raises(PolicyError) as caught:
        simulate(rules, policy=mine, **number)
    check_message(caught.value, "with 1 throw left, open: chance, face_1, upper total 0; return a part of the dice")
    assert re.match(r"policy mine@[0-9a-f]{8} answered .* at dice \d \d \d with", str(caught.value))


def check_message(error: PolicyError, part: str) -> None:
    text = str(error)
    assert part in text
    assert "\n" not in text


WRONG_LINES: dict[str, Any] = {
    "filled": "chance",
    "unknown": "pokr",
    "nothing": None,
    "number": 3,
    "keep": (1, 2),
    "list of lines": ["pair"],
    "empty": "",
}


@pytest.mark.parametrize("wrong", WRONG_LINES)
def test_an_illegal_line(wrong: str) -> None:
    with pytest.raises(PolicyError) as caught:
        simulate(
            RULES,
            policy=lambda dice, left, card: dice if left else WRONG_LINES[wrong],
            games=10,
            card={"chance": 8, "face_1": 2},
        )
    check_message(caught.value, "with 0 throws left, open: face_4, pair, alike, upper total 2; return one of ")
    assert f"answered {WRONG_LINES[wrong]!r} at dice " in str(caught.value)


def test_an_entry_that_the_joker_rule_forbids() -> None:
    """A second poker of fours must go to the fours."""

    def mine(dice: Dice, throws_left: int, card: Card) -> Any:
        return dice if throws_left else "chance" if dice == (4, 4, 4, 4, 4) else next(iter(card.entries(dice)))

    with pytest.raises(PolicyError) as caught:
        simulate(POKER, policy=mine, turns=10, card={"poker": 50})
    assert "at dice 4 4 4 4 4 with 0 throws left" in str(caught.value)
    assert str(caught.value).endswith("return one of fours")


def test_locked_dice_must_stay() -> None:
    rules = SMALL_GAMES["no_bonus"]
    locked_games = SMALL_GAMES["free"]
    assert locked_games.lock_kept

    def forgetful(dice: Dice, throws_left: int, card: Card) -> Any:
        return dice[:1] if throws_left == 2 else () if throws_left else min(card.entries(dice))

    with pytest.raises(PolicyError) as caught:
        simulate(locked_games, policy=forgetful, games=20)
    check_message(caught.value, "return a part of the dice to keep that holds the locked dice")
    assert simulate(rules, policy=forgetful, games=20).games == 20, "with two throws nothing is locked yet"


class GivenUp(BaseException):
    """No Exception, as test tools raise them."""


def stop() -> Any:
    raise SystemExit(3)


def endless() -> Any:
    raise RecursionError("deep\nand deeper")


def divide() -> Any:
    return 1 // 0


def give_up() -> Any:
    raise GivenUp("for good")


def lines_of_an_iterator() -> Any:
    return (1 // 0 for _ in range(3))


@pytest.mark.parametrize(
    ("broken", "raised"),
    [
        (stop, "SystemExit: 3"),
        (endless, "RecursionError: deep and deeper"),
        (divide, "ZeroDivisionError: "),
        (give_up, "GivenUp: for good"),
        (lines_of_an_iterator, "ZeroDivisionError: "),
    ],
)
@pytest.mark.parametrize("at", [2, 0])
def test_an_exception_in_the_function(broken: Callable[[], Any], raised: str, at: int) -> None:
    def mine(dice: Dice, throws_left: int, card: Card) -> Any:
        return broken() if throws_left == at else dice if throws_left else card.open[0]

    with pytest.raises(PolicyError) as caught:
        simulate(RULES, policy=mine, games=10)
    check_message(caught.value, f" raised {raised}")
    check_message(caught.value, f"with {at} throws left, open: face_1, face_4, pair, alike, chance, upper total 0;")
    assert str(caught.value).endswith("make it answer there")


def test_complaints_of_the_card_pass_and_ctrl_c_does_too() -> None:
    def asks_wrongly(dice: Dice, throws_left: int, card: Card) -> Any:
        return card.score(dice, "pokr")

    with pytest.raises(Exception, match="line 'pokr' is unknown"):
        simulate(RULES, policy=asks_wrongly, games=10)

    def interrupted(dice: Dice, throws_left: int, card: Card) -> Any:
        raise KeyboardInterrupt

    for workers in (1, 2):
        with pytest.raises(KeyboardInterrupt):
            simulate(RULES, policy=interrupted, games=10, workers=workers)


def test_an_answer_of_any_size_makes_one_short_line() -> None:
    with pytest.raises(PolicyError) as caught:
        simulate(RULES, policy=lambda dice, left, card: np.arange(5000).reshape(-1, 2), games=10)
    assert len(str(caught.value)) < 400


def test_an_exact_evaluation_with_too_many_questions_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=r"would ask .* limit of 50,000,000; use simulate, or a scorecard with fewer"):
        solve(POKER, policy=lambda dice, left, card: dice).lines()
    monkeypatch.setattr("analyzer.analysis.solve.MAX_QUESTIONS", 10)
    with pytest.raises(UsageError, match="limit of 10;"):
        solve(SMALL_GAMES["coins"], policy=lambda dice, left, card: dice if left else card.open[0]).lines()
    assert own_policy.MAX_QUESTIONS == 50_000_000


def test_a_position_in_words() -> None:
    card = Card(RULES, ("pair", "chance"), 7, "zero", 4)
    assert describe((1, 2, 2), 1, card) == "dice 1 2 2 with 1 throw left, open: pair, chance, upper total 7"
    assert "with 0 throws left" in describe((1, 2, 2), 0, card)


PATIENT = """\
from __future__ import annotations
from dataclasses import dataclass
from pathlib import Path

@dataclass
class Plan:
    face: int

HERE = Path(__file__).name
not_a_function = 3

def patient(dice, throws_left, card):
    plan = Plan(max(dice))
    return [plan.face] if throws_left else card.open[0]
"""


def test_a_function_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "my policy.py"
    file.write_text(PATIENT)
    function, name = load_function(f"{file}:patient")
    assert function((1, 2, 3), 1, None) == [3]
    assert re.fullmatch(r"my policy\.py:patient@[0-9a-f]{8}", name)
    assert [path.name for path in tmp_path.iterdir()] == ["my policy.py"], "nothing is left beside the file"
    result = simulate(RULES, policy=f"{file}:patient", games=50)
    assert result.policy == name


def test_an_edit_of_the_file_counts_at_once(tmp_path: Path) -> None:
    """Same size, same second: a bytecode cache would not notice."""
    file = tmp_path / "mine.py"
    names = []
    for face in (1, 2, 3):
        file.write_text(f"def f(dice, throws_left, card): return {face}\n")
        function, name = load_function(f"{file}:f")
        assert function((), 1, None) == face
        names.append(name)
    assert len(set(names)) == 3


@pytest.mark.parametrize(
    ("text", "spec", "message"),
    [
        (None, "{file}:f", r"policy file '.*mine.py' cannot be read \(No such file or directory\); give path.py:"),
        ("def g(a): pass\ndef h(b): pass\n", "{file}:f", r"has no function 'f'; it has g, h$"),
        ("x = 3\n", "{file}:f", r"has no function 'f'; it has no functions$"),
        ("f = 3\n", "{file}:f", r"has no function 'f'; it has no functions$"),
        ("def f(:\n", "{file}:f", r"raised SyntaxError: .*; make it importable$"),
        ("import missing_module_xyz\n", "{file}:f", r"raised ModuleNotFoundError: .*; make it importable$"),
        ("raise SystemExit(0)\n", "{file}:f", r"raised SystemExit: 0; make it importable$"),
        ("def f(): pass\n", "{file}", r"policy '.*mine.py' does not name a function in a file; write path.py:functi"),
        ("def f(): pass\n", "{file}:", r"has no function ''; it has f$"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_used(tmp_path: Path, text: str | None, spec: str, message: str) -> None:
    file = tmp_path / "mine.py"
    if text is not None:
        file.write_text(text)
    with pytest.raises(PolicyError, match=message) as caught:
        simulate(RULES, policy=spec.format(file=file), games=10)
    assert "\n" not in str(caught.value)


def test_a_folder_is_no_policy(tmp_path: Path) -> None:
    (tmp_path / "mine.py").mkdir()
    with pytest.raises(PolicyError, match=r"cannot be read \(Is a directory\); give path.py:function"):
        load_function(f"{tmp_path}/mine.py:f")


def chasing(face: int) -> Function:
    def mine(dice: Dice, throws_left: int, card: Card) -> Any:
        return [face] * dice.count(face) if throws_left else card.open[0]

    return mine


class Player:
    def __init__(self, face: int) -> None:
        self.face = face

    def __repr__(self) -> str:
        return f"Player({self.face})"

    def play(self, dice: Dice, throws_left: int, card: Card) -> Any:
        return [self.face] * dice.count(self.face) if throws_left else card.open[0]


def test_functions_that_play_differently_have_different_names() -> None:
    """Else their results would pass for those of one task."""
    assert name_of(chasing(1)) == name_of(chasing(1))
    assert name_of(chasing(1)) != name_of(chasing(2))
    assert name_of(Player(1).play) == name_of(Player(1).play)
    assert name_of(Player(1).play) != name_of(Player(2).play)
    assert name_of(partial(Player.play, Player(1))) != name_of(partial(Player.play, Player(2)))
    exec_one: dict[str, Any] = {}
    exec("f = lambda dice, left, card: dice[:1]\ng = lambda dice, left, card: dice[:2]", exec_one)
    assert name_of(exec_one["f"]) != name_of(exec_one["g"])
    results = [simulate(RULES, policy=chasing(face), games=20) for face in (1, 2)]
    assert results[0].task_id != results[1].task_id


def served_first(dice: tuple[int, ...], throws_left: int, card: Any) -> Any:
    """Keep the most frequent face; lay the dice, and enter them, where they score most."""
    if card.flips:
        return max(card.flips, key=lambda laid: max(card.entries(laid).values()))
    if throws_left:
        face = max(dice, key=lambda die: (dice.count(die), die))
        return [face] * dice.count(face)
    entries = card.entries(dice)
    return max(entries, key=entries.get)


@pytest.mark.parametrize("game", ["escalero", "cacho_alalay"])
def test_own_policies_in_games_with_endings(game: str) -> None:
    """Turns, games and exact evaluation ask about the same positions, the flips among them."""
    rules = make_rules(game)
    card = {
        "escalero": dict.fromkeys(("nines", "tens", "jacks", "queens", "kings", "aces", "straight", "poker"), 0),
        "cacho_alalay": {"ones": 4, "twos": 8, "threes": 12, "fours": 16, "fives": 20, "sixes": 18} | {"straight": 25}
        | {"full_house": 35, "poker": 40},
    }[game]  # fmt: skip
    exact = solve(rules, policy=served_first, card=card)
    games = simulate(rules, policy=served_first, card=card, games=4000, seed=2)
    assert abs(games.mean - exact.expected_score) < 4.5 * games.standard_error
    if rules.instant_wins:
        chance = float(exact.wins()["chance"].sum())
        assert abs(float(games.wins()["chance"].sum()) - chance) < 4.5 * (chance * (1 - chance) / 4000) ** 0.5
    turns = [simulate(rules, policy=served_first, turns=3000, seed=1).tally for _ in range(2)]
    assert turns[0] == turns[1]
    assert turns[0]["entries"].sum() == 3000


def test_who_may_not_stop_is_told() -> None:
    def stubborn(dice: tuple[int, ...], throws_left: int, card: Any) -> Any:
        return dice if throws_left else card.flips[0] if card.flips else next(iter(card.entries(dice)))

    closed = dict.fromkeys(("ones", "twos", "threes", "fours", "fives", "sixes", "straight", "full_house", "poker"), 0)
    with pytest.raises(PolicyError, match="the rules do not allow to stop there, as nothing scores; keep fewer"):
        simulate(make_rules("cacho_alalay"), policy=stubborn, card=closed, games=50)
    with pytest.raises(PolicyError, match=r"as they shall lie after the flips, one of card\.flips"):
        simulate(make_rules("cacho_alalay"), policy=lambda dice, left, card: [] if left else "poker", games=50)


CACHO_CARD = dict.fromkeys(
    ("ones", "twos", "threes", "fours", "fives", "straight", "full_house", "grande_1", "grande_2"), 0
)
ANNOUNCING = CachoAlalay(declare_after_throw1=True, throws=3).scorecard()


def announce_anything(dice: Dice, throws_left: int, card: Any) -> Any:
    """As `decide_anything`, where a line is announced after the first throw."""
    number = crc32(repr((dice, throws_left, card.open, card.served, card.flips, card.declared)).encode())
    if throws_left:
        keeps = [keep for keep in keeps_of(dice, ()) if len(keep) < len(dice)]
        keep = keeps[number % len(keeps)]
        return (keep, card.open[number // 7 % len(card.open)]) if throws_left == 2 else keep
    if card.flips:
        return card.flips[number % len(card.flips)]
    entries = list(card.entries(dice))
    assert not card.declared or entries == [card.declared]
    return entries[number % len(entries)]


def test_a_line_is_announced_with_the_first_keep() -> None:
    exact = solve(ANNOUNCING, policy=announce_anything, card=CACHO_CARD)
    found = simulate(ANNOUNCING, policy=announce_anything, card=CACHO_CARD, games=20_000, seed=2)
    assert exact.expected_score > 5
    assert abs(found.mean - exact.expected_score) <= 4.5 * found.standard_error
    turns = simulate(ANNOUNCING, policy=announce_anything, card=CACHO_CARD, turns=20_000, seed=2)
    assert turns.lines()["rate"].sum() == pytest.approx(1, abs=0.01)  # the rest wins by a throw


def test_games_without_announcements_are_evaluated_by_own_policies() -> None:
    rules = CachoAlalay().scorecard()

    def mine(dice: Dice, throws_left: int, card: Any) -> Any:
        return () if throws_left else card.flips[0] if card.flips else next(iter(card.entries(dice)))

    exact = solve(rules, policy=mine, card=CACHO_CARD)
    found = simulate(rules, policy=mine, card=CACHO_CARD, games=20_000, seed=2)
    assert exact.expected_score > 5
    assert abs(found.mean - exact.expected_score) <= 4.5 * found.standard_error


@pytest.mark.parametrize(
    "answer", [(), (5,), ((), "ones"), ((), "sevens"), ((7,), "sixes"), "all", ((5, 5), 4), [(5, 5), ("sixes",)]]
)
def test_announcements_that_cannot_be(answer: Any) -> None:
    def mine(dice: Dice, throws_left: int, card: Any) -> Any:
        return (dice, "sixes") if answer == "all" else answer

    with pytest.raises(PolicyError, match=r"return \(faces to keep, open line to announce\), or all dice to stop"):
        simulate(ANNOUNCING, policy=mine, card=CACHO_CARD, games=10)


def test_who_stops_announces_nothing() -> None:
    def mine(dice: Dice, throws_left: int, card: Any) -> Any:
        assert card.declared == ""
        if throws_left:
            return dice if 6 in dice else (dice[:2], "sixes")
        return next(iter(card.entries(dice)))

    def there(dice: Dice, throws_left: int, card: Any) -> Any:
        if card.declared:
            return card.flips[0] if card.flips else dice if throws_left else "Sixes"
        return mine(dice, throws_left, card)

    exact = solve(ANNOUNCING, policy=there, card=CACHO_CARD | {"poker": 0})
    assert exact.lines().set_index("line")["mean"]["sixes"] > 0
