"""The command line: what it prints and writes, and one line for whatever is wrong."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import analyzer
from analyzer.analysis.families import CARD_FAMILIES, EUCHRE_FAMILIES, FAMILIES
from analyzer.cli import main
from analyzer.engine import jit, store
from analyzer.games.cacho_alalay import CachoAlalay
from analyzer.games.euchre.rules import Euchre
from analyzer.games.registry import game_names, load_rules, make_rules, notes_of, options_of, scorecard_names
from analyzer.report import charts
from tests.dice.reference import SMALL_GAMES, WINNING

RULES = SMALL_GAMES["forced"]
ROOT = Path(analyzer.__file__).parents[1]
NOTICE = "compiling for first use"

LATE = {
    "aces": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "sixes": 18, "three_of_a_kind": 23,
    "four_of_a_kind": 0, "full_house": 25, "small_straight": 30,
}  # fmt: skip
"""Large straight, yahtzee and chance are open, the upper bonus is earned."""
CARD = ",".join(f"{name}={points}" for name, points in LATE.items())


@dataclass(frozen=True)
class Answer:
    """What a command left behind."""

    code: int
    out: str
    err: list[str]

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, and a cache folder beside it, so that nothing of the user's is touched."""
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setattr(store, "source_unchanged", lambda: True)
    # Compiled kernels stay in the usual folder.
    monkeypatch.setattr(store, "cache_directory", lambda: tmp_path / "cache")
    monkeypatch.setenv("COLUMNS", "160")
    store._warn_once.cache_clear()
    (here / "small.toml").write_text(RULES.to_toml())
    (here / "winning.toml").write_text(WINNING.to_toml())
    return here


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    def call(*arguments: str) -> Answer:
        capsys.readouterr()
        code = 0
        try:
            main(list(arguments))
        except SystemExit as stopped:
            code = int(stopped.code or 0)
        captured = capsys.readouterr()
        return Answer(code, captured.out, [line for line in captured.err.splitlines() if NOTICE not in line])

    return call


def succeeds(answer: Answer) -> Answer:
    assert answer.code == 0, answer.err
    return answer


def test_games(run: Any) -> None:
    answer = succeeds(run("games"))
    for name in game_names():
        assert name.replace("_", "-") in answer.out
    rows = succeeds(run("games", "--json")).json["games"]
    assert [row["game"] for row in rows] == [name.replace("_", "-") for name in game_names()]
    for row in rows:
        rules = make_rules(row["game"])
        assert (row["title"], row["played_with"]) == (rules.title, rules.played_with)
        dice = (rules.throws, len(rules.lines)) if rules.name in scorecard_names() else (None, None)
        assert (row["throws"], row["lines"]) == dice
    assert re.search(r"yahtzee +Yahtzee +5 dice x 6 faces +3 +13 ", answer.out)
    assert re.search(r"euchre +Euchre +24 cards +- +- ", answer.out)


@pytest.mark.parametrize("game", game_names())
def test_rules(run: Any, game: str) -> None:
    rules = make_rules(game)
    answer = succeeds(run("rules", game))
    lines = list(rules.line_names) if game in scorecard_names() else []
    assert all(line in answer.out for line in lines)
    assert rules.text in answer.out
    options = options_of(game) if lines else [one.option for one in rules.settings]
    for option in options:
        assert option.name in answer.out
    for note in notes_of(game):
        assert note in answer.out
    content = succeeds(run("rules", game, "--json")).json
    assert content["id"] == rules.id
    assert [line["name"] for line in content["rules"].get("lines", [])] == lines
    assert [option["name"] for option in content["options"]] == [option.name for option in options]
    assert all(option.keys() == {"name", "value", "default", "allowed", "meaning"} for option in content["options"])
    assert content["notes"] == list(notes_of(game))


def test_rules_of_a_card_game(run: Any, folder: Path) -> None:
    given = ["rules", "euchre", "--set", "deck=32", "--set", "lone-defence=flat4"]
    printed = succeeds(run(*given)).out
    assert printed.startswith("Euchre (deck = 32, lone_defence = flat4): 32 cards\n\nPoints of a hand")
    assert re.search(r"\n +0 +-2 +-4 +-2 +-4 *\n", printed)
    assert "Options, set with --set name=value" in printed
    assert re.search(r"\n deck +32 +24 +24, 25, 32, 33 ", printed)
    rules = Euchre(deck="32", lone_defence="flat4")
    content = succeeds(run(*given, "--json")).json
    assert content["id"] == rules.id
    assert content["rules"]["points"] == rules.score_table()
    assert (content["rules"]["title"], content["rules"]["stick_dealer"]) == (rules.title, False)
    assert {one["name"]: one["value"] for one in content["options"]}["deck"] == "32"
    (folder / "ours.toml").write_text('base = "euchre"\nname = "ours"\ntitle = "Ours"\n[options]\ntarget = 7\n')
    named = succeeds(run("rules", "--rules", "ours.toml")).out
    assert named.startswith("Ours: 24 cards")
    assert "Options, as the rules file sets them" in named
    assert re.search(r"\n target +7 +10 ", named)
    assert 'title = "Ours"' in succeeds(run("rules", "--rules", "ours.toml", "--toml")).out


@pytest.mark.parametrize("game", game_names())
def test_a_rules_file_goes_round(run: Any, folder: Path, game: str) -> None:
    text = succeeds(run("rules", game, "--toml")).out
    (folder / "mine.toml").write_text(text)
    assert [f"# {note}" for note in notes_of(game)] == text.splitlines()[: len(notes_of(game))]
    assert load_rules(folder / "mine.toml") == make_rules(game)
    assert succeeds(run("rules", "--rules", "mine.toml", "--json")).json["id"] == make_rules(game).id


def test_options_are_set_everywhere(run: Any) -> None:
    given = ["--set", "throws=1", "--set", "upper-bonus=gt63"]
    expected = make_rules("yahtzee", throws=1, upper_bonus="gt63").id
    assert succeeds(run("rules", "yahtzee", *given, "--json")).json["id"] == expected
    late = ["--card", CARD, "--json"]
    for command in (["solve"], ["simulate", "--games", "5"], ["advise", "--dice", "6,6,6,5,5"]):
        assert succeeds(run(command[0], "yahtzee", *command[1:], *given, *late)).json["rules_id"] == expected
    opening = ["advise", "yahtzee", "--opening", "--set", "upper_bonus=gt63", *late]
    assert succeeds(run(*opening)).json["rules_id"] == make_rules("yahtzee", upper_bonus="gt63").id


def test_policies(run: Any) -> None:
    answer = succeeds(run("policies"))
    rows = succeeds(run("policies", "--json")).json["policies"]
    groups = {"dice games": FAMILIES, **CARD_FAMILIES}
    assert [(row["game"], row["policy"]) for row in rows] == [(game, name) for game in groups for name in groups[game]]
    assert all(row["policy"] in answer.out and row["meaning"] in answer.out for row in rows)


def test_policies_of_a_game(run: Any, folder: Path) -> None:
    (folder / "ours.toml").write_text('base = "euchre"\nname = "ours"\n')
    for given, name, families in (
        (["dice-poker"], "dice_poker", FAMILIES),
        (["euchre", "--set", "deck=32"], "euchre", EUCHRE_FAMILIES),
        (["--rules", "ours.toml"], "ours", EUCHRE_FAMILIES),
    ):
        rows = succeeds(run("policies", *given, "--json")).json["policies"]
        assert rows == [{"game": name, "policy": policy, "meaning": text} for policy, text in families.items()]
        assert all(policy in succeeds(run("policies", *given)).out for policy in families)


def test_verbs_of_scorecard_games_tell_so(run: Any) -> None:
    answer = run("grade", "euchre")
    assert (answer.code, answer.out) == (2, "")
    games = ", ".join(scorecard_names())
    assert answer.err == [f"analyzer: 'Euchre' is a card game, and this is for scorecard games; choose from: {games}"]


def test_solve(run: Any) -> None:
    answer = succeeds(run("solve", "--rules", "small.toml"))
    solution = analyzer.solve(RULES)
    assert answer.out.startswith(f"{solution}\n")
    for label in ("Face 1", "Upper bonus", "Extra fives", "Quantile"):
        assert label in answer.out
    content = succeeds(run("solve", "--rules", "small.toml", "--json")).json
    assert {"expected_score", "standard_deviation", "quantiles", "lines"} <= content.keys()
    assert content["expected_score"] == solution.expected_score
    assert content["standard_deviation"] == pytest.approx(solution.standard_deviation)
    assert all({"name", "mean", "zero_rate"} <= line.keys() for line in content["lines"])
    assert [line["name"] for line in content["lines"]][:5] == list(RULES.line_names)
    assert all(row.keys() == {"quantile", "score"} for row in content["quantiles"])


@pytest.mark.parametrize("policy", ["greedy", "par:chance=7", "line:pair", "random"])
def test_solve_for_a_policy_from_a_card(run: Any, policy: str) -> None:
    given = ["--rules", "small.toml", "--policy", policy, "--card", "alike=30,chance=7", "--extra-points", "20"]
    content = succeeds(run("solve", *given, "--json")).json
    expected = analyzer.solve(RULES, policy=policy, card={"alike": 30, "chance": 7}, extra_points=20)
    assert content["policy"] == policy
    assert content["card"] == {"alike": 30, "chance": 7}
    assert content["expected_score"] == pytest.approx(expected.expected_score)


def test_solve_for_a_target(run: Any) -> None:
    given = ["solve", "--rules", "small.toml", "--target", "60", "--card", "chance=9,pair=8"]
    answer = succeeds(run(*given))
    assert re.search(r"at least 60 points with chance 0\.\d+ \(exact\)", answer.out)
    content = succeeds(run(*given, "--json")).json
    expected = analyzer.solve_for_target(RULES, 60, card={"chance": 9, "pair": 8})
    assert (content["target"], content["probability"]) == (60, expected.probability)


def test_yahtzee_from_the_command_line(run: Any) -> None:
    content = succeeds(run("solve", "yahtzee", "--card", CARD, "--json")).json
    assert content["game"] == "yahtzee"
    assert content["expected_score"] == pytest.approx(sum(line["mean"] for line in content["lines"]) + 141 + 35)


def test_advise_on_a_keep(run: Any) -> None:
    given = ["advise", "yahtzee", "--dice", "5,5,3,2,1", "--throws-left", "2"]
    answer = succeeds(run(*given))
    assert answer.out.startswith("Yahtzee, 1 2 3 5 5, throws left 2: keep ")
    assert "Best 12 of 24 decisions" in answer.out
    assert "How the turn ends after the best keep" in answer.out
    assert "Best 3 of 24 decisions" in succeeds(run(*given, "--show", "3")).out
    content = succeeds(run(*given, "--json")).json
    options = content["options"]
    assert len(options) == 24
    assert all(option.keys() == {"keep", "expected_score", "loss"} for option in options)
    assert options[0]["loss"] == 0
    assert [option["loss"] for option in options] == sorted(option["loss"] for option in options)
    assert all(set(option["keep"]) <= {1, 2, 3, 5} for option in options)
    assert sum(outcome["probability"] for outcome in content["outcomes"]) == pytest.approx(1)
    expected = analyzer.solve(make_rules("yahtzee")).advise([5, 5, 3, 2, 1], throws_left=2)
    assert [tuple(option["keep"]) for option in options] == expected.options()["keep"].tolist()


def test_advise_on_an_entry(run: Any) -> None:
    given = ["advise", "yahtzee", "--dice", "6 6 6 6 6", "--card", CARD]
    answer = succeeds(run(*given))
    assert "enter Yahtzee" in answer.out
    assert "How the turn ends" not in answer.out
    options = succeeds(run(*given, "--json")).json["options"]
    assert options[0]["line"] == "yahtzee"
    assert {option["line"] for option in options} == {"yahtzee", "large_straight", "chance"}
    assert all(option.keys() == {"line", "label", "points", "expected_score", "loss"} for option in options)
    points = {option["line"]: option["points"] for option in options}
    assert points == {"yahtzee": 50, "large_straight": 0, "chance": 30}


def test_advise_for_a_target(run: Any) -> None:
    given = ["advise", "yahtzee", "--dice", "6,6,6,6,2", "--throws-left", "1", "--card", CARD, "--target", "230"]
    answer = succeeds(run(*given))
    assert "keep 6 6 6 6 (chance of 230 points " in answer.out
    content = succeeds(run(*given, "--json")).json
    assert content["target"] == 230
    assert content["options"][0].keys() == {"keep", "chance", "loss"}


def test_advise_on_openings(run: Any) -> None:
    given = ["advise", "--opening", "--rules", "small.toml"]
    assert "best keep of every first roll" in succeeds(run(*given)).out
    rows = succeeds(run(*given, "--json")).json["opening"]
    assert len(rows) == 20
    assert rows[0].keys() == {"roll", "probability", "keep", "expected_score", "second_best_keep", "loss"}
    assert rows[0]["roll"] == [1, 1, 1]


def test_a_title_is_text_and_no_markup(run: Any, folder: Path) -> None:
    (folder / "odd.toml").write_text(replace(RULES, title="[/odd] & <b>").to_toml())
    given = ["--rules", "odd.toml"]
    for command in (["advise", "--opening"], ["advise", "--dice", "1,2,4"], ["solve"], ["rules"]):
        assert "[/odd] & <b>" in succeeds(run(*command, *given)).out


def test_advise_on_served_dice(run: Any) -> None:
    given = ["advise", "--rules", "winning.toml", "--dice", "1,2,2", "--json"]
    points = {}
    for name, flags in (("plain", []), ("served", ["--served"])):
        options = succeeds(run(*given, *flags)).json["options"]
        points[name] = {option["line"]: option["points"] for option in options}
    assert (points["plain"]["pair"], points["served"]["pair"]) == (5, 8)
    assert "enter Triplet" in succeeds(run("advise", "--rules", "winning.toml", "--dice", "2,2,2", "--served")).out


def test_advise_on_an_announced_line(run: Any) -> None:
    card = ",".join(f"{line}=0" for line in ("ones", "twos", "threes", "fours", "straight", "grande_1", "grande_2"))
    given = ["advise", "cacho-alalay", "--set", "declare_after_throw1=true", "--dice", "5,5,3,2,1", "--card", card]
    first = succeeds(run(*given, "--throws-left", "1"))
    assert "announce Fives" in first.out
    last = succeeds(run(*given, "--declared", "full-house", "--json")).json
    assert {option["line"] for option in last["options"]} == {"full_house"}


@pytest.mark.parametrize(
    ("policy", "value"),
    [
        ("points", "expected_score"),
        ("mixed:win_value=9", "expected_value"),
        ("instant", "chance"),
        ("instant:rich", "chance"),
    ],
)
def test_advise_for_a_policy_that_looks_at_wins(run: Any, policy: str, value: str) -> None:
    given = ["advise", "--rules", "winning.toml", "--policy", policy]
    content = succeeds(run(*given, "--dice", "1,2,2", "--throws-left", "1", "--json")).json
    expected = analyzer.solve(WINNING, policy=policy).advise([1, 2, 2], throws_left=1)
    assert [option[value] for option in content["options"]] == expected.options()[value].tolist()
    opening = succeeds(run(*given, "--opening", "--json")).json["opening"]
    assert opening[0].keys() == {"roll", "probability", "keep", value, "second_best_keep", "loss"}
    assert (opening[0]["second_best_keep"], opening[0]["loss"]) == (None, None)


def test_instant_wins_are_told(run: Any) -> None:
    answer = succeeds(run("solve", "--rules", "winning.toml", "--policy", "instant"))
    assert "How games are won at once" in answer.out
    assert "Triplet" in answer.out
    answer = succeeds(run("simulate", "--rules", "winning.toml", "--games", "50"))
    assert "How games are won at once" in answer.out
    assert "won at once" not in succeeds(run("simulate", "--rules", "winning.toml", "--turns", "50")).out
    assert "won at once" not in succeeds(run("solve", "--rules", "small.toml")).out


def test_clauses_are_told(run: Any) -> None:
    answer = succeeds(run("rules", "cacho-alalay"))
    for text in CachoAlalay().scorecard().text.splitlines():
        assert text in answer.out
    assert "20, served 25 points" in answer.out
    answer = succeeds(run("rules", "escalero", "--set", "double-grande-row=yes"))
    assert "only served 100 points" in answer.out
    assert "50, served 50" not in answer.out
    assert "dice that show 1" in answer.out


def test_advise_with_locked_dice(run: Any, folder: Path) -> None:
    (folder / "locked.toml").write_text(SMALL_GAMES["free"].to_toml())
    given = ["advise", "--rules", "locked.toml", "--dice", "1,2,3", "--throws-left", "1", "--json"]
    assert len(succeeds(run(*given)).json["options"]) == 8
    options = succeeds(run(*given, "--locked", "1,3")).json["options"]
    assert sorted(option["keep"] for option in options) == [[1, 2, 3], [1, 3]]


def test_simulate_games(run: Any) -> None:
    given = ["simulate", "--rules", "small.toml", "--games", "400", "--seed", "7", "--policy", "greedy"]
    answer = succeeds(run(*given))
    result = analyzer.simulate(RULES, policy="greedy", games=400, seed=7)
    assert answer.out.startswith(f"{result}\ntask {result.task_id}\n")
    content = succeeds(run(*given, "--json")).json
    assert {"mean", "standard_error", "interval", "games", "seed", "task_id", "lines"} <= content.keys()
    assert (content["games"], content["seed"], content["task_id"]) == (400, 7, result.task_id)
    assert content["mean"] == result.mean
    assert content["interval"] == list(result.interval)
    assert all({"name", "mean", "zero_rate"} <= line.keys() for line in content["lines"])
    assert run(*given, "--workers", "1", "--json").out == run(*given, "--workers", "3", "--json").out
    assert run(*given[:-4], "--seed", "8", "--json").out != run(*given, "--json").out


def test_simulate_turns(run: Any) -> None:
    given = ["simulate", "--rules", "small.toml", "--turns", "400", "--card", "chance=7", "--confidence", "0.9"]
    assert "90% interval, n = 400" in succeeds(run(*given)).out
    content = succeeds(run(*given, "--json")).json
    assert (content["turns"], content["confidence"]) == (400, 0.9)
    assert {line["name"] for line in content["lines"]} == {"face_1", "face_4", "pair", "alike"}


def test_simulate_a_single_game_as_json(run: Any) -> None:
    content = succeeds(run("simulate", "--rules", "small.toml", "--games", "1", "--json")).json
    assert content["standard_error"] is None
    assert "interval unknown, n = 1" in succeeds(run("simulate", "--rules", "small.toml", "--games", "1")).out


def test_simulate_what_ways_to_use_cards_are_worth(run: Any, folder: Path) -> None:
    given = ["simulate", "president", "--worth", "--games", "60", "--seed", "7", "--policy", "lowest"]
    answer = succeeds(run(*given, "--out", "tables"))
    result = analyzer.option_worth(analyzer.game("president"), "lowest", games=60, seed=7)
    assert answer.out.startswith(f"{result}\ntask {result.task_id}\n")
    assert "Answer by 2s, or keep them: 2s less another play" in answer.out
    assert (folder / "tables" / "option_worth.csv").exists()
    assert succeeds(run(*given, "--json")).json["options"] == result.to_dict()["options"]
    for more, message in (
        (["--turns", "5"], "--turns means nothing in President"),
        (["--policy", "rollout"], "is none to play on by"),
        (["--games", "0"], "games = 0 cannot be"),
    ):
        refused = run("simulate", "president", "--worth", *more)
        assert refused.code == 2
        assert message in refused.err[0]
    assert "--worth is for President, not Yahtzee; leave it out" in run("simulate", "yahtzee", "--worth").err[0]


def test_match(run: Any, folder: Path) -> None:
    """Players with parameters and a function of one's own; tables are written."""
    (folder / "my.py").write_text(
        "def lazy(dice, throws_left, card):\n    return dice if throws_left else next(iter(card.entries(dice)))\n"
    )
    command = (
        "match",
        "--rules",
        "small.toml",
        "--players",
        "par:pair=4,chance=8,optimal,my.py:lazy",
        "--games",
        "300",
    )
    answer = run(*command, "--out", "tables")
    assert "300 matches of par:pair=4,chance=8 against optimal against my.py:lazy@" in answer.out
    assert "By seat" in answer.out
    assert len(pd.read_csv(folder / "tables" / "seats.csv")) == 9
    told = run(*command, "--json").json
    assert told["players"][:2] == ["par:pair=4,chance=8", "optimal"]
    assert sum(row["payoff"] for row in told["payoffs"]) == pytest.approx(1)
    assert told["payoffs"][1]["payoff"] > told["payoffs"][2]["payoff"]
    wrong = run("match", "--rules", "small.toml", "--players", "optimal,race")
    assert (wrong.code, len(wrong.err)) == (2, 1)
    assert "policy 'race' is for games with served points or flips" in wrong.err[0]


def test_a_policy_of_my_own(run: Any, folder: Path) -> None:
    (folder / "my.py").write_text(
        textwrap.dedent(
            """
            def patient(dice, throws_left, card):
                if throws_left:
                    face = max(dice, key=lambda f: (dice.count(f), f))
                    return [face] * dice.count(face)
                entries = card.entries(dice)
                return max(entries, key=entries.get)
            """
        )
    )
    for game in (["yahtzee", "--games", "20"], ["--rules", "small.toml", "--turns", "20"]):
        content = succeeds(run("simulate", *game, "--policy", "my.py:patient", "--json")).json
        assert re.fullmatch(r"my\.py:patient@[0-9a-f]{8}", content["policy"])
    answer = run("simulate", "--rules", "small.toml", "--policy", "my.py:impatient")
    assert answer.code == 2
    assert answer.err == ["analyzer: policy file 'my.py' has no function 'impatient'; it has patient"]


TABLES = {
    "solve": (["solve"], {"lines", "line_rounds", "quantiles", "distribution"}),
    "solve a policy": (["solve", "--policy", "greedy"], {"lines", "line_rounds", "quantiles", "distribution"}),
    "advise": (["advise", "--dice", "1,4,4", "--throws-left", "1"], {"options", "outcomes"}),
    "opening": (["advise", "--opening"], {"opening"}),
    "games": (["simulate", "--games", "50"], {"lines", "line_rounds", "quantiles", "distribution"}),
    "turns": (["simulate", "--turns", "50"], {"lines", "quantiles", "distribution"}),
}


def test_tables_of_instant_wins_are_written(run: Any, folder: Path) -> None:
    for command in (["solve"], ["simulate", "--games", "50"]):
        succeeds(run(*command, "--rules", "winning.toml", "--out", command[0]))
        written = {path.stem for path in (folder / command[0]).glob("*.csv")}
        assert written == {"lines", "line_rounds", "quantiles", "distribution", "wins", "win_rounds"}


@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
@pytest.mark.parametrize("case", TABLES)
def test_tables_are_written(run: Any, folder: Path, case: str, as_json: bool) -> None:
    """Also beside JSON, which stays alone on standard output."""
    arguments, names = TABLES[case]
    answer = succeeds(run(*arguments, "--rules", "small.toml", "--out", "deep/tables", *["--json"] * as_json))
    assert answer.err == ["tables written to deep/tables"]
    if as_json:
        assert answer.json
    written = {path.name for path in (folder / "deep" / "tables").iterdir()}
    assert {name.removesuffix(".csv") for name in written if name.endswith(".csv")} == names
    for name in names:
        assert {f"{name}.csv", f"{name}.md", f"{name}.json"} <= written
        assert len(pd.read_csv(folder / "deep" / "tables" / f"{name}.csv")) > 0
    assert not [name for name in written if name.startswith(".")]


def test_report(run: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = ["report", "--rules", "small.toml", "--out", "all", "--games", "300", "--seed", "3"]
    answer = succeeds(run(*given, "--policy", "greedy", "--json"))
    content = answer.json
    assert content.keys() == {"game", "rules_id", "files"}
    assert content["files"][0] == "all/index.html"
    assert all((folder / file).is_file() for file in content["files"])
    page = (folder / "all" / "index.html").read_text()
    command = "analyzer report --rules small.toml --policy greedy --games 300 --seed 3 --out all"
    assert f"<code>{command}</code>" in page
    monkeypatch.setattr(charts, "save_chart", lambda axes, path: path)  # rendering takes longest
    again = succeeds(run(*given, "--policy", "greedy"))
    assert again.out == f"{len(content['files'])} files written to all; start with all/index.html\n"
    assert (folder / "all" / "index.html").read_text() == page


def test_the_command_in_a_report_is_what_a_shell_reads(
    run: Any, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has the options and policies as given, quoted, and what decides the result even where it was not given."""
    seen: dict[str, Any] = {}
    monkeypatch.setattr("analyzer.report.folder.write_report", lambda *_, **given: [tmp_path, seen.update(given)][:1])
    given = ["--set", "upper_bonus=gte63", "--policy", "par:chance=22", "--policy", "my file.py:name", "--workers", "1"]
    succeeds(run("report", "dice-poker", *given, "--out", "the report"))
    assert shlex.split(seen["command"]) == [
        *("analyzer", "report", "dice-poker", "--set", "upper_bonus=gte63", "--policy", "par:chance=22"),
        *("--policy", "my file.py:name", "--games", "100000", "--seed", "0", "--out", "the report"),
    ]
    assert [(one.option.name, one.value) for one in seen["settings"] if one.changed] == [("upper_bonus", "gte63")]
    assert not seen["notes"]
    succeeds(run("report", "crag", "--out", "all"))
    assert (seen["settings"], seen["notes"][0]) == ((), "Crag: three dice, two throws, thirteen lines.")


WRONG: dict[str, tuple[str, str]] = {
    "a die of 7": ("advise yahtzee --dice 5,5,3,2,7", "dice '2 3 5 5 7' show 7; choose faces in 1..6"),
    "a die of 0": ("advise yahtzee --dice 5,5,3,2,0", "dice '0 2 3 5 5' show 0; choose faces in 1..6"),
    "four dice": ("advise yahtzee --dice 5,5,3,2", "dice '2 3 5 5' are 4; give 5, as Yahtzee throws"),
    "six dice": ("advise yahtzee --dice 5,5,3,2,1,1", "are 6; give 5, as Yahtzee throws"),
    "letters as dice": ("advise yahtzee --dice 5,5,3,2,a", "--dice '5,5,3,2,a' are not dice; write faces such as"),
    "fractions as dice": ("advise yahtzee --dice 5,5,3,2,1.5", "are not dice; write faces such as 5,5,3,2,1"),
    "no dice": ("advise yahtzee", "no dice are given; write --dice 5,5,3,2,1, or --opening for all first rolls"),
    "throws left": ("advise yahtzee --dice 5,5,3,2,1 --throws-left 5", "throws left = 5 cannot be; a turn has 3"),
    "negative throws": ("advise yahtzee --dice 5,5,3,2,1 --throws-left -1", "throws left = -1 cannot be; a turn has"),
    "half a throw": ("advise yahtzee --dice 5,5,3,2,1 --throws-left 1.5", "--throws-left '1.5' is no whole number;"),
    "locked without rule": (
        "advise yahtzee --dice 5,5,3,2,1 --throws-left 1 --locked 5",
        "locked dice '5' mean nothing in Yahtzee; leave them out",
    ),
    "locked without throws": (
        "advise yahtzee --dice 5,5,3,2,1 --locked 5",
        "locked dice '5' mean nothing in Yahtzee; leave them out",
    ),
    "locked not in the roll": (
        "advise yahtzee --set lock_kept=true --dice 5,5,3,2,1 --throws-left 1 --locked 5,5,5",
        "locked dice '5 5 5' are not part of the roll 1 2 3 5 5; choose dice from the roll",
    ),
    "locked not in the final roll": (
        "advise yahtzee --set lock_kept=true --dice 5,5,3,2,1 --throws-left 0 --locked 6",
        "locked dice '6' are not part of the roll 1 2 3 5 5; choose dice from the roll",
    ),
    "served without rule": (
        "advise yahtzee --dice 5,5,3,2,1 --served",
        "served dice mean nothing in Yahtzee; leave served out",
    ),
    "announced without rule": (
        "advise yahtzee --dice 5,5,3,2,1 --declared fives",
        "no line is announced in Yahtzee; leave declared out",
    ),
    "announced openings": (
        "advise cacho-alalay --set declare_after_throw1=true --opening --declared fives",
        "--opening and --declared fives are both given; leave one of them out",
    ),
    "nothing announced": (
        "advise cacho-alalay --set declare_after_throw1=true --dice 5,5,3,2,1",
        "has a line announced after the first throw; give it as declared",
    ),
    "served openings": ("advise yahtzee --opening --served", "--opening and --served are both given, but every first"),
    "advice for a policy": ("advise yahtzee --dice 5,5,3,2,1 --policy greedy", "advice is about best play, not "),
    "openings of a policy": ("advise yahtzee --opening --policy greedy", "the opening table is about best play, not"),
    "wins where there are none": (
        "advise yahtzee --dice 5,5,3,2,1 --policy instant",
        "policy 'instant' is for games with instant wins, which Yahtzee has not; use optimal",
    ),
    "advice for a target and a policy": (
        "advise yahtzee --dice 5,5,3,2,1 --target 100 --policy instant",
        "--target goes with the policy optimal, not 'instant'; leave --policy out",
    ),
    "letters locked": ("advise yahtzee --dice 5,5,3,2,1 --locked x", "--locked 'x' are not dice; write faces"),
    "impossible score": (
        "advise yahtzee --dice 5,5,3,2,1 --card sixes=17",
        "sixes = 17 is not a score of that line; choose from 0, 6, 12, 18, 24, 30",
    ),
    "filled twice": (
        "advise yahtzee --dice 5,5,3,2,1 --card sixes=18,sixes=12",
        "line 'sixes' is filled twice; give each line once",
    ),
    "filled twice in two spellings": (
        "solve yahtzee --card full-house=25,Full_House=0",
        "line 'full_house' is filled twice; give each line once",
    ),
    "a line without points": ("solve yahtzee --card sixes", "--card 'sixes' is not name=value; write it as sixes=..."),
    "no number of points": ("solve yahtzee --card sixes=a", "--card sixes=a is no score; give line=points, such as"),
    "a full card": (f"solve yahtzee --card {CARD},large_straight=0,yahtzee=0,chance=9", "leave a line open"),
    "extra points": ("solve yahtzee --extra-points 100", "extra points 100 need points in 'yahtzee'; fill it or leave"),
    "option of a game without any": (
        "solve kniffel --set throws=2",
        "option 'throws' cannot be set: kniffel is a rules file and has no options; leave it out, or change a copy",
    ),
    "unknown game": ("solve yathzee", "game 'yathzee' is unknown; did you mean 'yahtzee'? Known: dice_poker, "),
    "unknown line": ("solve yahtzee --card six=18", "line 'six' is unknown; did you mean 'sixes'? Known: aces, twos"),
    "unknown policy": ("simulate yahtzee --policy greed", "policy 'greed' is unknown; did you mean 'greedy'? Known: "),
    "unknown line of a policy": ("solve yahtzee --policy line:sixs", "line 'sixs' is unknown; did you mean 'sixes'?"),
    "a par that is none": ("solve yahtzee --policy par:chance", "par 'chance' has no '='; write line=points, such as"),
    "parameters too many": ("solve yahtzee --policy greedy:3", "takes no parameters but got '3'; write greedy alone"),
    "unknown rule": ("solve yahtzee --set jokers=free", "option of yahtzee 'jokers' is unknown; did you mean 'joker'?"),
    "unknown value": ("solve yahtzee --set joker=maybe", "joker = 'maybe' is not allowed; choose from: 'forced',"),
    "a rule without value": ("solve yahtzee --set joker", "--set 'joker' is not name=value; write it as joker=..."),
    "a rule twice": ("solve yahtzee --set throws=1 --set throws=2", "gives an option twice; give each once"),
    "throws out of range": ("solve yahtzee --set throws=11", "throws = 11 is outside 1..10; choose a whole number"),
    "unknown command": ("advice yahtzee", 'Unknown command "advice". Did you mean "advise"?'),
    "unknown option": ("advise yahtzee --keep 5,5", "Unknown option: --keep. Did you mean --seed?; see 'analyzer"),
    "a word too many": ("games yahtzee", "Unused Tokens: ['yahtzee']; see 'analyzer --help'"),
    "no game": ("solve", "no game is given; name one of dice_poker, escalero, "),
    "game and rules": ("solve yahtzee --rules small.toml", "game 'yahtzee' and --rules 'small.toml' are both given"),
    "rules and options": ("solve --rules small.toml --set throws=1", "put options into the rules file under [options]"),
    "broken rules file": ("solve --rules broken.toml", "broken.toml: not a TOML file: Invalid value (at line 2,"),
    "unknown key": ("solve --rules key.toml", "key.toml: throw is an unknown key; did you mean 'throws'? Allowed: "),
    "wrong value": ("solve --rules value.toml", "value.toml: throws = 20 is outside 1..10; choose a whole number in"),
    "no rules file": ("solve --rules none.toml", "'none.toml' cannot be read (No such file or directory);"),
    "no file": ("simulate yahtzee --policy none.py:f", "policy file 'none.py' cannot be read (No such file or"),
    "no function": ("simulate yahtzee --policy raises.py", "'raises.py' does not name a function in a file; write"),
    "broken function": (
        "simulate --rules small.toml --games 5 --policy raises.py:f",
        "raised ZeroDivisionError: division by zero at dice",
    ),
    "illegal answer": ("simulate --rules small.toml --games 5 --policy raises.py:g", "return a part of the dice to"),
    "too many questions": ("solve yahtzee --policy raises.py:g", "above the limit of 50,000,000; use simulate, or"),
    "no games": ("simulate yahtzee --games 0", "games = 0 cannot be; give a whole number in 1..1000000000000"),
    "fewer than no games": ("simulate yahtzee --games -5", "games = -5 cannot be; give a whole number in 1.."),
    "a number of games in words": ("simulate yahtzee --games many", "--games 'many' is no whole number; give one"),
    "a fraction of games": ("simulate yahtzee --games 1.5", "--games '1.5' is no whole number; give one"),
    "no turns": ("simulate yahtzee --turns 0", "turns = 0 cannot be; give a whole number in 1..1000000000000"),
    "games and turns": ("simulate yahtzee --games 5 --turns 5", "games = 5 and turns = 5 are both given; give one of"),
    "negative seed": ("simulate yahtzee --seed -1", "seed = -1 cannot be; give a whole number in"),
    "a seed too large": ("simulate yahtzee --seed 18446744073709551616", "cannot be; give a whole number in"),
    "confidence": ("simulate yahtzee --confidence 2", "confidence = 2.0 cannot be; give a number between 0 and 1,"),
    "confidence in words": ("simulate yahtzee --confidence high", "--confidence 'high' is no number; give one, such"),
    "no confidence": ("simulate yahtzee --confidence nan", "confidence = nan cannot be; give a number between 0 and 1"),
    "no workers": ("simulate yahtzee --workers 0", "the number of workers is 0; it must be at least 1"),
    "no workers to solve": ("solve --rules small.toml --workers 0", "the number of workers is 0; it must be at least"),
    "no workers to advise": ("advise --rules small.toml --dice 1,2,4 --workers -2", "the number of workers is -2; it"),
    "nothing to show": ("advise yahtzee --dice 5,5,3,2,1 --show 0", "--show 0 shows nothing; give 1 or more"),
    "target of a policy": ("solve yahtzee --target 100 --policy greedy", "--target goes with the policy optimal, not"),
    "target and opening": ("advise yahtzee --opening --target 100", "--opening and --target 100 are both given; give"),
    "an endless target": (f"solve yahtzee --target 1{'0' * 40}", "cannot be; give a whole number in 0..1000000000"),
    "target and tables": ("solve yahtzee --target 100 --out tables", "--out 'tables' has no tables to take with"),
    "opening of one throw": ("advise yahtzee --opening --set throws=1", "has one throw a turn; there is no keep to"),
    "no folder": ("report yahtzee", "--out requires an argument"),
    "a report without a name": ("report yahtzee --out ", "folder '' has no name; name one with --out"),
    "a solution without a name": ("solve yahtzee --out ", "folder '' has no name; name one with --out"),
    "advice without a name": ("advise yahtzee --dice 1,2,3,4,5 --out ", "folder '' has no name; name one with --out"),
    "games without a name": ("simulate yahtzee --out ", "folder '' has no name; name one with --out"),
    "unwritable folder of a report": ("report --rules small.toml --out file/all", "folder 'file/all' cannot be"),
    "unwritable folder of a solution": ("solve --rules small.toml --out file/all", "(Not a directory); choose"),
    "unwritable folder of advice": ("advise --rules small.toml --dice 1,2,4 --out file", "(Not a directory); choose"),
    "unwritable folder of openings": ("advise --rules small.toml --opening --out file/a", "folder 'file/a' cannot be"),
    "unwritable folder of games": ("simulate --rules small.toml --out file/all/deep", "(Not a directory); choose"),
    "report of no games": ("report --rules small.toml --out all --games 0", "games = 0 cannot be; give a whole number"),
    "report of an unknown policy": ("report --rules small.toml --out all --policy greed", "policy 'greed' is unknown;"),
    "report of one policy twice": (
        "report --rules small.toml --out all --policy par --policy par:",
        "policies optimal, par, par: name one policy twice; give each once",
    ),
    "report with a wrong seed": ("report --rules small.toml --out all --seed -1", "seed = -1 cannot be; give a whole"),
    "report without workers": ("report --rules small.toml --out all --workers 0", "the number of workers is 0; it"),
}  # fmt: skip


@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
@pytest.mark.parametrize("case", WRONG)
def test_wrong_input(run: Any, folder: Path, case: str, as_json: bool) -> None:
    """One line with the value, the constraint and the remedy; exit code 2; nothing printed or written besides."""
    (folder / "broken.toml").write_text('base = "yahtzee"\nthrows = \n')
    (folder / "key.toml").write_text('base = "yahtzee"\nthrow = 2\n')
    (folder / "value.toml").write_text('base = "yahtzee"\nthrows = 20\n')
    (folder / "raises.py").write_text("def f(d, t, c): return 1 / 0\ndef g(d, t, c): return [7]\n")
    (folder / "file").write_text("in the way")
    before = sorted(folder.rglob("*"))
    arguments, message = WRONG[case]
    answer = run(*arguments.split(" "), *["--json"] * (as_json and not arguments.startswith("advice")))
    assert answer.code == 2
    assert answer.out == ""
    assert len(answer.err) == 1
    assert answer.err[0].startswith("analyzer: ")
    assert message in answer.err[0]
    assert sorted(folder.rglob("*")) == before


def test_help_names_every_command_and_option(run: Any) -> None:
    answer = succeeds(run("--help"))
    assert "dice and card games" in answer.out
    for command in ("games", "rules", "policies", "solve", "advise", "simulate", "report"):
        assert command in answer.out
        assert "--json" in succeeds(run(command, "--help")).out
    assert answer.out == succeeds(run()).out
    for option in ("--dice", "--throws-left", "--card", "--locked", "--target", "--opening", "--set", "--no-cache"):
        assert option in succeeds(run("advise", "--help")).out
    told = succeeds(run("--version")).out
    assert re.fullmatch(r"strategy-analyzer (\d+\.\d+\.\d+|unknown)\n", told)
    assert succeeds(run("games", "--version")).out == told


ASK = ("advise", "--rules", "small.toml", "--dice", "1,4,4", "--throws-left", "2", "--json")


def test_answers_are_kept_and_damaged_files_replaced(run: Any, tmp_path: Path) -> None:
    first = succeeds(run(*ASK))
    files = [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    assert files
    for file in files:
        file.write_bytes(file.read_bytes()[:-5])
    assert succeeds(run(*ASK)).out == first.out
    for file in files:
        content = bytearray(file.read_bytes())
        content[-9] ^= 4
        file.write_bytes(content)
    assert succeeds(run(*ASK)).out == first.out


def test_no_cache(run: Any, tmp_path: Path) -> None:
    solved = succeeds(run("solve", "--rules", "small.toml", "--no-cache", "--json"))
    asked = succeeds(run(*ASK, "--no-cache"))
    simulated = succeeds(run("simulate", "--rules", "small.toml", "--games", "50", "--no-cache", "--json"))
    assert not (tmp_path / "cache").exists()
    assert succeeds(run(*ASK)).out == asked.out
    assert succeeds(run("solve", "--rules", "small.toml", "--json")).out == solved.out
    assert succeeds(run("simulate", "--rules", "small.toml", "--games", "50", "--json")).out == simulated.out


def test_a_cache_that_cannot_be_written(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = succeeds(run(*ASK, "--no-cache"))
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr(store, "cache_directory", lambda: tmp_path / "file" / "cache")
    assert succeeds(run(*ASK)).out == expected.out


def test_compilation_is_announced_once_and_not_on_standard_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from contextlib import contextmanager

    @contextmanager
    def announce(callback: Any) -> Iterator[None]:
        callback("first")
        callback("second")
        yield

    monkeypatch.setattr(jit, "announce_compilation", announce)
    main(list(ASK))
    captured = capsys.readouterr()
    assert captured.err.count(NOTICE) == 1
    assert json.loads(captured.out)


def process(*command: str, encoding: str = "utf-8") -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": encoding},
    )


def test_a_whole_process(folder: Path) -> None:
    with process("-m", "analyzer", *ASK) as child:
        out, err = child.communicate(timeout=300)
    assert child.returncode == 0
    assert json.loads(out)["options"][0]["loss"] == 0
    assert "Traceback" not in err


def test_a_whole_process_with_wrong_input() -> None:
    with process("-m", "analyzer", "advise", "yahtzee", "--dice", "5,5,3,2,7") as child:
        out, err = child.communicate(timeout=300)
    assert child.returncode == 2
    assert out == ""
    assert err == "analyzer: dice '2 3 5 5 7' show 7; choose faces in 1..6\n"


def test_a_terminal_without_our_letters(folder: Path) -> None:
    given = ["simulate", "--rules", "small.toml", "--games", "100", "--policy", "greedy"]
    with process("-m", "analyzer", *given, encoding="ascii") as child:
        out, err = child.communicate(timeout=300)
    assert child.returncode == 0
    assert "mean score" in out
    assert "Traceback" not in err


def test_help_needs_no_slow_library() -> None:
    script = """
        import sys
        from analyzer.cli import main
        try:
            main(["advise", "--help"])
        except SystemExit:
            pass
        slow = {"numba", "numpy", "pandas", "scipy", "matplotlib"} & set(sys.modules)
        assert not slow, slow
    """
    with process("-c", textwrap.dedent(script)) as child:
        out, err = child.communicate(timeout=300)
    assert (child.returncode, err) == (0, "")
    assert "--throws-left" in out


STOPPED = """
    import os, signal, sys
    import analyzer.analysis.simulate as simulate
    from analyzer.cli import main

    signal.signal(signal.SIGINT, signal.default_int_handler)
    play = simulate.game_block
    told = []

    def tell(*arguments, **options):
        if not told:
            told.append(True)
            print("playing", file=sys.stderr, flush=True)
        return play(*arguments, **options)

    simulate.game_block = tell
    simulate.GAME_BLOCK = 1 << 16
    main(sys.argv[1:])
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_ends_a_long_run(folder: Path, workers: str) -> None:
    arguments = ["simulate", "--rules", "small.toml", "--games", "1000000000", "--policy", "greedy", "--out", "tables"]
    with process("-c", textwrap.dedent(STOPPED), *arguments, "--workers", workers) as child:
        assert child.stderr is not None
        for line in child.stderr:
            if line == "playing\n":
                break
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
    assert child.returncode == 130
    assert out == ""
    assert [line for line in err.splitlines() if NOTICE not in line] == ["stopped"]
    assert not (folder / "tables").exists()


@pytest.mark.skipif(shutil.which("head") is None, reason="needs head")
def test_a_reader_that_stops_early() -> None:
    with process("-m", "analyzer", "rules", "yahtzee", "--toml") as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        err = child.stderr.read()
        child.wait(timeout=300)
    assert "Traceback" not in err
    assert child.returncode in (0, 141)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize(
    "command",
    [("--help",), ("rules", "yahtzee", "--toml"), ("policies",), ("policies", "--json"), ("rules", "yahtzee")],
    ids=" ".join,
)
def test_output_that_cannot_be_written(command: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        answer = subprocess.run(
            [sys.executable, "-m", "analyzer", *command],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            timeout=300,
            check=False,
        )
    assert answer.returncode == 2
    assert answer.stderr == "analyzer: the output cannot be written (No space left on device); send it elsewhere\n"


TALKATIVE = """
print("read")

def talk(dice, throws_left, card):
    print("asked")
    return dice if throws_left else next(iter(card.entries(dice)))
"""


def write_nothing(axes: object, path: Path) -> Path:
    """A chart that takes no time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


@pytest.mark.parametrize(
    "command",
    [
        ["simulate", "--games", "20"],
        ["simulate", "--turns", "20"],
        ["solve", "--card", "face_1=1,face_4=4,pair=8,chance=9"],
        ["report", "--out", "all", "--games", "20"],
    ],
    ids=" ".join,
)
def test_what_a_policy_prints_is_not_output(
    run: Any, folder: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    (folder / "talk.py").write_text(TALKATIVE)
    monkeypatch.setattr(charts, "save_chart", write_nothing)
    given = [*command, "--rules", "small.toml", "--policy", "talk.py:talk"]
    answer = succeeds(run(*given, "--json"))
    assert answer.json
    assert {"read", "asked"} <= set(answer.err)
    answer = succeeds(run(*given))
    assert "asked" not in answer.out
