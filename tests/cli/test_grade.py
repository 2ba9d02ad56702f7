"""The command `grade`: what it prints and writes, examples that it grades, and one line for whatever is wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from jsonschema import Draft202012Validator

import analyzer
from analyzer.dice.record import record_schema
from analyzer.games.registry import make_rules, scorecard_names
from tests.dice.reference import WINNING
from tests.test_cli import ROOT, RULES, folder, run, succeeds

__all__ = ["folder", "run"]  # fixtures


def test_the_example_of_the_readme(run: Any, folder: Path) -> None:
    """What the README shows is what the command prints."""
    section = (ROOT / "README.md").read_text().partition("### Grading a played game")[2]
    record, shown = (re.search(rf"```{kind}\n(.*?)```", section, re.DOTALL) for kind in ("json", "text"))
    assert record is not None
    assert shown is not None
    (folder / "game.json").write_text(record[1])
    printed = succeeds(run("grade", "yahtzee", "game.json")).out
    lines = [line.rstrip() for line in printed.splitlines()]
    assert [line for line in shown[1].splitlines() if line not in lines] == []


def example(run: Any, *given: str) -> Any:
    return json.loads(succeeds(run("grade", *given, "--example")).out)


def test_the_schema(run: Any) -> None:
    assert succeeds(run("grade", "--schema")).json == record_schema()


@pytest.mark.parametrize("game", scorecard_names())
def test_examples_fit_the_schema_and_are_graded(run: Any, folder: Path, game: str) -> None:
    answer = succeeds(run("grade", game, "--example", "--seed", "3"))
    assert answer.err == []
    content = json.loads(answer.out)
    Draft202012Validator(record_schema()).validate(content)
    assert content == analyzer.record_game(make_rules(game), seed=3).to_dict()
    (folder / "record.json").write_text(answer.out)
    graded = succeeds(run("grade", game, "record.json", "--json")).json
    assert graded["final_score"] == content["score"]
    total = graded["start_value"] + graded["luck"] - graded["mistakes"]
    assert total == pytest.approx(graded["final_value"], abs=1e-9)
    assert graded["game"] == content["game"]


def test_an_example_of_options_and_of_a_rules_file(run: Any, folder: Path) -> None:
    given = ["yahtzee", "--set", "throws=2", "--set", "lock-kept=yes"]
    content = example(run, *given)
    assert content["options"] == {"throws": "2", "lock-kept": "yes"}
    assert all(len(turn["throws"]) <= 2 for turn in content["turns"])
    (folder / "record.json").write_text(json.dumps(content))
    assert succeeds(run("grade", *given, "record.json", "--json")).json["final_score"] == content["score"]
    other = run("grade", "yahtzee", "record.json")
    assert other.code == 2
    assert other.err[0].startswith(
        "analyzer: the record is of yahtzee with throws = 2, lock-kept = yes, not of Yahtzee;"
    )
    (folder / "record.json").write_text(json.dumps(example(run, "--rules", "small.toml")))
    for place in (["--rules", "small.toml", "record.json"], ["record.json", "--rules", "small.toml"]):
        assert succeeds(run("grade", *place, "--json")).json["rules_id"] == RULES.id
    assert (
        succeeds(run("grade", "--rules", "small.toml", "--record", "record.json", "--json")).json["rules_id"]
        == RULES.id
    )


def test_what_is_printed(run: Any, folder: Path) -> None:
    record = analyzer.record_game(RULES, policy="random", seed=2)
    (folder / "record.json").write_text(record.to_json())
    answer = succeeds(run("grade", "--rules", "small.toml", "record.json", "--show", "3"))
    grading = analyzer.grade(RULES, record)
    assert answer.out.startswith(f"{grading}\n")
    many = len(grading.costliest(100))
    assert many > 3
    assert f"The costliest 3 of {many} decisions that were not the best" in answer.out
    assert f"More with --show {many}." in answer.out
    worst = grading.costliest(1).iloc[0]
    for text in (worst["chosen"], worst["best"], f"{worst['lost']:.3f}", f"{grading.luck:.3f}"):
        assert text in answer.out
    assert "More with" not in succeeds(run("grade", "--rules", "small.toml", "record.json", "--show", "99")).out


def test_a_game_without_mistakes(run: Any, folder: Path) -> None:
    (folder / "record.json").write_text(analyzer.record_game(RULES, policy="optimal").to_json())
    assert "No decision lost anything." in succeeds(run("grade", "--rules", "small.toml", "record.json")).out


def test_chances_of_a_win(run: Any, folder: Path) -> None:
    record = analyzer.record_game(WINNING, policy="random", seed=2)
    (folder / "record.json").write_text(record.to_json())
    answer = succeeds(run("grade", "--rules", "winning.toml", "record.json", "--policy", "instant"))
    grading = analyzer.grade(WINNING, record, policy="instant")
    assert re.search(rf"start +{grading.start_value:.3%}", answer.out)
    assert "played for instant" in answer.out
    assert "played for points" in succeeds(run("grade", "--rules", "winning.toml", "record.json")).out


def test_out(run: Any, folder: Path) -> None:
    record = analyzer.record_game(RULES, policy="random", seed=2)
    (folder / "record.json").write_text(record.to_json())
    answer = succeeds(run("grade", "--rules", "small.toml", "record.json", "--out", "graded"))
    assert answer.err == ["tables written to graded", "chart written to graded/luck_and_mistakes.png"]
    grading = analyzer.grade(RULES, record)
    for name in ("summary", "decisions", "throws", "turns"):
        found = pd.read_parquet(folder / "graded" / f"{name}.parquet")
        assert len(found) == len(getattr(grading, name)())
    assert (folder / "graded" / "luck_and_mistakes.png").read_bytes().startswith(b"\x89PNG")


WRONG = {
    "no record": ("grade yahtzee", "no record is given; name its JSON file, or see what one looks like with --example"),
    "no game": ("grade", "no game is given"),
    "no file": ("grade yahtzee none.json", "record 'none.json' cannot be read (No such file or directory)"),
    "no json": ("grade --rules small.toml small.toml", "record 'small.toml' is not JSON"),
    "example and record": ("grade yahtzee record.json --example", "record 'record.json' and --example are both given"),
    "game and rules": ("grade yahtzee record.json --rules small.toml", "game 'yahtzee' and --rules 'small.toml' are"),
    "show": ("grade yahtzee record.json --show 0", "--show 0 shows nothing; give 1 or more"),
    "seed": ("grade yahtzee --example --seed -1", "seed = -1 cannot be; give a whole number"),
    "policy": ("grade yahtzee record.json --policy greedy", "grading measures against best play, not 'greedy'"),
    "key": ("grade yahtzee key.json", "turn 1: key 'trows' is unknown; did you mean 'throws'?"),
    "keep": ("grade yahtzee keep.json", "turn 1, throw 1: kept dice 6 6 are not part of the roll 1 2 3 5 5;"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_input(run: Any, folder: Path, name: str) -> None:
    (folder / "record.json").write_text('{"turns": []}')
    (folder / "key.json").write_text('{"turns": [{"trows": [[1]]}]}')
    keep = {"throws": [[5, 5, 3, 2, 1], [6, 6, 6, 6, 6]], "keeps": [[6, 6]], "line": "sixes"}
    (folder / "keep.json").write_text(json.dumps({"turns": [keep]}))
    words, message = WRONG[name]
    answer = run(*words.split())
    assert answer.code == 2
    assert answer.out == ""
    assert len(answer.err) == 1
    assert answer.err[0].startswith(f"analyzer: {message}")
