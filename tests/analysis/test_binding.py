"""Policies by name, and the solution that `optimal` needs: solved once, kept on disk, never trusted unseen."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analyzer.analysis import binding
from analyzer.analysis.arguments import whole
from analyzer.analysis.binding import bind_policy, optimal_values
from analyzer.analysis.families import FAMILIES
from analyzer.dice.clauses import InstantWin
from analyzer.dice.own_policy import OwnPolicy
from analyzer.dice.policies import Chase, Greedy, Optimal, Par, Policy, Random
from analyzer.dice.solver import solve
from analyzer.dice.states import StateSpace
from analyzer.engine import store
from analyzer.engine.executors import worker_count
from analyzer.engine.store import load_arrays, save_arrays
from analyzer.errors import AnalyzerError, PolicyError, RulesError, UsageError
from tests.dice.reference import SMALL_GAMES

RULES = SMALL_GAMES["forced"]
WINNABLE = replace(RULES, upper_bonus=None, instant_wins=(InstantWin(name="alike", throw="any_full_throw"),))
OTHER = SMALL_GAMES["free"]


@pytest.mark.parametrize(
    ("text", "kind", "named"),
    [
        ("optimal", Optimal, "optimal"),
        (" Optimal ", Optimal, "optimal"),
        ("optimal:", Optimal, "optimal"),
        ("greedy", Greedy, "greedy"),
        ("GREEDY", Greedy, "greedy"),
        ("random", Random, "random"),
        ("par", Par, "par"),
        ("par:", Par, "par"),
        ("par:chance=22, Face-1=2.5", Par, "par:face_1=2.5,chance=22"),
        ("line:pair", Chase, "line:pair"),
        ("line:Face 4", Chase, "line:face_4"),
    ],
)
def test_policies_by_name(text: str, kind: type[Policy], named: str) -> None:
    policy = bind_policy(RULES, text, cache=False)
    assert type(policy) is kind
    assert policy.text == named
    assert policy.space is StateSpace.of(RULES)
    again = bind_policy(RULES, policy.text, cache=False)
    assert (type(again), again.text) == (kind, named)


def test_every_listed_policy_exists() -> None:
    for name, meaning in FAMILIES.items():
        assert meaning
        if name != "FILE.py:NAME":
            text = {"line": "line:pair", "mixed": "mixed:win_value=9"}.get(name, name)
            rules = WINNABLE if name in ("points", "mixed", "instant") else RULES
            assert bind_policy(rules, text, cache=False).family == name


def test_functions_see_the_upper_total() -> None:
    policy = bind_policy(RULES, lambda dice, left, card: dice)
    assert isinstance(policy, OwnPolicy)
    assert not policy.space.merged


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("greedily", PolicyError, "policy 'greedily' is unknown; did you mean 'greedy'? Known: optimal, greedy, par"),
        (
            "",
            PolicyError,
            "policy '' is unknown; choose from: optimal, greedy, par, line, points, mixed, ",
        ),
        ("greedy:2", PolicyError, "policy 'greedy' takes no parameters but got '2'; write greedy alone"),
        ("optimal:x", PolicyError, "policy 'optimal' takes no parameters but got 'x'; write optimal alone"),
        ("line", PolicyError, "policy 'line' needs a line; write line:face_1, or another line"),
        ("line:", PolicyError, "policy 'line' needs a line"),
        ("line:pear", RulesError, "line 'pear' is unknown; did you mean 'pair'?"),
        ("par:chance", PolicyError, "par 'chance' has no '='; write line=points"),
        ("par:chance=", PolicyError, "par of chance is ''; give a number of points"),
        ("par:chance=nan", PolicyError, "par of chance is 'nan'; give a number of points"),
        ("par:chance=1,chance=2", PolicyError, "par of chance is given twice; give it once"),
        ("par:chanse=1", RulesError, "line 'chanse' is unknown; did you mean 'chance'?"),
        ("nowhere.py:f", PolicyError, "policy file 'nowhere.py' cannot be read"),
        ("nowhere.py", PolicyError, "policy 'nowhere.py' does not name a function in a file; write path.py:function"),
    ],
)
def test_policies_that_cannot_be(text: str, error: type[AnalyzerError], message: str) -> None:
    with pytest.raises(error) as caught:
        bind_policy(RULES, text, cache=False)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the games that are really solved from now on."""
    solved: list[str] = []

    def solve_and_tell(space: StateSpace, **options: Any) -> np.ndarray:
        solved.append(space.rules.name)
        return solve(space, **options)

    monkeypatch.setattr(binding, "solve_values", solve_and_tell)
    return solved


def file_of(folder: Path, kind: str = "values") -> Path:
    (file,) = (folder / kind).iterdir()
    return file


def test_a_game_is_solved_once(cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solved = counted(monkeypatch)
    first, second = optimal_values(RULES), optimal_values(RULES)
    assert solved == ["forced"]
    assert first.tobytes() == second.tobytes() == solve(StateSpace.of(RULES)).tobytes()
    assert file_of(cache_folder).name == f"{RULES.id}.arrays"
    optimal_values(OTHER)
    assert solved == ["forced", "free"]


def test_without_cache_nothing_is_read_or_written(cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solved = counted(monkeypatch)
    right = optimal_values(RULES, cache=False)
    assert not cache_folder.exists()
    assert save_arrays(RULES.id, "values", {"values": right + 1}, {})
    assert np.array_equal(optimal_values(RULES), right + 1), "the store is read where it may be"
    assert np.array_equal(optimal_values(RULES, cache=False), right)
    assert solved == ["forced", "forced"]


def truncate(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-8])


def cut_to_nothing(file: Path) -> None:
    file.write_bytes(b"")


def cut_the_header(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:40])


def flip_a_bit(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) - len(content) // 4] ^= 0x10
    file.write_bytes(content)


def flip_a_bit_of_the_header(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[60] ^= 1
    file.write_bytes(content)


def replace_with_text(file: Path) -> None:
    file.write_text("this is no solution\n" * 100)


def replace_with_that_of_another_game(file: Path) -> None:
    optimal_values(OTHER)
    (foreign,) = (other for other in file.parent.iterdir() if other != file)
    foreign.replace(file)


def replace_with_one_of_another_shape(file: Path) -> None:
    save_arrays(RULES.id, "values", {"values": np.zeros(7)}, {})


def replace_with_other_arrays(file: Path) -> None:
    save_arrays(RULES.id, "values", {"numbers": np.zeros(StateSpace.of(RULES).columns)}, {})


def replace_with_a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


DAMAGES: list[Callable[[Path], None]] = [
    truncate, cut_to_nothing, cut_the_header, flip_a_bit, flip_a_bit_of_the_header, replace_with_text,
    replace_with_that_of_another_game, replace_with_one_of_another_shape, replace_with_other_arrays,
    replace_with_a_folder,
]  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_or_foreign_solution_is_solved_anew(
    damage: Callable[[Path], None], cache_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = optimal_values(RULES)
    damage(file_of(cache_folder))
    solved = counted(monkeypatch)
    assert optimal_values(RULES).tobytes() == right.tobytes()
    assert solved == ["forced"]
    if damage is not replace_with_a_folder:
        assert optimal_values(RULES).tobytes() == right.tobytes()
        assert solved == ["forced"], "the good one has replaced it"


def test_a_cache_folder_that_cannot_be_written_is_no_obstacle(
    tmp_path: Path, cache_folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr(store, "cache_directory", lambda: tmp_path / "file" / "cache")
    with caplog.at_level(logging.WARNING):
        values = [optimal_values(RULES) for _ in range(2)]
    assert values[0].tobytes() == values[1].tobytes() == solve(StateSpace.of(RULES)).tobytes()
    assert len(caplog.records) == 1
    assert "set ANALYZER_CACHE_DIR to a folder that can be written" in caplog.text


def test_what_is_loaded_can_be_used_by_a_policy(cache_folder: Path) -> None:
    fresh = bind_policy(RULES, "optimal")
    loaded = bind_policy(RULES, "optimal")
    assert load_arrays(RULES.id, "values") is not None
    columns = StateSpace.of(RULES).layers[2]
    for one, other in zip(fresh.tables(columns)[:2], loaded.tables(columns)[:2], strict=True):
        assert np.asarray(one).tobytes() == np.asarray(other).tobytes()


@pytest.mark.parametrize("workers", [0, -1, True, 1.5, "2"])
def test_numbers_of_workers_that_cannot_be(workers: object) -> None:
    with pytest.raises(UsageError, match=r"the number of workers is .*; it must be at least 1"):
        worker_count(workers)


@pytest.mark.parametrize("workers", [None, 1, 7, np.int64(2)])
def test_numbers_of_workers(workers: object) -> None:
    worker_count(workers)


@pytest.mark.parametrize("value", [0, 11, True, 2.0, "3", None, 10**400])
def test_whole_numbers_that_cannot_be(value: object) -> None:
    with pytest.raises(UsageError, match=r"games = .* cannot be; give a whole number in 1\.\.10") as caught:
        whole("games", value, 1, 10)
    assert "\n" not in str(caught.value)
    assert whole("games", np.int32(10), 1, 10) == 10
