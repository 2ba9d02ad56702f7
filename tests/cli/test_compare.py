"""The command `compare`: what it prints and writes, and one line for whatever is wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from analyzer.cli import main
from analyzer.engine import jit, store

QUICK = ["--games", "2000", "--no-exact", "--no-play", "--policy", "greedy"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, and a cache folder beside it."""
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setattr(store, "source_unchanged", lambda: True)
    monkeypatch.setattr(store, "cache_directory", lambda: tmp_path / "cache")
    monkeypatch.setattr(jit, "announce_compilation", jit.announce_compilation)
    monkeypatch.setenv("COLUMNS", "160")
    return here


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = 0
    try:
        main(["compare", *arguments])
    except SystemExit as end:
        code = int(end.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


def test_the_example_of_the_readme(capsys: pytest.CaptureFixture[str]) -> None:
    arms = ["--arm", "base", "--arm", "straight=25", "--arm", "double_grande=true"]
    code, out, _ = run(capsys, "escalero", *arms, "--policy", "greedy", "--precision", "0.5")
    assert code == 0
    assert "straight=25 less base +3." in out
    assert "exact +3.2514" in out
    assert "intervals at 0.95 together, at all looks" in out
    assert "Lines that change" in out


def test_best_play_is_told_of(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "escalero", "--arm", "straight=25", "--games", "500")
    assert code == 0
    assert "2.38% of decisions differ" in out
    assert "What straight=25 plays otherwise than base" in out
    assert re.search(r"base +straight=25 .*\n.* plays +plays ", out)  # names of arms as they were given
    assert "keep nothing" in out


def test_arms_that_are_the_same(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    arms = ["--arm", "greedy", "--arm", "name=again,policy=greedy", "--confidence", "0.9999999999"]
    code, out, _ = run(capsys, "escalero", *arms, "--games", "500", "--out", "same")
    assert code == 0
    assert "again less greedy +0.00 ± 0.00, exact +0.0000" in out
    assert "Differences, intervals at 0.9999999999\n" in out
    (row,) = json.loads((folder / "same/tables/differences.json").read_text(encoding="utf-8"))
    assert (row["difference"], row["adjusted_p_value"], row["variance_reduction"]) == (0, 1, None)
    assert "99.99999999% interval" in (folder / "same/index.html").read_text(encoding="utf-8")


def test_best_play_that_does_not_change_makes_no_table(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "escalero", "--arm", "base", "--arm", "name=again,policy=optimal", "--games", "500")
    assert code == 0
    assert "0.00% of decisions differ" in out
    assert "plays otherwise" not in out


def test_json_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "escalero", "--arm", "base", "--arm", "par", *QUICK, "--json")
    found: Any = json.loads(out)
    assert code == 0
    assert [arm["policy"] for arm in found["arms"]] == ["greedy", "par"]
    assert found["games"] == 2000
    assert len(found["differences"]) == 1
    assert err.replace("compiling for first use; each kind of job does that once, in up to a minute ...", "") in (
        "",
        "\n",
    )


def test_matches(capsys: pytest.CaptureFixture[str]) -> None:
    arms = ["--arm", "base", "--arm", "sweep_total=12"]
    code, out, _ = run(capsys, "escalero", *arms, "--players", "par,greedy", "--games", "500")
    assert code == 0
    assert "500 matches of each arm" in out


def test_parameters_of_players_have_commas_too(capsys: pytest.CaptureFixture[str]) -> None:
    arms = ["--arm", "base", "--arm", "throws=2"]
    players = ["--players", "par:chance=22,sixes=18, greedy"]
    code, out, _ = run(capsys, "yahtzee", *arms, *players, "--games", "100", "--json")
    assert code == 0
    assert json.loads(out)["arms"][0]["policy"] == "par:sixes=18,chance=22 against greedy"


def test_a_file_of_arms(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    Path("arms.toml").write_text(
        'game = "escalero"\npolicy = "greedy"\n[[arm]]\nname = "one"\n[[arm]]\nname = "two"\npolicy = "par"\n'
    )
    options = ["--games", "1000", "--no-exact"]
    code, out, _ = run(capsys, "--arms", "arms.toml", *options)
    assert code == 0
    assert "two less one" in out
    code, _, err = run(capsys, "escalero", "--arms", "arms.toml", *options)
    assert code == 2
    assert err == "analyzer: --arms 'arms.toml' says everything itself; leave game, --arm, --set and --policy out\n"


def test_rules_files_go_with_neither_game_nor_options(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    Path("mine.toml").write_text('base = "yahtzee"\nthrows = 2\n')
    arms = ["--arm", "greedy", "--arm", "par", "--games", "10"]
    for wrong, message in (
        (["--set", "lock_kept=true"], "--set goes with a game's name; put options into the rules file under [options]"),
        (["yahtzee"], "game 'yahtzee' and --rules 'mine.toml' are both given; give one of them"),
    ):
        code, _, err = run(capsys, *wrong, "--rules", "mine.toml", *arms)
        assert code == 2
        assert err == f"analyzer: {message}\n"


def test_a_folder_is_written(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    arms = ["--arm", "base", "--arm", "straight=25"]
    code, _, err = run(capsys, "escalero", *arms, *QUICK, "--workers", "1", "--out", "found")
    assert code == 0
    assert "start with found/index.html" in err
    first = Path("found/index.html").read_bytes()
    assert (
        b"analyzer compare escalero --arm base --arm straight=25 --policy greedy --games 2000 --against first" in first
    )
    assert b"--workers" not in first
    run(capsys, "escalero", *arms, *QUICK, "--workers", "2", "--out", "found")
    assert Path("found/index.html").read_bytes() == first


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["escalero"], "no arms are given; write --arm base --arm name=value, or --arm optimal --arm greedy"),
        (["--arm", "greedy"], "no game is given"),
        (["escalero", "--arm", "base"], "arms are 1; give 2..20 of them"),
        (["escalero", "--arm", "straight=99"], "straight = '99' is not allowed"),
        (["escalero", "--arm", "gredy"], "arm 'gredy' is neither 'base' nor a policy nor name=value"),
        (["escalero", "--set", "strait=25", "--arm", "greedy"], "option of escalero 'strait' is unknown"),
        (["escalero", "--arm", "greedy", "--precision", "fine"], "--precision 'fine' is no number"),
        (["escalero", "--arm", "greedy", "--precision", "-1"], "precision = -1.0 cannot be"),
        (["escalero", "--arm", "greedy", "--games", "1"], "games = 1 cannot be"),
        (["escalero", "--arm", "greedy", "--against", "each"], "against = 'each' cannot be; give first or all"),
        (
            ["escalero", "--arm", "greedy", "--players", "sum,sum", "--policy", "par"],
            "are both given; give one of them",
        ),
        (["escalero", "--arm", "greedy", "--arm", "greedy"], "two arms are called 'greedy'"),
        (["--arms", "none.toml"], "arms file 'none.toml' cannot be read"),
        (["escalero", "--arm", "players=sum,sum", "--arm", "greedy"], "cannot be compared"),
        (["escalero", "--arm", "greedy", "--out", "notes.txt/x"], "cannot be written"),
    ],
)
def test_wrong_input_ends_with_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    Path("notes.txt").write_text("")
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
